//! The report of a match, a sequential test or a rating list.

use std::fmt::Write as _;

use super::words;
use super::config::IMPORTED;
use super::config::{Kind, Tournament};
use super::run::standings_of;
use super::standings::Standings;
use super::table;
use charts::html::Page;
use charts::plots::{self, Bar, Guide, LineChart, Point, Series, Stack};
use experiment::store::{Store, StoredGame};
use stats::ratings::Rating;
use stats::score::{Games, Outcome, Pairs};
use stats::summary::Summary;

/// Draws the report of the games a store holds.
pub fn render(tournament: &Tournament, store: &Store) -> Result<String, String> {
    let text = |error: experiment::store::StoreError| error.to_string();
    let description = store.description().map_err(text)?;
    let games = store.games().map_err(text)?;
    let standings = standings_of(tournament, &games)?;
    let subtitle =
        format!("{} · {} · begun {}", tournament.kind.as_str(), tournament.heading(), description.created);
    let mut page = Page::new(&tournament.name, &subtitle);
    conclude(&mut page, tournament, &standings);
    match tournament.kind {
        Kind::Match | Kind::Sprt => match_sections(&mut page, tournament, &standings),
        Kind::Ratings => {
            if tournament.schedule.is_gauntlet() {
                super::gauntlet_report::sections(&mut page, tournament, &standings);
            }
            super::staged_report::sections(&mut page, tournament, &standings);
            rating_sections(&mut page, tournament, &standings);
        }
        Kind::ThreadsElo => {
            super::ladder_report::sections(&mut page, tournament, &standings);
            rating_sections(&mut page, tournament, &standings);
        }
    }
    game_sections(&mut page, tournament, &standings, &games);
    method(&mut page, tournament);
    experiment::report::environment(&mut page, store).map_err(text)?;
    if description.spec.text(IMPORTED).is_some() {
        page.heading("Where the games come from");
        page.paragraph(
            "Another program ran them; they were read from its PGN files, as this description says.",
        );
    } else {
        page.heading("To run it again");
        page.paragraph(&format!(
            "Save this as FILE.toml and run 'tabiya lab {} FILE.toml'.",
            tournament.kind.as_str()
        ));
    }
    page.preformatted(&description.spec.to_toml());
    Ok(page.finish())
}

fn conclude(page: &mut Page, tournament: &Tournament, standings: &Standings) {
    let mut sentences = Vec::new();
    if tournament.kind == Kind::ThreadsElo {
        sentences.extend(super::ladder_report::words(tournament, standings));
    } else if tournament.kind == Kind::Ratings && tournament.schedule.is_gauntlet() {
        sentences.extend(super::gauntlet_report::words(tournament, standings));
    } else if tournament.kind == Kind::Ratings {
        sentences.extend(super::staged_report::words(tournament, standings));
        sentences.extend(rating_words(tournament, standings));
    } else {
        let (first, second) = (&tournament.engines[0].name, &tournament.engines[1].name);
        let (games, pairs) = (standings.versus(0, 1), standings.pairs(0, 1));
        if let Some(sprt) = &tournament.sprt {
            let llr = standings.llr_history().last().copied().unwrap_or(0.0);
            let judged = standings.judged_pairs().total();
            sentences.push(words::decision(first, second, sprt, standings.decision(), llr, judged));
            sentences.extend(words::sequential(sprt, &standings.judged_pairs(), llr));
        }
        let estimate = pairs.estimate().or_else(|| games.estimate());
        sentences.extend(words::comparison(first, second, estimate.as_ref(), games.total()));
    }
    let troubles: Vec<(String, u64, u64)> = tournament
        .engines
        .iter()
        .enumerate()
        .map(|(engine, spec)| {
            let (flags, faults) = standings.troubles(engine);
            (spec.name.clone(), flags, faults)
        })
        .collect();
    sentences.extend(words::troubles(&troubles));
    sentences.extend(words::repeats(standings.repeats(), standings.count() as u64));
    page.conclusion(&sentences);
}

