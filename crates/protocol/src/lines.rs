//! Lines of bounded length from any input.

use std::io::{self, BufRead};

/// Longer than any real command: a game of 10,000 moves fits 20 times.
const LONGEST: usize = 1 << 20;

/// A line, or the length of one that was too long to keep.
#[derive(PartialEq, Debug)]
pub enum Line {
    Text(String),
    TooLong { bytes: usize },
}

/// Reads one line; `None` at the end of input. Bytes that are no UTF-8 are replaced, not refused; a line beyond the
/// limit is read to its end and thrown away, so that the next command is found whole.
pub fn read_line(input: &mut (impl BufRead + ?Sized)) -> io::Result<Option<Line>> {
    let mut bytes = Vec::new();
    let mut length = 0;
    loop {
        let available = match input.fill_buf() {
            Ok(available) => available,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if available.is_empty() {
            return Ok((length > 0).then(|| finish(&bytes, length)));
        }
        let end = available.iter().position(|&byte| byte == b'\n');
        let taken = end.unwrap_or(available.len());
        length += taken;
        if length <= LONGEST {
            bytes.extend_from_slice(&available[..taken]);
        }
        input.consume(taken + usize::from(end.is_some()));
        if end.is_some() {
            return Ok(Some(finish(&bytes, length)));
        }
    }
}

fn finish(bytes: &[u8], length: usize) -> Line {
    if length > LONGEST {
        return Line::TooLong { bytes: length };
    }
    Line::Text(String::from_utf8_lossy(bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    #[test]
    fn a_monster_line_is_dropped_and_the_next_one_read() {
        let mut input = vec![b'x'; LONGEST + 5];
        input.extend_from_slice(b"\nuci\r\nquit");
        let mut input = Cursor::new(input);
        assert_eq!(read_line(&mut input).unwrap(), Some(Line::TooLong { bytes: LONGEST + 5 }));
        assert_eq!(read_line(&mut input).unwrap(), Some(Line::Text("uci\r".into())));
        assert_eq!(read_line(&mut input).unwrap(), Some(Line::Text("quit".into())));
        assert_eq!(read_line(&mut input).unwrap(), None);
    }

    #[test]
    fn foreign_bytes_are_replaced() {
        let mut input = Cursor::new(b"go \xff\xfe depth 1\n".to_vec());
        let Some(Line::Text(text)) = read_line(&mut input).unwrap() else { panic!("no line") };
        assert!(text.starts_with("go ") && text.ends_with("depth 1"));
    }
}
