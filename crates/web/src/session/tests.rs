//! A session without a browser: commands in, events out.

use super::*;
use crate::archive::Archive;
use crate::experiments::ExperimentFolder;
use crate::guard::Guard;
use crate::limits::{Machine, Timeouts};
use crate::messages::{
    ClockSettings, GameSettings, GameView, Line, Odds, Opponent, SideChoice, Slot, Start, Status, Worth,
};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::channel;
use std::time::Duration;

struct TestClock(Instant);

impl engine::Clock for TestClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

pub(crate) struct Channel(pub Sender<Event>);

impl EventSink for Channel {
    fn send(&self, event: Event) {
        let _ = self.0.send(event);
    }

    fn offer(&self, event: Event) {
        let _ = self.0.send(event);
    }
}

static FOLDERS: AtomicU32 = AtomicU32::new(0);

pub(crate) struct TestServer {
    pub shared: Arc<Shared>,
    folder: PathBuf,
}

impl TestServer {
    fn new() -> TestServer {
        TestServer::with_engines(|_| Vec::new())
    }

    pub(crate) fn with_clock(clock: Arc<dyn engine::Clock>) -> TestServer {
        TestServer::with(|_| Vec::new(), clock)
    }

    /// With external engines, whose files are made in the server's folder.
    fn with_engines(
        engines: impl Fn(&std::path::Path) -> Vec<crate::allowed_engine::AllowedEngine>,
    ) -> TestServer {
        TestServer::with(engines, Arc::new(TestClock(Instant::now())))
    }