fn rating_words(tournament: &Tournament, standings: &Standings) -> Vec<String> {
    let Ok((list, with_prior)) = table::rating_list(tournament, standings) else {
        return vec!["There are not enough games between the engines for a rating list.".to_owned()];
    };
    let mut order: Vec<usize> = (0..list.players.len()).collect();
    order.sort_by(|one, other| list.players[*other].elo.total_cmp(&list.players[*one].elo));
    let name = |engine: usize| tournament.engines[engine].name.as_str();
    let mut sentences = Vec::new();
    if let [first, second, ..] = order[..] {
        let los = list.los(first, second);
        sentences.push(format!(
            "{} leads with {:.0} ± {:.0}; that it is truly stronger than {} has a likelihood of {:.1} %.",
            name(first),
            list.players[first].elo,
            list.players[first].error,
            name(second),
            los * 100.0
        ));
    }
    let close: Vec<String> = order
        .windows(2)
        .filter(|pair| list.measured_los(pair[0], pair[1]).is_some_and(|los| los < 0.95))
        .map(|pair| format!("{} and {}", name(pair[0]), name(pair[1])))
        .collect();
    if close.is_empty() {
        sentences
            .push("Every neighbour in the list is told apart with more than 95 % likelihood.".to_owned());
    } else {
        sentences.push(format!("Too close to call at 95 %: {}.", close.join("; ")));
    }
    if with_prior {
        sentences.push(
            "Somebody won or lost everything, so one virtual draw per meeting keeps the list finite."
                .to_owned(),
        );
    }
    sentences
}

fn match_sections(page: &mut Page, tournament: &Tournament, standings: &Standings) {
    let (games, pairs) = (standings.versus(0, 1), standings.pairs(0, 1));
    page.heading("Result");
    page.table(&["figure", "value"], &score_rows(&games, &pairs));
    let stacks = [
        ("all games", games),
        ("with White", by_colour(standings, true)),
        ("with Black", by_colour(standings, false)),
    ]
    .map(|(label, games)| Stack {
        label: label.to_owned(),
        parts: vec![games.wins as f64, games.draws as f64, games.losses as f64],
    });
    let caption = format!("Games {} won, drew and lost.", tournament.engines[0].name);
    page.figure(&plots::stacked(&stacks, &["won", "drawn", "lost"], &[2, 7, 1], "share of games", &caption));
    let columns: Vec<(String, f64)> = ["0", "½", "1", "1½", "2"]
        .iter()
        .zip(pairs.counts())
        .map(|(label, count)| ((*label).to_owned(), count))
        .collect();
    page.figure(&plots::histogram(
        &columns,
        "points from a pair",
        "pairs",
        "Pairs of games with the same opening, colours swapped.",
    ));
    let curve = elo_curve(standings);
    if tournament.sprt.is_some() || curve.is_some() {
        page.heading("How it developed");
    }
    if let Some(sprt) = &tournament.sprt {
        let points: Vec<Point> = standings
            .llr_history()
            .iter()
            .enumerate()
            .map(|(pair, llr)| Point::from(((pair + 1) as f64, *llr)))
            .collect();
        let series = [Series { name: "ratio".into(), points, joined: true, dashed: false, colour: 0 }];
        let guides = [
            Guide { at: sprt.upper_bound(), name: format!("H1: {} Elo", sprt.elo_bounds().1) },
            Guide { at: sprt.lower_bound(), name: format!("H0: {} Elo", sprt.elo_bounds().0) },
        ];
        let chart = LineChart {
            series: &series,
            guides: &guides,
            x_label: "pairs",
            y_label: "log-likelihood ratio",
            doubling: false,
            caption: "The sequential test ends when the ratio leaves the band between the dotted lines.",
        };
        page.figure(&chart.draw());
    }
    if let Some(curve) = curve {
        page.figure(&curve);
    }
}

fn by_colour(standings: &Standings, white: bool) -> Games {
    let mut games = Games::default();
    for played in standings.counted() {
        let outcome = match (played.white == 0, white) {
            (true, true) => played.result.for_side(chess::Color::White),
            (false, false) => played.result.for_side(chess::Color::Black),
            _ => continue,
        };
        games.add(outcome);
    }
    games
}

