//! PGN that a person brings: read once, listed, and kept as text until the server ends or newer files push it out.

use crate::describe;
use crate::limits;
use crate::messages::{Imported, ImportedGame, Node};
use crate::openings::Openings;
use crate::problem::Problem;
use chess::pgn::{Limits, NodeId, PgnGame, PgnReader, Step};
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

/// Uploads that are kept.
const KEPT: usize = 4;
/// Positions of one game that are shown, in all its variations.
const MOST_NODES: usize = 8 * limits::MOVES;
/// Letters of a comment that are shown.
const LONGEST_COMMENT: usize = 2000;

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
        let reading = Limits { game_bytes: 1 << 20, moves: 4 * limits::MOVES, ..Limits::default() };
        let mut games = Vec::new();
        let mut texts = Vec::new();
        let mut cut_short = false;
        for game in PgnReader::with_limits(text, reading) {
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

    /// The positions of a game and its variations; each names the one before it.
    pub fn open(&self, collection: u32, index: usize, openings: &Openings) -> Result<Vec<Node>, Problem> {
        const NEXT: &str = "Open the file again.";
        let text = {
            let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let found = kept.collections.iter().find(|(number, _)| *number == collection);
            found.and_then(|(_, texts)| texts.get(index).cloned())
        };
        let text = text.ok_or_else(|| Problem::new("This file is no longer kept.", NEXT))?;
        let game = PgnReader::new(text.as_bytes()).next();
        match game {
            Some(Ok(game)) => Ok(tree(&game, openings)),
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

/// The main line first, then variations, deeper ones later: a list in which parents come before children.
fn tree(game: &PgnGame, openings: &Openings) -> Vec<Node> {
    let mut nodes = vec![describe::node(None, game.start(), openings)];
    nodes[0].comment = comment(game, NodeId::ROOT);
    let mut waiting: VecDeque<(NodeId, u32, chess::Position)> = VecDeque::new();
    waiting.push_back((NodeId::ROOT, 0, game.start().clone()));
    while let Some((line, index, position)) = waiting.pop_front() {
        let (mut line, mut index, mut position) = (line, index, position);
        // Along the line to its end; what branches off waits.
        loop {
            let mut children = game.children(line);
            let Some(first) = children.next() else { break };
            let variations: Vec<NodeId> = children.collect();
            for variation in variations {
                if let Some(next) = push(game, variation, false, index, &position, &mut nodes, openings) {
                    waiting.push_back((variation, next.0, next.1));
                }
            }
            let Some(next) = push(game, first, true, index, &position, &mut nodes, openings) else { break };
            (line, index, position) = (first, next.0, next.1);
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
) -> Option<(u32, chess::Position)> {
    // A null move shows a threat; what follows it is no line of play.
    let Step::Move(mv) = game.step(id) else { return None };
    if nodes.len() >= MOST_NODES {
        return None;
    }
    let position = before.after(mv);
    let mut node = describe::node(Some((before, mv)), &position, openings);
    node.parent = Some(parent);
    node.main = main;
    node.comment = comment(game, id);
    let nags = &game.annotation(id).nags;
    node.glyphs = nags.iter().filter_map(|nag| nag.suffix()).map(str::to_string).collect();
    nodes.push(node);
    Some((nodes.len() as u32 - 1, position))
}

fn comment(game: &PgnGame, id: NodeId) -> Option<String> {
    let annotation = game.annotation(id);
    let texts = annotation.before.iter().chain(&annotation.after).map(|comment| comment.text.as_str());
    let text = texts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" ");
    let text: String = text.chars().take(LONGEST_COMMENT).collect();
    (!text.is_empty()).then_some(text)
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
        let nodes = collections.open(imported.collection, 0, &Openings::embedded()).unwrap();
        let sans: Vec<&str> = nodes.iter().filter_map(|node| node.san.as_deref()).collect();
        assert_eq!(sans, ["e4", "c5", "e5", "Nf3", "c3", "Nf3", "d6", "d5"]);
        for (index, node) in nodes.iter().enumerate() {
            assert!(node.parent.is_none_or(|parent| (parent as usize) < index));
        }
        assert_eq!(nodes[4].glyphs, ["!"]);
        assert!(collections.open(imported.collection, 7, &Openings::embedded()).is_err());
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
