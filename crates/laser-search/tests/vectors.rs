//! The reference's evaluation vectors, every component of every line.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::Path;

use laser::{Colour, Position};
use laser_search::eval::{Terms, Weights, reference, terms};

fn lines(file: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/leiserchess").join(file);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect()
}

#[test]
fn every_component_is_the_references() {
    for line in lines("eval.txt") {
        let columns: Vec<&str> = line.split('|').map(str::trim).collect();
        let position: Position = columns[0].parse().unwrap();
        let [white, black] =
            Colour::ALL.map(|colour| Terms::reference(&position, colour, &Weights::REFERENCE).unwrap());
        let found = [
            white.face,
            black.face,
            white.aggressive,
            black.aggressive,
            white.between,
            black.between,
            white.central,
            black.central,
            white.coverage,
            black.coverage,
        ];
        let expected: Vec<i32> = columns[2].split(' ').map(|number| number.parse().unwrap()).collect();
        assert_eq!(found[..], expected[..], "{line}");
        let mobility = Colour::ALL
            .map(|colour| terms::mobility(&position, colour, position.king(colour).unwrap()).to_string());
        assert_eq!(mobility.join(" "), columns[3], "{line}");
        assert_eq!(reference(&position, &Weights::REFERENCE).unwrap().to_string(), columns[1], "{line}");
    }
}

/// The reference adds each square of the ring to the running sum; with a subtotal Black's coverage is 5184.
#[test]
fn coverage_is_added_in_the_references_order() {
    let position: Position = "1wwnw2se2/8/6nw1/1nw3SW2/1se6/3SS4/8/4NE3 W".parse().unwrap();
    let black = Terms::reference(&position, Colour::Black, &Weights::REFERENCE).unwrap();
    assert_eq!(black.coverage, 5183);
}
