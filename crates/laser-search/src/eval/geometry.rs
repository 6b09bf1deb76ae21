//! Distances and centrality, computed and looked up.
//!
//! DeLaus, Giannaris and Burnett replaced computation by tables and measured each; so do we
//! (`results/laser/lookup-tables.md`). The computed forms are the definitions; a test compares every table with them.

use laser::Square;

/// `1 / (|files| + 1) * 1 / (|ranks| + 1)`, rounded as the reference does, but 2 on the same square. Coordinates may lie
/// on the ring around the board.
#[inline]
pub fn mult_dist(files: i32, ranks: i32) -> f32 {
    if files == 0 && ranks == 0 {
        return 2.0;
    }
    (1.0 / (files.abs() + 1) as f32) * (1.0 / (ranks.abs() + 1) as f32)
}

/// How far a square is from the nearest of the two central files (or ranks), 0-3.
#[inline]
const fn off_centre(coordinate: i32) -> i32 {
    if coordinate < 4 { 3 - coordinate } else { coordinate - 4 }
}

/// `weight * (1 - distance to the centre / (8 / sqrt 2))`, truncated.
#[inline]
pub fn central(square: Square, weight: i32) -> i32 {
    let files = f64::from(off_centre(square.file()));
    let ranks = f64::from(off_centre(square.rank()));
    let worst = 8.0 / f64::sqrt(2.0);
    (f64::from(weight) * (1.0 - files.hypot(ranks) / worst)) as i32
}

/// Tables of the above, built once for an evaluator's weights.
#[derive(Clone)]
pub struct Tables {
    /// [`mult_dist`] between two squares.
    pub mult_dist: Box<[[f32; 64]; 64]>,
    /// The part of coverage that depends only on the enemy king: [`mult_dist`] summed over the ring.
    pub ring: [f32; 64],
    /// [`central`] with the evaluator's weight.
    pub central: [i32; 64],
    /// Manhattan distance between two squares, as the vector sum wants it.
    pub manhattan: Box<[[f32; 64]; 64]>,
    /// The facing term by squares ahead (plus seven) and squares between the kings: saves a division.
    pub face: [[i32; 16]; 16],
}

impl Tables {
    pub fn new(central_weight: i32, face_weight: i32) -> Tables {
        let mut tables = Tables {
            mult_dist: Box::new([[0.0; 64]; 64]),
            ring: [0.0; 64],
            central: [0; 64],
            manhattan: Box::new([[0.0; 64]; 64]),
            face: std::array::from_fn(|ahead| {
                std::array::from_fn(|way| face_weight * (ahead as i32 - 7) / (way as i32).max(1))
            }),
        };
        for one in Square::all() {
            tables.central[one.index()] = central(one, central_weight);
            tables.ring[one.index()] = ring_sum(one);
            for other in Square::all() {
                let (files, ranks) = (one.file() - other.file(), one.rank() - other.rank());
                tables.mult_dist[one.index()][other.index()] = mult_dist(files, ranks);
                tables.manhattan[one.index()][other.index()] = one.manhattan(other) as f32;
            }
        }
        tables
    }
}

/// The 36 squares around the board in the reference's order: below, above, left, right.
pub fn ring() -> impl Iterator<Item = (i32, i32)> {
    let below = (-1..9).map(|file| (file, -1));
    let above = (-1..9).map(|file| (file, 8));
    let left = (0..8).map(|rank| (-1, rank));
    let right = (0..8).map(|rank| (8, rank));
    below.chain(above).chain(left).chain(right)
}

/// [`mult_dist`] from the ring to a square.
pub fn ring_sum(square: Square) -> f32 {
    ring().map(|(file, rank)| mult_dist(file - square.file(), rank - square.rank())).sum()
}
