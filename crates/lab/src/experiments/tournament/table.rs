//! Results as text, in the form people know from fastchess and Ordo.

use std::fmt::Write as _;

use super::config::{Kind, Tournament};
use super::standings::Standings;
use super::words;
use stats::ratings::{self, RatingError, RatingList, Settings};
use stats::score::{Games, Pairs};
use stats::sequential::SequentialTest;
use stats::sprt::{Sprt, SprtDecision};

const RULE: &str = "--------------------------------------------------";

/// The whole table for the kind of experiment.
pub fn render(tournament: &Tournament, standings: &Standings) -> String {
    match tournament.kind {
        Kind::Match | Kind::Sprt => render_match(tournament, standings),
        Kind::Ratings | Kind::ThreadsElo => render_ratings(tournament, standings),
    }
}

fn render_match(tournament: &Tournament, standings: &Standings) -> String {
    let pairs = standings.pairs(0, 1);
    let mut text = format!("{RULE}\nResults of {}:\n", tournament.heading());
    text.push_str(&score_lines(&standings.versus(0, 1), &pairs));
    if let Some(sprt) = &tournament.sprt {
        let llr = standings.llr_history().last().copied().unwrap_or(0.0);
        let (elo0, elo1) = sprt.elo_bounds();
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "LLR: {llr:.2} ({:.2}, {:.2}) [{elo0:.2}, {elo1:.2}] over {} pairs{}",
            sprt.lower_bound(),
            sprt.upper_bound(),
            standings.judged_pairs().total(),
            match standings.decision() {
                SprtDecision::AcceptH0 => ", H0 was accepted",
                SprtDecision::AcceptH1 => ", H1 was accepted",
                SprtDecision::Continue => "",
            }
        );
        text.push_str(&llr_plot(sprt, standings.llr_history()));
        text.push_str(&sequential_lines(sprt, standings, llr));
    }
    text.push_str(&trouble_lines(tournament, standings));
    text.push_str(&repeat_line(standings));
    text.push_str(RULE);
    text
}

/// Games that are not counted.
fn repeat_line(standings: &Standings) -> String {
    let repeats = words::repeats(standings.repeats(), standings.count() as u64);
    repeats.map_or_else(String::new, |repeats| repeats + "\n")
}

/// Columns and rows of the drawing.
const PLOT_WIDTH: usize = 60;
const PLOT_HEIGHT: usize = 9;

/// The log-likelihood ratio after each pair, between its bounds, as a drawing of characters. Empty without 2 pairs.
fn llr_plot(sprt: &Sprt, history: &[f64]) -> String {
    if history.len() < 2 {
        return String::new();
    }
    let (low, high) = (sprt.lower_bound(), sprt.upper_bound());
    let row = |llr: f64| {
        let share = ((high - llr) / (high - low)).clamp(0.0, 1.0);
        (share * (PLOT_HEIGHT - 1) as f64).round() as usize
    };
    let width = history.len().min(PLOT_WIDTH);
    let column = |place: usize| history[(place + 1) * history.len() / width - 1];
    let rows: Vec<usize> = (0..width).map(|place| row(column(place))).collect();
    let mut text = String::new();
    for line in 0..PLOT_HEIGHT {
        let label = match line {
            0 => format!("{high:.2} H1"),
            _ if line == PLOT_HEIGHT - 1 => format!("{low:.2} H0"),
            _ if line == row(0.0) => "0.00".to_owned(),
            _ => String::new(),
        };
        let edge = line == 0 || line == PLOT_HEIGHT - 1;
        let drawn: String = rows
            .iter()
            .map(|at| match () {
                () if *at == line => '*',
                () if edge => '-',
                () if line == row(0.0) => '.',
                () => ' ',
            })
            .collect();
        let _ = writeln!(text, "{label:>8} |{}", drawn.trim_end());
    }
    let _ = writeln!(text, "{:>8} +{} {} pairs", "LLR", "-".repeat(width), history.len());
    text
}

/// Standard deviation of a pair's score in matches of engines of like strength from unbalanced openings.
const USUAL_DEVIATION: f64 = 0.2;

