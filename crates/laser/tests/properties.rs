//! Properties that hold in every position of random games, several of them against the independent padded board.

#![allow(clippy::unwrap_used)]

#[path = "../benches/padded/mod.rs"]
#[allow(dead_code)]
mod padded;

use laser::{Bitboard, Colour, Game, Ko, Move, Position, Square, perft};
use padded::Padded;
use proptest::prelude::*;

/// A random game: each number picks one of the legal moves, so shrinking gives short games.
fn game() -> impl Strategy<Value = Game> {
    prop::collection::vec(any::<prop::sample::Index>(), 0..120).prop_map(|choices| {
        let mut game = Game::default();
        for choice in choices {
            let moves = game.position().legal_moves();
            if moves.is_empty() {
                break;
            }
            game.play(*choice.get(&moves)).unwrap();
        }
        game
    })
}

/// A board no game need have reached: every square gets a number, the kings two squares of their own.
fn strewn() -> impl Strategy<Value = Position> {
    (prop::collection::vec(0..64_usize, 2..16), prop::collection::vec(0..4_u8, 16), any::<bool>())
        .prop_filter_map("two different king squares", |(squares, orientations, white)| {
            let mut board: [Option<String>; 64] = [const { None }; 64];
            for (place, (&square, &orientation)) in squares.iter().zip(&orientations).enumerate() {
                let names = if place < 2 { ["NN", "EE", "SS", "WW"] } else { ["NW", "NE", "SE", "SW"] };
                let name = names[usize::from(orientation)];
                if board[square].is_none() {
                    board[square] = Some(if place % 2 == 0 { name.to_owned() } else { name.to_lowercase() });
                }
            }
            let ranks: Vec<String> = (0..8)
                .rev()
                .map(|rank| (0..8).map(|file| board[rank * 8 + file].clone().unwrap_or("1".into())).collect())
                .collect();
            format!("{} {}", ranks.join("/"), if white { "W" } else { "B" }).parse().ok()
        })
}

fn any_position() -> impl Strategy<Value = Position> {
    prop_oneof![game().prop_map(|game| *game.position()), strewn()]
}

