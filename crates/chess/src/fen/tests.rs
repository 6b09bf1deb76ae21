//! One line per fact about what is read, refused and mended.

use super::*;

fn refusal(fen: &str) -> String {
    Position::from_fen(fen).expect_err(fen).to_string()
}

#[test]
fn start_reads_and_writes_back() {
    assert_eq!(Position::default().to_fen(), START);
    assert_eq!(
        Position::default().to_shredder_fen(),
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1"
    );
}

#[test]
fn valid_positions_round_trip() {
    for fen in [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3",
        "4k3/8/8/8/8/8/8/4K2R w K - 12 34",
        // X-FEN: the inner rook castles, so its file is named.
        "4k1rr/8/8/8/8/8/8/4K1RR w Gg - 0 1",
        "1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9",
    ] {
        let position = Position::from_fen(fen).expect(fen);
        let again = Position::from_fen(&position.to_fen()).expect(fen);
        assert_eq!(position, again);
        let shredder = Position::from_fen(&position.to_shredder_fen()).expect(fen);
        assert_eq!(position, shredder);
    }
}

#[test]
fn en_passant_is_kept_only_when_capturable() {
    let read = |fen: &str| Position::from_fen(fen).expect(fen).to_fen();
    assert!(
        read("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1").contains(" - "),
        "no black pawn beside e4"
    );
    assert!(
        read("8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1").contains(" - "),
        "both pawns leave the rank and the rook gives check"
    );
    assert!(read("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1").contains(" d6 "));
}

#[test]
fn refusals_say_what_and_where() {
    for (fen, reason) in [
        ("", "FEN: 1 fields, expected 6"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", "FEN: 4 fields"),
        ("rnbqkbnr/pppppppp/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "7 ranks, expected 8"),
        ("rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "rank 7: 9 squares, expected 8"),
        ("rnbqkbnr/pppppppp/8/8/7/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "rank 4: 7 squares, expected 8"),
        ("rnbqkbnr/pppppppp/8/8/44/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "rank 4: two digits"),
        ("rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "rank 6: unknown letter '9'"),
        ("rnbqkxnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "rank 8: unknown letter 'x'"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR W KQkq - 0 1", "turn field: 'W'"),
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", "Black has 0 kings"),
        ("4k3/8/8/8/8/8/8/3KK3 w - - 0 1", "White has 2 kings"),
        ("4k2P/8/8/8/8/8/8/p3K3 w - - 0 1", "a pawn on a1, h8"),
        ("4k3/8/8/8/8/8/8/4K2r b - - 0 1", "White is not to move, but its king on e1 is in check from h1"),
        ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", "'K' needs a rook of White"),
        ("4k3/8/8/8/8/4K3/8/7R w K - 0 1", "White's king is not on its back rank"),
        ("r3k3/8/8/8/8/8/8/4K3 w qq - 0 1", "'q' names a right that is already given"),
        ("r3k3/8/8/8/8/8/8/4K3 w q- - 0 1", "'-' stands alone"),
        ("r3k3/8/8/8/8/8/8/4K3 w z - 0 1", "unknown letter 'z'"),
        ("4k3/8/8/8/8/8/8/4K1RR w GH - 0 1", "two rights on one side"),
        ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "no pawn that could have just made a double step"),
        ("4k3/8/8/4p3/8/8/8/4K3 w - e3 0 1", "expected rank 6"),
        ("4k3/4n3/8/4p3/8/8/8/4K3 w - e6 0 1", "path is not empty"),
        ("4k3/8/8/8/8/8/8/4K3 w - x9 0 1", "expected '-' or a square"),
        ("4k3/8/8/8/8/8/8/4K3 w - - -1 1", "halfmove clock: '-1'"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 0", "move number: '0'"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 99999999999999999999 1", "halfmove clock"),
        ("qqqqkqqq/qqqqqqqq/8/8/8/8/8/4K3 b - - 0 1", "more pieces than its pawns could promote to"),
        ("nnnnknnn/nnnnnnnn/n7/8/8/8/8/4K3 b - - 0 1", "more than 16 pieces"),
        ("4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1", "more than 8 pawns"),
    ] {
        let message = refusal(fen);
        assert!(message.contains(reason), "{fen}: {message:?} does not say {reason:?}");
    }
}

/// Real games were played from these.
#[test]
fn armies_that_no_game_reaches_are_played() {
    for fen in [
        "qnbqkbnq/pppppppp/8/8/8/8/PPPPPPPP/QNBQKBNQ w - - 0 1",
        "r1bqkb1r/pppppppp/8/8/8/8/PPPPPPPP/NNNNKNNN w kq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/PPPPPPPP/RNBQKBNR/8 w kq - 0 1",
    ] {
        assert_eq!(Position::from_fen(fen).expect(fen).to_fen(), fen);
    }
}

#[test]
fn endless_input_is_refused_unread() {
    assert!(refusal(&"8/".repeat(1 << 20)).contains("expected at most"));
}

#[test]
fn lenient_reader_mends_and_tells() {
    let (position, repairs) =
        Position::from_fen_lenient("  rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1   w  KQkq e6  x ").unwrap();
    assert_eq!(position.to_fen(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1 w Qkq - 0 1");
    let told: Vec<String> = repairs.iter().map(ToString::to_string).collect();
    assert_eq!(told.len(), 4, "{told:?}");
    assert!(told[0].contains("'K' dropped"));
    assert!(told[1].contains("en passant field: 'e6'"));
    assert!(told[2].contains("halfmove clock 'x'"));
    assert!(told[3].contains("move number missing"));
}

#[test]
fn lenient_reader_says_nothing_about_a_good_fen() {
    let (position, repairs) = Position::from_fen_lenient(START).unwrap();
    assert_eq!((position, repairs.len()), (Position::default(), 0));
}

#[test]
fn lenient_reader_still_refuses_an_illegal_position() {
    for fen in ["8/8/8/8/8/8/8/4K3", "4k3/8/8/8/8/8/8/4K2r b", "4k3/9/8/8/8/8/8/4K3 w"] {
        assert!(Position::from_fen_lenient(fen).is_err(), "{fen}");
    }
}