/// How long a sequential test is expected to take, before its first game. A spread that is usual for pairs stands in for
/// what will be measured; with normalised Elo it cancels out.
pub fn expected_length(tournament: &Tournament) -> Option<String> {
    let sprt = tournament.sprt.as_ref()?;
    let (elo0, elo1) = sprt.elo_bounds();
    let lengths = SequentialTest::new(sprt, USUAL_DEVIATION)?.mean_lengths();
    let [worst, middle, best] = lengths.map(|pairs| format!("{:.0}", 2.0 * pairs));
    Some(format!(
        "expected length: {worst} games if the truth is {elo0}, {middle} between the hypotheses, {best} if it is {elo1}"
    ))
}

/// What the test expects of its length, and once it is over the estimate without the bias of stopping.
fn sequential_lines(sprt: &Sprt, standings: &Standings, llr: f64) -> String {
    let judged = standings.judged_pairs();
    let Some((estimate, test)) =
        judged.estimate().and_then(|estimate| Some((estimate, SequentialTest::of_pairs(sprt, &estimate)?)))
    else {
        return String::new();
    };
    match test.unbiased(sprt, llr, judged.total()) {
        Some(unbiased) => format!(
            "Elo without the bias of stopping: {:.2} ({:.2} to {:.2})\n",
            unbiased.elo, unbiased.low, unbiased.high
        ),
        None => format!("Expected: about {:.0} more games\n", 2.0 * test.mean_rest(llr, &estimate)),
    }
}

/// Elo, LOS and counts; the pair is the unit where there are pairs.
pub fn score_lines(games: &Games, pairs: &Pairs) -> String {
    let mut text = String::new();
    if let Some(estimate) = pairs.estimate().or_else(|| games.estimate()) {
        let elo = estimate
            .bound_text()
            .unwrap_or_else(|| format!("{:.2} +/- {:.2}", estimate.elo(), estimate.elo_error()));
        let nelo = estimate.normalised_elo().map_or_else(
            || "-".to_owned(),
            |nelo| format!("{nelo:.2} +/- {:.2}", estimate.normalised_elo_error()),
        );
        let _ = writeln!(text, "Elo: {elo}, nElo: {nelo}");
        let percent = |share: Option<f64>| {
            share.map_or_else(|| "-".to_owned(), |share| format!("{:.2} %", share * 100.0))
        };
        let ratio = |ratio: Option<f64>| ratio.map_or_else(|| "-".to_owned(), |ratio| format!("{ratio:.2}"));
        let _ = writeln!(
            text,
            "LOS: {:.2} %, DrawRatio: {}, PairsRatio: {}",
            estimate.los() * 100.0,
            percent(pairs.draw_ratio()),
            ratio(pairs.pairs_ratio())
        );
        let _ = writeln!(
            text,
            "Games: {}, Wins: {}, Losses: {}, Draws: {}, Points: {:.1} ({:.2} %)",
            games.total(),
            games.wins,
            games.losses,
            games.draws,
            games.points(),
            100.0 * games.points() / games.total() as f64
        );
        let _ = writeln!(
            text,
            "Ptnml(0-2): {:?}, WL/DD Ratio: {}",
            pairs.pentanomial(),
            ratio(pairs.wl_dd_ratio())
        );
    }
    text
}

fn trouble_lines(tournament: &Tournament, standings: &Standings) -> String {
    let mut text = String::new();
    for (engine, spec) in tournament.engines.iter().enumerate() {
        let (flags, faults) = standings.troubles(engine);
        if flags + faults > 0 {
            let _ = writeln!(
                text,
                "{}: {flags} games lost on time, {faults} by crash, stall or illegal move",
                spec.name
            );
        }
    }
    text
}

/// The rating list, and whether a prior was needed to make it finite.
pub fn rating_list(
    tournament: &Tournament,
    standings: &Standings,
) -> Result<(RatingList, bool), RatingError> {
    let anchors = tournament
        .engines
        .iter()
        .enumerate()
        .filter_map(|(engine, spec)| Some((engine, spec.rating?)))
        .collect();
    let mut settings =
        Settings { anchors, mean: tournament.mean, white_advantage: None, ..Settings::default() };
    let encounters = standings.encounters();
    match ratings::fit(standings.players(), &encounters, &settings) {
        Err(RatingError::Unconnected { .. }) => {
            settings.prior_draws = 1.0;
            Ok((ratings::fit(standings.players(), &encounters, &settings)?, true))
        }
        other => Ok((other?, false)),
    }
}

