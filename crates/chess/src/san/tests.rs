use super::*;
use crate::types::{MoveKind, Square};

fn position(fen: &str) -> Position {
    Position::from_fen(fen).expect(fen)
}

/// Each line: a position, a move in coordinates, its SAN.
const WRITTEN: &[(&str, &str, &str)] = &[
    (crate::fen::START, "g1f3", "Nf3"),
    (crate::fen::START, "e2e4", "e4"),
    // Two knights on one rank, on one file; three queens that need both.
    ("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "b1d2", "Nbd2"),
    ("4k3/8/8/5N2/8/8/8/4KN2 w - - 0 1", "f1g3", "N1g3"),
    ("8/k7/8/4Q2Q/8/8/8/1K5Q w - - 0 1", "h5e2", "Qhe2"),
    ("8/k7/8/8/4Q2Q/8/8/1K5Q w - - 0 1", "h4e1", "Qh4e1"),
    // The other knight is pinned, so nothing needs telling apart.
    ("4r2k/8/8/8/8/4N3/8/N3K3 w - - 0 1", "a1c2", "Nc2"),
    ("8/P6k/8/8/8/8/8/4K3 w - - 0 1", "a7a8n", "a8=N"),
    ("1n5k/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8q", "axb8=Q+"),
    ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6"),
    ("3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1a1", "O-O-O+"),
    ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+"),
    ("rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2", "d8h4", "Qh4#"),
];

#[test]
fn writes_the_shortest_form() {
    for (fen, uci, san) in WRITTEN {
        let position = position(fen);
        let mv = position.parse_uci(uci).unwrap();
        assert_eq!(position.san(mv).to_string(), *san, "{fen}");
        assert_eq!(position.parse_san(san), Ok(mv), "{fen}");
    }
}

#[test]
fn reads_what_people_write() {
    for (fen, texts, uci) in [
        (
            crate::fen::START,
            &["Nf3", "Nf3!?", "Nf3+", "Nf3#??", "Ngf3", "N1f3", "Ng1f3", "Ng1-f3", "Nxf3"][..],
            "g1f3",
        ),
        (crate::fen::START, &["e4", "e2e4", "e2-e4", "Pe4", "ee4", "e4++"], "e2e4"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", &["exd6", "ed6", "exd6e.p.", "e5xd6", "xd6", "e:d6"], "e5d6"),
        (
            "8/P6k/8/8/8/8/8/4K3 w - - 0 1",
            &["a8=N", "a8N", "a8=n", "a8(N)", "a8/N", "a7a8n", "a7-a8=N!"],
            "a7a8n",
        ),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", &["O-O", "0-0", "o-o", "O-O+", "0-0!"], "e1g1"),
        ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", &["O-O-O", "0-0-0", "O-O-O#"], "e1c1"),
    ] {
        let position = position(fen);
        for text in texts {
            assert_eq!(position.parse_san(text).ok(), position.parse_uci(uci).ok(), "{text} in {fen}");
        }
    }
}

#[test]
fn en_passant_and_castling_have_their_kind() {
    let kind = |fen, san| position(fen).parse_san(san).map(Move::kind);
    assert_eq!(kind("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6"), Ok(MoveKind::EnPassant));
    assert_eq!(kind("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "O-O"), Ok(MoveKind::Castling));
}

#[test]
fn chess960_castling_keeps_its_plain_name() {
    let position = position("4k3/8/8/8/8/8/8/1RK4R w HB - 0 1");
    let rook = |name: &str| Square::parse(name).unwrap();
    assert_eq!(position.parse_san("O-O"), Ok(Move::castling(rook("c1"), rook("h1"))));
    assert_eq!(position.parse_san("O-O-O"), Ok(Move::castling(rook("c1"), rook("b1"))));
}

#[test]
fn refusals_say_why() {
    let pinned = "4r2k/8/8/8/8/4N3/8/N3K3 w - - 0 1";
    let two_knights = "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1";
    let promoting = "8/P6k/8/8/8/8/8/4K3 w - - 0 1";
    for (fen, text, reason) in [
        (crate::fen::START, "", "expected a destination square"),
        (crate::fen::START, "N", "expected a destination square"),
        (crate::fen::START, "hello", "expected a destination square a1 to h8"),
        (crate::fen::START, "e9", "expected a destination square a1 to h8"),
        (crate::fen::START, "Nzf3", "expected a file a to h"),
        (crate::fen::START, "N9f3", "expected a rank 1 to 8"),
        (crate::fen::START, "Ng1xxf3", "too many characters"),
        (crate::fen::START, "e8=K", "promotes to Q, R, B or N"),
        (crate::fen::START, "Nd2", "a piece of the side to move stands on d2"),
        (crate::fen::START, "e5", "no such pawn can go to e5"),
        (crate::fen::START, "Nbf3", "no such knight can go to f3"),
        (crate::fen::START, "e4=Q", "only a pawn reaching the last rank promotes"),
        (crate::fen::START, "Nf3=Q", "only a pawn reaching the last rank promotes"),
        (crate::fen::START, "O-O", "castling on the king's side is blocked"),
        (pinned, "Nf5", "the knight from e3 to f5 would leave its king in check"),
        (pinned, "O-O-O", "no right to castle on the queen's side"),
        (two_knights, "Nd2", "ambiguous: the knights on b1 and f3 can both go to d2"),
        (promoting, "a8", "must promote, expected a piece as in a8=Q"),
    ] {
        let message = position(fen).parse_san(text).unwrap_err().to_string();
        assert!(message.contains(reason), "{text}: {message}");
    }
}

#[test]
fn a_long_or_broken_text_is_quoted_in_part() {
    let start = Position::default();
    let error = start.parse_san(&"e4".repeat(10_000)).unwrap_err().to_string();
    assert!(error.len() < 200, "{error}");
    assert!(start.parse_san_bytes(&[0xff, 0xfe, b'e', b'4']).is_err());
}
