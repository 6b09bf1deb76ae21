//! Just enough linear algebra for rating errors: solving and inverting small symmetric positive definite systems.

/// A square matrix, row by row.
#[derive(Clone, Debug)]
pub struct Matrix {
    size: usize,
    cells: Vec<f64>,
}

impl Matrix {
    /// All zeros.
    pub fn zero(size: usize) -> Self {
        Self { size, cells: vec![0.0; size * size] }
    }

    /// Rows (and columns).
    pub fn size(&self) -> usize {
        self.size
    }

    /// One cell.
    pub fn get(&self, row: usize, column: usize) -> f64 {
        self.cells[row * self.size + column]
    }

    /// Adds to one cell.
    pub fn add(&mut self, row: usize, column: usize, amount: f64) {
        self.cells[row * self.size + column] += amount;
    }

    /// The lower Cholesky factor, or `None` when the matrix is not positive definite.
    fn cholesky(&self) -> Option<Self> {
        let mut factor = Self::zero(self.size);
        for row in 0..self.size {
            for column in 0..=row {
                let known: f64 = (0..column).map(|k| factor.get(row, k) * factor.get(column, k)).sum();
                let rest = self.get(row, column) - known;
                let cell = if row == column {
                    if rest <= 1e-14 * self.get(row, row).abs() || !rest.is_finite() {
                        return None;
                    }
                    rest.sqrt()
                } else {
                    rest / factor.get(column, column)
                };
                factor.add(row, column, cell);
            }
        }
        Some(factor)
    }

    /// The vector `x` with `self * x = right`, or `None` when the matrix is not positive definite.
    pub fn solve(&self, right: &[f64]) -> Option<Vec<f64>> {
        let factor = self.cholesky()?;
        let mut x = right.to_vec();
        for row in 0..self.size {
            let known: f64 = (0..row).map(|k| factor.get(row, k) * x[k]).sum();
            x[row] = (x[row] - known) / factor.get(row, row);
        }
        for row in (0..self.size).rev() {
            let known: f64 = (row + 1..self.size).map(|k| factor.get(k, row) * x[k]).sum();
            x[row] = (x[row] - known) / factor.get(row, row);
        }
        Some(x)
    }

    /// The inverse, column by column.
    pub fn inverse(&self) -> Option<Self> {
        let mut inverse = Self::zero(self.size);
        for column in 0..self.size {
            let mut unit = vec![0.0; self.size];
            unit[column] = 1.0;
            for (row, value) in self.solve(&unit)?.into_iter().enumerate() {
                inverse.add(row, column, value);
            }
        }
        Some(inverse)
    }

    /// The matrix product.
    pub fn times(&self, other: &Self) -> Self {
        let mut product = Self::zero(self.size);
        for row in 0..self.size {
            for column in 0..self.size {
                let cell = (0..self.size).map(|k| self.get(row, k) * other.get(k, column)).sum();
                product.add(row, column, cell);
            }
        }
        product
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverse_times_matrix_is_the_identity() {
        let mut matrix = Matrix::zero(3);
        for (row, cells) in [[4.0, 1.0, 0.5], [1.0, 3.0, -0.25], [0.5, -0.25, 2.0]].iter().enumerate() {
            for (column, cell) in cells.iter().enumerate() {
                matrix.add(row, column, *cell);
            }
        }
        let product = matrix.times(&matrix.inverse().unwrap());
        for row in 0..3 {
            for column in 0..3 {
                let expected = f64::from(u8::from(row == column));
                assert!((product.get(row, column) - expected).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn a_singular_matrix_has_no_solution() {
        let mut matrix = Matrix::zero(2);
        for row in 0..2 {
            for column in 0..2 {
                matrix.add(row, column, 1.0);
            }
        }
        assert!(matrix.solve(&[1.0, 2.0]).is_none());
    }
}
