//! Any text is a position or an error; a position that was read survives writing and reading again.

pub fn run(bytes: &[u8]) {
    let text = &*String::from_utf8_lossy(bytes);
    if let Ok(position) = text.parse::<laser::Position>() {
        let again: laser::Position = position.to_string().parse().expect("own text reads back");
        assert!(again.same_board(&position));
        assert_eq!(position.key(), position.fresh_key());
        assert!(position.move_count() >= 3);
    }
}