    fn with(
        engines: impl Fn(&std::path::Path) -> Vec<crate::allowed_engine::AllowedEngine>,
        clock: Arc<dyn engine::Clock>,
    ) -> TestServer {
        let number = FOLDERS.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("tabiya-session-{}-{number}", std::process::id()));
        let address = "127.0.0.1:1".parse().unwrap();
        std::fs::create_dir_all(&folder).unwrap();
        let engines = engines(&folder);
        let shared = Shared::new(
            crate::shared::Stores {
                library: Arc::new(crate::library::Library::open(&folder).unwrap()),
                archive: Archive::open(&folder).unwrap(),
                studies: crate::studies::Studies::open(&folder).unwrap(),
                puzzles: crate::puzzles::Puzzles::new(&folder),
            },
            Guard::new(address, &[], "token".into()),
            ExperimentFolder::new(folder.clone()),
            Machine::with(2, None),
            Timeouts::default(),
            engines,
            clock,
        );
        TestServer { shared: Arc::new(shared), folder }
    }

    fn tab(&self) -> Tab {
        let (inputs, received) = channel();
        let (sender, events) = channel();
        let session = TabSession::new(Arc::clone(&self.shared), inputs.clone(), Box::new(Channel(sender)));
        let thread = std::thread::spawn(move || session.run(&received));
        Tab { inputs, events, thread: Some(thread) }
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

struct Tab {
    inputs: Sender<SessionInput>,
    events: Receiver<Event>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Tab {
    fn send(&self, command: Command) {
        self.inputs.send(SessionInput::Command(command)).unwrap();
    }

    fn wait_for<T>(&self, mut wanted: impl FnMut(Event) -> Option<T>) -> T {
        let start = Instant::now();
        loop {
            assert!(start.elapsed() < Duration::from_secs(120), "other events only");
            let event = self.events.recv_timeout(Duration::from_secs(60)).expect("an answer");
            if let Some(found) = wanted(event) {
                return found;
            }
        }
    }

    fn game(&self, mut wanted: impl FnMut(&GameView) -> bool) -> GameView {
        self.wait_for(|event| match event {
            Event::Game { view } if wanted(&view) => Some(*view),
            Event::Problem { what, .. } => panic!("{what}"),
            _ => None,
        })
    }

    fn problem(&self) -> String {
        self.wait_for(|event| if let Event::Problem { what, .. } = event { Some(what) } else { None })
    }

    fn my_turn(&self) -> GameView {
        self.game(|view| view.status == Status::YourMove)
    }

    fn close(&mut self) {
        let _ = self.inputs.send(SessionInput::Closed);
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }
}

impl Drop for Tab {
    fn drop(&mut self) {
        self.close();
    }
}

pub(crate) fn settings() -> GameSettings {
    GameSettings {
        side: SideChoice::White,
        opponent: Opponent { level: None, options: Vec::new() },
        clock: None,
        engine_clock: None,
        start: Start::Standard,
        odds: Odds::None,
        natural: false,
        ponder: false,
    }
}

fn from(fen: &str) -> GameSettings {
    GameSettings { start: Start::Position { fen: Some(fen.into()), moves: Vec::new() }, ..settings() }
}

pub(crate) fn mv(text: &str, ply: u32) -> Command {
    Command::Move { text: text.into(), ply }
}

#[test]
fn a_move_is_answered_and_taken_back() {
    let server = TestServer::new();
    let tab = server.tab();
    tab.send(Command::NewGame { settings: GameSettings { ponder: true, ..settings() } });
    assert_eq!(tab.my_turn().nodes.len(), 1);
    tab.send(mv("e4", 0));
    assert_eq!(tab.my_turn().nodes.len(), 3);
    tab.send(mv("Ke9", 2));
    assert!(tab.problem().contains("Ke9"));
    tab.send(Command::TakeBack);
    assert_eq!(tab.my_turn().nodes.len(), 1);
    tab.send(Command::TakeBack);
    assert!(tab.problem().contains("no move of yours"));
}

/// A tab that is left alone does not keep a core busy for ever.
#[test]
fn pondering_ends_by_itself() {
    let server = TestServer::new();
    let (inputs, received) = channel();
    let context = SessionContext { shared: Arc::clone(&server.shared), tab: 1, inputs };
    let mut game = GameSession::new(GameSettings { ponder: true, ..settings() }, &context).ok().unwrap();
    game.execute(&mv("e4", 0)).ok().unwrap();
    // Without a clock nothing else has a deadline.
    let due = loop {
        let SessionInput::Search { search, report } = received.recv_timeout(Duration::from_secs(60)).unwrap()
        else {
            continue;
        };
        game.handle_report(search.number, report);
        if let Some(due) = game.deadline() {
            break due;
        }
    };
    assert_eq!(server.shared.searches.load(Ordering::Relaxed), 1, "it ponders");
    game.handle_deadlines(Instant::now());
    assert_eq!(game.deadline(), Some(due), "not yet");
    game.handle_deadlines(due);
    assert_eq!(game.deadline(), None);
    let start = Instant::now();
    while server.shared.searches.load(Ordering::Relaxed) > 0 {
        assert!(start.elapsed() < Duration::from_secs(60), "it still ponders");
        std::thread::yield_now();
    }
    game.execute(&mv("d4", 2)).ok().unwrap();
}

/// A setting that the engine refused is not taken for set: it is refused again, and the old one holds.
#[test]
fn a_refused_setting_is_not_remembered() {
    let server = TestServer::new();
    let tab = server.tab();
    let with = |value: &str| {
        let options = vec![("Contempt".to_string(), value.to_string())];
        let settings = AnalysisSettings { engine: None, lines: 1, threads: 1, hash_megabytes: 1, options };
        Command::Analyse { slot: Slot::First, line: line(""), settings, threat: false }
    };
    for _ in 0..2 {
        tab.send(with("1000000"));
        assert!(tab.problem().contains("Contempt"));
    }
    tab.send(with("0"));
    tab.wait_for(|event| matches!(event, Event::Analysis { running: true, .. }).then_some(()));
}

#[test]
fn a_late_move_changes_nothing() {
    let server = TestServer::new();
    let tab = server.tab();
    tab.send(Command::NewGame { settings: settings() });
    tab.my_turn();
    tab.send(mv("e4", 7));
    assert_eq!(tab.my_turn().nodes.len(), 1);
}

#[test]
fn mate_ends_the_game() {
    let server = TestServer::new();
    let tab = server.tab();
    tab.send(Command::NewGame { settings: from("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1") });
    tab.my_turn();
    tab.send(mv("d1d8", 0));
    let view = tab.game(|view| matches!(view.status, Status::Over { .. }));
    let over = Status::Over { result: "1-0".into(), reason: "Checkmate: White wins".into() };
    assert_eq!(view.status, over);
    tab.send(Command::ExportGame { id: view.id });
    let pgn = tab.wait_for(|event| if let Event::Exported { pgn, .. } = event { Some(pgn) } else { None });
    assert!(pgn.contains("[White \"You\"]") && pgn.contains("Rd8#") && pgn.contains("1-0"), "{pgn}");
}

#[test]
fn resigning_and_switching_sides() {
    let server = TestServer::new();
    let tab = server.tab();
    tab.send(Command::NewGame { settings: settings() });
    tab.my_turn();
    tab.send(Command::SwitchSides);
    let view = tab.my_turn();
    assert_eq!((view.nodes.len(), view.you), (2, crate::messages::Side::Black));
    tab.send(Command::Resign);
    let view = tab.game(|view| matches!(view.status, Status::Over { .. }));
    assert_eq!(view.status, Status::Over { result: "1-0".into(), reason: "Black resigns".into() });
}

#[test]
fn a_draw_is_declined_at_once_and_accepted_when_lost() {
    let server = TestServer::new();
    let tab = server.tab();
    tab.send(Command::NewGame { settings: settings() });
    tab.my_turn();
    tab.send(Command::OfferDraw);
    tab.wait_for(|event| (event == Event::DrawDeclined).then_some(()));
    // A queen down, the engine has moved once and knows it.
    let lost = GameSettings { odds: Odds::Queen, ..settings() };
    tab.send(Command::NewGame { settings: lost });
    tab.my_turn();
    tab.send(mv("e4", 0));
    tab.my_turn();
    tab.send(Command::OfferDraw);
    let view = tab.game(|view| matches!(view.status, Status::Over { .. }));
    assert_eq!(view.status, Status::Over { result: "1/2-1/2".into(), reason: "draw by agreement".into() });
}

#[test]
fn castling_in_chess960_is_king_takes_rook() {
    let server = TestServer::new();
    let tab = server.tab();
    // The king on f1 steps to g1 or castles with the rook on h1.
    tab.send(Command::NewGame { settings: from("4k3/pppppppp/8/8/8/8/PPPPPPPP/5K1R w H - 0 1") });
    let view = tab.my_turn();
    assert!(view.chess960);
    tab.send(mv("f1h1", 0));
    let view = tab.game(|view| view.nodes.len() >= 2);
    assert_eq!(view.nodes[1].san.as_deref(), Some("O-O"));
    assert!(view.nodes[1].fen.starts_with("4k3/pppppppp/8/8/8/8/PPPPPPPP/5RK1"), "{}", view.nodes[1].fen);
}

#[test]
fn a_flag_falls() {
    let server = TestServer::new();
    let tab = server.tab();
    let clock = Some(ClockSettings { seconds: 1, increment: 0 });
    let engine_clock = Some(ClockSettings { seconds: 60, increment: 0 });
    tab.send(Command::NewGame { settings: GameSettings { clock, engine_clock, ..settings() } });
    tab.my_turn();
    tab.send(mv("e4", 0));
    let view = tab.game(|view| matches!(view.status, Status::Over { .. }));
    assert_eq!(view.status, Status::Over { result: "0-1".into(), reason: "White is out of time".into() });
    assert_eq!(view.clocks.map(|clocks| clocks.white), Some(0));
}

#[test]
fn a_game_outlives_its_board() {
    let server = TestServer::new();
    let mut first = server.tab();
    first.send(Command::NewGame { settings: settings() });
    first.my_turn();
    first.send(mv("d4", 0));
    let view = first.my_turn();
    first.close();
    let second = server.tab();
    second.send(Command::OpenGame { id: view.id });
    assert_eq!(second.my_turn().nodes, view.nodes);
    second.send(Command::ListGames { search: "you".into() });
    let games =
        second.wait_for(|event| if let Event::Games { games, .. } = event { Some(games) } else { None });
    assert_eq!((games.len(), games[0].plies), (1, 2));
    second.send(Command::DeleteGame { id: view.id });
    second.send(Command::OpenGame { id: view.id });
    assert!(second.problem().contains("no saved game"));
}

#[test]
fn one_game_is_played_at_one_board() {
    let server = TestServer::new();
    let (first, second) = (server.tab(), server.tab());
    first.send(Command::NewGame { settings: settings() });
    let id = first.my_turn().id;
    second.send(Command::OpenGame { id });
    second.my_turn();
    let taken = first.wait_for(|event| if let Event::GameElsewhere { id } = event { Some(id) } else { None });
    assert_eq!(taken, id);
    first.send(mv("e4", 0));
    assert!(first.problem().contains("no game at this board"));
}

#[test]
fn an_analysis_deepens_and_stops() {
    let server = TestServer::new();
    let tab = server.tab();
    let line = Line { start: Some("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1".into()), moves: Vec::new() };
    let settings =
        AnalysisSettings { engine: None, lines: 3, threads: 1, hash_megabytes: 1, options: Vec::new() };
    tab.send(Command::Analyse {
        slot: Slot::First,
        line: line.clone(),
        settings: settings.clone(),
        threat: false,
    });
    let lines = tab.wait_for(|event| match event {
        Event::Analysis { lines, .. } if lines.len() == 3 && lines[0].depth >= 3 => Some(lines),
        _ => None,
    });
    assert_eq!((lines[0].san[0].as_str(), lines[0].worth), ("Rd8#", Worth::Mate(1)));
    tab.send(Command::StopAnalysis { slot: Slot::First });
    tab.wait_for(|event| matches!(event, Event::Analysis { running: false, .. }).then_some(()));
    // What Black threatens if White does nothing: nothing here is in check, so there is an answer.
    tab.send(Command::Analyse { slot: Slot::First, line, settings, threat: true });
    let fen = tab.wait_for(|event| match event {
        Event::Analysis { threat: true, fen, lines, .. } if !lines.is_empty() => Some(fen),
        _ => None,
    });
    assert!(fen.contains(" b "), "{fen}");
}

/// A UCI engine of a few lines. It writes its process number and the options that are set to files.
#[cfg(unix)]
const SCRIPT: &str = r#"#!/bin/sh
echo $$ > "$0.pid"
while read -r line; do
  case "$line" in
    uci)
      echo "id name Script"
      echo "option name Hash type spin default 1 min 1 max 999999"
      echo "option name Skill type spin default 20 min 0 max 20"
      echo "option name Style type combo default Very Solid var Very Solid var Risky"
      echo "option name Log type string default <empty>"
      echo "option name Clear Hash type button"
      echo uciok ;;
    setoption*) echo "$line" >> "$0.set" ;;
    isready) echo readyok ;;
    "go infinite") echo "info depth 7 seldepth 9 multipv 1 score cp 33 nodes 100 time 10 hashfull 1 pv e2e4 e7e5 e1e8" ;;
    stop) echo "bestmove e2e4" ;;
    quit) exit ;;
  esac
