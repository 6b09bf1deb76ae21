//! Any text is a legal move or an error; a move is written and read back the same.

use crate::positions;

pub fn run(data: &[u8]) {
    let Some((position, text)) = positions::choose(data) else { return };
    match position.parse_uci(&String::from_utf8_lossy(text)) {
        Ok(mv) => {
            assert!(position.is_legal(mv));
            assert_eq!(position.parse_uci(&position.uci(mv, true).to_string()), Ok(mv));
        }
        Err(error) => assert!(error.to_string().len() < 300),
    }
}
