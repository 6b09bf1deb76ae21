//! PGN that a person brings: read once, listed, and kept as text until the server ends or newer files push it out.

use crate::describe;
use crate::limits;
use crate::messages::{Imported, ImportedGame, Node, OpenedGame};
use crate::openings::Openings;
use crate::problem::Problem;
use chess::pgn::{Comment, Limits, NodeId, PgnGame, PgnReader, Step};
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

/// Uploads that are kept.
const KEPT: usize = 4;

#[derive(Default)]
pub struct Collections(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    next: u32,
    collections: VecDeque<(u32, Vec<String>)>,
}

impl Collections {
    /// Reads a file of games. Games that cannot be read are listed with the reason.
    pub fn add(&self, text: &[u8]) -> Result<Imported, Problem> {
        const NEXT: &str = "Choose a smaller file, or cut this one into parts.";
        if text.len() > limits::PGN {
            return Err(Problem::new(
                format!("The file is larger than {} MB.", limits::PGN / 1_000_000),
                NEXT,
            ));
        }
        let mut games = Vec::new();
        let mut texts = Vec::new();
        let mut cut_short = false;
        for game in PgnReader::with_limits(text, READING) {
            if games.len() == limits::PGN_GAMES {
                cut_short = true;
                break;
            }
            match game {
                Ok(game) => {
                    games.push(listed(&game));
                    texts.push(game.to_string());
                }
                Err(error) => {
                    games.push(unreadable(error.to_string()));
                    texts.push(String::new());
                }
            }
        }
        if games.iter().all(|game| game.problem.is_some() || game.plies == 0) {
            let reason = games.iter().find_map(|game| game.problem.clone());
            let what = reason.map_or_else(
                || "There is no game in this text.".to_string(),
                |reason| format!("No game in this text can be read: {reason}."),
            );
            return Err(Problem::new(what, "Paste a PGN or a FEN, or drop a .pgn file on the board."));
        }
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let collection = kept.next;
        kept.next += 1;
        kept.collections.push_back((collection, texts));
        if kept.collections.len() > KEPT {
            kept.collections.pop_front();
        }
        Ok(Imported { collection, games, cut_short })
    }

    /// A game with its tags, moves and variations.
    pub fn open(&self, collection: u32, index: usize, openings: &Openings) -> Result<OpenedGame, Problem> {
        const NEXT: &str = "Open the file again.";
        let text = {
            let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let found = kept.collections.iter().find(|(number, _)| *number == collection);
            found.and_then(|(_, texts)| texts.get(index).cloned())
        };
        let text = text.ok_or_else(|| Problem::new("This file is no longer kept.", NEXT))?;
        let game = PgnReader::new(text.as_bytes()).next();
        match game {
            Some(Ok(game)) => Ok(opened(&game, openings)),
            Some(Err(error)) => Err(Problem::new(error, NEXT)),
            None => Err(Problem::new("This game cannot be read.", "Choose another game.")),
        }
    }
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

fn unreadable(problem: String) -> ImportedGame {
    let unknown = || "?".to_string();
    ImportedGame {
        white: unknown(),
        black: unknown(),
        event: unknown(),
        date: unknown(),
        result: "*".to_string(),
        plies: 0,
        problem: Some(problem),
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
            let passed = describe::node(None, &position, openings);
            Node { uci: Some("0000".to_string()), san: Some("--".to_string()), ..passed }
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
    fn a_bad_game_is_listed_with_its_reason() {
        let imported = Collections::default().add(b"1. e4 e5 *\n\n1. e4 Ke7 Qh5 Zz9 *\n\n1. d4 *\n").unwrap();
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

    /// Rule 7: five megabytes, whatever is in them.
    #[test]
    fn a_file_too_large_is_refused() {
        let text = vec![b' '; limits::PGN + 1];
        assert!(Collections::default().add(&text).unwrap_err().what.contains("larger than 5 MB"));
    }
}
