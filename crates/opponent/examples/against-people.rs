//! A part of the study of speculation without the lab: for machines that have only this program.
//!
//!     against-people PEOPLE.bin OPENINGS.epd FIRST COUNT STEP NODES ARM,ARM... RATING,RATING...
//!
//! Plays openings FIRST, FIRST + STEP, ... (COUNT of them) of the file with both colours, and prints a row a game: arm, rating, opening, colour,
//! points, plies, expected points conceded.

use chess::{Color, Position};
use human_model::reply::{Rating, ReplyModel, read_people};
use opponent::arena::{Arm, Population, StudyGame};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [people, openings, first, count, step, nodes, arms, ratings] = &words[..] else {
        return Err("expected PEOPLE.bin OPENINGS.epd FIRST COUNT STEP NODES ARMS RATINGS".into());
    };
    let population = Population::Network(read_people(&std::fs::read(people)?)?);
    let model = ReplyModel::shared()?;
    let text = std::fs::read_to_string(openings)?;
    let lines: Vec<&str> = text.lines().collect();
    for number in 0..count.parse::<usize>()? {
        let opening = first.parse::<usize>()? + number * step.parse::<usize>()?;
        let line = lines.get(opening).ok_or("no such opening")?;
        let fields: Vec<&str> = line.split_whitespace().take(4).collect();
        let start = Position::from_fen(&format!("{} 0 1", fields.join(" ")))?;
        for color in Color::BOTH {
            for rating in ratings.split(',') {
                let rating = Rating::new(rating.parse::<i64>()?)?;
                for arm in arms.split(',') {
                    let points = u64::from(rating.points());
                    let duel = StudyGame {
                        opening: start.clone(),
                        color,
                        arm: Arm::named(arm)?,
                        rating,
                        nodes: nodes.parse()?,
                        seed: 1_000_003 + (opening as u64 + 1) * 7919 + points * 31 + color.index() as u64,
                    };
                    if let Some(played) = duel.play(model, &population, &|| false)? {
                        let plies = played.game.moves().len();
                        println!(
                            "{arm}\t{points}\t{opening}\t{color}\t{}\t{plies}\t{:.4}",
                            played.points, played.spent
                        );
                    }
                }
            }
        }
    }
    Ok(())
}
