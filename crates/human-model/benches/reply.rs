//! Milliseconds per position of the reply network and of the small model: `cargo bench -p human --bench reply`.

use chess::{Game, Move, Position};
use human_model::oracle::PoolOracle;
use human_model::reply::{Circumstances, Rating, ReplyModel, Scale, Situation};
use human_model::small_policy::{DepthLosses, SmallPolicy, training_evaluation};
use kernel::clock::ManualClock;
use std::error::Error;
use std::sync::Arc;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let began = Instant::now();
    let model = ReplyModel::shipped()?;
    println!("weights unpacked in {:.1} ms", began.elapsed().as_secs_f64() * 1e3);
    let circumstances = Circumstances::new(Rating::new(1500)?, Scale::Lichess);
    let game =
        Game::new(Position::from_fen("r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9")?);
    time("network", || {
        std::hint::black_box(model.replies(&Situation::of(&game), &circumstances));
    });
    let small = SmallPolicy::shared()?;
    let mut evaluator = training_evaluation().evaluator();
    let mut oracle = PoolOracle::new(1, Arc::new(ManualClock::new()), &training_evaluation())?;
    let moves: Vec<Move> = game.position().legal_moves().iter().copied().collect();
    let depth_losses = DepthLosses::static_only(game.position(), &moves, &mut evaluator);
    time("small model, depth_losses given", || {
        std::hint::black_box(small.replies_from(&game, &moves, &depth_losses, &circumstances));
    });
    time("small model, looking at the board alone", || {
        std::hint::black_box(small.static_replies(&game, &circumstances, &mut evaluator));
    });
    time("small model, looking six plies ahead", || {
        oracle.clear();
        let _ =
            std::hint::black_box(small.searched_replies(&game, &circumstances, &mut evaluator, &mut oracle));
    });
    Ok(())
}

fn time(name: &str, mut work: impl FnMut()) {
    let mut times: Vec<f64> = (0..60)
        .map(|_| {
            let began = Instant::now();
            work();
            began.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    times.sort_by(f64::total_cmp);
    println!("{name}: median {:.2} ms, fastest {:.2} ms, 60 runs", times[30], times[0]);
}
