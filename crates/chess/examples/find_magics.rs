//! Finds the magic multipliers kept in `src/attacks/magics.rs`.
//!
//! `cargo run --release -p chess --example find_magics > crates/chess/src/attacks/magics.rs`
//!
//! For each square it draws sparse random numbers until one maps every relevant occupancy to a slot without a
//! harmful collision, in tables of the smallest power of two. The seed is fixed: the same run gives the same file.

use common::Random;
use std::fmt::Write as _;

#[path = "../src/attacks/slow.rs"]
mod slow;

/// Few bits set: such numbers work far more often.
fn sparse(random: &mut Random) -> u64 {
    random.next_u64() & random.next_u64() & random.next_u64()
}

fn find(square: usize, directions: [(i8, i8); 4], random: &mut Random) -> u64 {
    let mask = slow::relevant(square, directions);
    let bits = mask.count_ones();
    let mut cases = Vec::new();
    let mut subset = 0;
    loop {
        cases.push((subset, slow::sliding(square, subset, directions)));
        subset = slow::next_subset(subset, mask);
        if subset == 0 {
            break;
        }
    }
    let mut table = vec![(0u32, 0u64); 1 << bits];
    for attempt in 1u32.. {
        let magic = sparse(random);
        let fits = cases.iter().all(|&(occupied, attacks)| {
            let slot = &mut table[(occupied.wrapping_mul(magic) >> (64 - bits)) as usize];
            if slot.0 == attempt {
                return slot.1 == attacks;
            }
            *slot = (attempt, attacks);
            true
        });
        if fits {
            return magic;
        }
    }
    unreachable!("the loop only ends by returning")
}

fn main() {
    let mut random = Random::new(0x7ab1_7a00_c0ff_ee00);
    let mut text = String::from(
        "//! Magic multipliers, written by `examples/find_magics.rs`; a test checks every one of them.\n",
    );
    for (name, directions) in [("ROOK", slow::ROOK_DIRECTIONS), ("BISHOP", slow::BISHOP_DIRECTIONS)] {
        let _ = writeln!(text, "\n#[rustfmt::skip]\npub const {name}_MAGICS: [u64; 64] = [");
        for square in 0..64 {
            let _ = writeln!(text, "    {:#018x},", find(square, directions, &mut random));
        }
        text.push_str("];\n");
    }
    print!("{text}");
}
