//! Rust as tokens, without comments: enough to tell a word in the code from a word in a string or a comment.

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An identifier or keyword.
    Word,
    /// A number.
    Number,
    /// The inside of a string.
    Text,
    /// A character, a lifetime or a mark.
    Mark,
}

/// One token and the line where it begins.
#[derive(Clone, Debug)]
pub struct Token {
    pub kind: Kind,
    pub text: String,
    pub line: usize,
}

impl Token {
    /// Is it this word or mark?
    pub fn is(&self, text: &str) -> bool {
        self.kind != Kind::Text && self.text == text
    }
}

/// The tokens of a source text.
pub fn tokens(text: &str) -> Vec<Token> {
    let mut lexer = Lexer { chars: text.chars().collect(), at: 0, line: 1, found: Vec::new() };
    while lexer.at < lexer.chars.len() {
        lexer.step();
    }
    lexer.found
}

struct Lexer {
    chars: Vec<char>,
    at: usize,
    line: usize,
    found: Vec<Token>,
}

impl Lexer {
    fn peek(&self, ahead: usize) -> char {
        self.chars.get(self.at + ahead).copied().unwrap_or('\0')
    }

    fn next(&mut self) -> char {
        let character = self.peek(0);
        self.line += usize::from(character == '\n');
        self.at += 1;
        character
    }

    fn push(&mut self, kind: Kind, text: String, line: usize) {
        self.found.push(Token { kind, text, line });
    }

    fn step(&mut self) {
        let line = self.line;
        match (self.peek(0), self.peek(1)) {
            ('/', '/') => {
                while self.at < self.chars.len() && self.peek(0) != '\n' {
                    self.next();
                }
            }
            ('/', '*') => self.block_comment(),
            ('"', _) => self.string(line),
            ('r' | 'b' | 'c', _) if self.is_prefixed_string() => self.prefixed_string(line),
            ('\'', _) => self.character_or_lifetime(line),
            (character, _) if character.is_alphabetic() || character == '_' => {
                let text = self.take_while(|character| character.is_alphanumeric() || character == '_');
                self.push(Kind::Word, text, line);
            }
            (character, _) if character.is_ascii_digit() => self.number(line),
            (character, _) => {
                self.next();
                if !character.is_whitespace() {
                    self.push(Kind::Mark, character.to_string(), line);
                }
            }
        }
    }

    fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> String {
        let mut text = String::new();
        while self.at < self.chars.len() && wanted(self.peek(0)) {
            text.push(self.next());
        }
        text
    }

    fn block_comment(&mut self) {
        let mut depth = 0;
        while self.at < self.chars.len() {
            match (self.peek(0), self.peek(1)) {
                ('/', '*') => {
                    depth += 1;
                    self.at += 2;
                }
                ('*', '/') => {
                    depth -= 1;
                    self.at += 2;
                    if depth == 0 {
                        return;
                    }
                }
                _ => {
                    self.next();
                }
            }
        }
    }

    fn string(&mut self, line: usize) {
        self.next();
        let mut text = String::new();
        while self.at < self.chars.len() {
            match self.next() {
                '"' => break,
                '\\' => {
                    text.push('\\');
                    text.push(self.next());
                }
                character => text.push(character),
            }
        }
        self.push(Kind::Text, text, line);
    }

    /// `r"`, `r#"`, `b"`, `br#"`, `c"` and the like; `r#name` is a word.
    fn is_prefixed_string(&self) -> bool {
        let mut ahead = 0;
        while matches!(self.peek(ahead), 'r' | 'b' | 'c') && ahead < 2 {
            ahead += 1;
        }
        while self.peek(ahead) == '#' {
            ahead += 1;
        }
        self.peek(ahead) == '"'
    }

    fn prefixed_string(&mut self, line: usize) {
        let prefix = self.take_while(|character| matches!(character, 'r' | 'b' | 'c'));
        if !prefix.contains('r') {
            return self.string(line);
        }
        let hashes = self.take_while(|character| character == '#').len();
        self.next();
        let mut text = String::new();
        while self.at < self.chars.len() {
            let character = self.next();
            if character == '"' && (0..hashes).all(|ahead| self.peek(ahead) == '#') {
                self.at += hashes;
                break;
            }
            text.push(character);
        }
        self.push(Kind::Text, text, line);
    }

    fn character_or_lifetime(&mut self, line: usize) {
        self.next();
        if self.peek(0) == '\\' {
            while self.at < self.chars.len() && self.next() != '\\' {}
            self.next();
            while self.at < self.chars.len() && self.next() != '\'' {}
        } else if self.peek(1) == '\'' {
            self.at += 2;
        } else {
            self.take_while(|character| character.is_alphanumeric() || character == '_');
        }
        self.push(Kind::Mark, "'".to_owned(), line);
    }

    fn number(&mut self, line: usize) {
        let mut text = self.take_while(|character| character.is_alphanumeric() || character == '_');
        if self.peek(0) == '.' && self.peek(1).is_ascii_digit() {
            text.push(self.next());
            text += &self.take_while(|character| character.is_alphanumeric() || character == '_');
        }
        self.push(Kind::Number, text, line);
    }
}

#[test]
fn comments_strings_and_words_are_told_apart() {
    let text = "fn a<'x>() { /* b /* c */ */ let d = \"e \\\" f\"; // g\n r#\"h \" i\"# ; 'j' ; '\\'' ; b\"k\" ; 1.5_f32 ; 0..=9 }";
    let found = tokens(text);
    let of = |kind| {
        found.iter().filter(|token| token.kind == kind).map(|token| token.text.as_str()).collect::<Vec<_>>()
    };
    assert_eq!(of(Kind::Word), ["fn", "a", "let", "d"]);
    assert_eq!(of(Kind::Text), ["e \\\" f", "h \" i", "k"]);
    assert_eq!(of(Kind::Number), ["1.5_f32", "0", "9"]);
    assert_eq!(found.last().unwrap().line, 2);
}