done
"#;

/// A server whose list has the script.
#[cfg(unix)]
fn server_with_script() -> TestServer {
    use std::os::unix::fs::PermissionsExt as _;
    TestServer::with_engines(|folder| {
        let path = folder.join("script-engine");
        std::fs::write(&path, SCRIPT).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o700)).unwrap();
        vec![crate::allowed_engine::AllowedEngine { name: "Script".to_string(), path }]
    })
}

/// Rule 6: the page sets what the engine offers, within its bounds, and nothing that takes a text.
#[cfg(unix)]
#[test]
fn options_of_an_external_engine_are_told_and_set_within_their_bounds() {
    let server = server_with_script();
    let mut tab = server.tab();
    let wanted = [
        ("Skill", "5"),
        ("Style", "Risky"),
        ("Skill", "99"),
        ("Style", "Wild"),
        ("Log", "/etc/passwd"),
        ("Clear Hash", ""),
        ("Hash", "999999"),
        ("Skill", "1\nquit"),
    ];
    let options = wanted.map(|(name, value)| (name.to_string(), value.to_string())).to_vec();
    tab.send(Command::Analyse {
        slot: Slot::First,
        line: line(""),
        settings: AnalysisSettings {
            engine: Some("Script".to_string()),
            lines: 1,
            threads: 1,
            hash_megabytes: 1,
            options,
        },
        threat: false,
    });
    let (engine, offered) = tab.wait_for(|event| match event {
        Event::EngineOptions { engine, options } => Some((engine, options)),
        Event::Problem { what, .. } => panic!("{what}"),
        _ => None,
    });
    let names: Vec<&str> = offered.iter().map(|option| option.name.as_str()).collect();
    assert_eq!((engine.as_str(), names), ("Script", vec!["Skill", "Style"]));
    tab.wait_for(|event| matches!(event, Event::Analysis { lines, .. } if !lines.is_empty()).then_some(()));
    let set = std::fs::read_to_string(server.folder.join("script-engine.set")).unwrap();
    let mut lines = set.lines();
    assert_eq!(lines.next(), Some("setoption name Skill value 5"));
    assert_eq!(lines.next(), Some("setoption name Style value Risky"));
    // What the session itself sets follows.
    assert_eq!(lines.next(), Some("setoption name Threads value 1"), "{set}");
    assert!(set.contains("setoption name Hash value 1\n"), "{set}");
    tab.close();
}

