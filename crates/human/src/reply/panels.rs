//! Matrix products in plain loops that compilers turn into vectors.
//!
//! The right-hand matrix is cut into panels of sixteen columns, the left-hand one into bands of four rows, both laid out
//! so that the inner loop reads them in order and keeps its block of results in registers. Every result is one sum taken
//! in one order, so the width of a CPU's registers does not change it; only whether the CPU multiplies and adds in one
//! rounding or two does, in the seventh digit.

/// Columns in a panel: one AVX-512 register, two of AVX2.
const WIDTH: usize = 16;
/// Rows computed together: eight sums of AVX2 in flight, enough to hide a multiplication's latency, few enough to stay in registers.
const HEIGHT: usize = 4;

type Row = [f32; WIDTH];
type Band = [f32; HEIGHT];

/// A matrix of `depth` rows and `columns` columns, the right-hand side of a product.
pub struct Panels {
    depth: usize,
    columns: usize,
    data: Vec<Row>,
}

impl Panels {
    /// `value(row, column)` fills the matrix; the last panel is padded with zeros.
    pub fn new(depth: usize, columns: usize, value: impl Fn(usize, usize) -> f32) -> Panels {
        let mut panels = Panels { depth, columns, data: vec![[0.0; WIDTH]; depth * columns.div_ceil(WIDTH)] };
        panels.fill(value);
        panels
    }

    /// Overwrites every entry.
    pub fn fill(&mut self, value: impl Fn(usize, usize) -> f32) {
        for (number, panel) in self.data.chunks_exact_mut(self.depth).enumerate() {
            for (row, cells) in panel.iter_mut().enumerate() {
                for (column, cell) in (number * WIDTH..self.columns).zip(cells) {
                    *cell = value(row, column);
                }
            }
        }
    }

    pub fn columns(&self) -> usize {
        self.columns
    }

    /// `out = left x self`; `left` has `depth` numbers a row, `out` as many rows.
    pub fn multiply(&self, left: &[f32], out: &mut [f32]) {
        let mut band: Vec<Band> = vec![[0.0; HEIGHT]; self.depth];
        for (block, out) in left.chunks(self.depth * HEIGHT).zip(out.chunks_mut(self.columns * HEIGHT)) {
            let rows = block.len() / self.depth;
            if rows == HEIGHT {
                for (row, numbers) in block.chunks_exact(self.depth).enumerate() {
                    for (cells, number) in band.iter_mut().zip(numbers) {
                        cells[row] = *number;
                    }
                }
                for (number, panel) in self.data.chunks_exact(self.depth).enumerate() {
                    self.store(&tile(&band, panel), number, out);
                }
            } else {
                for (row, out) in block.chunks_exact(self.depth).zip(out.chunks_mut(self.columns)) {
                    for (number, panel) in self.data.chunks_exact(self.depth).enumerate() {
                        self.store(&[line(row, panel)], number, out);
                    }
                }
            }
        }
    }

    #[inline(always)]
    fn store(&self, sums: &[Row], panel: usize, out: &mut [f32]) {
        for (sums, out) in sums.iter().zip(out.chunks_mut(self.columns)) {
            for (sum, out) in sums.iter().zip(&mut out[panel * WIDTH..]) {
                *out = *sum;
            }
        }
    }
}

/// Four rows times one panel. The sums have a name each: as an array LLVM likes to gather and scatter them.
#[inline(always)]
fn tile(band: &[Band], panel: &[Row]) -> [Row; HEIGHT] {
    let [mut first, mut second, mut third, mut fourth] = [[0.0f32; WIDTH]; HEIGHT];
    for (factors, weights) in band.iter().zip(panel) {
        first = plus(first, factors[0], weights);
        second = plus(second, factors[1], weights);
        third = plus(third, factors[2], weights);
        fourth = plus(fourth, factors[3], weights);
    }
    [first, second, third, fourth]
}

/// One row times one panel.
#[inline(always)]
fn line(row: &[f32], panel: &[Row]) -> Row {
    row.iter().zip(panel).fold([0.0; WIDTH], |sums, (factor, weights)| plus(sums, *factor, weights))
}

#[inline(always)]
fn plus(sums: Row, factor: f32, weights: &Row) -> Row {
    std::array::from_fn(|column| multiply_add(factor, weights[column], sums[column]))
}

/// Without the instruction `mul_add` is a slow library call, so it is used only where the target has it.
#[inline(always)]
fn multiply_add(a: f32, b: f32, sum: f32) -> f32 {
    if cfg!(target_feature = "fma") { a.mul_add(b, sum) } else { a * b + sum }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_schoolbook() {
        for (rows, depth, columns) in [(1, 1, 1), (3, 5, 16), (8, 7, 17), (19, 33, 48), (64, 32, 3)] {
            let number = |seed: usize| ((seed * 7919 + 13) % 101) as f32 / 50.0 - 1.0;
            let left: Vec<f32> = (0..rows * depth).map(number).collect();
            let right = |row: usize, column: usize| number(row * 31 + column * 17 + 5);
            let mut out = vec![f32::NAN; rows * columns];
            Panels::new(depth, columns, right).multiply(&left, &mut out);
            for row in 0..rows {
                for column in 0..columns {
                    let expected: f32 = (0..depth).map(|k| left[row * depth + k] * right(k, column)).sum();
                    let found = out[row * columns + column];
                    assert!((found - expected).abs() < 1e-4, "{rows}x{depth}x{columns} at {row},{column}");
                }
            }
        }
    }
}
