use super::*;

fn player(engine: Option<&str>, level: Option<u16>) -> LabPlayer {
    LabPlayer { engine: engine.map(str::to_string), level }
}

#[test]
fn a_match_has_only_what_the_operator_allows() {
    let engines = [AllowedEngine { name: "Other one".to_string(), path: PathBuf::from("/bin/other") }];
    let start = |first| LabStart::Match { first, second: player(None, Some(1500)), games: 9, nodes: 1 };
    let (_, found) = words(&start(player(Some("Other one"), None)), &engines).unwrap();
    assert!(found.contains(&"cmd=/bin/other".to_string()) && found.contains(&"name=Otherone-1".to_string()));
    assert!(found.contains(&"nodes=100".to_string()) && found.contains(&"8".to_string()), "{found:?}");
    for name in ["/bin/sh", "cmd=/bin/sh", "Other one\0", "proto=internal cmd=/bin/sh"] {
        assert!(words(&start(player(Some(name), None)), &engines).is_err(), "{name}");
    }
}

#[test]
fn studies_are_known_by_name_alone() {
    let name = studies().unwrap()[0].name.clone();
    assert!(words(&LabStart::Study { name, quick: true }, &[]).is_ok());
    for name in ["--out", "../x", ""] {
        assert!(words(&LabStart::Study { name: name.to_string(), quick: false }, &[]).is_err(), "{name}");
    }
}

#[test]
fn a_match_runs_stops_and_goes_on() {
    let root = std::env::temp_dir().join(format!("tabiya-runs-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&root);
    std::fs::create_dir_all(&root).unwrap();
    let runs = ExperimentRuns::default();
    let wanted =
        LabStart::Match { first: player(None, None), second: player(None, None), games: 10_000, nodes: 100 };
    runs.start(&root, &wanted, &[]).unwrap();
    assert!(runs.start(&root, &wanted, &[]).is_err(), "two at a time");
    let folder = runs.folders()[0].clone();
    let done = || {
        let store = experiment::store::Store::open(&folder).ok()?;
        store.game_numbers().ok().map(|numbers| numbers.len())
    };
    let wait = |what: &dyn Fn() -> bool| {
        for _ in 0..1200 {
            if what() {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(100));
        }
        panic!("too slow: {:?}", runs.state(&folder));
    };
    wait(&|| done().is_some_and(|games| games > 0));
    runs.stop(&folder).unwrap();
    wait(&|| !runs.state(&folder).running);
    let games = done().unwrap();
    assert!(games < 10_000);
    runs.resume(&folder).unwrap();
    wait(&|| done().is_some_and(|more| more > games));
    runs.stop(&folder).unwrap();
    wait(&|| !runs.state(&folder).running);
    let _ = std::fs::remove_dir_all(&root);
}