fn score_rows(games: &Games, pairs: &Pairs) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    let mut row = |name: &str, value: String| rows.push(vec![name.to_owned(), value]);
    if let Some(estimate) = pairs.estimate().or_else(|| games.estimate()) {
        let elo = estimate
            .bound_text()
            .unwrap_or_else(|| format!("{:+.2} ± {:.2}", estimate.elo(), estimate.elo_error()));
        row("Elo", elo);
        if let Some(nelo) = estimate.normalised_elo() {
            row("normalised Elo", format!("{nelo:+.2} ± {:.2}", estimate.normalised_elo_error()));
        }
        row("likelihood of superiority", format!("{:.2} %", estimate.los() * 100.0));
    }
    row("games", format!("{} (+{} ={} -{})", games.total(), games.wins, games.draws, games.losses));
    row("pairs 0 / ½ / 1 / 1½ / 2", pairs.pentanomial().map(|count| count.to_string()).join(" / "));
    if let Some(ratio) = pairs.draw_ratio() {
        row("level pairs", format!("{:.2} %", ratio * 100.0));
    }
    if let Some(ratio) = pairs.pairs_ratio() {
        let told = if ratio.is_finite() { format!("{ratio:.2}") } else { "none was lost".to_owned() };
        row("pairs won per pair lost", told);
    }
    rows
}

/// Elo and its interval after each pair in schedule order; nothing where no pair gives an interval.
fn elo_curve(standings: &Standings) -> Option<String> {
    let mut pairs = Pairs::default();
    let mut waiting: Option<(u64, Outcome)> = None;
    let mut points = Vec::new();
    for played in standings.counted() {
        let side = if played.white == 0 { chess::Color::White } else { chess::Color::Black };
        let outcome = played.result.for_side(side);
        match waiting.take() {
            Some((number, first)) if number + 1 == played.number => {
                pairs.add(first, outcome);
                if let Some(estimate) = pairs.estimate().filter(|estimate| estimate.elo_error().is_finite()) {
                    points.push((pairs.total() as f64, estimate.elo(), estimate.elo_error()));
                }
            }
            _ => waiting = Some((played.number, outcome)),
        }
    }
    if points.is_empty() {
        return None;
    }
    // The first few pairs swing too far to share an axis with the rest.
    let skip = points.len() / 20;
    let curve = |pick: fn(&(f64, f64, f64)) -> f64| -> Vec<Point> {
        points.iter().skip(skip).map(|point| Point::from((point.0, pick(point)))).collect()
    };
    let series = [
        Series { name: "Elo".into(), points: curve(|p| p.1), joined: true, dashed: false, colour: 0 },
        Series {
            name: "95 % interval".into(),
            points: curve(|p| p.1 - p.2),
            joined: true,
            dashed: true,
            colour: 7,
        },
        Series {
            name: "95 % interval".into(),
            points: curve(|p| p.1 + p.2),
            joined: true,
            dashed: true,
            colour: 7,
        },
    ];
    let guides = [Guide { at: 0.0, name: String::new() }];
    let chart = LineChart {
        series: &series,
        guides: &guides,
        x_label: "pairs",
        y_label: "Elo",
        doubling: false,
        caption: "The Elo difference and its interval as pairs were played.",
    };
    Some(chart.draw())
}

/// In place of an interval, where every game was won or lost: the games give no end on one side.
fn without_end(rating: &Rating) -> Option<&'static str> {
    match (rating.has_end(), rating.points > 0.0) {
        (true, _) => None,
        (false, true) => Some("won all, no upper end"),
        (false, false) => Some("lost all, no lower end"),
    }
}

