//! The access token of the account: safety rule 10.
//!
//! It comes from the environment or from a file nobody else can read, never from an argument, which every process of the
//! machine could see. It has no `Display`, its `Debug` is empty, and no error about it repeats what was read.

use std::fmt;
use std::io::Read as _;
use std::path::Path;

/// Longer than any token the site gives out.
const LONGEST: usize = 512;

pub struct Token(String);

#[derive(Debug)]
pub enum TokenError {
    /// Neither the environment nor a file has one.
    Missing,
    Empty,
    /// Not what the site gives out: spaces, line breaks, other alphabets, or far too long.
    Malformed,
    /// Others can read the file; its permissions.
    Open(u32),
    NotAFile,
    Unreadable(std::io::ErrorKind),
}

impl fmt::Display for TokenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TokenError::Missing => {
                write!(
                    f,
                    "no token: put it into a file of mode 0600 or into the environment, never into an argument"
                )
            }
            TokenError::Empty => write!(f, "the token is empty"),
            TokenError::Malformed => write!(f, "the token holds spaces or letters no token has"),
            TokenError::Open(mode) => write!(
                f,
                "others can read the token's file (mode {mode:04o}, expected 0600): chmod 600 it, and if others use \
                 this machine, make a new token"
            ),
            TokenError::NotAFile => write!(f, "the token's file is not a file"),
            TokenError::Unreadable(kind) => write!(f, "the token's file cannot be read: {kind}"),
        }
    }
}

impl std::error::Error for TokenError {}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token")
    }
}

impl Token {
    pub fn parse(text: &str) -> Result<Token, TokenError> {
        let text = text.trim();
        if text.is_empty() {
            return Err(TokenError::Empty);
        }
        if text.len() > LONGEST || !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(TokenError::Malformed);
        }
        Ok(Token(text.to_string()))
    }

    pub fn from_file(path: &Path) -> Result<Token, TokenError> {
        let unreadable = |error: std::io::Error| TokenError::Unreadable(error.kind());
        let mut file = std::fs::File::open(path).map_err(unreadable)?;
        // Of the open file: a name could point elsewhere by now.
        let facts = file.metadata().map_err(unreadable)?;
        if !facts.is_file() {
            return Err(TokenError::NotAFile);
        }
        check_mode(&facts)?;
        let mut text = String::new();
        (&mut file).take(LONGEST as u64 + 16).read_to_string(&mut text).map_err(unreadable)?;
        Token::parse(&text)
    }

    /// The environment first, then the file.
    pub fn find(environment: Option<&str>, file: Option<&Path>) -> Result<Token, TokenError> {
        match (environment, file) {
            (Some(text), _) => Token::parse(text),
            (None, Some(path)) => Token::from_file(path),
            (None, None) => Err(TokenError::Missing),
        }
    }

    /// The only way out: the value of a request's header.
    pub(crate) fn header(&self) -> String {
        format!("Bearer {}", self.0)
    }
}

#[cfg(unix)]
fn check_mode(facts: &std::fs::Metadata) -> Result<(), TokenError> {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = facts.permissions().mode() & 0o7777;
    let of_others = mode & 0o077;
    if of_others == 0 { Ok(()) } else { Err(TokenError::Open(mode)) }
}

#[cfg(not(unix))]
fn check_mode(_: &std::fs::Metadata) -> Result<(), TokenError> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rule 10: a file others can read is refused, whoever the others are.
    #[cfg(unix)]
    #[test]
    fn rule_10_a_file_that_others_can_read_is_refused() {
        use std::os::unix::fs::PermissionsExt as _;
        let path = std::env::temp_dir().join(format!("tabiya-token-{}", std::process::id()));
        std::fs::write(&path, "lip_secretword\n").unwrap();
        for mode in [0o644, 0o640, 0o604, 0o660, 0o620, 0o666, 0o601] {
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
            let error =
                Token::from_file(&path).map(|_| ()).expect_err(&format!("mode {mode:o} was accepted"));
            assert!(matches!(error, TokenError::Open(found) if found == mode), "{error}");
            assert!(!error.to_string().contains("secretword"));
        }
        for mode in [0o600, 0o400] {
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
            assert_eq!(Token::from_file(&path).unwrap().header(), "Bearer lip_secretword");
        }
        std::fs::remove_file(&path).unwrap();
        assert!(matches!(Token::from_file(&path), Err(TokenError::Unreadable(_))));
        assert!(matches!(Token::from_file(&std::env::temp_dir()), Err(TokenError::NotAFile)));
    }

    /// Rule 10: nothing that is printed holds it.
    #[test]
    fn rule_10_a_token_is_never_shown() {
        let token = Token::parse(" lip_secretword ").unwrap();
        assert_eq!(format!("{token:?}"), "Token");
        for text in ["", "  ", "lip_secret word", "lip_sécretword", &"x".repeat(600)] {
            let error = Token::parse(text).map(|_| ()).unwrap_err();
            assert!(!format!("{error} {error:?}").contains("cret"), "{error:?}");
        }
    }

    #[test]
    fn the_environment_comes_first() {
        let nowhere = Path::new("/nonexistent");
        assert_eq!(Token::find(Some("abc"), Some(nowhere)).unwrap().header(), "Bearer abc");
        assert!(matches!(Token::find(None, Some(nowhere)), Err(TokenError::Unreadable(_))));
        assert!(matches!(Token::find(None, None), Err(TokenError::Missing)));
    }
}