#[cfg(unix)]
#[test]
fn an_external_engine_is_used_by_its_name_only_and_ends_with_its_tab() {
    let server = server_with_script();
    let mut tab = server.tab();
    let names =
        tab.wait_for(|event| if let Event::Welcome { engine } = event { Some(engine.engines) } else { None });
    assert_eq!(names, ["Script"]);
    let analyse = |engine: &str| Command::Analyse {
        slot: Slot::Second,
        line: line(""),
        settings: AnalysisSettings {
            engine: Some(engine.to_string()),
            lines: 1,
            threads: 1,
            hash_megabytes: 1,
            options: Vec::new(),
        },
        threat: false,
    };
    // Neither a path that exists nor the path of an engine of the list is a name.
    let path = server.folder.join("script-engine");
    for other in ["/bin/sh", path.to_str().unwrap(), "script", ""] {
        tab.send(analyse(other));
        assert!(tab.problem().contains("not on the list"), "{other}");
    }
    assert!(!server.folder.join("script-engine.pid").exists(), "nothing was started");
    tab.send(analyse("Script"));
    let found = tab.wait_for(|event| match event {
        Event::Analysis { slot: Slot::Second, mut lines, .. } if !lines.is_empty() => Some(lines.remove(0)),
        Event::Problem { what, .. } => panic!("{what}"),
        _ => None,
    });
    // Its illegal third move is left out.
    assert_eq!(
        (found.san, found.worth, found.depth),
        (vec!["e4".into(), "e5".into()], Worth::Centipawns(33), 7)
    );
    let number = std::fs::read_to_string(server.folder.join("script-engine.pid")).unwrap();
    let process = std::path::Path::new("/proc").join(number.trim());
    assert!(process.exists() || !std::path::Path::new("/proc/self").exists());
    tab.close();
    assert!(!process.exists(), "the engine is still there");
    assert_eq!(server.shared.searches.load(Ordering::Relaxed), 0);
}

