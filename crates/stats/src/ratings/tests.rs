use super::*;
use crate::elo::expected_score;
use common::Random;

fn encounter(white: usize, black: usize, wins: f64, draws: f64, losses: f64) -> Encounter {
    Encounter { white, black, wins, draws, losses }
}

#[test]
fn two_players_differ_by_the_elo_of_their_score() {
    let list = fit(2, &[encounter(0, 1, 60.0, 20.0, 20.0)], &Settings::default()).unwrap();
    let difference = list.players[0].elo - list.players[1].elo;
    assert!((expected_score(difference) - 0.70).abs() < 1e-9);
    assert!((list.players[0].elo + list.players[1].elo).abs() < 1e-9, "the pool's mean is zero");
    assert_eq!((list.players[0].games, list.players[1].points), (100.0, 30.0));
    assert!(list.los(0, 1) > 0.999 && list.los(1, 0) < 0.001);
}

/// The error of a difference must be the one of the plain score interval: sqrt(variance / n) over the slope.
#[test]
fn the_error_of_two_players_is_the_error_of_their_score() {
    let settings = Settings { anchors: vec![(1, 2000.0)], ..Settings::default() };
    let list = fit(2, &[encounter(0, 1, 300.0, 400.0, 300.0)], &settings).unwrap();
    assert!((list.players[0].elo - 2000.0).abs() < 1e-9);
    assert_eq!(list.players[1].error, 0.0);
    let standard_error = (0.15_f64 / 1000.0).sqrt();
    let expected = Z95 * standard_error / (0.25 * SCALE);
    assert!((list.players[0].error - expected).abs() < 1e-6, "{} {expected}", list.players[0].error);
}

/// Zermelo's condition at the solution: everybody's points equal everybody's expectation.
#[test]
fn points_equal_expectations_at_the_solution() {
    let games = [
        encounter(0, 1, 12.0, 5.0, 3.0),
        encounter(1, 2, 9.0, 2.0, 8.0),
        encounter(2, 0, 2.0, 6.0, 14.0),
        encounter(3, 0, 1.0, 4.0, 9.0),
        encounter(3, 2, 7.0, 7.0, 7.0),
    ];
    let settings = Settings { mean: 2300.0, white_advantage: None, ..Settings::default() };
    let list = fit(4, &games, &settings).unwrap();
    let mean = list.players.iter().map(|player| player.elo).sum::<f64>() / 4.0;
    assert!((mean - 2300.0).abs() < 1e-9);
    for player in 0..4 {
        let mut expected = 0.0;
        for game in &games {
            let difference =
                list.players[game.white].elo - list.players[game.black].elo + list.white_advantage;
            let score = expected_score(difference) * game.games();
            if game.white == player {
                expected += score;
            } else if game.black == player {
                expected += game.games() - score;
            }
        }
        assert!((expected - list.players[player].points).abs() < 1e-6, "player {player}");
    }
    // White's own points are met too: that is what fitting the advantage means.
    let white_points: f64 = games.iter().map(Encounter::points).sum();
    let white_expected: f64 = games
        .iter()
        .map(|g| {
            expected_score(list.players[g.white].elo - list.players[g.black].elo + list.white_advantage)
                * g.games()
        })
        .sum();
    assert!((white_points - white_expected).abs() < 1e-6);
}

/// Games drawn from Davidson's law with known parameters are given back their parameters, within the errors stated.
#[test]
fn a_simulated_pool_is_recovered() {
    let truth = [150.0, 60.0, 0.0, -40.0, -170.0];
    let (advantage, v) = (30.0, 1.1_f64);
    let mut rng = Random::new(2024);
    let mut games = Vec::new();
    for white in 0..5 {
        for black in 0..5 {
            if white == black {
                continue;
            }
            let half = ((truth[white] - truth[black] + advantage) * SCALE / 2.0).exp();
            let total = half + v + 1.0 / half;
            let mut tally = encounter(white, black, 0.0, 0.0, 0.0);
            for _ in 0..800 {
                let draw = rng.unit() * total;
                if draw < half {
                    tally.wins += 1.0;
                } else if draw < half + v {
                    tally.draws += 1.0;
                } else {
                    tally.losses += 1.0;
                }
            }
            games.push(tally);
        }
    }
    let settings = Settings { draw_model: DrawModel::Davidson, white_advantage: None, ..Settings::default() };
    let list = fit(5, &games, &settings).unwrap();
    for (player, elo) in truth.iter().enumerate() {
        let found = list.players[player];
        assert!(found.error > 3.0 && found.error < 12.0, "{found:?}");
        assert!((found.elo - elo).abs() < 1.6 * found.error, "player {player}: {found:?}, truth {elo}");
    }
    assert!((list.white_advantage - advantage).abs() < 6.0, "{}", list.white_advantage);
    assert!((list.draw_rate.unwrap() - v / (2.0 + v)).abs() < 0.02);
}

#[test]
fn anchors_stand_still_and_hold_the_scale() {
    let games = [encounter(0, 1, 10.0, 10.0, 10.0), encounter(1, 2, 20.0, 5.0, 5.0)];
    let settings = Settings { anchors: vec![(0, 3000.0)], ..Settings::default() };
    let list = fit(3, &games, &settings).unwrap();
    assert_eq!(list.players[0].elo, 3000.0);
    assert!((list.players[1].elo - 3000.0).abs() < 1e-9);
    assert!((expected_score(list.players[1].elo - list.players[2].elo) - 0.75).abs() < 1e-9);
    assert!(list.players[2].error > list.players[1].error, "errors grow with the distance from the anchor");
}

/// Two players measured against the same third one share its error: the difference between them is surer than that.
#[test]
fn a_difference_knows_what_two_ratings_share() {
    let games = [
        encounter(0, 1, 40.0, 20.0, 40.0),
        encounter(1, 2, 30.0, 40.0, 30.0),
        encounter(1, 3, 20.0, 40.0, 40.0),
    ];
    let settings = Settings { anchors: vec![(0, 0.0)], ..Settings::default() };
    let list = fit(4, &games, &settings).unwrap();
    let (difference, error) = list.difference(2, 3).unwrap();
    assert!((difference - (list.players[2].elo - list.players[3].elo)).abs() < 1e-9);
    assert!(error < list.players[2].error.hypot(list.players[3].error) - 1.0, "{error}");
    let los = normal::cumulative(difference / (error / Z95));
    assert!((list.measured_los(2, 3).unwrap() - los).abs() < 1e-12);
    assert_eq!(list.difference(0, 0), None);
}

#[test]
fn a_perfect_score_is_an_error_that_names_the_player_and_a_prior_mends_it() {
    let games =
        [encounter(0, 1, 5.0, 5.0, 5.0), encounter(2, 0, 8.0, 0.0, 0.0), encounter(1, 2, 0.0, 0.0, 8.0)];
    let error = fit(3, &games, &Settings::default()).unwrap_err();
    assert_eq!(error, RatingError::Unconnected { players: vec![2] });
    assert!(error.to_string().contains("prior draws"));
    let settings = Settings { prior_draws: 1.0, ..Settings::default() };
    let list = fit(3, &games, &settings).unwrap();
    assert!(list.players[2].elo > list.players[0].elo + 200.0);
    assert_eq!(list.players[2].games, 16.0, "virtual games are not shown as played");
}

#[test]
fn a_player_out_of_range_is_refused() {
    let error = fit(2, &[encounter(0, 2, 1.0, 1.0, 1.0)], &Settings::default()).unwrap_err();
    assert_eq!(error, RatingError::UnknownPlayer { index: 2, players: 2 });
}
