//! "Did you mean ...?"

/// A hint naming the closest known word, or nothing when none is close.
pub fn closest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> String {
    // A pasted novel is no typo.
    if word.len() > 40 {
        return String::new();
    }
    let limit = 1 + word.chars().count() / 3;
    known
        .map(|candidate| (distance(word, candidate), candidate))
        .filter(|(edits, _)| *edits <= limit)
        .min()
        .map(|(_, candidate)| format!(", did you mean '{candidate}'?"))
        .unwrap_or_default()
}

/// Edits between two words: insert, delete, replace, or swap neighbours (optimal string alignment).
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replaced.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_edits() {
        for (a, b, edits) in
            [("perft", "perft", 0), ("pertf", "perft", 1), ("prft", "perft", 1), ("", "abc", 3)]
        {
            assert_eq!(distance(a, b), edits, "{a} {b}");
        }
    }
}
