//! Least squares lines, straight and over the logarithm, as Säfström and Yllmark 2025 fit them.

/// `y = slope * f(x) + intercept`, with the share of variance it explains.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    pub slope: f64,
    pub intercept: f64,
    /// The coefficient of determination; 1 when every point lies on the line.
    pub r_squared: f64,
}

/// Which function of x the line is straight in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `y = slope * x + intercept`
    Linear,
    /// `y = slope * ln(x) + intercept`
    Logarithmic,
}

impl Shape {
    fn of(self, x: f64) -> f64 {
        match self {
            Self::Linear => x,
            Self::Logarithmic => x.ln(),
        }
    }
}

impl Line {
    /// The fitted value at `x`.
    pub fn at(&self, shape: Shape, x: f64) -> f64 {
        self.slope * shape.of(x) + self.intercept
    }
}

/// The least squares line through `(x, y)` points; `None` with fewer than three, since through two any curve runs exactly and says
/// nothing, with all x alike, or with a value that is not finite (the logarithm of zero, for one).
pub fn fit(shape: Shape, points: &[(f64, f64)]) -> Option<Line> {
    let points: Vec<(f64, f64)> = points.iter().map(|&(x, y)| (shape.of(x), y)).collect();
    if points.len() < 3 || points.iter().any(|(x, y)| !x.is_finite() || !y.is_finite()) {
        return None;
    }
    let count = points.len() as f64;
    let mean_x = points.iter().map(|point| point.0).sum::<f64>() / count;
    let mean_y = points.iter().map(|point| point.1).sum::<f64>() / count;
    let spread_x: f64 = points.iter().map(|point| (point.0 - mean_x).powi(2)).sum();
    let spread_y: f64 = points.iter().map(|point| (point.1 - mean_y).powi(2)).sum();
    let product: f64 = points.iter().map(|point| (point.0 - mean_x) * (point.1 - mean_y)).sum();
    if spread_x <= 0.0 {
        return None;
    }
    let slope = product / spread_x;
    let r_squared = if spread_y > 0.0 { product * product / (spread_x * spread_y) } else { 1.0 };
    Some(Line { slope, intercept: mean_y - slope * mean_x, r_squared })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Säfström and Yllmark 2025, table 6.5 and the functions printed under it.
    #[test]
    fn logarithmic_fits_of_the_seed_study() {
        let cases = [
            ([3029.0, 3053.0, 3080.0], 36.789, 3028.5, 0.9988),
            ([3063.0, 3100.0, 3129.0], 47.609, 3064.3, 0.9951),
            ([3088.0, 3131.0, 3155.0], 48.330, 3091.2, 0.9739),
            ([3055.0, 3062.0, 3105.0], 36.067, 3049.0, 0.8527),
            ([3097.0, 3095.0, 3150.0], 38.231, 3087.5, 0.7217),
            ([3120.0, 3115.0, 3175.0], 39.674, 3109.2, 0.6823),
        ];
        for (ratings, slope, intercept, r_squared) in cases {
            let points: Vec<(f64, f64)> = [1.0, 2.0, 4.0].into_iter().zip(ratings).collect();
            let line = fit(Shape::Logarithmic, &points).unwrap();
            assert!((line.slope - slope).abs() < 6e-4, "{line:?}");
            assert!((line.intercept - intercept).abs() < 0.06, "{line:?}");
            assert!((line.r_squared - r_squared).abs() < 6e-5, "{line:?}");
        }
    }

    /// Säfström and Yllmark 2025, figure 6.1: the trend lines of the medians, straight for Lazy SMP, logarithmic for YBWC.
    /// The medians are printed to three digits, which moves the first R2 by 0.003.
    #[test]
    fn trend_lines_of_the_seed_medians() {
        let lazy = [(1.0, 1.0), (2.0, 0.989), (4.0, 1.015), (8.0, 0.891)];
        assert!((fit(Shape::Linear, &lazy).unwrap().r_squared - 0.7084).abs() < 4e-3);
        let young = [(1.0, 1.0), (2.0, 1.693), (4.0, 2.773), (8.0, 3.818)];
        assert!((fit(Shape::Logarithmic, &young).unwrap().r_squared - 0.9913).abs() < 5e-5);
    }

    #[test]
    fn too_little_data_has_no_line() {
        assert!(fit(Shape::Linear, &[(1.0, 2.0), (2.0, 3.0)]).is_none());
        assert!(fit(Shape::Linear, &[(1.0, 2.0), (1.0, 3.0), (1.0, 4.0)]).is_none());
        assert!(fit(Shape::Logarithmic, &[(0.0, 2.0), (1.0, 3.0), (2.0, 4.0)]).is_none());
        assert!(fit(Shape::Linear, &[(1.0, 2.0), (2.0, 3.0), (3.0, 4.0)]).is_some());
    }
}
