//! Writes the sliding-attack tables, so that the program starts with them in its image and computes nothing.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::{env, fs, io};

#[path = "src/attacks/magics.rs"]
mod magics;
#[path = "src/attacks/slow.rs"]
mod slow;

struct Slider {
    name: &'static str,
    directions: [(i8, i8); 4],
    magics: [u64; 64],
}

/// The bits of `value` under `mask`, packed together: what the PEXT instruction does.
fn extract(value: u64, mut mask: u64) -> usize {
    let mut packed = 0;
    let mut position = 0;
    while mask != 0 {
        let bit = mask & mask.wrapping_neg();
        packed |= usize::from(value & bit != 0) << position;
        position += 1;
        mask ^= bit;
    }
    packed
}

fn array(out: &mut String, name: &str, kind: &str, values: impl ExactSizeIterator<Item = String>) {
    let _ = writeln!(out, "pub static {name}: [{kind}; {}] = [", values.len());
    for value in values {
        let _ = write!(out, "{value},");
    }
    out.push_str("];\n");
}

/// One table per slider and indexing scheme, squares one after another, and where each square's part begins.
fn tables(slider: &Slider) -> (String, String) {
    let (mut offsets, mut by_magic, mut by_pext) = (Vec::new(), Vec::new(), Vec::new());
    for square in 0..64 {
        let mask = slow::relevant(square, slider.directions);
        let bits = mask.count_ones();
        let start = by_magic.len();
        offsets.push(start);
        by_magic.resize(start + (1 << bits), 0);
        by_pext.resize(start + (1 << bits), 0);
        let mut occupied = 0;
        loop {
            let attacks = slow::sliding(square, occupied, slider.directions);
            let slot = (occupied.wrapping_mul(slider.magics[square]) >> (64 - bits)) as usize;
            by_magic[start + slot] = attacks;
            by_pext[start + extract(occupied, mask)] = attacks;
            occupied = slow::next_subset(occupied, mask);
            if occupied == 0 {
                break;
            }
        }
    }
    let hex = |values: Vec<u64>| values.into_iter().map(|v| format!("{v:#x}")).collect::<Vec<_>>();
    let name = slider.name;
    let (mut magic, mut pext) = (String::new(), String::new());
    for out in [&mut magic, &mut pext] {
        array(out, &format!("{name}_OFFSETS"), "u32", offsets.iter().map(ToString::to_string));
    }
    array(&mut magic, &format!("{name}_ATTACKS"), "u64", hex(by_magic).into_iter());
    array(&mut pext, &format!("{name}_ATTACKS"), "u64", hex(by_pext).into_iter());
    (magic, pext)
}

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/attacks/slow.rs");
    println!("cargo::rerun-if-changed=src/attacks/magics.rs");
    let sliders = [
        Slider { name: "ROOK", directions: slow::ROOK_DIRECTIONS, magics: magics::ROOK_MAGICS },
        Slider { name: "BISHOP", directions: slow::BISHOP_DIRECTIONS, magics: magics::BISHOP_MAGICS },
    ];
    let (mut magic, mut pext) = (String::new(), String::new());
    for slider in &sliders {
        let (by_magic, by_pext) = tables(slider);
        magic += &by_magic;
        pext += &by_pext;
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?);
    fs::write(out.join("magic_tables.rs"), magic)?;
    fs::write(out.join("pext_tables.rs"), pext)
}
