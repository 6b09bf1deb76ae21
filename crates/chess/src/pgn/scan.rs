//! From lines to words: where things begin and end, not what they mean.

use super::{Limits, PgnFault};
use crate::lines::{Lines, Step, decode};
use std::io::Read;
use std::ops::Range;

pub(super) enum Token {
    /// A move, a number, a result: a range of the present line.
    Word(Range<usize>),
    /// `$` and digits, the digits as a range.
    Nag(Range<usize>),
    /// Its text is [`Scanner::comment`].
    Comment,
    Open,
    Close,
    /// `[` where a line begins, or behind another tag.
    Tag,
    End,
}

/// A place in the input: line, and character of it, both from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Place {
    pub line: u64,
    pub column: usize,
}

pub(super) struct Scanner<R> {
    lines: Lines<R>,
    /// The next byte to look at.
    at: usize,
    /// Where the last token began.
    token: Place,
    /// Up to this byte of the present line, so many characters.
    counted: usize,
    characters: usize,
    ended: bool,
    comment: Vec<u8>,
    /// Whether the present line has had tags only.
    after_tag: bool,
    /// Whether the line before the present one was empty.
    after_blank: bool,
    /// Bytes of the present game so far.
    bytes: usize,
    /// The line of its first token, once there is one.
    first_line: Option<u64>,
    limit: usize,
}

const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | 0x0b | 0x0c)
}

/// Within a character of UTF-8, not at its start.
const fn is_continuation(byte: u8) -> bool {
    byte & 0xc0 == 0x80
}

const fn ends_word(byte: u8) -> bool {
    is_blank(byte) || matches!(byte, b'{' | b'}' | b'(' | b')' | b'[' | b']' | b';' | b'$' | b'*')
}

impl<R: Read> Scanner<R> {
    pub fn new(input: R, limits: &Limits) -> Scanner<R> {
        Scanner {
            lines: Lines::new(input, limits.game_bytes),
            at: 0,
            token: Place { line: 1, column: 1 },
            counted: 0,
            characters: 0,
            ended: false,
            comment: Vec::new(),
            after_tag: false,
            after_blank: true,
            bytes: 0,
            first_line: None,
            limit: limits.game_bytes,
        }
    }

    pub fn line(&self) -> &[u8] {
        self.lines.bytes()
    }

    /// The comment last scanned; control characters are blanks, line ends with the blanks around them one blank.
    pub fn comment(&self) -> String {
        decode(&self.comment).replace(|c: char| c.is_ascii_control(), " ")
    }

    /// Where the last token began.
    pub fn token_place(&self) -> Place {
        self.token
    }

    /// Where the next byte is. Counts on from the last place asked for, so that a game on one long line costs no more
    /// than one on many.
    fn place(&mut self) -> Place {
        let passed = &self.lines.bytes()[self.counted.min(self.at)..self.at];
        self.characters += passed.iter().filter(|byte| !is_continuation(**byte)).count();
        self.counted = self.at;
        Place { line: self.lines.number(), column: self.characters + 1 }
    }

    /// A new game begins where we stand.
    pub fn begin_game(&mut self) {
        self.bytes = self.line().len().saturating_sub(self.at);
        self.first_line = None;
    }

    /// The next line; `false` when there is none.
    fn advance(&mut self) -> Result<bool, PgnFault> {
        if self.ended {
            return Ok(false);
        }
        self.after_blank = self.line().iter().all(|byte| is_blank(*byte));
        let step = self.lines.advance().map_err(|error| {
            self.ended = true;
            PgnFault::Io(error)
        })?;
        (self.at, self.counted, self.characters) = (0, 0, 0);
        self.after_tag = false;
        if step == Step::End {
            self.ended = true;
            return Ok(false);
        }
        self.bytes = self.bytes.saturating_add(self.line().len() + 1);
        if step == Step::TooLong || self.bytes > self.limit {
            self.token = self.place();
            if step == Step::TooLong {
                // Cut short, it says nothing.
                self.at = self.line().len();
            }
            return Err(PgnFault::TooManyBytes { limit: self.limit });
        }
        Ok(true)
    }

    pub fn next(&mut self) -> Result<Token, PgnFault> {
        loop {
            let line = self.lines.bytes();
            while line.get(self.at).is_some_and(|byte| is_blank(*byte)) {
                self.at += 1;
            }
            let Some(&byte) = line.get(self.at) else {
                if self.advance()? {
                    continue;
                }
                return Ok(Token::End);
            };
            let start = self.at;
            self.after_tag &= byte == b'[';
            self.token = self.place();
            self.first_line.get_or_insert(self.token.line);
            let line = self.lines.bytes();
            self.at += 1;
            match byte {
                // An escaped line is for other programs.
                b'%' if start == 0 => self.at = line.len(),
                b';' => {
                    self.comment.clear();
                    self.comment.extend_from_slice(&line[start + 1..]);
                    self.at = line.len();
                    return Ok(Token::Comment);
                }
                b'{' => return self.brace_comment(),
                b'(' => return Ok(Token::Open),
                b')' => return Ok(Token::Close),
                b'[' if self.after_tag || line[..start].iter().all(|byte| is_blank(*byte)) => {
                    self.at = start;
                    return Ok(Token::Tag);
                }
                b'[' => return Err(unexpected(byte, "inside the moves, expected at the start of a line")),
                b']' => return Err(unexpected(byte, "without a '[' before it")),
                b'}' => return Err(unexpected(byte, "without a '{' before it")),
                b'*' => return Ok(Token::Word(start..start + 1)),
                b'$' => {
                    while line.get(self.at).is_some_and(u8::is_ascii_digit) {
                        self.at += 1;
                    }
                    return Ok(Token::Nag(start + 1..self.at));
                }
                _ => {
                    let rest = &line[self.at..];
                    self.at += rest.iter().position(|byte| ends_word(*byte)).unwrap_or(rest.len());
                    return Ok(Token::Word(start..self.at));
                }
            }
        }
    }

