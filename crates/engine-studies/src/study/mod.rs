//! Searches of given positions: suites with solutions, times to a depth, techniques taken away. One kind of run with
//! three questions: every variant searches every position, as often as asked, and each search is one row.

pub mod ablation;
mod ablation_report;
pub mod analysis;
pub mod config;
pub mod kind;
mod klas_report;
pub mod positions;
pub mod report;
pub mod rows;
pub mod run;
mod scaling_report;
