//! `tabiya lichess`: the engine as a bot on Lichess.

use crate::cli::{Command, Failure, Flag, Parsed, Run, remark};
use chess::pgn::{GameResult, PgnGame};
use lichess::{
    Bot, Config, FinishedGame, LogEvent, PlaySettings, Policy, RequestError, Site, TimeScale, Token, policy,
};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The environment variable that may hold the token.
const VARIABLE: &str = "TABIYA_LICHESS_TOKEN";

pub const COMMAND: Command = Command {
    name: "lichess",
    summary: "Play on Lichess as a bot",
    arguments: "",
    flags: &[
        Flag {
            name: "token-file",
            value: Some("FILE"),
            help: "a file of mode 0600 that holds the token (or set TABIYA_LICHESS_TOKEN; never an argument)",
        },
        Flag { name: "check", value: None, help: "say whose token it is and whether all is well, then end" },
        Flag { name: "dry-run", value: None, help: "listen and say what would be answered; answer nothing" },
        Flag {
            name: "upgrade",
            value: Some("NAME"),
            help: "make this account a bot account, for ever; it must not have played a game",
        },
        Flag {
            name: "speeds",
            value: Some("LIST"),
            help: "of ultraBullet,bullet,blitz,rapid,classical,correspondence (default bullet to classical)",
        },
        Flag {
            name: "variants",
            value: Some("LIST"),
            help: "of standard,chess960,fromPosition (default all)",
        },
        Flag { name: "mode", value: Some("rated|casual|both"), help: "what is accepted (default both)" },
        Flag { name: "opponents", value: Some("people|bots|both"), help: "whose challenges (default both)" },
        Flag {
            name: "games",
            value: Some("N"),
            help: "games at one time, 1 to 8; others wait for a free place (default 1)",
        },
        Flag {
            name: "elo",
            value: Some("N"),
            help: "play like people of this rating (default: full strength)",
        },
        Flag { name: "threads", value: Some("N"), help: "threads for each game (default 1)" },
        Flag { name: "hash", value: Some("MB"), help: "table for each game (default 64)" },
        Flag {
            name: "overhead",
            value: Some("MS"),
            help: "kept back from each move for the way (default 300)",
        },
        Flag { name: "no-ponder", value: None, help: "do not think in the opponent's time" },
        Flag { name: "greeting", value: Some("TEXT"), help: "said once at the start of a game" },
        Flag {
            name: "option",
            value: Some("NAME=VALUE"),
            help: "an engine option, as often as needed (SyzygyPath=/tables)",
        },
        Flag { name: "pgn", value: Some("FILE"), help: "add finished games to this file" },
        Flag { name: "quiet", value: None, help: "no line for each move" },
        Flag {
            name: "local-port",
            value: Some("N"),
            help: "talk to a server on this machine in place of Lichess, for tests",
        },
    ],
    examples: &[
        "tabiya lichess --check --token-file ~/.config/tabiya/lichess",
        "tabiya lichess --games 2 --mode casual --pgn games.pgn",
        "tabiya lichess --elo 1500 --opponents people",
    ],
    run: Run::Parsed(run),
};

fn run(parsed: &Parsed) -> Result<(), Failure> {
    // Whatever stands there may be a token: it is not repeated.
    if !parsed.positional().is_empty() {
        return Err(parsed.usage("it takes no arguments but flags, and a token never"));
    }
    let site = match parsed.text("local-port") {
        Some(_) => Site::on_this_machine(parsed.number("local-port", 1u16, 1..=u16::MAX)?),
        None => Site::lichess(),
    };
    let config = Config {
        site,
        token: token(parsed)?,
        policy: policy(parsed)?,
        play: play_settings(parsed)?,
        dry_run: parsed.has("dry-run"),
        scale: TimeScale::REAL,
    };
    let games = parsed.text("pgn").map(PathBuf::from);
    let quiet = parsed.has("quiet");
    let sink = Arc::new(move |event: LogEvent| report(&event, games.as_deref(), quiet));
    let bot = Bot::connect(config, crate::clock::system(), sink).map_err(|error| hint(&error))?;
    if let Some(name) = parsed.text("upgrade") {
        return upgrade(&bot, name);
    }
    if parsed.has("check") {
        let account = bot.account();
        let kind = if account.is_bot() { "a bot account" } else { "not a bot account yet (--upgrade NAME)" };
        writeln!(std::io::stdout(), "{}: {kind}", account.username)?;
        return Ok(());
    }
    if !bot.account().is_bot() {
        return Err(Failure::Failed(format!(
            "{} is not a bot account, and engines may play as bots only: `tabiya lichess --upgrade {0}` makes it one, \
             for ever, if it has not played a game",
            bot.account().username
        )));
    }
    let handle = bot.handle();
    ctrlc::set_handler(move || {
        handle.stop();
    })
    .map_err(Failure::failed)?;
    bot.run().map_err(|error| hint(&error))
}

fn hint(error: &RequestError) -> Failure {
    let more = match error {
        RequestError::Refused { status: 401, .. } => ": make a new one with the scope bot:play",
        RequestError::Refused { status: 403, .. } => ": the token needs the scope bot:play",
        _ => "",
    };
    Failure::Failed(format!("lichess: {error}{more}"))
}

