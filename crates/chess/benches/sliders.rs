//! Magic multiplication against PEXT, look-up by look-up: `cargo bench -p chess --bench sliders`.
//!
//! Occupancies come from random games' worth of density; both twins answer the same queries in alternating rounds.

use chess::{Bitboard, Square, attacks};
use common::Random;
use std::hint::black_box;
use std::time::{Duration, Instant};

const QUERIES: usize = 1 << 16;
const ROUNDS: usize = 40;

type Slider = fn(Square, Bitboard) -> Bitboard;

fn queries() -> Vec<(Square, Bitboard)> {
    let mut random = Random::new(1);
    let mut next = move || random.next_u64();
    (0..QUERIES).map(|_| (Square::wrapping(next() as u8), Bitboard(next() & next()))).collect()
}

fn time(queries: &[(Square, Bitboard)], rook: Slider, bishop: Slider) -> Duration {
    let start = Instant::now();
    let mut sum = 0u64;
    for &(square, occupied) in queries {
        sum = sum.wrapping_add(rook(square, occupied).0).wrapping_add(bishop(square, occupied).0);
    }
    black_box(sum);
    start.elapsed()
}

fn report(name: &str, best: Duration) {
    let nanoseconds = best.as_secs_f64() * 1e9 / (2 * QUERIES) as f64;
    println!("{name:6} {nanoseconds:.2} ns a look-up");
}

fn main() {
    let queries = queries();
    let mut magic = Duration::MAX;
    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    let mut pext = Duration::MAX;
    for _ in 0..ROUNDS {
        magic = magic.min(time(&queries, attacks::magic::rook, attacks::magic::bishop));
        #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
        {
            pext = pext.min(time(&queries, attacks::pext::rook, attacks::pext::bishop));
        }
    }
    report("magic", magic);
    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    {
        report("pext", pext);
        println!("pext is {:.2}x as fast", magic.as_secs_f64() / pext.as_secs_f64());
    }
}
