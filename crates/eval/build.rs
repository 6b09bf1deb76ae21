//! Solves king and pawn against king by working backwards, and writes the won positions as a table of bits; puts the
//! network where the crate embeds it.
//!
//! The pawn is White's and stands on files a to d; the reader mirrors everything else to that.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs, io};

const PAWNS: usize = 24;
const POSITIONS: usize = 2 * PAWNS * 64 * 64;

#[derive(Clone, Copy, PartialEq, Eq)]
enum KpkResult {
    Impossible,
    Unknown,
    Draw,
    Win,
}

/// `turn` is 0 for White.
fn index(turn: usize, pawn: usize, white: usize, black: usize) -> usize {
    ((turn * PAWNS + pawn) * 64 + white) * 64 + black
}

/// File a to d and rank 2 to 7 in 24 numbers.
fn pawn_square(pawn: usize) -> usize {
    (pawn / 4 + 1) * 8 + pawn % 4
}

fn distance(a: usize, b: usize) -> usize {
    (a % 8).abs_diff(b % 8).max((a / 8).abs_diff(b / 8))
}

fn steps(king: usize) -> impl Iterator<Item = usize> {
    (0..64).filter(move |&to| distance(king, to) == 1)
}

fn pawn_attacks(pawn: usize, square: usize) -> bool {
    square / 8 == pawn / 8 + 1 && (square % 8).abs_diff(pawn % 8) == 1
}

/// What is plain without looking at further moves.
fn classify_static(turn: usize, pawn: usize, white: usize, black: usize) -> KpkResult {
    let square = pawn_square(pawn);
    let overlap = white == square || black == square;
    if overlap || distance(white, black) <= 1 || (turn == 0 && pawn_attacks(square, black)) {
        return KpkResult::Impossible;
    }
    let promotion = square + 8;
    if turn == 0 {
        let free = square / 8 == 6 && white != promotion && black != promotion;
        if free && (distance(black, promotion) > 1 || distance(white, promotion) == 1) {
            return KpkResult::Win;
        }
    } else {
        let attacked = |to| distance(white, to) <= 1 || pawn_attacks(square, to);
        let stuck = steps(black).all(attacked);
        let takes = distance(black, square) == 1 && distance(white, square) > 1;
        if stuck && !pawn_attacks(square, black) || takes {
            return KpkResult::Draw;
        }
    }
    KpkResult::Unknown
}

/// The best the mover can reach among what is known so far.
fn classify_by_moves(known: &[KpkResult], turn: usize, pawn: usize, white: usize, black: usize) -> KpkResult {
    let mut reached = Vec::with_capacity(10);
    if turn == 0 {
        reached.extend(steps(white).map(|to| known[index(1, pawn, to, black)]));
        let square = pawn_square(pawn);
        if square / 8 < 6 {
            reached.push(known[index(1, pawn + 4, white, black)]);
            if square / 8 == 1 && white != square + 8 && black != square + 8 {
                reached.push(known[index(1, pawn + 8, white, black)]);
            }
        }
    } else {
        reached.extend(steps(black).map(|to| known[index(0, pawn, white, to)]));
    }
    let (good, bad) =
        if turn == 0 { (KpkResult::Win, KpkResult::Draw) } else { (KpkResult::Draw, KpkResult::Win) };
    if reached.contains(&good) {
        good
    } else if reached.contains(&KpkResult::Unknown) {
        KpkResult::Unknown
    } else {
        bad
    }
}

fn every_position() -> impl Iterator<Item = (usize, usize, usize, usize)> {
    (0..POSITIONS).map(|i| (i / (PAWNS * 4096), i / 4096 % PAWNS, i / 64 % 64, i % 64))
}

fn solve() -> Vec<KpkResult> {
    let mut known: Vec<KpkResult> =
        every_position().map(|(t, p, w, b)| classify_static(t, p, w, b)).collect();
    loop {
        let mut changed = false;
        for (turn, pawn, white, black) in every_position() {
            let here = index(turn, pawn, white, black);
            if known[here] == KpkResult::Unknown {
                known[here] = classify_by_moves(&known, turn, pawn, white, black);
                changed |= known[here] != KpkResult::Unknown;
            }
        }
        if !changed {
            return known;
        }
    }
}

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    let known = solve();
    let mut text = format!("static WINS: [u64; {}] = [\n", POSITIONS / 64);
    for row in known.chunks(64) {
        let bits =
            row.iter().rev().fold(0u64, |bits, &result| bits << 1 | u64::from(result == KpkResult::Win));
        let _ = writeln!(text, "    {bits:#018x},");
    }
    text.push_str("];\n");
    let folder = env::var("OUT_DIR").map_err(io::Error::other)?;
    fs::write(Path::new(&folder).join("kpk.rs"), text)?;
    embed_network(Path::new(&folder))
}

/// The repository's network, or the one EVALFILE names (`make EVALFILE=path`).
fn embed_network(folder: &Path) -> io::Result<()> {
    println!("cargo::rerun-if-env-changed=EVALFILE");
    let named = env::var("EVALFILE").ok().filter(|path| !path.is_empty());
    let network = named.unwrap_or_else(|| "networks/tabiya.net".to_string());
    println!("cargo::rerun-if-changed={network}");
    let copied = fs::copy(&network, folder.join("network.net"));
    copied.map(|_| ()).map_err(|error| io::Error::new(error.kind(), format!("EVALFILE {network}: {error}")))
}