fn token(parsed: &Parsed) -> Result<Token, Failure> {
    let environment = std::env::var(VARIABLE).ok();
    let file = parsed.text("token-file").map(PathBuf::from).or_else(usual_file);
    Token::find(environment.as_deref(), file.as_deref())
        .map_err(|error| Failure::Failed(format!("lichess: {error} ({VARIABLE} or --token-file FILE)")))
}

/// Where the XDG convention wants what a person configured, if it is there.
fn usual_file() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let folder = set("XDG_CONFIG_HOME").or_else(|| set("HOME").map(|home| home.join(".config")))?;
    Some(folder.join("tabiya/lichess")).filter(|path| path.exists())
}

fn policy(parsed: &Parsed) -> Result<Policy, Failure> {
    let usual = Policy::default();
    let (rated, casual) = match parsed.text("mode").unwrap_or("both") {
        "both" => (true, true),
        "rated" => (true, false),
        "casual" => (false, true),
        other => return Err(parsed.usage(&format!("--mode '{other}', expected rated, casual or both"))),
    };
    let (people, bots) = match parsed.text("opponents").unwrap_or("both") {
        "both" => (true, true),
        "people" => (true, false),
        "bots" => (false, true),
        other => return Err(parsed.usage(&format!("--opponents '{other}', expected people, bots or both"))),
    };
    Ok(Policy {
        speeds: list(parsed, "speeds", &policy::SPEEDS, usual.speeds)?,
        variants: list(parsed, "variants", &policy::VARIANTS, usual.variants)?,
        rated,
        casual,
        people,
        bots,
        games: parsed.number("games", usual.games, 1..=8)?,
        queue: usual.queue,
    })
}

fn list(
    parsed: &Parsed,
    flag: &str,
    known: &[&'static str],
    usual: Vec<&'static str>,
) -> Result<Vec<&'static str>, Failure> {
    let Some(text) = parsed.text(flag) else { return Ok(usual) };
    let find = |word: &str| {
        known.iter().find(|name| name.eq_ignore_ascii_case(word.trim())).copied().ok_or_else(|| {
            parsed.usage(&format!("--{flag} '{}', expected of {}", word.trim(), known.join(", ")))
        })
    };
    text.split(',').map(find).collect()
}

fn play_settings(parsed: &Parsed) -> Result<PlaySettings, Failure> {
    let usual = PlaySettings::default();
    let mut options = Vec::new();
    if parsed.text("elo").is_some() {
        let elo = parsed.number("elo", 1800u16, 600..=2800)?;
        options.push(("UCI_LimitStrength".to_string(), "true".to_string()));
        options.push(("UCI_Elo".to_string(), elo.to_string()));
    }
    for text in parsed.texts("option") {
        let Some((name, value)) = text.split_once('=') else {
            return Err(parsed.usage(&format!("--option '{text}', expected NAME=VALUE")));
        };
        options.push((name.trim().to_string(), value.trim().to_string()));
    }
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    Ok(PlaySettings {
        threads: parsed.number("threads", usual.threads, 1..=threads.max(1))?,
        hash_megabytes: parsed.number("hash", usual.hash_megabytes, 1..=65_536)?,
        overhead: Duration::from_millis(parsed.number("overhead", 300u64, 0..=5000)?),
        ponder: !parsed.has("no-ponder"),
        options,
        greeting: parsed.text("greeting").map(str::to_string),
    })
}

fn upgrade(bot: &Bot, name: &str) -> Result<(), Failure> {
    let account = bot.account();
    if account.is_bot() {
        return Err(Failure::Failed(format!("{} is a bot account already", account.username)));
    }
    if !account.username.eq_ignore_ascii_case(name) {
        return Err(Failure::Failed(format!("the token belongs to {}, not to {name}", account.username)));
    }
    bot.upgrade().map_err(|error| hint(&error))?;
    writeln!(std::io::stdout(), "{} is a bot account now", account.username)?;
    Ok(())
}

/// Finished games are data, everything else is progress.
fn report(event: &LogEvent, games: Option<&Path>, quiet: bool) {
    if quiet && matches!(event, LogEvent::Moved { .. }) {
        return;
    }
    remark(&event.to_string());
    if let LogEvent::Ended(finished) = event {
        // A reader that went away is no reason to stop playing.
        let _ = writeln!(
            std::io::stdout(),
            "{}\t{}\t{}\t{}\t{}",
            finished.url,
            finished.white,
            finished.black,
            finished.result,
            finished.reason
        );
        if let Some(path) = games.filter(|_| !finished.moves.moves().is_empty())
            && let Err(error) = keep(finished, path)
        {
            remark(&format!("{}: {error}", path.display()));
        }
    }
}

fn keep(finished: &FinishedGame, path: &Path) -> std::io::Result<()> {
    let mut record = PgnGame::from_game(&finished.moves, finished.chess960);
    record.tags.set("Event", if finished.rated { "Rated game" } else { "Casual game" });
    record.tags.set("Site", &finished.url);
    record.tags.set("Date", &crate::date::today());
    record.tags.set("White", &finished.white);
    record.tags.set("Black", &finished.black);
    record.tags.set("Termination", &finished.reason);
    record.set_result(GameResult::parse(finished.result.as_bytes()).unwrap_or(GameResult::Unknown));
    let mut file = std::fs::OpenOptions::new().create(true).append(true).open(path)?;
    file.write_all(format!("{}\n\n", record.to_string().trim_end()).as_bytes())
}
