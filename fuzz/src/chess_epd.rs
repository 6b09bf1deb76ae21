//! Any bytes are a file of positions and errors; what was read is written and read back the same.

use chess::epd::{Epd, EpdReader};

pub fn run(data: &[u8]) {
    for line in EpdReader::new(data) {
        match line {
            Ok((_, epd)) => {
                let text = epd.to_string();
                assert_eq!(Epd::parse(&text), Ok(epd.clone()), "{text}");
                let _ = (epd.best_moves(), epd.avoid_moves(), epd.perft_counts(), epd.number("ce"));
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}
