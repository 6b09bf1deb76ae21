use super::*;

const TWO: &str = "[White \"<b>A</b>\"]\n[Black \"B\"]\n\n1. e4 {best <script>} e5 (1... c5 2. Nf3 (2. c3 d5) 2... d6) \
                   2. Nf3 $1 *\n\n[White \"C\"]\n\n1. d4 d5 1-0\n";

#[test]
fn games_are_listed_and_opened_with_their_variations() {
    let collections = Collections::default();
    let imported = collections.add(TWO.as_bytes()).unwrap();
    assert_eq!(imported.games.len(), 2);
    assert_eq!((imported.games[0].plies, imported.games[1].result.as_str()), (3, "1-0"));
    let game = collections.open(imported.collection, 0, &Openings::embedded()).unwrap();
    assert_eq!(game.tags[0], ("White".to_string(), "<b>A</b>".to_string()));
    let nodes = game.nodes;
    let sans: Vec<&str> = nodes.iter().filter_map(|node| node.san.as_deref()).collect();
    assert_eq!(sans, ["e4", "e5", "c5", "Nf3", "Nf3", "c3", "d6", "d5"]);
    for (index, node) in nodes.iter().enumerate() {
        assert!(node.parent.is_none_or(|parent| (parent as usize) < index));
    }
    assert_eq!(
        (nodes[4].nags.as_slice(), nodes[1].comments.as_slice()),
        ([1].as_slice(), ["best <script>".to_string()].as_slice())
    );
    assert!(collections.open(imported.collection, 7, &Openings::embedded()).is_err());
}

#[test]
fn commands_null_moves_and_comments_before_a_move_are_kept() {
    let text = "1. e4 {[%clk 0:05:00] [%csl Ge4,Rd5] good} $14 ({why not} 1. d4 -- 2. c4) 1... e5 *";
    let collections = Collections::default();
    let imported = collections.add(text.as_bytes()).unwrap();
    let nodes = collections.open(imported.collection, 0, &Openings::embedded()).unwrap().nodes;
    let sans: Vec<&str> = nodes.iter().filter_map(|node| node.san.as_deref()).collect();
    assert_eq!(sans, ["e4", "d4", "e5", "--", "c4"]);
    assert_eq!(nodes[1].comments, ["[%clk 0:05:00] [%csl Ge4,Rd5] good"]);
    assert_eq!(
        (nodes[1].nags.as_slice(), nodes[2].comments_before[0].as_str()),
        ([14].as_slice(), "why not")
    );
    assert_eq!((nodes[4].uci.as_deref(), nodes[4].turn), (Some("0000"), crate::messages::Side::White));
}

#[test]
fn a_bad_game_is_opened_up_to_its_fault() {
    let collections = Collections::default();
    let text = &b"[White \"A\"]\n\n1. e4 e5 (1... c5) 2. Zz9 Nc6 *\n\n[White \"B\"]\n\n1. d4 *\n";
    let imported = collections.add(&text[..]).unwrap();
    let listed = &imported.games[0];
    assert_eq!((listed.white.as_str(), listed.plies), ("A", 2));
    let fault = listed.problem.clone().unwrap();
    assert!(fault.contains("line 3") && fault.contains("Zz9"), "{fault}");
    let game = collections.open(imported.collection, 0, &Openings::embedded()).unwrap();
    assert_eq!((game.nodes.len(), game.fault), (4, Some(fault)));
    let good = collections.open(imported.collection, 1, &Openings::embedded()).unwrap();
    assert_eq!((good.nodes.len(), good.fault), (2, None));
}

#[test]
fn positions_with_operations_are_read() {
    let text = b"# mates\n2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6; id \"WAC.001\";\n\
        8/8/8/8/8/8/8/K1k5 w - - 0 1\n";
    let collections = Collections::default();
    let imported = collections.add(&text[..]).unwrap();
    assert_eq!((imported.games.len(), imported.games[0].event.as_str()), (2, "WAC.001"));
    let game = collections.open(imported.collection, 0, &Openings::embedded()).unwrap();
    assert!(game.nodes[0].fen.starts_with("2rr3k/"), "{}", game.nodes[0].fen);
    assert_eq!(game.nodes[0].comments, ["Best move: Qg6; Name: WAC.001"]);
}

