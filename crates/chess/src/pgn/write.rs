//! Writing a game in the archival form: lines below 80 columns, black moves numbered only where a reader needs it.

use super::game::{PgnGame, play};
use super::tree::{NodeId, Step};
use super::{Comment, Tags};
use crate::position::Position;
use crate::types::Color;
use std::fmt::{self, Write as _};

/// Lines are shorter than 80 columns, as the standard asks.
const WIDTH: usize = 79;

/// Ends with an empty line, so that games can follow one another.
impl fmt::Display for PgnGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_tags(&self.tags, f)?;
        let mut text = Wrapped::default();
        write_moves(self, &mut text);
        text.push(self.result.as_str());
        f.write_str(&text.finish())?;
        f.write_str("\n\n")
    }
}

fn write_tags(tags: &Tags, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for (name, value) in tags.iter() {
        write!(f, "[{name} \"")?;
        for letter in value.chars() {
            match letter {
                '"' | '\\' => write!(f, "\\{letter}")?,
                _ if letter.is_ascii_control() => f.write_char(' ')?,
                _ => f.write_char(letter)?,
            }
        }
        f.write_str("\"]\n")?;
    }
    if tags.is_empty() { Ok(()) } else { f.write_char('\n') }
}

/// What is left to write, last first.
enum Job {
    /// A move, and then all that follows it in its line.
    Line {
        node: NodeId,
        before: Position,
        ply: usize,
        numbered: bool,
    },
    Variation {
        node: NodeId,
        before: Position,
        ply: usize,
    },
    Close,
}

fn write_moves(game: &PgnGame, text: &mut Wrapped) {
    let tree = &game.tree;
    let root = game.annotation(NodeId::ROOT);
    root.after.iter().for_each(|comment| text.push_comment(comment));
    // Plies since White's first move, as the move number counts them.
    let start =
        game.start.fullmove_number() as usize * 2 - 2 + usize::from(game.start.turn() == Color::Black);
    let mut jobs = Vec::new();
    if let Some(node) = tree.node(NodeId::ROOT).first_child {
        jobs.push(Job::Line { node, before: game.start.clone(), ply: start, numbered: true });
    }
    while let Some(job) = jobs.pop() {
        let (node, before, ply, numbered) = match job {
            Job::Close => {
                text.close();
                continue;
            }
            Job::Variation { node, before, ply } => {
                text.open();
                jobs.push(Job::Close);
                (node, before, ply, true)
            }
            Job::Line { node, before, ply, numbered } => (node, before, ply, numbered),
        };
        let commented = write_move(game, node, &before, ply, numbered, text);
        let siblings = tree.node(node).parent.filter(|parent| tree.node(*parent).first_child == Some(node));
        let variations: Vec<NodeId> =
            siblings.map_or(Vec::new(), |parent| tree.children(parent).skip(1).collect());
        if let Some(next) = tree.node(node).first_child {
            let mut after = before.clone();
            play(&mut after, tree.node(node).step);
            let numbered = commented || !variations.is_empty();
            jobs.push(Job::Line { node: next, before: after, ply: ply + 1, numbered });
        }
        for variation in variations.into_iter().rev() {
            jobs.push(Job::Variation { node: variation, before: before.clone(), ply });
        }
    }
}

/// One move with all that is said about it; answers whether a comment follows it.
fn write_move(
    game: &PgnGame,
    node: NodeId,
    before: &Position,
    ply: usize,
    numbered: bool,
    text: &mut Wrapped,
) -> bool {
    let annotation = game.annotation(node);
    annotation.before.iter().for_each(|comment| text.push_comment(comment));
    let number = ply / 2 + 1;
    if ply.is_multiple_of(2) {
        text.push(&format!("{number}."));
    } else if numbered {
        text.push(&format!("{number}..."));
    }
    match game.step(node) {
        Step::Start => {}
        Step::Move(mv) => text.push(before.san(mv).as_str()),
        Step::Null => text.push("--"),
    }
    annotation.nags.iter().for_each(|nag| text.push(&nag.to_string()));
    annotation.after.iter().for_each(|comment| text.push_comment(comment));
    !annotation.after.is_empty()
}

/// Words put on lines.
#[derive(Default)]
struct Wrapped {
    text: String,
    column: usize,
    /// Opening brackets that stick to the next word.
    opened: String,
}

impl Wrapped {
    fn push(&mut self, word: &str) {
        let word = std::mem::take(&mut self.opened) + word;
        let width = word.chars().count();
        // A line may not begin with '%': that would hide it from every reader.
        let fits = self.column + 1 + width <= WIDTH || word.starts_with('%');
        if self.column > 0 {
            self.text.push(if fits { ' ' } else { '\n' });
            self.column = if fits { self.column + 1 } else { 0 };
        }
        self.text.push_str(&word);
        self.column += width;
    }

    fn open(&mut self) {
        self.opened.push('(');
    }

    fn close(&mut self) {
        // One more than a word may use, rather than a line that begins with a bracket.
        if self.column > WIDTH {
            self.text.push('\n');
            self.column = 0;
        }
        self.text.push(')');
        self.column += 1;
    }

    fn push_comment(&mut self, comment: &Comment) {
        let clean = comment.text.replace(|c: char| c.is_ascii_control(), " ");
        let clean = clean.trim_matches(' ');
        let mut words = comment.commands();
        words.extend(words_of(clean).map(str::to_string));
        if words.is_empty() {
            return;
        }
        // A closing brace can only be told in a comment that the end of the line closes.
        if clean.contains('}') {
            self.push(&format!(";{}", words.join(" ")));
            self.text.push('\n');
            self.column = 0;
            return;
        }
        if let Some(first) = words.first_mut() {
            first.insert(0, '{');
        }
        if let Some(last) = words.last_mut() {
            last.push('}');
        }
        for word in words {
            self.push(&word);
        }
    }

    fn finish(self) -> String {
        self.text
    }
}

/// The text cut at single blanks: a run of them is kept whole, because a line end reads as one.
fn words_of(text: &str) -> impl Iterator<Item = &str> {
    let bytes = text.as_bytes();
    let single = move |at: &usize| {
        bytes[*at] == b' ' && bytes.get(at.wrapping_sub(1)) != Some(&b' ') && bytes.get(at + 1) != Some(&b' ')
    };
    let mut begin = 0;
    let ends = (0..bytes.len()).filter(single).chain((!text.is_empty()).then_some(bytes.len()));
    ends.map(move |end| {
        let word = &text[begin..end];
        begin = end + 1;
        word
    })
}