    fn brace_comment(&mut self) -> Result<Token, PgnFault> {
        self.comment.clear();
        let began = self.token;
        loop {
            let rest = &self.lines.bytes()[self.at..];
            let end = rest.iter().position(|byte| *byte == b'}');
            let piece = rest[..end.unwrap_or(rest.len())].trim_ascii();
            if !self.comment.is_empty() && !piece.is_empty() {
                self.comment.push(b' ');
            }
            self.comment.extend_from_slice(piece);
            if let Some(end) = end {
                self.at += end + 1;
                return Ok(Token::Comment);
            }
            // A forgotten brace must not swallow the games that follow. A comment may speak of tags, but hardly behind an
            // empty line.
            let more = self.advance()?;
            if !more || (self.after_blank && self.begins_game()) {
                self.token = began;
                return Err(PgnFault::UnterminatedComment);
            }
        }
    }

    /// Whether the present line looks like the first of a game.
    fn begins_game(&self) -> bool {
        let line = self.line();
        let tag = line.first() == Some(&b'[') && line.get(1).is_some_and(u8::is_ascii_alphabetic);
        line.starts_with(b"[Event \"") || (self.after_blank && tag && line.ends_with(b"\"]"))
    }

    /// Goes on after a bad game: to the next line that begins one, or past the end of a game without tags.
    pub fn recover(&mut self, had_tags: bool) -> Result<(), PgnFault> {
        let mut first = true;
        // Never back to the line the bad game began with: every report must bring us on.
        let began = self.first_line.unwrap_or_default();
        while !self.ended {
            if self.at == 0 && self.lines.number() > began && self.begins_game() {
                return Ok(());
            }
            let line = self.line().trim_ascii();
            let last_word = line.rsplit(|byte| is_blank(*byte)).next().unwrap_or_default();
            let over = super::GameResult::parse(last_word).is_some() || (line.is_empty() && !first);
            if over && !had_tags {
                self.at = self.line().len();
                return Ok(());
            }
            first = false;
            self.bytes = 0;
            // A line too long to keep is skipped like any other.
            match self.advance() {
                Ok(_) | Err(PgnFault::TooManyBytes { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Where the name is in `[Name "value"]`, at a [`Token::Tag`].
    fn tag_name(&self) -> Range<usize> {
        let line = self.line();
        let blanks = line[self.at + 1..].iter().take_while(|byte| is_blank(**byte)).count();
        let start = self.at + 1 + blanks;
        let in_name = |byte: &&u8| byte.is_ascii_graphic() && !matches!(byte, b'"' | b']' | b'[');
        start..start + line[start..].iter().take_while(in_name).count()
    }

    /// Whether the tag is the one that games begin with.
    pub fn at_event_tag(&self) -> bool {
        self.line()[self.tag_name()] == *b"Event"
    }

    /// Reads `[Name "value"]` where a [`Token::Tag`] was found. Quotation marks inside the value should be escaped;
    /// where they are not, the value ends at the one before `]`.
    pub fn tag(&mut self, limit: usize) -> Result<(String, String), PgnFault> {
        let line = self.lines.bytes();
        let malformed = |reason| PgnFault::Tag { reason };
        let blanks = |at: &mut usize| {
            while line.get(*at).is_some_and(|byte| is_blank(*byte)) {
                *at += 1;
            }
        };
        let name = self.tag_name();
        let mut at = name.end;
        let name = &line[name];
        blanks(&mut at);
        if name.is_empty() {
            return Err(malformed("expected a name behind '['"));
        }
        if line.get(at) != Some(&b'"') {
            return Err(malformed("expected a value in quotation marks behind the name"));
        }
        at += 1;
        let mut value = Vec::new();
        loop {
            if value.len() + name.len() > limit {
                return Err(PgnFault::TagTooLong { limit });
            }
            match line[at.min(line.len())..] {
                [] => return Err(malformed("expected '\"]' at its end")),
                [b'\\', escaped @ (b'"' | b'\\'), ..] => {
                    value.push(escaped);
                    at += 2;
                }
                [b'"', ref rest @ ..] if rest.trim_ascii_start().first() == Some(&b']') => {
                    at += 1;
                    break;
                }
                [byte, ..] => {
                    value.push(if byte.is_ascii_control() { b' ' } else { byte });
                    at += 1;
                }
            }
        }
        blanks(&mut at);
        let pair = (decode(name).into_owned(), decode(&value).into_owned());
        self.at = at + 1;
        self.after_tag = true;
        Ok(pair)
    }
}

fn unexpected(byte: u8, reason: &'static str) -> PgnFault {
    PgnFault::Unexpected { found: byte as char, reason }
}