#[test]
fn a_review_finds_the_blunder() {
    let server = TestServer::new();
    let tab = server.tab();
    let moves = "e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7".split(' ').map(str::to_string).collect();
    tab.send(Command::Review { line: Line { start: None, moves }, kilonodes: 20 });
    let review = tab.wait_for(|event| match event {
        Event::Reviewed { review } if review.finished => Some(review),
        _ => None,
    });
    assert_eq!(review.moves.len(), 8);
    // 3... Nf6 allows mate.
    assert_eq!(review.moves[6].label, Some(crate::messages::Label::Blunder));
    assert_eq!(review.moves[7].win, 100.0);
    assert_eq!((review.white.blunders, review.black.blunders), (0, 1));
    assert!(review.black.accuracy.unwrap() < review.white.accuracy.unwrap());
}

#[test]
fn leiserchess_is_played_and_taken_back() {
    let server = TestServer::new();
    let tab = server.tab();
    let view = || {
        tab.wait_for(|event| match event {
            Event::Laser { view } if !view.thinking => Some(view),
            Event::Problem { what, .. } => panic!("{what}"),
            _ => None,
        })
    };
    tab.send(Command::LaserNew { black: false, milliseconds: 20, fen: None, moves: Vec::new() });
    let start = view();
    assert!(!start.moves.is_empty() && start.plies.len() == 1);
    // A pawn's: a king may turn its laser off the board at once.
    let text = start.moves.iter().find(|mv| mv.from != "h0").unwrap().text.clone();
    tab.send(Command::LaserMove { text, ply: 0 });
    let after = view();
    assert_eq!(after.plies.len(), 3);
    assert!(after.plies[1].beam.len() > 1, "the mover fires");
    assert_eq!(after.plies[1].zapped.is_none(), after.plies[1].exit.is_some());
    tab.send(Command::LaserTakeBack);
    assert_eq!(view().plies.len(), 1);
}

fn line(moves: &str) -> Line {
    Line { start: None, moves: moves.split_whitespace().map(str::to_string).collect() }
}

