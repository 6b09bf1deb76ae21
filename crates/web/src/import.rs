//! Games and positions that a person uploads as PGN or EPD: read once, listed, and kept as text until the server ends or
//! newer uploads replace them.

use crate::describe;
use crate::limits;
use crate::messages::{Imported, ImportedGame, Node, OpenedGame};
use crate::openings::Openings;
use crate::problem::Problem;
use crate::tee::Tee;
use chess::epd::{Epd, Operation};
use chess::pgn::{Comment, Limits, NodeId, PgnGame, PgnReader, Step};
use std::collections::VecDeque;
use std::io::Read;
use std::sync::{Mutex, PoisonError};

/// Uploads that are kept.
const KEPT: usize = 4;

#[derive(Default)]
pub struct Collections(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    next: u32,
    collections: VecDeque<(u32, Vec<KeptGame>)>,
}

#[derive(Clone)]
struct KeptGame {
    pgn: String,
    /// Why the rest of the game cannot be read.
    fault: Option<String>,
}

impl Collections {
    /// Reads a file of games. Games that cannot be read are listed with the reason.
    pub fn add(&self, input: impl Read) -> Result<Imported, Problem> {
        let mut input = Tee::new(input, limits::PGN);
        let (mut games, mut kept_games, cut_short) = read_games(&mut input);
        if games.iter().all(|game| game.plies == 0) {
            match read_positions(&input.start) {
                Some(positions) => (games, kept_games) = positions,
                None => return Err(nothing_to_read(&games)),
            }
        }
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let collection = kept.next;
        kept.next += 1;
        kept.collections.push_back((collection, kept_games));
        if kept.collections.len() > KEPT {
            kept.collections.pop_front();
        }
        Ok(Imported { collection, games, cut_short })
    }

    /// A game with its tags, moves and variations.
    pub fn open(&self, collection: u32, index: usize, openings: &Openings) -> Result<OpenedGame, Problem> {
        const NEXT: &str = "Open the file again.";
        let found = {
            let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let found = kept.collections.iter().find(|(number, _)| *number == collection);
            found.and_then(|(_, games)| games.get(index).cloned())
        };
        let found = found.ok_or_else(|| Problem::new("This file is no longer kept.", NEXT))?;
        match PgnReader::new(found.pgn.as_bytes()).next() {
            Some(Ok(game)) => Ok(OpenedGame { fault: found.fault, ..opened(&game, openings) }),
            Some(Err(error)) => Err(Problem::new(error, NEXT)),
            None => Err(Problem::new("This game cannot be read.", "Choose another game.")),
        }
    }
}

type Games = (Vec<ImportedGame>, Vec<KeptGame>);

/// The games of a PGN text, and whether there are more. A game with a fault is kept up to it.
fn read_games(input: impl Read) -> (Vec<ImportedGame>, Vec<KeptGame>, bool) {
    let (mut games, mut kept) = (Vec::new(), Vec::new());
    let mut reader = PgnReader::with_limits(input, READING);
    while let Some(game) = reader.next() {
        if games.len() == limits::PGN_GAMES {
            return (games, kept, true);
        }
        let (game, fault) = match game {
            Ok(game) => (Some(game), None),
            Err(error) => (reader.take_partial(), Some(error.to_string())),
        };
        let pgn = game.as_ref().map_or_else(String::new, ToString::to_string);
        games.push(match game {
            Some(game) => ImportedGame { problem: fault.clone(), ..listed(&game) },
            None => unreadable(fault.clone()),
        });
        kept.push(KeptGame { pgn, fault });
    }
    (games, kept, false)
}

/// The positions of an EPD text, if every line is one. Each becomes a game without moves; its operations are a comment.
fn read_positions(text: &[u8]) -> Option<Games> {
    let text = std::str::from_utf8(text).ok()?;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let (mut games, mut kept) = (Vec::new(), Vec::new());
    for line in lines.take(limits::PGN_GAMES) {
        let epd = Epd::parse(line).ok()?;
        let mut game = PgnGame::new(epd.position.clone());
        if let Some(id) = epd.id() {
            game.tags.set("Event", id);
        }
        let operations: Vec<String> = epd.operations.iter().map(operation_text).collect();
        if !operations.is_empty() {
            game.comment(NodeId::ROOT, Comment::text(&operations.join("; ")));
        }
        games.push(listed(&game));
        kept.push(KeptGame { pgn: game.to_string(), fault: None });
    }
    (!games.is_empty()).then_some((games, kept))
}

