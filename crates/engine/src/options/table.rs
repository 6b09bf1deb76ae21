//! The options, declared once: a name, a kind with its range, what it is for, and what setting it does.

use super::{OptionError, OptionKind, OptionSpec, Value};
use crate::opponent::Opponent;
use crate::settings::Settings;
use crate::{Engine, evaluation, manner, parallel, techniques};
use chess::polyglot::Book;
use eval::EvalTerms;
use kernel::sched::VirtualSettings;
use kernel::sched::virtual_time::MOST_WORKERS;
use search::{SearchPoolSettings, Tablebases};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// The largest table anyone may ask for, in megabytes: 32 TiB, as other engines allow.
const MAX_HASH: i64 = 33_554_432;
const MAX_THREADS: i64 = 1024;
const SPLIT_DEPTH: i64 = SearchPoolSettings::SPLIT.min_depth as i64;
const SPLIT_OPEN_DEPTH: i64 = SearchPoolSettings::SPLIT.open_depth as i64;
const SPLIT_AFTER_CUT: i64 = SearchPoolSettings::SPLIT.after_cut as i64;
const TEAM_SIZE: i64 = SearchPoolSettings::TEAM_SIZE as i64;
const QUANTUM: i64 = VirtualSettings::DEFAULT.quantum as i64;

macro_rules! spin {
    ($name:literal, $default:expr, $min:expr, $max:expr, $about:literal, $apply:expr) => {
        OptionSpec {
            name: $name,
            kind: OptionKind::Spin { default: $default, min: $min, max: $max },
            about: $about,
            apply: |engine, value| {
                let Value::Spin(number) = value else { return Ok(()) };
                $apply(engine, number)
            },
        }
    };
}

macro_rules! check {
    ($name:literal, $default:literal, $about:literal, $field:ident) => {
        OptionSpec {
            name: $name,
            kind: OptionKind::Check { default: $default },
            about: $about,
            apply: |engine, value| {
                if let Value::Check(on) = value {
                    engine.settings.$field = on;
                }
                Ok(())
            },
        }
    };
}