#[test]
fn what_people_play_depends_on_their_rating() {
    let server = TestServer::new();
    let tab = server.tab();
    let mut shares = Vec::new();
    for rating in [800, 2200] {
        tab.send(Command::People { line: line("e2e4 e7e5 d1h5"), rating });
        let (moves, told) = tab.wait_for(|event| match event {
            Event::People { moves, rating, .. } => Some((moves, rating)),
            Event::Problem { what, .. } => panic!("{what}"),
            _ => None,
        });
        assert_eq!(told, rating);
        assert!(moves.windows(2).all(|pair| pair[0].share >= pair[1].share) && moves.len() == 8);
        shares.push(moves.iter().find(|reply| reply.san == "g6").map_or(0.0, |reply| reply.share));
    }
    // Only beginners let the pawn go by attacking the queen.
    assert!(shares[0] > shares[1], "{shares:?}");
    tab.send(Command::People { line: line(""), rating: 9 });
    assert!(tab.problem().contains("rating"));
}

#[test]
fn the_explorer_counts_games_by_rating_and_ones_own() {
    let server = TestServer::new();
    let tab = server.tab();
    tab.send(Command::NewGame { settings: settings() });
    tab.my_turn();
    tab.send(mv("e4", 0));
    tab.my_turn();
    tab.send(Command::Resign);
    tab.game(|view| matches!(view.status, Status::Over { .. }));
    tab.send(Command::Explore { line: line("") });
    let (bands, moves) = tab.wait_for(|event| match event {
        Event::Explored { bands, moves, .. } => Some((bands, moves)),
        Event::Problem { what, .. } => panic!("{what}"),
        _ => None,
    });
    let king_pawn = moves.iter().find(|one| one.san == "e4").unwrap();
    assert_eq!((king_pawn.own.wins, king_pawn.own.draws, king_pawn.own.losses), (0, 0, 1));
    assert!(king_pawn.games.len() == bands.len() && king_pawn.games.iter().sum::<u32>() > 1000);
    assert_eq!(king_pawn.opening.as_deref(), Some("B00 King's Pawn Game"));
    assert!(moves.iter().any(|one| one.san == "d4" && one.own == crate::messages::OwnResults::default()));
    // Imported games count beside those of this board.
    let games = "[White \"Ann\"]\n[Black \"x\"]\n[Result \"1-0\"]\n\n1. d4 d5 1-0\n\n\
                 [White \"y\"]\n[Black \"Ann\"]\n[Result \"1/2-1/2\"]\n\n1. d4 Nf6 1/2-1/2\n\n\
                 [White \"y\"]\n[Black \"z\"]\n[Result \"1-0\"]\n\n1. d4 e6 1-0\n";
    server.shared.library.import(games.as_bytes(), &server.shared.openings).unwrap();
    let mut names = server.shared.library.names().unwrap();
    names.push("Ann".to_string());
    server.shared.library.set_names(&names).unwrap();
    tab.send(Command::Explore { line: line("") });
    let own = tab.wait_for(|event| match event {
        Event::Explored { moves, .. } => moves.into_iter().find(|one| one.san == "d4").map(|one| one.own),
        _ => None,
    });
    assert_eq!((own.wins, own.draws, own.losses), (1, 1, 0));
}

#[test]
fn the_coach_tells_what_was_lost_and_stops_when_told() {
    let server = TestServer::new();
    let mut tab = server.tab();
    let blunder = line("e2e4 e7e5 g1f3 b8c6 f1c4 d8g5 f3g5");
    tab.send(Command::Coach { line: blunder.clone(), rating: 1200, kilonodes: 20 });
    let report = tab.wait_for(|event| match event {
        Event::Coached { report } => Some(report),
        Event::Problem { what, .. } => panic!("{what}"),
        _ => None,
    });
    let queen = report.moves.iter().find(|one| one.ply == 6).expect("the lost queen is remarked on");
    assert!(queen.comment.concat().contains("Nxg5"), "{queen:?}");
    assert!(report.white.is_none_or(|[low, mean, high]| low <= mean && mean <= high));
    // Rule 9: a closed tab stops its coach too.
    tab.send(Command::Coach { line: blunder, rating: 1200, kilonodes: 1000 });
    tab.wait_for(|event| matches!(event, Event::Coaching { .. }).then_some(()));
    let start = Instant::now();
    tab.close();
    while server.shared.searches.load(Ordering::Relaxed) > 0 {
        assert!(start.elapsed() < Duration::from_secs(5), "the coach works on");
        std::thread::sleep(Duration::from_millis(20));
    }
}
