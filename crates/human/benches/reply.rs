//! Milliseconds per position of the reply network: `cargo bench -p human --bench reply`.

use chess::{Game, Position};
use human::reply::{Circumstances, Rating, ReplyModel, Scale, Situation};
use std::error::Error;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let began = Instant::now();
    let model = ReplyModel::shipped()?;
    println!("weights unpacked in {:.1} ms", began.elapsed().as_secs_f64() * 1e3);
    let circumstances = Circumstances::new(Rating::new(1500)?, Scale::Lichess);
    let game =
        Game::new(Position::from_fen("r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9")?);
    let mut times: Vec<f64> = (0..60)
        .map(|_| {
            let began = Instant::now();
            std::hint::black_box(model.replies(&Situation::of(&game), &circumstances));
            began.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    times.sort_by(f64::total_cmp);
    println!("one position: median {:.2} ms, fastest {:.2} ms, 60 runs", times[30], times[0]);
    Ok(())
}
