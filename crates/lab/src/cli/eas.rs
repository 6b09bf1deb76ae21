//! `lab eas`: how aggressively the players of a file play.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use chess::Color;
use chess::pgn::{GameResult, PgnReader};
use coach::style::{Eas, GameOutcome, Player, Sacrifice, score};
use serde_json::{Value, json};

use experiment::failure::Failure;
use experiment::runner::print;

/// What `lab eas --help` says: the whole formula.
pub(super) const HELP: &str = "\
lab eas FILE.pgn.. [--json]: how aggressively each player of these games plays (files plain or zstd)

After Stefan Pohl's EAS tool. Percentages count times one hundred: 12.5 % is 1,250.

  sacrifices   of the games won, those in which the winner was behind in material (pawn 1, knight and bishop 3, rook 5,
               queen 9, counted from what the start position gave) for 8 plies in a row, or for 2 until the mate, or for 4 until
               the opponent gave up. Points: 1 pawn 5, 2 pawns 15, 3 pawns 45, 4 pawns 90, 5 or more 180, a queen 350.
               Only the largest sacrifice of a game counts.
  short wins   of the games won, those of at most L, L-5, L-10, L-15, L-20 moves: 8, 12, 18, 27, 45 points. L is the mean length of
               all won games of the files, rounded down to five, less 15, and at least 25. A win counts in its shortest tier.
  bad draws    of all games, those drawn with pieces worth 28 or more still on the board (62 at the start), or after a pawn or
               more ahead for 8 plies, unless the player was behind for as long: 10 points, taken away.

  EAS = sacrifices + short wins - bad draws, never below 0.

The points are Pohl's (version 5.2); what counts as a sacrifice or a bad draw is decided by our own rules, so compare players of
one file, not with lists made elsewhere. With few wins a single game moves the score by thousands: look at the column of wins.

  --json       for programs: every count beside the scores

Games without a result, without names, or that cannot be read are left out and named on stderr; then the exit code is 3.
";

/// Reads the files, scores everybody, prints.
pub(super) fn run(words: Vec<OsString>, out: &mut dyn Write, err: &mut dyn Write) -> Result<u8, Failure> {
    use lexopt::Arg;
    let mut parser = lexopt::Parser::from_args(words);
    let (mut files, mut as_json) = (Vec::<PathBuf>::new(), false);
    while let Some(argument) = parser.next()? {
        match argument {
            Arg::Long("json") => as_json = true,
            Arg::Value(file) => files.push(PathBuf::from(file)),
            other => return Err(other.unexpected().into()),
        }
    }
    if files.is_empty() {
        return Err(Failure::Usage("eas: expected one or more PGN files".to_owned()));
    }
    let mut gathered = Gathered::default();
    for file in &files {
        gathered.read(file)?;
    }
    for reason in &gathered.left_out {
        // The scores matter, not whether anyone reads this.
        let _ = writeln!(err, "left out: {}", common::escape_control(reason));
    }
    if gathered.outcomes.is_empty() {
        let names: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
        return Err(Failure::Failed(format!("{}: no finished game with named players", names.join(", "))));
    }
    let found = score(gathered.outcomes.iter().map(|(name, outcome)| (name.as_str(), *outcome)));
    if as_json {
        print(
            out,
            &format!("{:#}\n", to_json(&found, gathered.outcomes.len() / 2, gathered.left_out.len())),
        )?;
    } else {
        print(out, &table(&found, gathered.outcomes.len() / 2))?;
    }
    Ok(if gathered.left_out.is_empty() { 0 } else { 3 })
}

#[derive(Default)]
struct Gathered {
    /// Two for each game: White's and Black's.
    outcomes: Vec<(String, GameOutcome)>,
    left_out: Vec<String>,
}

impl Gathered {
    fn read(&mut self, path: &Path) -> Result<(), Failure> {
        let told = |error: &dyn std::fmt::Display| Failure::Failed(format!("{}: {error}", path.display()));
        let file = File::open(path).map_err(|error| told(&error))?;
        let plain = chess::compressed::reader(file).map_err(|error| told(&error))?;
        for (index, game) in PgnReader::new(plain).enumerate() {
            let place = format!("{}, game {}", path.display(), index + 1);
            let game = match game {
                Ok(game) => game,
                Err(error) => {
                    self.left_out.push(format!("{}: {error}", path.display()));
                    continue;
                }
            };
            let name = |tag| game.tags.get(tag).map(str::trim).filter(|name| !matches!(*name, "" | "?"));
            let (Some(white), Some(black)) = (name("White"), name("Black")) else {
                self.left_out.push(format!("{place}: a player without a name"));
                continue;
            };
            if game.result == GameResult::Unknown {
                self.left_out.push(format!("{place}: no result"));
                continue;
            }
            let played = game.to_game();
            for (color, name) in Color::BOTH.into_iter().zip([white, black]) {
                self.outcomes.push((name.to_owned(), GameOutcome::of(&played, game.result.winner(), color)));
            }
        }
        Ok(())
    }
}

fn percent(part: u32, whole: u32) -> f64 {
    100.0 * f64::from(part) / f64::from(whole.max(1))
}

