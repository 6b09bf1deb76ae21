//! A row of a panel, in plain numbers.

/// Columns in a panel: one AVX-512 register, two of AVX2, four of WebAssembly.
pub const WIDTH: usize = 16;

pub type Row = [f32; WIDTH];
