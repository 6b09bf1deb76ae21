//! Rating the players of a game from their moves.

use super::evidence::{Evidence, EvidenceModel};
use super::posterior::{Estimate, Posterior};
use crate::openings::{Openings, RatingBand};
use crate::reply::{Circumstances, Rating, ReplyModel, Scale, Situation, TimeControl};
use chess::pgn::PgnGame;
use chess::{Color, Game};

/// One player of one game.
#[derive(Clone, PartialEq, Debug)]
pub struct Side {
    pub color: Color,
    pub name: String,
    /// As the file says it.
    pub told: Option<Rating>,
    pub is_computer: bool,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Rated {
    pub side: Side,
    pub estimate: Estimate,
    /// Of each counted move, so that several games of a player can be put together.
    pub evidence: Vec<Evidence>,
    /// The estimate after each counted move.
    pub course: Vec<Estimate>,
}

impl Side {
    pub fn of(game: &PgnGame, color: Color) -> Side {
        let tag = |name: &str| game.tags.get(name).filter(|value| !value.is_empty() && *value != "?");
        let (name, rating, title, kind) = match color {
            Color::White => ("White", "WhiteElo", "WhiteTitle", "WhiteType"),
            Color::Black => ("Black", "BlackElo", "BlackTitle", "BlackType"),
        };
        let is_computer =
            tag(title) == Some("BOT") || tag(kind).is_some_and(|kind| kind.eq_ignore_ascii_case("program"));
        Side {
            color,
            name: tag(name).unwrap_or("?").to_string(),
            told: game.tags.number(rating).and_then(|points| Rating::new(points).ok()),
            is_computer,
        }
    }
}

/// Estimates one player's rating from their moves, starting from the prior. Opening theory and forced moves are skipped:
/// they say little about strength.
pub fn rate_game(
    model: &ReplyModel,
    openings: &Openings,
    game: &PgnGame,
    side: Side,
    scale: Scale,
    prior: Posterior,
) -> Rated {
    let rating = side.told.or(Rating::new(1500).ok()).unwrap_or(Rating::LOWEST);
    let circumstances =
        Circumstances { time_control: time_control(game), ..Circumstances::new(rating, scale) };
    let evidence_model = EvidenceModel { model, circumstances };
    let mut posterior = prior;
    let (mut course, mut all) = (Vec::new(), Vec::new());
    let mut play = Game::new(game.start().clone());
    for mv in game.moves() {
        let position = play.position();
        if position.turn() == side.color
            && openings.moves(position, RatingBand::of(rating, scale)).is_empty()
            && let Some(evidence) = evidence_model.evidence(&Situation::of(&play), mv)
        {
            posterior.update(&evidence);
            course.push(posterior.estimate());
            all.push(evidence);
        }
        if play.play(mv).is_err() {
            break;
        }
    }
    Rated { side, estimate: posterior.estimate(), evidence: all, course }
}

/// `600+5`, `600`, or `40/7200:3600`, of which the first number of seconds counts.
pub fn time_control(game: &PgnGame) -> Option<TimeControl> {
    let text = game.tags.get("TimeControl")?;
    let first = text.split(':').next()?;
    let first = first.rsplit('/').next()?;
    let (base, increment) = first.split_once('+').unwrap_or((first, "0"));
    let base_seconds: f32 =
        base.parse().ok().filter(|seconds: &f32| seconds.is_finite() && *seconds > 0.0)?;
    Some(TimeControl { base_seconds, increment_seconds: increment.parse().unwrap_or(0.0) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::pgn::PgnReader;

    fn game(text: &str) -> PgnGame {
        PgnReader::new(text.as_bytes()).next().unwrap().unwrap()
    }

    #[test]
    fn sides_as_files_tell_them() {
        let game = game(
            "[White \"Ann\"]\n[WhiteElo \"1650\"]\n[Black \"machine\"]\n[BlackTitle \"BOT\"]\n[BlackElo \"9000\"]\n[TimeControl \"600+5\"]\n\n1. e4 *\n",
        );
        let white = Side::of(&game, Color::White);
        assert_eq!(
            (white.name.as_str(), white.told.map(Rating::points), white.is_computer),
            ("Ann", Some(1650), false)
        );
        let black = Side::of(&game, Color::Black);
        assert_eq!((black.told, black.is_computer), (None, true));
        assert_eq!(time_control(&game).map(|control| control.base_seconds), Some(600.0));
    }

    #[test]
    fn wild_play_reads_weaker_than_sound_play() {
        let model = ReplyModel::shared().unwrap();
        let openings = Openings::shipped().unwrap();
        let rate = |text: &str| {
            let game = game(text);
            let side = Side::of(&game, Color::White);
            rate_game(model, &openings, &game, side, Scale::Lichess, Posterior::broad(Scale::Lichess))
                .estimate
        };
        let wild = rate(
            "1. a4 e5 2. Ra3 Bxa3 3. h4 d5 4. Rh3 Bxh3 5. f4 Bxb2 6. Kf2 Bxa1 7. g4 Qxh4+ 8. Ke3 d4+ *\n",
        );
        let sound = rate(
            "1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Bg5 Be7 5. e3 O-O 6. Nf3 h6 7. Bh4 b6 8. cxd5 Nxd5 9. Bxe7 Qxe7 \
             10. Nxd5 exd5 11. Rc1 Be6 12. Qa4 c5 13. Qa3 Rc8 14. Bb5 a6 15. dxc5 bxc5 16. O-O Ra7 17. Be2 *\n",
        );
        assert!(wild.mean + 200.0 < sound.mean, "{wild} against {sound}");
        assert!(sound.interval80.0 < sound.mean && sound.mean < sound.interval80.1);
    }

    #[test]
    fn several_games_of_a_player_sharpen_the_estimate() {
        let model = ReplyModel::shared().unwrap();
        let openings = Openings::shared().unwrap();
        let game = game(
            "1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Bg5 Be7 5. e3 O-O 6. Nf3 h6 7. Bh4 b6 8. cxd5 Nxd5 9. Bxe7 Qxe7 *\n",
        );
        let side = Side::of(&game, Color::White);
        let first = rate_game(model, openings, &game, side, Scale::Lichess, Posterior::broad(Scale::Lichess));
        let width = |estimate: Estimate| estimate.interval80.1 - estimate.interval80.0;
        let mut both = Posterior::broad(Scale::Lichess);
        first.evidence.iter().for_each(|evidence| both.update(evidence));
        assert_eq!(both.estimate(), first.estimate);
        both = both.next_game();
        first.evidence.iter().for_each(|evidence| both.update(evidence));
        let second = both.estimate();
        assert_eq!(second.moves, 2 * first.estimate.moves);
        assert!(width(second) < width(first.estimate), "{} then {second}", first.estimate);
    }
}