fn sorted(mut texts: Vec<String>) -> Vec<String> {
    texts.sort();
    texts
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn text_and_back_is_the_same_board(position in any_position()) {
        if position.winner().is_none() {
            let read: Position = position.to_string().parse().unwrap();
            prop_assert!(read.same_board(&position));
            prop_assert_eq!(read.key(), position.key());
        }
    }

    #[test]
    fn keys_kept_along_the_way_equal_fresh_ones(game in game()) {
        for position in game.positions() {
            prop_assert_eq!(position.key(), position.fresh_key());
        }
    }

    #[test]
    fn different_boards_have_different_keys(game in game()) {
        for (index, earlier) in game.positions().iter().enumerate() {
            for later in &game.positions()[index + 1..] {
                prop_assert_eq!(earlier.same_board(later), earlier.key() == later.key());
            }
        }
    }

    #[test]
    fn moves_and_their_effects_equal_the_padded_board(position in any_position()) {
        let oracle = Padded::new(&position);
        let mut expected = Vec::new();
        oracle.for_each_move(|mv| {
            let mut next = oracle;
            next.play(mv);
            expected.push(format!("{} {}", padded::text(mv), next.fen()));
        });
        let found = position.moves().iter().map(|&mv| format!("{mv} {}", position.after(mv))).collect();
        prop_assert_eq!(sorted(found), sorted(expected));
        prop_assert_eq!(position.move_count(), position.moves().len() as u64);
    }

    #[test]
    fn perft_equals_the_padded_board(position in strewn()) {
        prop_assert_eq!(perft(&position, 2, Ko::Reference), Padded::new(&position).perft(2));
    }

    #[test]
    fn playing_leaves_the_original_untouched_and_is_repeatable(position in any_position()) {
        let before = position;
        for mv in position.moves() {
            prop_assert!(position.is_playable(mv));
            prop_assert_eq!(position.after(mv), position.after(mv));
            prop_assert_eq!(position, before);
        }
    }

    #[test]
    fn exactly_the_generated_moves_are_playable(position in any_position()) {
        let moves = position.moves();
        for mv in (0..1 << Move::BITS).filter_map(Move::from_bits) {
            prop_assert_eq!(position.is_playable(mv), moves.contains(&mv), "{}", mv);
        }
    }

    #[test]
    fn ko_is_what_comparing_boards_says(game in game()) {
        let positions = game.positions();
        for pair in positions.windows(2) {
            let (before, now) = (pair[0], pair[1]);
            for mv in now.moves() {
                prop_assert_eq!(now.is_ko(mv), now.after(mv).same_board(&before), "{} in {}", mv, now);
            }
        }
    }

    #[test]
    fn ko_perft_equals_a_slow_count(game in game()) {
        // Two plies: every reply in every line that starts from the game's last position.
        let position = *game.position();
        let mut slow = 0;
        if position.winner().is_none() {
            for mv in position.legal_moves() {
                let next = position.after(mv);
                slow += if next.winner().is_some() {
                    1
                } else {
                    next.moves().iter().filter(|&&reply| !next.after(reply).same_board(&position)).count()
                };
            }
            prop_assert_eq!(perft(&position, 2, Ko::Applied), slow as u64);
        }
    }

    #[test]
    fn mirrors_follow_the_position(position in any_position()) {
        for colour in Colour::ALL {
            position.for_each_move_of(colour, |mv| {
                let (mut mirrors, mut next) = (position.mirrors(), position);
                mirrors.place(mv);
                next.place(mv);
                assert_eq!(mirrors, next.mirrors(), "{mv} in {position}");
            });
        }
    }

    #[test]
    fn jumping_and_walking_beams_agree(position in any_position()) {
        for colour in Colour::ALL {
            let walked: Vec<Square> = position.beam(colour).collect();
            let shot = position.shot(colour);
            prop_assert_eq!(shot.path, walked.iter().copied().collect::<Bitboard>());
            if let Some(victim) = shot.victim {
                prop_assert_eq!(walked.last(), Some(&victim));
            }
        }
    }

    #[test]
    fn a_beam_sent_back_along_its_path_returns_to_its_king(position in any_position()) {
        for colour in Colour::ALL {
            let walked: Vec<Square> = position.beam(colour).collect();
            // Turn the beam round on an empty square it leaves the board from, or in front of its victim.
            let Some(king) = position.king(colour) else { continue };
            let turn = match position.shot(colour).victim {
                Some(_) if walked.len() < 2 => continue,
                Some(_) => walked.len() - 2,
                None if walked.is_empty() => continue,
                None => walked.len() - 1,
            };
            let (here, before) = (walked[turn], if turn == 0 { king } else { walked[turn - 1] });
            if position.piece_at(here).is_some() {
                continue;
            }
            let back = laser::Compass::ALL.into_iter().find(|direction| {
                let (file, rank) = direction.offset();
                Square::at(here.file() + file, here.rank() + rank) == Some(before)
            });
            let shot = position.shot_from(here, back.unwrap());
            prop_assert_eq!(shot.victim, Some(king));
            let there: Bitboard = walked[..turn].iter().copied().collect();
            prop_assert_eq!(shot.path, there | Bitboard::of(king));
        }
    }

    #[test]
    fn only_beam_moves_change_the_beam(position in any_position()) {
        for colour in Colour::ALL {
            let now = position.shot(colour);
            let mut touching = Vec::new();
            position.for_each_beam_move_of(colour, now.path, |mv| touching.push(mv));
            let mut all = Vec::new();
            position.for_each_move_of(colour, |mv| all.push(mv));
            prop_assert!(touching.iter().all(|mv| all.contains(mv)));
            for mv in all.into_iter().filter(|mv| !touching.contains(mv)) {
                let mut next = position;
                next.place(mv);
                prop_assert_eq!(next.shot(colour), now, "{} in {}", mv, position);
            }
            let mut still = Vec::new();
            position.for_each_still_move_of(colour, now.path, |mv| still.push(mv));
            let mut every: Vec<Move> = touching.iter().chain(&still).copied().collect();
            every.sort_unstable();
            let mut all = Vec::new();
            position.for_each_move_of(colour, |mv| all.push(mv));
            all.sort_unstable();
            prop_assert_eq!(every, all, "touching and still moves are all moves");
            let count = touching.len();
            touching.sort_unstable();
            touching.dedup();
            prop_assert_eq!(touching.len(), count, "each move once");
        }
    }

    #[test]
    fn turning_the_table_turns_the_moves(position in any_position()) {
        let turned = position.rotated();
        prop_assert_eq!(turned.rotated(), position);
        prop_assert_eq!(turned.key(), turned.fresh_key());
        let mut here: Vec<Move> = position.moves().iter().map(|mv| mv.rotated()).collect();
        let mut there: Vec<Move> = turned.moves().to_vec();
        here.sort_unstable();
        there.sort_unstable();
        prop_assert_eq!(here, there);
        for mv in position.moves() {
            prop_assert_eq!(position.after(mv).rotated(), turned.after(mv.rotated()));
        }
    }

    #[test]
    fn no_text_makes_the_readers_panic(text in "\\PC{0,80}") {
        let _ = text.parse::<Position>();
        let _ = text.parse::<Move>();
        let _ = text.parse::<Square>();
    }
}
