//! Engines of the operator's list.

use std::path::PathBuf;

/// A UCI engine that the operator allows the page to use, by its name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AllowedEngine {
    pub name: String,
    pub path: PathBuf,
}