fn pgn_files(folder: &std::path::Path, found: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap()) {
        let skipped = ["target", "node_modules", ".git"].iter().any(|name| entry.file_name() == *name);
        let path = entry.path();
        if entry.file_type().unwrap().is_dir() {
            if !skipped {
                pgn_files(&path, found);
            }
        } else if path.extension().is_some_and(|extension| extension == "pgn") {
            found.push(path);
        }
    }
}

/// Tags, moves, variations, comments, glyphs and commands of every PGN file of the repository.
#[test]
fn an_import_keeps_everything() {
    let mut files = Vec::new();
    pgn_files(&std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."), &mut files);
    assert!(files.len() >= 10, "{files:?}");
    for file in files {
        let text = std::fs::read(&file).unwrap();
        let collections = Collections::default();
        let imported =
            collections.add(text.as_slice()).unwrap_or_else(|problem| panic!("{file:?}: {problem:?}"));
        let kept = collections.0.lock().unwrap().collections[0].1.clone();
        for (index, game) in PgnReader::with_limits(text.as_slice(), READING).enumerate() {
            let again = PgnReader::new(kept[index].pgn.as_bytes()).next().unwrap().unwrap();
            assert_eq!(again, game.unwrap(), "{file:?}, game {}", index + 1);
        }
        assert_eq!(imported.games.len(), kept.len());
    }
}

/// The same for what few files have: Chess960 with X-FEN rights, shapes, clocks, evaluations, glyphs without a sign.
#[test]
fn an_import_keeps_chess960_and_commands() {
    let text = "[Event \"E\"]\n[White \"A \\\"B\\\"\"]\n[WhiteElo \"2100\"]\n[Variant \"Chess960\"]\n\
        [SetUp \"1\"]\n[FEN \"4k2r/pppppppp/8/8/8/8/PPPPPPPP/RR2K3 w Bk - 0 1\"]\n[Result \"1-0\"]\n\n\
        {before} 1. O-O-O {[%clk 1:00:59.98] [%eval 0.25,22] [%csl Ga1,Rb2] [%cal Ge2e4] why} $146 $13 \
        ({instead} 1. a4 $1 -- 2. a5 {[%eval #-3]}) 1... O-O 1-0\n\n";
    let collections = Collections::default();
    collections.add(text.as_bytes()).unwrap();
    let kept = collections.0.lock().unwrap().collections[0].1[0].pgn.clone();
    let read = |text: &str| PgnReader::new(text.as_bytes()).next().unwrap().unwrap();
    assert_eq!(read(&kept), read(text));
    assert!(read(text).is_chess960());
    for part in ["Variant \"Chess960\"", "w Bk -", "[%csl Ga1,Rb2]", "[%cal Ge2e4]", "$146", "--", "#-3"] {
        assert!(kept.contains(part), "{part}: {kept}");
    }
}

#[test]
fn a_bad_game_is_listed_with_its_reason() {
    let imported =
        Collections::default().add(&b"1. e4 e5 *\n\n1. e4 Ke7 Qh5 Zz9 *\n\n1. d4 *\n"[..]).unwrap();
    assert_eq!(imported.games.len(), 3);
    assert!(imported.games[1].problem.is_some() && imported.games[2].problem.is_none());
}

#[test]
fn what_is_no_pgn_is_refused_with_a_sentence() {
    for text in ["", "hello world", "1. e5", "\u{0}\u{1}\u{2}"] {
        let problem = Collections::default().add(text.as_bytes()).unwrap_err();
        assert!(!problem.what.is_empty() && !problem.next.is_empty(), "{text}");
    }
    let deep = format!("1. e4 {}", "(1. d4 ".repeat(500_000));
    assert!(Collections::default().add(deep.as_bytes()).is_err());
}