fn table(found: &Eas, games: usize) -> String {
    let names: Vec<String> =
        found.players.iter().map(|player| common::escape_control(&player.name)).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(6);
    let limits: Vec<String> = found.limits.0.iter().map(ToString::to_string).collect();
    let mean = found.mean_win.map_or("nobody won".to_owned(), |mean| format!("a win takes {mean:.1} moves"));
    let mut text =
        format!("{games} games; {mean}; short wins are those of at most {} moves\n\n", limits.join(", "));
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "{:width$}  {:>9}  {:>5} {:>5} {:>5} {:>5}  {:>6} {:>6} {:>6} {:>6} {:>6} {:>6}  {:>6}  {:>6}",
        "player",
        "EAS",
        "games",
        "wins",
        "draws",
        "lost",
        "sac 1",
        "2",
        "3",
        "4",
        "5+",
        "queen",
        "short",
        "bad dr"
    );
    for (player, name) in found.players.iter().zip(&names) {
        let _ = write!(
            text,
            "{name:width$}  {:>9.0}  {:>5} {:>5} {:>5} {:>5} ",
            player.points.total(),
            player.games(),
            player.wins,
            player.draws,
            player.losses
        );
        for count in player.sacrifices {
            let _ = write!(text, " {:>4.1} %", percent(count, player.wins));
        }
        let short: u32 = player.short_wins.iter().sum();
        let _ = writeln!(
            text,
            "  {:>4.1} %  {:>4.1} %",
            percent(short, player.wins),
            percent(player.bad_draws, player.games())
        );
    }
    text + "\nSacrifices and short wins in per cent of the wins, bad draws of the games; `lab eas --help` has the formula.\n"
}

fn to_json(found: &Eas, games: usize, left_out: usize) -> Value {
    let players: Vec<Value> = found.players.iter().map(player_json).collect();
    json!({
        "games": games,
        "left_out": left_out,
        "mean_win_moves": found.mean_win,
        "short_win_limits": found.limits.0,
        "players": players,
    })
}

fn player_json(player: &Player) -> Value {
    let sacrifices: serde_json::Map<String, Value> = Sacrifice::ALL
        .iter()
        .zip(player.sacrifices)
        .map(|(size, count)| (size.name().to_owned(), count.into()))
        .collect();
    json!({
        "name": player.name,
        "eas": player.points.total(),
        "points": {
            "sacrifices": player.points.sacrifices,
            "short_wins": player.points.short_wins,
            "bad_draws": player.points.bad_draws,
        },
        "games": player.games(),
        "wins": player.wins,
        "draws": player.draws,
        "losses": player.losses,
        "sacrifices": sacrifices,
        "short_wins": player.short_wins,
        "bad_draws": player.bad_draws,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAMES: &str = "\
[White \"Legal\"]\n[Black \"Saint Brie\"]\n[Result \"1-0\"]\n\n\
1. e4 e5 2. Nf3 Nc6 3. Bc4 d6 4. Nc3 Bg4 5. h3 Bh5 6. Nxe5 Bxd1 7. Bxf7+ Ke7 8. Nd5# 1-0\n\n\
[White \"Calm\"]\n[Black \"Legal\"]\n[Result \"1/2-1/2\"]\n\n1. e4 e5 1/2-1/2\n\n";

    fn eas(name: &str, text: &str, flags: &[&str]) -> (Result<u8, Failure>, String, String) {
        let path = std::env::temp_dir().join(format!("tabiya-eas-{}-{name}.pgn", std::process::id()));
        std::fs::write(&path, text).unwrap();
        let mut words = vec![path.clone().into_os_string()];
        words.extend(flags.iter().map(OsString::from));
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let code = run(words, &mut out, &mut err);
        std::fs::remove_file(path).unwrap();
        (code, String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap())
    }

    #[test]
    fn a_table_for_people_and_json_for_programs() {
        let (code, text, err) = eas("table", GAMES, &[]);
        assert!(matches!(code, Ok(0)), "{err}");
        let rows: Vec<&str> = text.lines().filter(|line| line.contains('%')).collect();
        // Legal: every win a queen's sacrifice (3,500,000) in the second shortest tier (270,000), half the games bad draws.
        assert!(rows[0].starts_with("Legal") && rows[0].contains("3720000"), "{text}");
        let (_, text, _) = eas("json", GAMES, &["--json"]);
        let value: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["games"], 2);
        assert_eq!(value["players"][0]["sacrifices"]["queen"], 1);
        assert_eq!(value["players"][0]["short_wins"], json!([0, 0, 0, 1, 0]));
        assert_eq!(value["players"][0]["bad_draws"], 1);
        assert_eq!(value["players"].as_array().unwrap().len(), 3);
    }

    #[test]
    fn bad_games_are_named_and_the_rest_counts() {
        let bad = format!(
            "{GAMES}[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 2. Ke3 1-0\n\n[White \"A\"]\n[Black \"B\"]\n\n1. e4 *\n\n1. d4 d5 1-0\n"
        );
        let (code, text, err) = eas("bad", &bad, &[]);
        assert!(matches!(code, Ok(3)), "{err}");
        assert!(text.starts_with("2 games"), "{text}");
        assert_eq!(err.lines().count(), 3, "{err}");
        assert!(
            err.contains("game 3")
                && err.contains("game 4: no result")
                && err.contains("game 5: a player without a name"),
            "{err}"
        );
    }

    #[test]
    fn nothing_to_score_is_an_error() {
        for text in ["", "not chess at all", "[White \"A\"]\n[Black \"B\"]\n\n*\n"] {
            let (code, _, _) = eas("nothing", text, &[]);
            let Err(Failure::Failed(reason)) = code else { panic!("{text}: scored") };
            assert!(reason.contains("no finished game with named players"), "{reason}");
        }
        let missing = run(vec!["no/such/file.pgn".into()], &mut Vec::new(), &mut Vec::new());
        assert!(matches!(missing, Err(Failure::Failed(reason)) if reason.contains("no/such/file.pgn")));
        assert!(matches!(run(Vec::new(), &mut Vec::new(), &mut Vec::new()), Err(Failure::Usage(_))));
    }
}