fn operation_text(operation: &Operation) -> String {
    let name = match operation.opcode() {
        "bm" => "Best move:",
        "am" => "Avoid:",
        "id" => "Name:",
        other => other,
    };
    let operands = operation.operands.iter().map(chess::epd::Operand::as_str);
    std::iter::once(name).chain(operands).collect::<Vec<_>>().join(" ")
}

fn nothing_to_read(games: &[ImportedGame]) -> Problem {
    let reason = games.iter().find_map(|game| game.problem.clone());
    let what = reason.map_or_else(
        || "There is no game in this text.".to_string(),
        |reason| format!("No game in this text can be read: {reason}."),
    );
    Problem::new(what, "Paste a PGN, a FEN or an EPD, or drop a .pgn file on the board.")
}

fn listed(game: &PgnGame) -> ImportedGame {
    let tag = |name: &str| game.tags.get(name).unwrap_or("?").to_string();
    ImportedGame {
        white: tag("White"),
        black: tag("Black"),
        event: tag("Event"),
        date: tag("Date"),
        result: game.result.as_str().to_string(),
        plies: game.main_line().count() as u32,
        problem: None,
    }
}

fn unreadable(problem: Option<String>) -> ImportedGame {
    let unknown = || "?".to_string();
    ImportedGame {
        white: unknown(),
        black: unknown(),
        event: unknown(),
        date: unknown(),
        result: "*".to_string(),
        plies: 0,
        problem,
    }
}

/// How much of one game is read.
pub const READING: Limits =
    Limits { game_bytes: 1 << 20, moves: 4 * limits::MOVES, depth: 100, tags: 256, tag_bytes: 4096 };

/// Everything a game says.
pub fn opened(game: &PgnGame, openings: &Openings) -> OpenedGame {
    OpenedGame {
        tags: game.tags.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect(),
        result: game.result.as_str().to_string(),
        nodes: tree(game, openings),
        fault: None,
    }
}

/// The main line first, then variations, deeper ones later: a list in which parents come before children.
fn tree(game: &PgnGame, openings: &Openings) -> Vec<Node> {
    let mut root = describe::node(None, game.start(), openings);
    annotate(&mut root, game, NodeId::ROOT);
    let mut nodes = vec![root];
    let mut waiting: VecDeque<(NodeId, u32, chess::Position)> = VecDeque::new();
    waiting.push_back((NodeId::ROOT, 0, game.start().clone()));
    while let Some((mut line, mut index, mut position)) = waiting.pop_front() {
        // Along the line to its end; what branches off waits.
        loop {
            let mut children = game.children(line);
            let Some(first) = children.next() else { break };
            // The continuation before its variations: the order of children is the order of the file.
            let main = push(game, first, true, index, &position, &mut nodes, openings);
            for variation in children {
                let (next, after) = push(game, variation, false, index, &position, &mut nodes, openings);
                waiting.push_back((variation, next, after));
            }
            (line, index, position) = (first, main.0, main.1);
        }
    }
    nodes
}

fn push(
    game: &PgnGame,
    id: NodeId,
    main: bool,
    parent: u32,
    before: &chess::Position,
    nodes: &mut Vec<Node>,
    openings: &Openings,
) -> (u32, chess::Position) {
    let mut position = before.clone();
    let mut node = match game.step(id) {
        Step::Move(mv) => {
            position.play(mv);
            describe::node(Some((before, mv)), &position, openings)
        }
        Step::Null | Step::Start => {
            position.play_null();
            describe::null_node(&position, openings)
        }
    };
    node.parent = Some(parent);
    node.main = main;
    annotate(&mut node, game, id);
    nodes.push(node);
    (nodes.len() as u32 - 1, position)
}

fn annotate(node: &mut Node, game: &PgnGame, id: NodeId) {
    let annotation = game.annotation(id);
    let whole = |comment: &Comment| {
        let mut words = comment.commands();
        if !comment.text.is_empty() {
            words.push(comment.text.clone());
        }
        words.join(" ")
    };
    node.comments = annotation.after.iter().map(whole).collect();
    node.comments_before = annotation.before.iter().map(whole).collect();
    node.nags = annotation.nags.iter().map(|nag| nag.0).collect();
}

#[cfg(test)]
mod tests {
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
        let text =
            b"# mates\n2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6; id \"WAC.001\";\n\
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
        for part in ["Variant \"Chess960\"", "w Bk -", "[%csl Ga1,Rb2]", "[%cal Ge2e4]", "$146", "--", "#-3"]
        {
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
}
