//! Reports: one HTML file that explains itself, prints well, and needs neither script nor network.
//!
//! Data first, pictures from data: everything here is made from a store, so a report can be redrawn at any time.

mod ablation;
mod gauntlet;
pub mod html;
mod ladder;
pub mod laser;
pub mod people;
pub mod plots;
pub mod profile;
mod scaling;
pub mod spsa;
pub mod study;
pub mod svg;
pub mod tournament;
pub mod words;