fn rating_sections(page: &mut Page, tournament: &Tournament, standings: &Standings) {
    page.heading("Ratings");
    let Ok((list, _)) = table::rating_list(tournament, standings) else { return };
    let mut order: Vec<usize> = (0..list.players.len()).collect();
    order.sort_by(|one, other| list.players[*other].elo.total_cmp(&list.players[*one].elo));
    let name = |engine: usize| tournament.engines[engine].name.clone();
    let rows: Vec<Vec<String>> = order
        .iter()
        .enumerate()
        .map(|(place, &engine)| {
            let rating = &list.players[engine];
            let next = order
                .get(place + 1)
                .and_then(|next| list.measured_los(engine, *next))
                .map_or_else(String::new, |los| format!("{:.1} %", los * 100.0));
            let error = if tournament.engines[engine].rating.is_some() {
                "anchor".to_owned()
            } else if let Some(words) = without_end(rating) {
                words.to_owned()
            } else if rating.error > 0.0 {
                format!("± {:.1}", rating.error)
            } else {
                "too few games".to_owned()
            };
            vec![
                name(engine),
                format!("{:.1}", rating.elo),
                error,
                rating.games.to_string(),
                format!("{:.1} %", 100.0 * rating.points / rating.games.max(1.0)),
                next,
            ]
        })
        .collect();
    page.table(&["engine", "rating", "95 %", "games", "score", "stronger than the next"], &rows);
    let endless: Vec<String> =
        order.iter().filter(|engine| without_end(&list.players[**engine]).is_some()).map(|engine| name(*engine)).collect();
    let bars: Vec<Bar> = order
        .iter()
        .filter(|engine| without_end(&list.players[**engine]).is_none())
        .map(|&engine| Bar {
            label: name(engine),
            value: list.players[engine].elo,
            error: list.players[engine].error,
        })
        .collect();
    let mut caption = "Maximum-likelihood ratings with 95 % intervals.".to_owned();
    if !endless.is_empty() {
        // Writing to a string cannot fail.
        let _ = write!(
            caption,
            " Not drawn: {}, whose games all had the same result; one virtual draw per meeting keeps its rating finite.",
            endless.join("; ")
        );
    }
    page.figure(&plots::intervals(&bars, "rating", &caption));
    page.paragraph(&format!("White's advantage in this pool: {:.1} Elo.", list.white_advantage));
    let stacks: Vec<Stack> = order
        .iter()
        .map(|&engine| {
            let mut total = Games::default();
            for other in (0..tournament.engines.len()).filter(|other| *other != engine) {
                let games = standings.versus(engine, other);
                total.wins += games.wins;
                total.draws += games.draws;
                total.losses += games.losses;
            }
            Stack {
                label: name(engine),
                parts: vec![total.wins as f64, total.draws as f64, total.losses as f64],
            }
        })
        .collect();
    let colours = [2, 7, 1];
    let caption = "All games of each engine.";
    page.figure(&plots::stacked(&stacks, &["won", "drawn", "lost"], &colours, "share of games", caption));
    if tournament.schedule.is_gauntlet() {
        // All cells but one row and one column would be empty.
        return;
    }
    let names: Vec<String> = order.iter().map(|&engine| name(engine)).collect();
    let cells: Vec<Vec<Option<(f64, String)>>> = order
        .iter()
        .map(|&engine| {
            order
                .iter()
                .map(|&other| {
                    let games = standings.versus(engine, other);
                    (games.total() > 0).then(|| {
                        let share = games.points() / games.total() as f64;
                        (share, format!("{:.0} %", share * 100.0))
                    })
                })
                .collect()
        })
        .collect();
    page.figure(&plots::heat_map(
        &names,
        &names,
        &cells,
        ["opponent", "engine"],
        "Score of the engine in the row against the one in the column.",
    ));
}

fn game_sections(page: &mut Page, tournament: &Tournament, standings: &Standings, games: &[StoredGame]) {
    page.heading("The games");
    let rows: Vec<Vec<String>> = tournament
        .engines
        .iter()
        .enumerate()
        .map(|(engine, spec)| {
            let name = &spec.name;
            let is = |player: &str| common::escape_control(player) == *name;
            let own = |game: &StoredGame| {
                let first = usize::from(is(&game.white) != game.start.contains(" w "))
                    ^ (game.opening_moves.len() % 2);
                game.moves.iter().skip(first).step_by(2).cloned().collect::<Vec<_>>()
            };
            let moves: Vec<_> = games
                .iter()
                .filter(|game| is(&game.white) || is(&game.black))
                .flat_map(own)
                .collect();
            let mean = |numbers: Vec<f64>| {
                Summary::of(&numbers)
                    .map_or_else(|| "-".to_owned(), |summary| charts::svg::short(summary.mean))
            };
            let (flags, faults) = standings.troubles(engine);
            vec![
                name.clone(),
                mean(moves.iter().filter_map(|played| played.info.depth).map(f64::from).collect()),
                mean(
                    moves
                        .iter()
                        .filter_map(|played| played.info.nodes)
                        .map(|nodes| nodes as f64)
                        .collect(),
                ),
                mean(moves.iter().map(|played| played.used.as_secs_f64() * 1000.0).collect()),
                flags.to_string(),
                faults.to_string(),
            ]
        })
        .collect();
    let header = ["engine", "mean depth", "nodes a move", "ms a move", "lost on time", "faults"];
    let (header, rows) = without_empty_columns(&header, &rows);
    page.table(&header, &rows);
    let endings: Vec<Vec<String>> = standings
        .endings()
        .into_iter()
        .map(|(ending, count)| {
            vec![
                ending.as_str().to_owned(),
                count.to_string(),
                format!("{:.1} %", 100.0 * count as f64 / standings.count().max(1) as f64),
            ]
        })
        .collect();
    page.table(&["how games ended", "games", "share"], &endings);
    let longest = games.iter().map(|game| game.plies).max().unwrap_or(0);
    let width = (longest / 20 + 1).next_multiple_of(10);
    let mut columns: Vec<(String, f64)> =
        (0..=longest / width).map(|column| ((column * width).to_string(), 0.0)).collect();
    for game in games {
        columns[game.plies / width].1 += 1.0;
    }
    let caption = format!("Length of the games in plies, opening moves not counted; columns of {width}.");
    page.figure(&plots::histogram(&columns, "plies", "games", &caption));
}

