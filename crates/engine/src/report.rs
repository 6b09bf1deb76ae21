//! What a search reports. The values are owned, because listeners live on other threads.

use crate::fault::Fault;
use chess::Move;
use kernel::{Bound, Event, Score};
use std::time::Duration;

pub type Listener = dyn FnMut(Report) + Send;

#[derive(Clone, PartialEq, Debug)]
pub enum Report {
    Information(Information),
    /// A message to the user.
    Remark(String),
    /// The end of a search: the best move, and the reply to ponder on.
    Best {
        best: Option<Move>,
        ponder: Option<Move>,
    },
}

#[derive(Clone, PartialEq, Debug)]
pub struct Information {
    pub depth: u32,
    pub selective_depth: u32,
    /// Which of several lines, from 1.
    pub rank: u32,
    pub score: Score,
    pub bound: Bound,
    /// The score is the result of perfect play: a mate, a table base's result, or a dead draw.
    pub is_result: bool,
    pub nodes: u64,
    pub time: Duration,
    pub permille_used: u32,
    pub table_base_hits: u64,
    pub line: Vec<Move>,
}

impl Information {
    pub fn nodes_per_second(&self) -> u64 {
        (self.nodes as f64 / self.time.as_secs_f64().max(1e-6)) as u64
    }
}

impl From<Event<'_, Move>> for Report {
    fn from(event: Event<'_, Move>) -> Report {
        match event {
            Event::Info(info) => Report::Information(Information {
                depth: info.depth.plies().max(0) as u32,
                selective_depth: info.selective_depth as u32,
                rank: info.rank as u32,
                score: info.score,
                bound: info.bound,
                is_result: info.is_result,
                nodes: info.nodes,
                time: info.time,
                permille_used: info.permille_used,
                table_base_hits: info.table_base_hits,
                line: info.line.iter().collect(),
            }),
            Event::Failed => Report::Remark(Fault::worker().to_string()),
            Event::Best { best, ponder } => Report::Best { best, ponder },
        }
    }
}
