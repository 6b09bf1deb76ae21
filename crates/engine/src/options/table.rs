//! The options, declared once: a name, a kind with its range, what it is for, what it sets, and what that needs.

use super::error::OptionError;
use super::spec::{Effect, OptionKind, OptionSpec, Value};
use crate::announced_opponent::Opponent;
use crate::evaluation;
use crate::settings::{DEFAULT_ELO, ELO_RANGE, PARALLEL_NAMES, STYLE_NAMES, Settings, Speculative};
use crate::techniques;
use eval::EvalTerms;
use kernel::exchange::{BatchSettings, NetworkSettings};
use kernel::sched::VirtualSettings;
use kernel::sched::virtual_time::MOST_WORKERS;
use opponent::human_like::Character;
use search::SearchPoolSettings;
use std::path::PathBuf;
use std::time::Duration;

/// The largest table anyone may ask for, in megabytes: 32 TiB, as other engines allow.
const MAX_HASH: i64 = 33_554_432;
const MAX_THREADS: i64 = 1024;
const SPLIT_DEPTH: i64 = SearchPoolSettings::SPLIT.min_depth as i64;
const SPLIT_OPEN_DEPTH: i64 = SearchPoolSettings::SPLIT.open_depth as i64;
const SPLIT_AFTER_CUT: i64 = SearchPoolSettings::SPLIT.after_cut as i64;
const TEAM_SIZE: i64 = SearchPoolSettings::TEAM_SIZE as i64;
const EXCHANGE_DEPTH: i64 = BatchSettings::DEFAULT.least_depth as i64;
const EXCHANGE_INTERVAL: i64 = BatchSettings::DEFAULT.interval.as_micros() as i64;
const LATENCY: i64 = NetworkSettings::DEFAULT.latency.as_micros() as i64;
const BANDWIDTH: i64 = NetworkSettings::DEFAULT.bandwidth as i64 / MEGABYTE;
/// As networks count it.
const MEGABYTE: i64 = 1_000_000;
const QUANTUM: i64 = VirtualSettings::DEFAULT.quantum as i64;

/// A number: what it sets, then what that needs.
macro_rules! spin {
    ($name:literal, $default:expr, $range:expr, $about:literal, $set:expr, $effect:expr) => {
        OptionSpec {
            name: $name,
            kind: OptionKind::Spin { default: $default, min: *$range.start(), max: *$range.end() },
            about: $about,
            apply: |settings, value| {
                if let Value::Spin(number) = value {
                    let set: fn(&mut Settings, i64) = $set;
                    set(settings, number);
                }
                Ok($effect)
            },
        }
    };
}

macro_rules! check {
    ($name:literal, $default:literal, $about:literal, $set:expr, $effect:expr) => {
        OptionSpec {
            name: $name,
            kind: OptionKind::Check { default: $default },
            about: $about,
            apply: |settings, value| {
                if let Value::Check(on) = value {
                    let set: fn(&mut Settings, bool) = $set;
                    set(settings, on);
                }
                Ok($effect)
            },
        }
    };
}

macro_rules! text {
    ($name:literal, $default:expr, $about:literal, $apply:expr) => {
        OptionSpec {
            name: $name,
            kind: OptionKind::Text { default: $default },
            about: $about,
            apply: |settings, value| {
                let Value::Text(text) = value else { return Ok(Effect::None) };
                let apply: fn(&mut Settings, &str) -> Result<Effect, OptionError> = $apply;
                apply(settings, text)
            },
        }
    };
}

macro_rules! choice {
    ($name:literal, $default:expr, $values:expr, $aliases:expr, $about:literal, $apply:expr) => {
        OptionSpec {
            name: $name,
            kind: OptionKind::Choice { default: $default, values: $values, aliases: $aliases },
            about: $about,
            apply: |settings, value| {
                let Value::Text(word) = value else { return Ok(Effect::None) };
                let apply: fn(&mut Settings, &str) -> Result<Effect, OptionError> = $apply;
                apply(settings, word)
            },
        }
    };
}