fn render_ratings(tournament: &Tournament, standings: &Standings) -> String {
    let mut text = format!("{RULE}\nRatings of {}:\n", tournament.heading());
    match rating_list(tournament, standings) {
        Err(error) => {
            let _ = writeln!(text, "no ratings yet: {error}");
        }
        Ok((list, with_prior)) => {
            let mut order: Vec<usize> = (0..list.players.len()).collect();
            order.sort_by(|one, other| list.players[*other].elo.total_cmp(&list.players[*one].elo));
            let width =
                tournament.engines.iter().map(|engine| engine.name.chars().count()).max().unwrap_or(0).max(6);
            let _ = writeln!(text, "  # {:<width$}  rating  error  games  score    LOS", "engine");
            for (place, &engine) in order.iter().enumerate() {
                let rating = &list.players[engine];
                let los = order.get(place + 1).and_then(|next| list.measured_los(engine, *next));
                let los = los.map_or_else(|| "     -".to_owned(), |los| format!("{:5.1}%", los * 100.0));
                // Games that all had the same result give no interval.
                let error = if rating.has_end() { format!("{:.1}", rating.error) } else { "-".to_owned() };
                let _ = writeln!(
                    text,
                    "{:>3} {:<width$} {:>7.1} {error:>6} {:>6} {:>5.1}% {los}",
                    place + 1,
                    tournament.engines[engine].name,
                    rating.elo,
                    rating.games,
                    100.0 * rating.points / rating.games.max(1.0)
                );
            }
            let _ = writeln!(text, "white's advantage: {:.1}", list.white_advantage);
            if with_prior {
                let _ =
                    writeln!(text, "one virtual draw per meeting was added: somebody won or lost everything");
            }
        }
    }
    text.push_str(&trouble_lines(tournament, standings));
    text.push_str(&repeat_line(standings));
    text.push_str(RULE);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first_line(pairs: Pairs, games: Games) -> String {
        score_lines(&games, &pairs).lines().next().unwrap_or_default().to_owned()
    }

    #[test]
    fn a_match_of_wins_alone_prints_the_bound_it_proves() {
        let pairs = Pairs { ww: 10, ..Pairs::default() };
        let games = Games { wins: 20, draws: 0, losses: 0 };
        assert_eq!(first_line(pairs, games), "Elo: at least +183 with 95 % confidence, nElo: -");
        assert!(!score_lines(&games, &pairs).contains("NaN"));
    }

    #[test]
    fn a_match_with_both_results_prints_estimate_and_error() {
        let pairs = Pairs::new([34, 54, 31, 32, 64, 75]);
        assert_eq!(first_line(pairs, Games::default()), "Elo: 55.58 +/- 27.65, nElo: 57.94 +/- 28.28");
    }

    #[test]
    fn the_length_of_a_test_is_told_before_it_begins() {
        let two = "[each]\nnodes = 1\n[[engine]]\nname = \"a\"\ncmd = \"x\"\n[[engine]]\nname = \"b\"\ncmd = \"y\"\n";
        let read = |kind, text: &str| {
            Tournament::read(kind, &experiment::spec::Spec::from_toml(text).unwrap()).unwrap()
        };
        let words = expected_length(&read(Kind::Sprt, two)).unwrap();
        assert!(words.contains("if the truth is 0,") && words.contains("if it is 5"), "{words}");
        assert_eq!(expected_length(&read(Kind::Match, two)), None);
    }

    #[test]
    fn the_ratio_is_drawn_between_its_bounds() {
        let sprt = Sprt::new(0.0, 5.0, 0.05, 0.05, stats::sprt::Model::Normalised).unwrap();
        assert_eq!(llr_plot(&sprt, &[0.1]), "");
        let history: Vec<f64> = (0..200).map(|pair| 3.0 * f64::from(pair) / 199.0).collect();
        let drawn = llr_plot(&sprt, &history);
        let lines: Vec<&str> = drawn.lines().collect();
        assert_eq!(lines.len(), PLOT_HEIGHT + 1);
        assert!(lines[0].starts_with(" 2.94 H1 |---") && lines[0].ends_with('*'), "{drawn}");
        assert!(lines[PLOT_HEIGHT - 1].starts_with("-2.94 H0 |---"), "{drawn}");
        // It begins in the middle and ends at the upper bound.
        assert!(lines[PLOT_HEIGHT / 2].starts_with("    0.00 |*"), "{drawn}");
        assert!(lines[PLOT_HEIGHT].ends_with(" 200 pairs"), "{drawn}");
        assert!(lines.iter().all(|line| line.chars().count() <= 80), "{drawn}");
    }
}
