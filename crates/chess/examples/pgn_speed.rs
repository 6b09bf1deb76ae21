//! Reads PGN files, plain or zstd, and says how fast: `cargo run --release -p chess --example pgn_speed -- FILES`.
//!
//! `--rewrite` also writes every game out and reads it back, and counts what changed on the way.

use chess::pgn::PgnReader;
use std::fs::File;
use std::io;
use std::time::Instant;

#[derive(Default)]
struct Count {
    games: u64,
    bad: u64,
    moves: u64,
    changed: u64,
}

fn read(path: &str, rewrite: bool) -> io::Result<Count> {
    let mut count = Count::default();
    for game in PgnReader::new(chess::compressed::reader(File::open(path)?)?) {
        match game {
            Ok(game) => {
                count.games += 1;
                count.moves += game.move_count() as u64;
                if rewrite {
                    let text = game.to_string();
                    let again = PgnReader::new(text.as_bytes()).next().and_then(Result::ok);
                    count.changed += u64::from(again.as_ref() != Some(&game));
                }
            }
            Err(error) => {
                count.bad += 1;
                println!("{path}: {error}");
            }
        }
    }
    Ok(count)
}

fn main() -> io::Result<()> {
    let (flags, files): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|argument| argument.starts_with("--"));
    let rewrite = flags.iter().any(|flag| flag == "--rewrite");
    for path in &files {
        let start = Instant::now();
        let count = read(path, rewrite)?;
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "{path}: {} games, {} bad, {} moves in {seconds:.2} s: {:.0} games/s, {:.2} M moves/s{}",
            count.games,
            count.bad,
            count.moves,
            (count.games + count.bad) as f64 / seconds,
            count.moves as f64 / seconds / 1e6,
            if rewrite { format!(", {} changed by writing", count.changed) } else { String::new() },
        );
    }
    Ok(())
}
