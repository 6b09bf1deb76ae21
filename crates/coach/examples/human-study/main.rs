//! Measures the models on players they never saw.
//!
//!     zstd -dc human/levels.tsv.zst human/lichess-rapid.tsv.zst | human-study moves ONE-POSITION-IN SECOND.bin
//!     zstd -dc human/levels.tsv.zst human/lichess-rapid.tsv.zst | human-study habits A-BAND
//!     zstd -dc human/lichess-rapid.tsv.zst | human-study hopes RECORDS NODES
//!     zstd -dc human/levels.tsv.zst | human-study rate PLAYERS EVIDENCE.tsv
//!     human-study temper EVIDENCE.tsv
//!     zstd -dc human/lichess-rapid.tsv.zst | human-study coach GAMES NODES [FOLDER]
//!
//! `moves`: what people of each band give away a move beside what the sparring partner of that level would in the same
//! positions, and what simulated people would (the second network of that file, and Regan's softmax); whether mistakes are foreseen (area under
//! the ROC curve, calibration). `habits`: mates in one and recaptures, people and partner, so many of each in every band. `hopes`: where people
//! played what bounded speculation would have played against the other player, what it hoped for beside what the reply gave
//! away. `rate`: hears the moves of players nobody trained on, half of them for validation, and keeps the evidence in a
//! file (players already there are not heard again). `temper`: from that file, the temper that fits the validation players best, then
//! errors and coverage on the others beside the constant guess. `coach`: reviews games and has every line judged by a longer search.

mod coach;
mod foresight;
mod habits;
mod hopes;
mod moves;
mod positions;
mod rate;

use human_model::reply::SecondModel;
use std::error::Error;

const USAGE: &str = "expected: moves ONE-POSITION-IN SECOND.bin, habits A-BAND, hopes RECORDS NODES, rate PLAYERS EVIDENCE.tsv, temper EVIDENCE.tsv, or coach GAMES NODES [FOLDER]";

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["moves", one_in, second] => {
            moves::study(one_in.parse()?, &SecondModel::from_bytes(&std::fs::read(second)?)?)
        }
        ["habits", a_band] => habits::study(a_band.parse()?),
        ["hopes", records, nodes] => hopes::study(records.parse()?, nodes.parse()?),
        ["rate", players, file] => rate::hear(players.parse()?, file),
        ["temper", file] => rate::temper(file),
        ["coach", games, nodes, ref folder @ ..] if folder.len() < 2 => {
            coach::study(games.parse()?, nodes.parse()?, folder.first().copied())
        }
        _ => Err(USAGE.into()),
    }
}
