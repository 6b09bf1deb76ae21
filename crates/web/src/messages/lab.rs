//! Experiments that the page starts.

use serde::{Deserialize, Serialize};

/// A ready-made study.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LabStudy {
    pub name: String,
    pub kind: String,
    pub about: String,
    /// Estimates, in words.
    pub time: String,
    pub quick_time: String,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct LabPlayer {
    /// An engine that the operator allows, by its name; `None` is the own one.
    pub engine: Option<String>,
    /// A rating that the own engine plays at; `None` is full strength.
    pub level: Option<u16>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum LabStart {
    Study { name: String, quick: bool },
    Match { first: LabPlayer, second: LabPlayer, games: u32, nodes: u32 },
}
