//! A search as a row, and rows as numbers to work with.

use kernel::counters::Count;
use serde_json::{Map, Value, json};

use super::config::{Search, Study};
use super::positions::MateClaim;
use experiment::store::Row;
use match_runner::fault::Fault;
use match_runner::player::{Decision, SearchResult};
use protocol::client::info::ReportedScore;

/// One search, read back.
#[derive(Clone, Debug)]
pub struct Measured {
    pub series: String,
    pub threads: u32,
    pub position: String,
    pub milliseconds: f64,
    pub nodes: f64,
    pub depth: f64,
    pub best: String,
    pub solved: bool,
    pub points: f64,
    /// When the search had the solution for good.
    pub solved_ms: Option<f64>,
    /// What was claimed where a mate was asked for.
    pub mate: Option<MateClaim>,
    /// What went wrong instead.
    pub fault: Option<String>,
    /// Of the workers' time, without work; where our own engine searched with several.
    pub idle: Option<f64>,
    /// Of the nodes, searched by guests at nodes that were decided meanwhile.
    pub wasted: Option<f64>,
    /// The Good Move Index at each distance from the root, where our own engine recorded it.
    pub good_move_index: Vec<Option<f64>>,
    /// Table hits there: exact scores, lower and upper bounds.
    pub hits: Vec<[f64; 3]>,
    /// Depth of each finished iteration, and how many thousandths of the table were in use after it.
    pub table_used: Vec<(u32, f64)>,
}

/// The row of a search that ended.
pub fn row(study: &Study, search: &Search, result: &SearchResult) -> Row {
    let task = &study.tasks[search.task];
    let mut data = head(study, search);
    let best = match &result.decision {
        Decision::Move(text) => text.as_str(),
        Decision::Resign => "resigns",
    };
    let mv = task.position.parse_uci(best).ok();
    let info = &result.info;
    let deepest = result.iterations.last();
    let mut put = |name: &str, value: Value| {
        data.insert(name.to_owned(), value);
    };
    put("best", json!(best));
    put("ms", json!(result.used.as_secs_f64() * 1000.0));
    // When the last depth was finished: what a time to depth means when workers are still busy.
    put("depth_ms", json!(deepest.map_or(result.used, |iteration| iteration.at).as_secs_f64() * 1000.0));
    put("nodes", json!(info.nodes));
    put("depth", json!(info.depth));
    put(
        "score",
        json!(info.score.map(|score| match score {
            ReportedScore::Centipawns(centipawns) => centipawns.to_string(),
            ReportedScore::Mate(moves) => format!("M{moves}"),
        })),
    );
    if let Some(progress) = result.progress.filter(|progress| progress.workers > 1) {
        let count = |count: Count| progress.counters[count] as f64;
        put("idle", json!(progress.idle()));
        put("wasted", json!(count(Count::WastedNodes) / count(Count::Nodes).max(1.0)));
        for name in [Count::SplitPoints, Count::Joins, Count::Aborts, Count::Waits, Count::Deferrals] {
            put(name.name(), json!(progress.counters[name]));
        }
    }
    if let Some(ply_statistics) = &result.ply_statistics {
        let rows = || ply_statistics.rows.iter().take(info.depth.unwrap_or(0) as usize + 1);
        put("gmi", json!(rows().map(engine::PlyCounts::good_move_index).collect::<Vec<_>>()));
        put("hits", json!(rows().map(|row| row.hits).collect::<Vec<_>>()));
        let used = result.iterations.iter().map(|iteration| (iteration.depth, iteration.table_used));
        put("table_used", json!(used.collect::<Vec<_>>()));
    }
    if task.expected.is_question() {
        let solved = task.expected.is_solved(mv, info.score);
        let since = task.solved_since(&result.iterations).filter(|_| solved);
        put("solved", json!(solved));
        put("points", json!(task.expected.points(mv, solved)));
        let time = since.map(|iteration| iteration.at.as_secs_f64() * 1000.0);
        // A solution played without ever being announced was found at the end.
        let late = solved.then_some(result.used.as_secs_f64() * 1000.0);
        put("solved_ms", json!(time.or(late)));
        put("solved_depth", json!(since.map(|iteration| iteration.depth)));
        put("mate", json!(task.expected.mate_claim(info.score).map(MateClaim::as_str)));
    }
    Row { task: study.key(search), data }
}

/// The row of a search that failed: it counts as unsolved, and the reason is kept.
pub fn failed_row(study: &Study, search: &Search, fault: &Fault) -> Row {
    let mut data = head(study, search);
    data.insert("fault".to_owned(), json!(fault.to_string()));
    Row { task: study.key(search), data }
}

fn head(study: &Study, search: &Search) -> Map<String, Value> {
    let variant = &study.variants[search.variant];
    let task = &study.tasks[search.task];
    Map::from_iter([
        ("series".to_owned(), json!(variant.series)),
        ("threads".to_owned(), json!(variant.threads)),
        ("position".to_owned(), json!(task.id)),
        ("fen".to_owned(), json!(task.position.to_fen())),
        ("repetition".to_owned(), json!(search.repetition + 1)),
    ])
}

fn list<'a>(row: &'a Row, name: &str) -> impl Iterator<Item = &'a Value> {
    row.data.get(name).and_then(Value::as_array).into_iter().flatten()
}

fn three(value: &Value) -> [f64; 3] {
    [0, 1, 2].map(|place| value.get(place).and_then(Value::as_f64).unwrap_or(0.0))
}

fn pair(value: &Value) -> Option<(u32, f64)> {
    Some((value.get(0)?.as_u64()? as u32, value.get(1)?.as_f64()?))
}

impl Measured {
    /// Reads a row; `None` for one that is not of a study.
    pub fn read(row: &Row) -> Option<Self> {
        Some(Self {
            series: row.text("series")?.to_owned(),
            threads: row.number("threads")? as u32,
            position: row.text("position")?.to_owned(),
            milliseconds: row.number("depth_ms").unwrap_or(f64::NAN),
            nodes: row.number("nodes").unwrap_or(f64::NAN),
            depth: row.number("depth").unwrap_or(f64::NAN),
            best: row.text("best").unwrap_or("").to_owned(),
            solved: row.data.get("solved").and_then(Value::as_bool).unwrap_or(false),
            points: row.number("points").unwrap_or(0.0),
            solved_ms: row.number("solved_ms"),
            mate: row.text("mate").and_then(MateClaim::parse),
            fault: row.text("fault").map(str::to_owned),
            idle: row.number("idle"),
            wasted: row.number("wasted").or_else(|| row.number("vain")),
            good_move_index: list(row, "gmi").map(Value::as_f64).collect(),
            hits: list(row, "hits").map(three).collect(),
            table_used: list(row, "table_used").filter_map(pair).collect(),
        })
    }
}