pub(super) static TABLE: &[OptionSpec] = &[
    spin!(
        "Hash",
        16,
        1,
        MAX_HASH,
        "size of the transposition table in megabytes",
        |engine: &mut Engine, n| {
            let settings = Settings { hash_megabytes: n as usize, ..engine.settings.clone() };
            engine.rebuild(settings)
        }
    ),
    spin!("Threads", 1, 1, MAX_THREADS, "threads that search together", |engine: &mut Engine, n| {
        parallel::change(engine, |settings| settings.threads = n as usize)
    }),
    OptionSpec {
        name: "Parallel",
        kind: OptionKind::Choice { default: parallel::WAYS[0], values: &parallel::WAYS },
        about: "how threads share the work: lazy, ybwc (Young Brothers Wait), abdada or teams (several of ybwc)",
        apply: |engine, value| {
            let Value::Text(word) = value else { return Ok(()) };
            // The word has been checked against the list.
            let way = word.parse().unwrap_or_default();
            parallel::change(engine, |settings| settings.pool.parallel = way)
        },
    },
    OptionSpec {
        name: "PinThreads",
        kind: OptionKind::Check { default: false },
        about: "keep each thread on a core of its own; only for a machine that does nothing else",
        apply: |engine, value| {
            let Value::Check(on) = value else { return Ok(()) };
            parallel::change(engine, |settings| settings.pool.pinned = on)
        },
    },
    spin!(
        "SplitDepth",
        SPLIT_DEPTH,
        1,
        64,
        "least depth at which ybwc shares a node",
        |engine: &mut Engine, n| {
            parallel::change(engine, |settings| settings.pool.split.min_depth = n as i32)
        }
    ),
    spin!(
        "SplitOpenDepth",
        SPLIT_OPEN_DEPTH,
        1,
        64,
        "from this depth on ybwc opens a node to whoever comes, below only while somebody waits",
        |engine: &mut Engine, n| {
            parallel::change(engine, |settings| settings.pool.split.open_depth = n as i32)
        }
    ),
    spin!(
        "SplitAfterCut",
        SPLIT_AFTER_CUT,
        1,
        4,
        "moves searched before ybwc shares a node where a cutoff is expected",
        |engine: &mut Engine, n| {
            parallel::change(engine, |settings| settings.pool.split.after_cut = n as usize)
        }
    ),
    spin!(
        "TeamSize",
        TEAM_SIZE,
        1,
        256,
        "most threads in one team when Parallel is teams",
        |engine: &mut Engine, n| {
            parallel::change(engine, |settings| settings.pool.team_size = n as usize)
        }
    ),
    spin!(
        "VirtualThreads",
        0,
        0,
        MOST_WORKERS as i64,
        "workers in virtual time, reproducibly, on one core; 0 for real threads",
        |engine: &mut Engine, n| {
            parallel::change(engine, |settings| settings.virtual_threads = n as usize)
        }
    ),
    spin!(
        "VirtualQuantum",
        QUANTUM,
        1,
        65_536,
        "nodes a virtual worker searches in one turn, about",
        |engine: &mut Engine, n| {
            parallel::change(engine, |settings| settings.virtual_time.quantum = n as u64)
        }
    ),
    spin!(
        "VirtualSeed",
        1,
        0,
        0x7fff_ffff,
        "decides the order of turns in virtual time",
        |engine: &mut Engine, n| {
            parallel::change(engine, |settings| settings.virtual_time.seed = n as u64)
        }
    ),
    OptionSpec {
        name: "Clear Hash",
        kind: OptionKind::Button,
        about: "forget the transposition table",
        apply: |engine, _| {
            engine.clear_table();
            Ok(())
        },
    },
    check!("Ponder", false, "the program may let the engine think on the opponent's time", ponder),
    spin!("MultiPV", 1, 1, 256, "best lines to report", |engine: &mut Engine, n| {
        engine.settings.lines = n as usize;
        Ok(())
    }),
    spin!(
        "Move Overhead",
        10,
        0,
        5000,
        "milliseconds lost on each move outside the engine",
        |engine: &mut Engine, n| {
            engine.settings.move_overhead = Duration::from_millis(n as u64);
            Ok(())
        }
    ),
    spin!(
        "nodestime",
        0,
        0,
        10_000,
        "nodes counted as a millisecond, 0 for real time",
        |engine: &mut Engine, n| {
            engine.settings.nodes_time = n as u64;
            Ok(())
        }
    ),
    check!("UCI_Chess960", false, "castling moves are written king takes rook", chess960),
    check!("UCI_LimitStrength", false, "play at the strength of UCI_Elo", limit_strength),
    spin!(
        "UCI_Elo",
        manner::DEFAULT_LEVEL as i64,
        manner::LEVELS.0 as i64,
        manner::LEVELS.1 as i64,
        "level to play at when UCI_LimitStrength is on: like people of that rating",
        |engine: &mut Engine, n| {
            engine.settings.elo = n as u16;
            Ok(())
        }
    ),
    check!("UCI_ShowWDL", false, "chances of win, draw and loss beside each score, in permille", show_wdl),
    OptionSpec {
        name: "UCI_Opponent",
        kind: OptionKind::Text { default: "" },
        about: "who plays against the engine: title, rating, computer or human, name",
        apply: |engine, value| {
            let Value::Text(text) = value else { return Ok(()) };
            engine.settings.opponent = Opponent::parse(text)
                .map_err(|reason| OptionError::Failed { name: "UCI_Opponent", reason })?;
            engine.manners.forget_opponent();
            Ok(())
        },
    },
    OptionSpec {
        name: "UCI_EngineAbout",
        kind: OptionKind::Text { default: ABOUT },
        about: "who made this engine; for reading only",
        apply: |_, _| {
            let reason = "for reading only; the engine stays what it is".to_string();
            Err(OptionError::Failed { name: "UCI_EngineAbout", reason })
        },
    },
    spin!(
        "Contempt",
        0,
        -100,
        100,
        "how much worse than nothing a draw is for the engine, in centipawns",
        |engine: &mut Engine, n| {
            engine.settings.contempt = n as i32;
            Ok(())
        }
    ),
    check!("ThinkingTime", true, "when limited, take about as long as a person would", thinking_time),
    spin!(
        "SparringScore",
        0,
        0,
        95,
        "when limited, the points in a hundred you should score: the level follows you; 0 keeps UCI_Elo",
        |engine: &mut Engine, n| {
            engine.settings.sparring_score = n as u8;
            engine.manners.forget_opponent();
            Ok(())
        }
    ),
    spin!(
        "OpponentElo",
        0,
        0,
        4000,
        "the opponent's rating; 0 reads it from their moves",
        |engine: &mut Engine, n| {
            engine.settings.opponent_elo = n as u16;
            engine.manners.forget_opponent();
            Ok(())
        }
    ),
    OptionSpec {
        name: "Speculative",
        kind: OptionKind::Choice { default: "off", values: manner::Speculative::NAMES },
        about: "play on the opponent's mistakes: bounded risks little, seed is the thesis's expectimax",
        apply: |engine, value| {
            if let Value::Text(name) = value
                && let Some(choice) = manner::Speculative::named(name)
            {
                engine.settings.speculative = choice;
            }
            Ok(())
        },
    },
    spin!(
        "RiskBudget",
        150,
        0,
        1000,
        "thousandths of a point that Speculative=bounded may give away in a game",
        |engine: &mut Engine, n| {
            engine.settings.risk_budget = n as u16;
            Ok(())
        }
    ),
    spin!(
        "ModelDistrust",
        20,
        0,
        100,
        "share of the decision that stays with plain search; 100 is plain search",
        |engine: &mut Engine, n| {
            engine.settings.model_distrust = n as u8;
            Ok(())
        }
    ),
    OptionSpec {
        name: "HumanWeights",
        kind: OptionKind::Text { default: "" },
        about: "a reply network of your own; empty is the one that came with the program",
        apply: |engine, value| {
            let Value::Text(path) = value else { return Ok(()) };
            engine.manners.load(path).map_err(|reason| OptionError::Failed { name: "HumanWeights", reason })
        },
    },
    check!("UCI_AnalyseMode", false, "the program analyses: no book moves", analyse_mode),
    check!("OwnBook", false, "play from BookFile", own_book),
    OptionSpec {
        name: "BookFile",
        kind: OptionKind::Text { default: "" },
        about: "an opening book in PolyGlot format",
        apply: |engine, value| {
            let Value::Text(path) = value else { return Ok(()) };
            if path.is_empty() {
                engine.book = None;
                engine.settings.book_file = None;
                return Ok(());
            }
            let book = Book::open(path).map_err(|error| OptionError::Failed {
                name: "BookFile",
                reason: format!("{path}: {error}"),
            })?;
            engine.book = Some(book);
            engine.settings.book_file = Some(PathBuf::from(path));
            Ok(())
        },
    },
    OptionSpec {
        name: "SyzygyPath",
        kind: OptionKind::Text { default: "" },
        about: "folders of Syzygy end-game tables",
        apply: |engine, value| {
            let Value::Text(path) = value else { return Ok(()) };
            engine.tablebases = if path.is_empty() { None } else { Some(Arc::new(open_tablebases(path)?)) };
            engine.settings.syzygy_path = path.to_string();
            engine.hand_over_tablebases();
            Ok(())
        },
    },
    spin!(
        "SyzygyProbeDepth",
        1,
        1,
        100,
        "least depth at which the largest tables are asked",
        |engine: &mut Engine, n| {
            engine.settings.tablebases.probe_depth = n as i32;
            engine.hand_over_tablebases();
            Ok(())
        }
    ),
    OptionSpec {
        name: "Syzygy50MoveRule",
        kind: OptionKind::Check { default: true },
        about: "a table's win that takes more than fifty moves is a draw",
        apply: |engine, value| {
            if let Value::Check(on) = value {
                engine.settings.tablebases.fifty_move_rule = on;
                engine.hand_over_tablebases();
            }
            Ok(())
        },
    },
    spin!(
        "SyzygyProbeLimit",
        7,
        0,
        7,
        "most pieces on the board for which tables are asked",
        |engine: &mut Engine, n| {
            engine.settings.tablebases.probe_limit = n as u32;
            engine.hand_over_tablebases();
            Ok(())
        }
    ),
    OptionSpec {
        name: "Evaluation",
        kind: OptionKind::Choice { default: evaluation::NETWORK, values: evaluation::NAMES },
        about: "network, trained on searches of its own; or hce, terms a person can name",
        apply: |engine, value| {
            let Value::Text(text) = value else { return Ok(()) };
            evaluation::choose(engine, text)
        },
    },
    OptionSpec {
        name: "EvalFile",
        kind: OptionKind::Text { default: "" },
        about: "a network to evaluate with from now on; empty for the one this build carries",
        apply: |engine, value| {
            let Value::Text(path) = value else { return Ok(()) };
            evaluation::load(engine, path)
        },
    },
    OptionSpec {
        name: "EvalTerms",
        kind: OptionKind::Text { default: "" },
        about: "for study: the terms of the hand-crafted evaluation that count, as in 'material+mobility'",
        apply: |engine, value| {
            let Value::Text(text) = value else { return Ok(()) };
            let terms = if text.is_empty() { Ok(EvalTerms::ALL) } else { text.parse() };
            let terms = terms.map_err(|error: eval::hce::UnknownTerm| OptionError::Failed {
                name: "EvalTerms",
                reason: error.to_string(),
            })?;
            // Terms are the hand-crafted evaluation's: to name some is to ask for it.
            let network = if text.is_empty() { engine.settings.network.clone() } else { None };
            let settings = Settings { terms, network, ..engine.settings.clone() };
            engine.rebuild(settings)
        },
    },
    OptionSpec {
        name: "Techniques",
        kind: OptionKind::Text { default: "" },
        about: "for study: a variant's name, or techniques to switch off, as in 'all,-null-move'",
        apply: |engine, value| {
            let Value::Text(text) = value else { return Ok(()) };
            let techniques = if text.is_empty() {
                None
            } else {
                Some(
                    techniques::parse(text)
                        .map_err(|problem| OptionError::Failed { name: "Techniques", reason: problem })?,
                )
            };
            let settings = Settings { techniques, ..engine.settings.clone() };
            engine.rebuild(settings)
        },
    },
];

/// What UCI_EngineAbout answers.
const ABOUT: &str = concat!(
    "Tabiya ",
    env!("CARGO_PKG_VERSION"),
    " by the Tabiya team, free software under GPL-3.0-or-later"
);

/// A path without a single table is a mistake worth telling.
fn open_tablebases(path: &str) -> Result<Tablebases, OptionError> {
    let failed = |reason| OptionError::Failed { name: "SyzygyPath", reason };
    let tables = Tablebases::open(path).map_err(|error| failed(error.to_string()))?;
    if tables.files() == 0 {
        return Err(failed(format!("{path}: no Syzygy table there")));
    }
    Ok(tables)
}
