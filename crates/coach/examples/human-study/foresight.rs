//! Whether mistakes are foreseen.

/// The area under the ROC curve, the chance that a position with a mistake was rated riskier than one without.
pub fn print(foreseen: &mut [(f64, bool)], least: f64) {
    foreseen.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mistakes = foreseen.iter().filter(|entry| entry.1).count() as f64;
    let fine = foreseen.len() as f64 - mistakes;
    // Ranks, equal predictions sharing theirs.
    let mut ranks = 0.0;
    let mut from = 0;
    while from < foreseen.len() {
        let to = from + foreseen[from..].iter().take_while(|entry| entry.0 == foreseen[from].0).count();
        let shared = (from + 1 + to) as f64 / 2.0;
        ranks += shared * foreseen[from..to].iter().filter(|entry| entry.1).count() as f64;
        from = to;
    }
    let area = (ranks - mistakes * (mistakes + 1.0) / 2.0) / (mistakes * fine);
    // Hanley and McNeil's standard error.
    let (q1, q2) = (area / (2.0 - area), 2.0 * area * area / (1.0 + area));
    let error =
        ((area * (1.0 - area) + (mistakes - 1.0) * (q1 - area * area) + (fine - 1.0) * (q2 - area * area))
            / (mistakes * fine))
            .sqrt();
    println!(
        "mistakes of {least} points or more: {mistakes} of {}; AUC {area:.3} (+-{:.3})",
        foreseen.len(),
        1.96 * error
    );
    println!("said\tseen\tpositions");
    let mut calibration = 0.0;
    for part in foreseen.chunks(foreseen.len().div_ceil(10).max(1)) {
        let said = part.iter().map(|entry| entry.0).sum::<f64>() / part.len() as f64;
        let seen = part.iter().filter(|entry| entry.1).count() as f64 / part.len() as f64;
        calibration += (said - seen).abs() * part.len() as f64 / foreseen.len() as f64;
        println!("{said:.3}\t{seen:.3}\t{}", part.len());
    }
    let mean = |values: &dyn Fn(&(f64, bool)) -> f64| {
        foreseen.iter().map(values).sum::<f64>() / foreseen.len() as f64
    };
    println!(
        "calibration error {calibration:.4}; said {:.4} on average, seen {:.4}",
        mean(&|e| e.0),
        mean(&|e| f64::from(u8::from(e.1)))
    );
}