/// Rows of older experiments and imported games say nothing about single moves.
fn without_empty_columns<'a>(header: &[&'a str], rows: &[Vec<String>]) -> (Vec<&'a str>, Vec<Vec<String>>) {
    let is_kept = |column: &usize| rows.iter().any(|row| row[*column] != "-");
    let kept: Vec<usize> = (0..header.len()).filter(is_kept).collect();
    let pick = |row: &Vec<String>| kept.iter().map(|column| row[*column].clone()).collect();
    (kept.iter().map(|column| header[*column]).collect(), rows.iter().map(pick).collect())
}

fn method(page: &mut Page, tournament: &Tournament) {
    page.heading("Method");
    let rules = &tournament.conditions.adjudication;
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut row = |name: &str, value: String| rows.push(vec![name.to_owned(), value]);
    for spec in &tournament.engines {
        let options: Vec<String> =
            spec.options.iter().map(|(name, value)| format!("{name}={value}")).collect();
        row(
            &spec.name,
            format!(
                "{}; {}",
                spec.limits,
                if options.is_empty() { "default options".to_owned() } else { options.join(", ") }
            ),
        );
    }
    row("openings", format!("{}, each twice with colours swapped", tournament.openings_name));
    row("games at a time", tournament.concurrency.to_string());
    let resign = rules.resign.map_or_else(
        || "never".to_owned(),
        |rule| {
            format!(
                "after {} moves at {} centipawns or worse{}",
                rule.moves,
                -rule.score,
                if rule.both { ", both agreeing" } else { "" }
            )
        },
    );
    row("resigned by score", resign);
    let draw = rules.draw.map_or_else(
        || "never".to_owned(),
        |rule| format!("from move {} after {} moves within {} centipawns", rule.from, rule.moves, rule.score),
    );
    row("drawn by score", draw);
    if tournament.conditions.forgive_stolen {
        row("clocks", "stand still while the host takes the machine away".to_owned());
    }
    if let Some(sprt) = &tournament.sprt {
        let (elo0, elo1) = sprt.elo_bounds();
        row(
            "test",
            format!(
                "pentanomial SPRT, {:?} Elo [{elo0}, {elo1}], bounds {:.2} and {:.2}",
                sprt.model(),
                sprt.lower_bound(),
                sprt.upper_bound()
            ),
        );
        if let Some(words) = table::expected_length(tournament) {
            row("expected length", words.trim_start_matches("expected length: ").to_owned());
        }
    }
    page.table(&["what", "how"], &rows);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_that_say_nothing_are_left_out() {
        let rows = [["a", "-", "1"], ["b", "-", "-"]].map(|row| row.map(str::to_owned).to_vec());
        let (header, rows) = without_empty_columns(&["engine", "depth", "faults"], &rows);
        assert_eq!(header, ["engine", "faults"]);
        assert_eq!(rows, [["a", "1"], ["b", "-"]]);
    }

    #[test]
    fn a_match_without_an_interval_has_no_empty_figure() {
        assert_eq!(elo_curve(&Standings::new(2, None)), None);
    }

    /// A likelihood without a highest point has no interval on both sides.
    #[test]
    fn a_rating_from_equal_results_has_no_end_on_one_side() {
        let rating = |games, points| Rating { elo: 900.0, error: 300.0, games, points };
        assert_eq!(without_end(&rating(100.0, 100.0)), Some("won all, no upper end"));
        assert_eq!(without_end(&rating(100.0, 0.0)), Some("lost all, no lower end"));
        assert_eq!(without_end(&rating(100.0, 99.5)), None);
        assert_eq!(without_end(&rating(0.0, 0.0)), None);
    }
}
