//! The texts that the host passes.

use crate::host;
use web::hosted::Host;

/// Splits off what stands before the first newline.
pub fn split(bytes: &[u8]) -> (String, &[u8]) {
    let end = bytes.iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len());
    let rest = bytes.get(end + 1..).unwrap_or_default();
    (String::from_utf8_lossy(&bytes[..end]).into_owned(), rest)
}

/// A request is a line "NUMBER METHOD PATH REVISION", then the body; a revision of `-` is none.
pub fn serve(board: &Host, request: &[u8]) {
    let (line, body) = split(request);
    let mut words = line.split(' ');
    let mut word = || words.next().unwrap_or_default();
    let (number, method, path, revision) = (word(), word(), word(), word());
    host::answer(number, &board.request(method, path, revision.parse().ok(), body));
}
