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
mod tests;
