//! From words to games.

use super::game::{PgnGame, Variant};
use super::scan::{Place, Scanner, Token};
use super::tree::{NodeId, Step, Tree};
use super::{Comment, GameResult, Limits, Nag, PgnError, PgnFault, Tags};
use crate::position::Position;
use std::io::Read;
use std::ops::Range;

/// Yields the games of a stream, one at a time.
pub struct PgnReader<R> {
    scanner: Scanner<R>,
    limits: Limits,
    games: u64,
    finished: bool,
    /// What was read of the last bad game.
    partial: Option<PgnGame>,
    /// Where most games start, set up once.
    usual: Position,
}

/// A game under construction.
struct Draft {
    tags: Tags,
    fen_place: Place,
    variant_place: Place,
    /// The line being read, and the lines it is a variation of.
    line: Line,
    outer: Vec<(Line, Place)>,
    tree: Tree,
    /// Known once the tags are over.
    start: Option<Position>,
    /// Comments at the head of a variation, before its first move.
    pending: Vec<Comment>,
    result: Option<GameResult>,
    /// Whether anything of the game was seen.
    begun: bool,
    /// Whether a tag was, good or bad.
    has_tags: bool,
}

struct Line {
    last: NodeId,
    position: Position,
    /// Before the last move: where a variation on it starts. `None` until the line has a move.
    before: Option<Position>,
}

impl<R: Read> PgnReader<R> {
    pub fn new(input: R) -> PgnReader<R> {
        PgnReader::with_limits(input, Limits::default())
    }

    pub fn with_limits(input: R, limits: Limits) -> PgnReader<R> {
        PgnReader {
            scanner: Scanner::new(input, &limits),
            limits,
            games: 0,
            finished: false,
            partial: None,
            usual: Position::default(),
        }
    }

    /// Games begun so far, good and bad.
    pub fn games_read(&self) -> u64 {
        self.games
    }

    /// After an error: the bad game up to its fault, unless it has no start position.
    pub fn take_partial(&mut self) -> Option<PgnGame> {
        self.partial.take()
    }

    fn error(&self, place: Place, fault: PgnFault) -> PgnError {
        PgnError { game: self.games, line: place.line, column: place.column, fault }
    }
}

impl<R: Read> Iterator for PgnReader<R> {
    type Item = Result<PgnGame, PgnError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.finished {
            return None;
        }
        let mut draft = Draft::new(&self.usual);
        self.partial = None;
        self.games += 1;
        self.scanner.begin_game();
        match draft.read(&mut self.scanner, &self.limits) {
            Ok(()) if draft.begun => Some(Ok(draft.finish())),
            Ok(()) => {
                self.games -= 1;
                self.finished = true;
                None
            }
            Err((place, fault)) => {
                let error = self.error(place, fault);
                if matches!(error.fault, PgnFault::Io(_)) {
                    self.finished = true;
                } else if let Err(fault) = self.scanner.recover(draft.has_tags) {
                    // The bad game is reported now; a broken stream ends the reading.
                    self.finished = matches!(fault, PgnFault::Io(_));
                }
                self.partial = draft.start.is_some().then(|| draft.finish());
                Some(Err(error))
            }
        }
    }
}

impl Draft {
    fn new(usual: &Position) -> Draft {
        let nowhere = Place { line: 1, column: 1 };
        Draft {
            tags: Tags::new(),
            fen_place: nowhere,
            variant_place: nowhere,
            line: Line { last: NodeId::ROOT, position: usual.clone(), before: None },
            outer: Vec::new(),
            tree: Tree::new(),
            start: None,
            pending: Vec::new(),
            result: None,
            begun: false,
            has_tags: false,
        }
    }

    /// Reads up to the result, the next game's tags, or the end.
    fn read<R: Read>(&mut self, scanner: &mut Scanner<R>, limits: &Limits) -> Result<(), (Place, PgnFault)> {
        while self.result.is_none() {
            let token = scanner.next().map_err(|fault| (scanner.token_place(), fault))?;
            let place = scanner.token_place();
            let done = match token {
                Token::End => Ok(true),
                Token::Tag => self.tag(scanner, limits),
                token => self.movetext(token, scanner, limits).map(|()| false),
            };
            match done {
                Ok(false) => self.begun = true,
                Ok(true) => break,
                Err(fault) => {
                    let place = match &fault {
                        PgnFault::Position(_) => self.fen_place,
                        PgnFault::Variant { .. } => self.variant_place,
                        _ => place,
                    };
                    return Err((place, fault));
                }
            }
        }
        match self.outer.last() {
            Some((_, opened)) => Err((*opened, PgnFault::UnclosedVariation)),
            None => self.set_up().map_err(|fault| (self.fen_place, fault)),
        }
    }

    /// Takes one tag in; `true` when it belongs to the next game.
    fn tag<R: Read>(&mut self, scanner: &mut Scanner<R>, limits: &Limits) -> Result<bool, PgnFault> {
        let place = scanner.token_place();
        let moves_begun = self.start.is_some();
        let second_event = scanner.at_event_tag() && self.tags.get("Event").is_some();
        if moves_begun || second_event {
            return Ok(true);
        }
        self.has_tags = true;
        if self.tags.len() >= limits.tags {
            return Err(PgnFault::TooManyTags { limit: limits.tags });
        }
        let (name, value) = scanner.tag(limits.tag_bytes)?;
        match name.as_str() {
            "FEN" => self.fen_place = place,
            "Variant" => self.variant_place = place,
            _ => {}
        }
        self.tags.push(name, value);
        Ok(false)
    }