pub(super) static TABLE: &[OptionSpec] = &[
    spin!(
        "Hash",
        16,
        (1..=MAX_HASH),
        "size of the transposition table in megabytes",
        |settings, n| settings.hash_megabytes = n as usize,
        Effect::ResizeTable
    ),
    spin!(
        "Threads",
        1,
        (1..=MAX_THREADS),
        "threads that search together",
        |settings, n| settings.threads = n as usize,
        Effect::ConfigureThreads
    ),
    choice!(
        "Parallel",
        PARALLEL_NAMES[0],
        &PARALLEL_NAMES,
        &[],
        "how threads share the work: lazy, ybwc (Young Brothers Wait), abdada or teams (several of ybwc)",
        |settings, word| {
            // The word has been checked against the list.
            settings.pool.parallel = word.parse().unwrap_or_default();
            Ok(Effect::ConfigureThreads)
        }
    ),
    check!(
        "PinThreads",
        false,
        "keep each thread on a core of its own; only for a machine that does nothing else",
        |settings, on| settings.pool.pinned = on,
        Effect::ConfigureThreads
    ),
    spin!(
        "SplitDepth",
        SPLIT_DEPTH,
        (1..=64),
        "least depth at which ybwc shares a node",
        |settings, n| settings.pool.split.min_depth = n as i32,
        Effect::ConfigureThreads
    ),
    spin!(
        "SplitOpenDepth",
        SPLIT_OPEN_DEPTH,
        (1..=64),
        "from this depth on ybwc shares a node with any thread, below only with one that waits",
        |settings, n| settings.pool.split.open_depth = n as i32,
        Effect::ConfigureThreads
    ),
    spin!(
        "SplitAfterCut",
        SPLIT_AFTER_CUT,
        (1..=4),
        "moves searched before ybwc shares a node where a cutoff is expected",
        |settings, n| settings.pool.split.after_cut = n as usize,
        Effect::ConfigureThreads
    ),
    spin!(
        "TeamSize",
        TEAM_SIZE,
        (1..=256),
        "most threads in one team when Parallel is teams",
        |settings, n| settings.pool.team_size = n as usize,
        Effect::ConfigureThreads
    ),
    spin!(
        "VirtualThreads",
        0,
        (0..=MOST_WORKERS as i64),
        "workers in virtual time, reproducibly, on one core; 0 for real threads",
        |settings, n| settings.virtual_threads = n as usize,
        Effect::ConfigureThreads
    ),
    spin!(
        "VirtualQuantum",
        QUANTUM,
        (1..=65_536),
        "nodes a virtual worker searches in one turn, about",
        |settings, n| settings.virtual_time.quantum = n as u64,
        Effect::ConfigureThreads
    ),
    spin!(
        "VirtualSeed",
        1,
        (0..=0x7fff_ffff),
        "decides the order of turns in virtual time",
        |settings, n| settings.virtual_time.seed = n as u64,
        Effect::ConfigureThreads
    ),
    spin!(
        "VirtualRanks",
        1,
        (1..=256),
        "ranks of a virtual cluster that VirtualThreads are divided into, each with a table of Hash megabytes",
        |settings, n| settings.pool.virtual_ranks = n as usize,
        Effect::ConfigureThreads
    ),
    spin!(
        "VirtualLatency",
        LATENCY,
        (0..=1_000_000),
        "microseconds that a message between virtual ranks takes",
        |settings, n| settings.pool.network.latency = Duration::from_micros(n as u64),
        Effect::ConfigureThreads
    ),
    spin!(
        "VirtualBandwidth",
        BANDWIDTH,
        (0..=1_000_000),
        "megabytes a second that a virtual rank can send; 0 for no limit",
        |settings, n| settings.pool.network.bandwidth = (n * MEGABYTE) as u64,
        Effect::ConfigureThreads
    ),
    spin!(
        "ExchangeDepth",
        EXCHANGE_DEPTH,
        (1..=64),
        "least depth of the table entries that ranks send each other",
        |settings, n| settings.pool.batch.least_depth = n as i32,
        Effect::ConfigureThreads
    ),
    spin!(
        "ExchangeInterval",
        EXCHANGE_INTERVAL,
        (10..=1_000_000),
        "microseconds between two batches of table entries that a rank sends",
        |settings, n| settings.pool.batch.interval = Duration::from_micros(n as u64),
        Effect::ConfigureThreads
    ),
    OptionSpec {
        name: "Clear Hash",
        kind: OptionKind::Button,
        about: "clear the transposition table",
        apply: |_, _| Ok(Effect::ClearTable),
    },
    check!(
        "Ponder",
        false,
        "the program may let the engine think on the opponent's time",
        |settings, on| settings.ponder = on,
        Effect::None
    ),
    spin!(
        "MultiPV",
        1,
        (1..=256),
        "best lines to report",
        |settings, n| settings.lines = n as usize,
        Effect::None
    ),
    spin!(
        "Move Overhead",
        10,
        (0..=5000),
        "milliseconds lost on each move outside the engine",
        |settings, n| settings.move_overhead = Duration::from_millis(n as u64),
        Effect::None
    ),
    spin!(
        "nodestime",
        0,
        (0..=10_000),
        "nodes counted as a millisecond, 0 for real time",
        |settings, n| settings.nodes_time = n as u64,
        Effect::None
    ),
    check!(
        "UCI_Chess960",
        false,
        "castling moves are written king takes rook",
        |settings, on| settings.chess960 = on,
        Effect::None
    ),
    check!(
        "UCI_LimitStrength",
        false,
        "play at the strength of UCI_Elo",
        |settings, on| settings.limit_strength = on,
        Effect::None
    ),
    spin!(
        "UCI_Elo",
        DEFAULT_ELO as i64,
        (*ELO_RANGE.start() as i64..=*ELO_RANGE.end() as i64),
        "level to play at when UCI_LimitStrength is on: like people of that rating",
        |settings, n| settings.elo = n as u16,
        Effect::None
    ),
    check!(
        "UCI_ShowWDL",
        false,
        "chances of win, draw and loss beside each score, in permille",
        |settings, on| settings.show_wdl = on,
        Effect::None
    ),
    text!(
        "UCI_Opponent",
        "",
        "who plays against the engine: title, rating, computer or human, name",
        |settings, text| {
            settings.opponent =
                Opponent::parse(text).map_err(|reason| OptionError::failed("UCI_Opponent", reason))?;
            Ok(Effect::ForgetOpponent)
        }
    ),
    text!("UCI_EngineAbout", ABOUT, "who made this engine; read-only", |_, _| {
        Err(OptionError::failed("UCI_EngineAbout", "read-only"))
    }),
    spin!(
        "Contempt",
        0,
        (-100..=100),
        "how much worse than nothing a draw is for the engine, in centipawns",
        |settings, n| settings.contempt = n as i32,
        Effect::PeersToo
    ),
    spin!(
        "RandomSeed",
        0,
        (0..=0x7fff_ffff),
        "what is drawn (moves when limited, book moves) repeats with the same seed; 0 draws anew every time",
        |settings, n| settings.random_seed = n as u64,
        Effect::Reseed
    ),
    check!(
        "ThinkingTime",
        true,
        "when limited, take about as long as a person would",
        |settings, on| settings.thinking_time = on,
        Effect::None
    ),
    choice!(
        "Style",
        STYLE_NAMES[0],
        STYLE_NAMES,
        &[],
        "when limited, an opponent with a taste at the same level: favourite openings and kinds of moves",
        |settings, word| {
            settings.character = Character::named(word);
            Ok(Effect::None)
        }
    ),
    spin!(
        "SparringScore",
        0,
        (0..=95),
        "when limited, the points in a hundred you should score: the level follows you; 0 keeps UCI_Elo",
        |settings, n| settings.sparring_score = n as u8,
        Effect::ForgetOpponent
    ),
    spin!(
        "OpponentElo",
        0,
        (0..=4000),
        "the opponent's rating; 0 estimates it from their moves",
        |settings, n| settings.opponent_elo = n as u16,
        Effect::ForgetOpponent
    ),
    choice!(
        "Speculative",
        Speculative::NAMES[0],
        Speculative::NAMES,
        Speculative::ALIASES,
        "play on the opponent's mistakes: bounded risks little, expectimax more",
        |settings, word| {
            settings.speculative = Speculative::named(word).unwrap_or(settings.speculative);
            Ok(Effect::None)
        }
    ),
    spin!(
        "RiskBudget",
        150,
        (0..=1000),
        "thousandths of a point that Speculative=bounded may give away in a game",
        |settings, n| settings.risk_budget = n as u16,
        Effect::None
    ),
    spin!(
        "ModelDistrust",
        20,
        (0..=100),
        "share of the decision that stays with normal search, in percent; 100 is normal search",
        |settings, n| settings.model_distrust = n as u8,
        Effect::None
    ),
    text!(
        "HumanWeights",
        "",
        "a reply network of your own; empty is the one that came with the program",
        |settings, path| {
            settings.human_weights = file(path);
            Ok(Effect::LoadReplyNetwork)
        }
    ),
    check!(
        "UCI_AnalyseMode",
        false,
        "the program analyses: no book moves",
        |settings, on| settings.analyse_mode = on,
        Effect::None
    ),
    check!("OwnBook", false, "play from BookFile", |settings, on| settings.own_book = on, Effect::None),
    text!("BookFile", "", "an opening book in PolyGlot format", |settings, path| {
        settings.book_file = file(path);
        Ok(Effect::OpenBook)
    }),
    text!("SyzygyPath", "", "folders of Syzygy end-game tables", |settings, path| {
        settings.syzygy_path = path.to_string();
        Ok(Effect::OpenTablebases)
    }),
    spin!(
        "SyzygyProbeDepth",
        1,
        (1..=100),
        "least depth at which the largest tables are probed",
        |settings, n| settings.tablebases.probe_depth = n as i32,
        Effect::ConfigureTablebases
    ),
    check!(
        "Syzygy50MoveRule",
        true,
        "a table's win that takes more than fifty moves is a draw",
        |settings, on| settings.tablebases.fifty_move_rule = on,
        Effect::ConfigureTablebases
    ),
    spin!(
        "SyzygyProbeLimit",
        7,
        (0..=7),
        "most pieces on the board for which tables are probed",
        |settings, n| settings.tablebases.probe_limit = n as u32,
        Effect::ConfigureTablebases
    ),
    choice!(
        "Evaluation",
        evaluation::NETWORK,
        evaluation::NAMES,
        &[],
        "network (NNUE), or hce, the hand-crafted evaluation",
        |settings, word| {
            settings.network = evaluation::named(word, settings.network.as_ref())?;
            Ok(Effect::SetEvaluation)
        }
    ),
    text!(
        "EvalFile",
        "",
        "a network to evaluate with from now on; empty for the one embedded in this build",
        |settings, path| {
            settings.network = evaluation::load(path, settings.network.as_ref())?;
            Ok(Effect::SetEvaluation)
        }
    ),
    text!(
        "EvalTerms",
        "",
        "for study: the terms of the hand-crafted evaluation that count, as in 'material+mobility'",
        |settings, text| {
            let terms = if text.is_empty() { Ok(EvalTerms::ALL) } else { text.parse() };
            settings.terms =
                terms.map_err(|error: eval::hce::UnknownTerm| OptionError::failed("EvalTerms", error))?;
            // Terms belong to the hand-crafted evaluation: to name some is to ask for it.
            if !text.is_empty() {
                settings.network = None;
            }
            Ok(Effect::SetEvaluation)
        }
    ),
    text!(
        "Techniques",
        "",
        "for study: a variant's name, or techniques to switch off, as in 'all,-null-move'",
        |settings, text| {
            let parse =
                |text| techniques::parse(text).map_err(|reason| OptionError::failed("Techniques", reason));
            settings.techniques = if text.is_empty() { None } else { Some(parse(text)?) };
            Ok(Effect::RebuildPool)
        }
    ),
];

fn file(path: &str) -> Option<PathBuf> {
    (!path.is_empty()).then(|| PathBuf::from(path))
}

/// What UCI_EngineAbout answers.
const ABOUT: &str = concat!(
    "Tabiya ",
    env!("CARGO_PKG_VERSION"),
    " by the Tabiya team, free software under GPL-3.0-or-later"
);
