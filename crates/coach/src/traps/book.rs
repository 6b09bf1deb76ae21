//! Traps as a PolyGlot book that any program can play.

use super::finder::Trap;
use chess::{Move, Position, polyglot};
use std::collections::BTreeMap;

/// Our moves on the way to each trap and the trap itself; weights follow what the traps behind a move bring.
pub fn polyglot_book(traps: &[Trap]) -> Vec<u8> {
    let mut values: BTreeMap<(u64, u16), (Position, Move, f64)> = BTreeMap::new();
    for trap in traps {
        let mut position = Position::default();
        // The trap is set by the side that moves last: every second move is ours.
        let ours = trap.line.len() % 2;
        for (ply, mv) in trap.line.iter().chain([&trap.mv]).enumerate() {
            if ply % 2 == ours {
                let key = (polyglot::key(&position), mv.bits());
                let entry = values.entry(key).or_insert_with(|| (position.clone(), *mv, 0.0));
                entry.2 += trap.reach * trap.surplus();
            }
            position.play(*mv);
        }
    }
    let most = values.values().map(|(_, _, value)| *value).fold(f64::MIN_POSITIVE, f64::max);
    let weight = |value: f64| ((value / most * f64::from(u16::MAX)).round() as u16).max(1);
    polyglot::write(values.values().map(|(position, mv, value)| (position, *mv, weight(*value))))
}

#[cfg(test)]
mod tests {
    use super::super::TrapKind;
    use super::*;
    use human_model::expected::Expected;
    use std::io::Cursor;

    fn trap(moves: &[&str], mistake_probability: f64) -> Trap {
        let mut position = Position::default();
        let mut line = Vec::new();
        for text in moves {
            let mv = position.parse_uci(text).unwrap();
            line.push(mv);
            position.play(mv);
        }
        let mv = line.pop().unwrap();
        Trap {
            line,
            mv,
            nature: TrapKind::Trap,
            reach: 0.5,
            worth: Expected::new(0.5),
            best: Expected::new(0.5),
            expectation: 0.5,
            gain: 0.2,
            mistake_probability,
            mistakes: Vec::new(),
            refutation: Vec::new(),
        }
    }

    #[test]
    fn the_way_to_each_trap_is_in_the_book() {
        let traps = [
            trap(&["e2e4", "e7e5", "d1h5"], 0.4),
            trap(&["e2e4", "e7e5", "f2f4"], 0.1),
            trap(&["d2d4", "e7e5"], 0.3),
        ];
        let mut book = polyglot::Book::new(Cursor::new(polyglot_book(&traps))).unwrap();
        let mut position = Position::default();
        let moves = |book: &mut polyglot::Book<_>, position: &Position| -> Vec<(String, u16)> {
            book.moves(position)
                .unwrap()
                .iter()
                .map(|known| (format!("{:?}", known.mv), known.weight))
                .collect()
        };
        assert_eq!(
            moves(&mut book, &position),
            [("e2e4".to_string(), 65535)],
            "Black's trap does not ask for 1. d4"
        );
        for text in ["e2e4", "e7e5"] {
            position.play(position.parse_uci(text).unwrap());
        }
        assert_eq!(moves(&mut book, &position), [("d1h5".to_string(), 52428), ("f2f4".to_string(), 13107)]);
        let start = Position::default();
        let after = start.after(start.parse_uci("d2d4").unwrap());
        assert_eq!(moves(&mut book, &after), [("e7e5".to_string(), 39321)]);
        assert!(polyglot_book(&[]).is_empty());
    }
}
