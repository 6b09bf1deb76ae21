//! Conclusions in plain words. Every sentence follows from numbers it names; none claims more than they carry.

use stats::score::{Estimate, Pairs};
use stats::sequential::SequentialTest;
use stats::sprt::{Model, Sprt, SprtDecision};

/// A count with its noun.
pub fn count(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// What a match between two engines says.
pub fn comparison(first: &str, second: &str, estimate: Option<&Estimate>, games: u64) -> Vec<String> {
    let Some(estimate) = estimate else {
        return vec!["No games have been played yet, so nothing can be said.".to_owned()];
    };
    let elo = estimate.elo();
    let error = estimate.elo_error();
    let mut sentences = Vec::new();
    if !elo.is_finite() {
        let (winner, loser) = if elo > 0.0 { (first, second) } else { (second, first) };
        let edge = estimate.edge_elo().unwrap_or(0.0).abs();
        let proves = if edge > 0.0 {
            format!("{loser} is weaker, by {edge:.0} Elo or more with 95 % confidence")
        } else {
            "That is too few to call one of them stronger with 95 % confidence".to_owned()
        };
        sentences.push(format!("{winner} won every one of {}. {proves}.", count(games, "game")));
        return sentences;
    }
    let range = if error.is_finite() {
        format!("{:+.1} Elo, with a 95 % interval from {:+.1} to {:+.1}", elo, elo - error, elo + error)
    } else {
        format!("{} (Elo)", estimate.bound_text().unwrap_or_else(|| format!("{elo:+.0}")))
    };
    sentences.push(format!(
        "Over {}, {first} scored {:.1} % against {second}: {range}.",
        count(games, "game"),
        estimate.score * 100.0
    ));
    let los = estimate.los();
    sentences.push(if los > 0.975 {
        format!("{first} is stronger; chance alone would show such a score less than once in {}.", odds(1.0 - los))
    } else if los < 0.025 {
        format!("{first} is weaker; chance alone would show such a score less than once in {}.", odds(los))
    } else {
        let leaning = if los >= 0.5 { first } else { second };
        format!(
            "This is not enough to call one of them stronger: the numbers lean towards {leaning}, with a likelihood of {:.0} %.",
            los.max(1.0 - los) * 100.0
        )
    });
    sentences
}

fn odds(chance: f64) -> String {
    let one_in = (1.0 / chance.max(1e-9)).floor();
    if one_in >= 10_000.0 { "ten thousand times".to_owned() } else { format!("{one_in:.0} times") }
}

/// Games that say nothing new.
pub fn repeats(repeats: u64, games: u64) -> Option<String> {
    (repeats > 0).then(|| {
        format!(
            "{repeats} of {} repeat earlier pairs move for move and are not counted in scores and ratings: there were too few openings.",
            count(games, "game")
        )
    })
}

/// The estimate of a test that is over, and the expected rest of one that is not.
pub fn sequential(sprt: &Sprt, judged: &Pairs, llr: f64) -> Option<String> {
    let estimate = judged.estimate()?;
    let test = SequentialTest::of_pairs(sprt, &estimate)?;
    Some(match test.unbiased(sprt, llr, judged.total()) {
        Some(unbiased) => format!(
            "Corrected for stopping early, the difference is {:+.1} Elo, with a 95 % interval from {:+.1} to {:+.1}; the plain \
             figures below are biased away from zero.",
            unbiased.elo, unbiased.low, unbiased.high
        ),
        None => format!(
            "If the score so far is the truth, it takes about {:.0} more games.",
            2.0 * test.mean_rest(llr, &estimate)
        ),
    })
}

/// What a sequential test says.
pub fn decision(first: &str, second: &str, sprt: &Sprt, decision: SprtDecision, llr: f64, pairs: u64) -> String {
    let (elo0, elo1) = sprt.elo_bounds();
    let unit = match sprt.model() {
        Model::Logistic => "Elo",
        Model::Normalised => "normalised Elo",
    };
    match decision {
        SprtDecision::AcceptH1 => format!(
            "The test ended after {} and accepts that {first} is better than {second}: by {elo1} {unit} rather than {elo0}.",
            count(pairs, "pair")
        ),
        SprtDecision::AcceptH0 => format!(
            "The test ended after {} and rejects the change: {first} gains no more than {elo0} {unit} over {second}, not {elo1}.",
            count(pairs, "pair")
        ),
        SprtDecision::Continue => format!(
            "The test is undecided after {}: its ratio is {llr:.2} and must pass {:.2} or {:.2}.",
            count(pairs, "pair"),
            sprt.lower_bound(),
            sprt.upper_bound()
        ),
    }
}

/// What went wrong, if anything did.
pub fn troubles(per_engine: &[(String, u64, u64)]) -> Vec<String> {
    let mut sentences: Vec<String> = per_engine
        .iter()
        .filter(|(_, flags, faults)| flags + faults > 0)
        .map(|(name, flags, faults)| {
            format!(
                "{name} lost {} on time and {} by a crash, a stall or an illegal move; they count as losses here.",
                count(*flags, "game"),
                count(*faults, "game")
            )
        })
        .collect();
    if sentences.is_empty() {
        sentences.push("No game was lost on time, by a crash, a stall or an illegal move.".to_owned());
    }
    sentences
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats::score::Games;

    fn sentences(wins: u64, draws: u64, losses: u64) -> String {
        let games = Games { wins, draws, losses };
        comparison("new", "old", games.estimate().as_ref(), games.total()).join(" ")
    }

    #[test]
    fn words_follow_the_numbers() {
        assert!(sentences(600, 500, 400).contains("new is stronger"));
        assert!(sentences(400, 500, 600).contains("new is weaker"));
        assert!(
            sentences(31, 40, 29).contains("not enough")
                && sentences(31, 40, 29).contains("lean towards new")
        );
        assert!(sentences(29, 40, 31).contains("lean towards old"));
        assert!(sentences(9, 0, 0).contains("new won every one of 9 games"));
        assert!(sentences(9, 0, 0).contains("old is weaker, by"));
        assert!(sentences(2, 0, 0).contains("new won every one of 2 games. That is too few"));
        assert!(sentences(0, 0, 0).contains("nothing can be said"));
        // Draws alone say nothing about how far the next games may differ.
        let level = sentences(0, 3, 0);
        assert!(level.contains("+0, too few games for a bound (Elo)") && level.contains("not enough"), "{level}");
    }

    #[test]
    fn a_clean_run_says_so() {
        assert_eq!(troubles(&[("a".into(), 0, 0)]).len(), 1);
        assert!(troubles(&[("a".into(), 1, 2)])[0].contains("1 game on time and 2 games by a crash"));
    }
}
