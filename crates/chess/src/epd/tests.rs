use super::*;

const BRATKO: &str = "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - -";

#[test]
fn operations_and_their_operands() {
    let epd = Epd::parse(&format!(
        "{BRATKO} bm Qd1+; am Qd2 Ka8; id \"BK; 01\"; c0 \"a \\\"b\\\" \\\\ c\"; ce -130; dm 3; acn 12345678901;"
    ))
    .unwrap();
    assert_eq!(epd.id(), Some("BK; 01"));
    assert_eq!(epd.text("c0"), Some("a \"b\" \\ c"));
    assert_eq!(epd.number("ce"), Some(-130));
    assert_eq!(epd.number("dm"), Some(3));
    assert_eq!(epd.number("acn"), Some(12_345_678_901));
    assert_eq!(epd.number("acd"), None);
    let san = |moves: Vec<Move>| moves.iter().map(|mv| epd.position.san(*mv).to_string()).collect::<Vec<_>>();
    assert_eq!(san(epd.best_moves().unwrap()), ["Qd1+"]);
    assert_eq!(san(epd.avoid_moves().unwrap()), ["Qd2+", "Ka8"]);
}

#[test]
fn a_wrong_move_is_told_with_its_operation() {
    let epd = Epd::parse(&format!("{BRATKO} bm Qd9;")).unwrap();
    let message = epd.best_moves().unwrap_err().to_string();
    assert!(message.starts_with("operation bm: 'Qd9' is not a move"), "{message}");
}

#[test]
fn what_files_really_hold() {
    // Six fields; `;` before the operation; a remark; no `;` at the end; one missing in the middle.
    let perft = Epd::parse("8/8/8/8/8/k7/8/K7 w - - 7 40 ;D1 20 ;D2 400 # remark; bm a4").unwrap();
    assert_eq!(perft.perft_counts(), [(1, 20), (2, 400)]);
    assert_eq!((perft.position.halfmove_clock(), perft.position.fullmove_number()), (7, 40));
    assert!(perft.operation("bm").is_none());
    let forgotten = Epd::parse(&format!("{BRATKO} bm Qd1+ id \"x\"")).unwrap();
    assert_eq!((forgotten.best_moves().unwrap().len(), forgotten.id()), (1, Some("x")));
    let mate = Epd::parse(&format!("{BRATKO} bm #-12;")).unwrap();
    assert_eq!(mate.text("bm"), Some("#-12"));
    assert_eq!(Epd::parse(BRATKO).unwrap().operations, []);
}

#[test]
fn clocks_travel_as_operations() {
    let epd = Epd::parse(&format!("{BRATKO} hmvc 12; fmvn 34; id \"x\";")).unwrap();
    assert_eq!((epd.position.halfmove_clock(), epd.position.fullmove_number()), (12, 34));
    assert_eq!(epd.to_string(), format!("{BRATKO} hmvc 12; fmvn 34; id \"x\";"));
}

#[test]
fn written_and_read_again() {
    let mut epd = Epd::new(Position::default());
    let word = |text: &str| Operand::Word(text.into());
    epd.operations.push(Operation::new("bm", vec![word("e4"), word("#3"), word("#")]).unwrap());
    epd.operations.push(Operation::new("c0", vec![Operand::Text("semi; \"colon\" \\".into())]).unwrap());
    epd.operations.push(Operation::new("noop", vec![]).unwrap());
    assert_eq!(Operation::new("9", vec![]), None);
    let read = Epd::parse(&epd.to_string()).unwrap();
    assert_eq!(read.to_string(), epd.to_string());
    assert_eq!(read.text("c0"), Some("semi; \"colon\" \\"));
}

#[test]
fn errors_have_a_column() {
    for (line, message) in [
        ("", "column 1: 0 fields, expected at least 4"),
        ("8/8/8/8/8/k7/8/K7 w -", "column 22: 3 fields"),
        ("8/8/8/8/8/k7/8/K77 w - -", "column 1: pieces field, rank 1"),
        ("8/8/8/8/8/k7/8/K7 x - -", "column 19: turn field"),
        ("8/8/8/8/8/k7/8/K7 w KQ -", "column 21: castling field"),
        ("8/8/8/8/8/k7/8/K7 w - e6", "column 23: en passant field"),
        ("8/8/8/8/8/k7/8/K7 w - - 0 0", "column 27: move number: '0'"),
        ("8/8/8/8/8/k7/8/K7 w - - hmvc x;", "column 25: halfmove clock: 'x'"),
        ("8/8/8/8/8/k7/8/K7 w - - id \"é", "column 28: a text begins here"),
        ("8/8/8/8/8/k7/8/K7 w - - c0 \"é\"; 9x 1;", "column 33: '9x' is no opcode"),
    ] {
        let found = Epd::parse(line).unwrap_err().to_string();
        assert!(found.starts_with(message), "{line}: {found}");
    }
}

#[test]
fn a_file_is_read_past_its_bad_lines() {
    let text = format!(
        "# a remark\n\n{BRATKO} id \"1\";\r\nnonsense\n{BRATKO} id \"2\";\n{}\n",
        "x".repeat(100_000)
    );
    let lines: Vec<String> = EpdReader::new(text.as_bytes())
        .map(|line| match line {
            Ok((number, epd)) => format!("{number} {}", epd.id().unwrap()),
            Err(error) => error.to_string(),
        })
        .collect();
    assert_eq!(
        lines,
        [
            "3 1",
            "line 4, column 9: 1 fields, expected at least 4 (pieces, turn, castling, en passant)",
            "5 2",
            "line 6, column 65537: line too long, expected at most 65536 bytes",
        ]
    );
}