    /// The tags are over: where does the game start?
    fn set_up(&mut self) -> Result<(), PgnFault> {
        if self.start.is_some() {
            return Ok(());
        }
        if let Some(name) = self.tags.get("Variant").filter(|name| Variant::named(name).is_none()) {
            return Err(PgnFault::Variant { found: name.chars().take(40).collect() });
        }
        if let Some(fen) = self.tags.get("FEN") {
            self.line.position = Position::from_fen_lenient(fen).map_err(PgnFault::Position)?.0;
        }
        self.start = Some(self.line.position.clone());
        Ok(())
    }

    fn movetext<R: Read>(
        &mut self,
        token: Token,
        scanner: &Scanner<R>,
        limits: &Limits,
    ) -> Result<(), PgnFault> {
        // A comment may stand before the tags; everything else begins the moves.
        if !matches!(token, Token::Comment) {
            self.set_up()?;
        }
        match token {
            Token::Word(range) => self.word(&scanner.line()[range], limits),
            Token::Nag(range) => self.nag(scanner.line(), range),
            Token::Comment => {
                let comment = Comment::parse(&scanner.comment());
                if !comment.is_empty() {
                    self.comment(comment);
                }
                Ok(())
            }
            Token::Open => self.open(scanner.token_place(), limits),
            Token::Close => self.close(),
            Token::Tag | Token::End => Ok(()),
        }
    }

    fn comment(&mut self, comment: Comment) {
        let heads_variation = self.line.before.is_none() && !self.outer.is_empty();
        if heads_variation {
            self.pending.push(comment);
        } else {
            self.tree.annotation_mut(self.line.last).after.push(comment);
        }
    }

    fn nag(&mut self, line: &[u8], digits: Range<usize>) -> Result<(), PgnFault> {
        let text = String::from_utf8_lossy(&line[digits]);
        let number = text.parse().map_err(|_| PgnFault::Nag { found: format!("${text:.20}") })?;
        self.add_nag(Nag(number));
        Ok(())
    }

    /// An opinion before any move is about nothing, and dropped.
    fn add_nag(&mut self, nag: Nag) {
        if self.line.before.is_some() {
            self.tree.annotation_mut(self.line.last).nags.push(nag);
        }
    }

    fn open(&mut self, place: Place, limits: &Limits) -> Result<(), PgnFault> {
        if self.outer.len() >= limits.depth {
            return Err(PgnFault::TooDeep { limit: limits.depth });
        }
        let (Some(before), Some(parent)) = (&self.line.before, self.tree.node(self.line.last).parent) else {
            return Err(PgnFault::Unexpected { found: '(', reason: "before any move of the line it varies" });
        };
        let variation = Line { last: parent, position: before.clone(), before: None };
        let outer = std::mem::replace(&mut self.line, variation);
        self.outer.push((outer, place));
        Ok(())
    }

    fn close(&mut self) -> Result<(), PgnFault> {
        let Some((outer, _)) = self.outer.pop() else {
            return Err(PgnFault::Unexpected { found: ')', reason: "without a '(' before it" });
        };
        self.line = outer;
        // A variation of comments alone: they speak of the move it would have varied.
        if !self.pending.is_empty() {
            let pending = std::mem::take(&mut self.pending);
            self.tree.annotation_mut(self.line.last).after.extend(pending);
        }
        Ok(())
    }

    fn word(&mut self, word: &[u8], limits: &Limits) -> Result<(), PgnFault> {
        if let Some(result) = GameResult::parse(word) {
            // Annotators quote the results of other games inside variations.
            if self.outer.is_empty() {
                self.result = Some(result);
            }
            return Ok(());
        }
        let word = without_number(word);
        if word.is_empty() || word == b"e.p." {
            return Ok(());
        }
        if let Some(nag) = Nag::from_glyph(word) {
            self.add_nag(nag);
            return Ok(());
        }
        if self.tree.len() >= limits.moves {
            return Err(PgnFault::TooManyMoves { limit: limits.moves });
        }
        let bare = word.len() - word.iter().rev().take_while(|byte| matches!(byte, b'!' | b'?')).count();
        let (text, glyph) = word.split_at(bare);
        let step = if matches!(text, b"--" | b"Z0") {
            if self.line.position.in_check() {
                return Err(PgnFault::NullMoveInCheck);
            }
            Step::Null
        } else {
            Step::Move(self.line.position.parse_san_bytes(text).map_err(PgnFault::Move)?)
        };
        self.play(step);
        if let Some(nag) = Nag::from_glyph(glyph) {
            self.add_nag(nag);
        }
        Ok(())
    }

    fn play(&mut self, step: Step) {
        let node = self.tree.add(self.line.last, step);
        if !self.pending.is_empty() {
            self.tree.annotation_mut(node).before = std::mem::take(&mut self.pending);
        }
        self.line.before = Some(self.line.position.clone());
        super::game::play(&mut self.line.position, step);
        self.line.last = node;
    }

    /// A game that forgot its last word is believed its tag.
    fn finish(self) -> PgnGame {
        let from_tag = || self.tags.get("Result").and_then(|text| GameResult::parse(text.as_bytes()));
        let result = self.result.or_else(from_tag).unwrap_or_default();
        let start = self.start.unwrap_or(self.line.position);
        PgnGame { result, tags: self.tags, start, tree: self.tree }
    }
}

/// `12.`, `12...`, `12.e4`: the number is for people. `0-0` is not one.
fn without_number(word: &[u8]) -> &[u8] {
    let digits = word.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let dots = word[digits..].iter().take_while(|byte| **byte == b'.').count();
    if dots > 0 || digits == word.len() { &word[digits + dots..] } else { word }
}
