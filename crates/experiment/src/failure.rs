//! Why a command of the laboratory did not do what it was asked.

use crate::store::StoreError;

/// A reason, in the words shown to the user.
#[derive(Debug)]
pub enum Failure {
    /// The command line makes no sense; exit code 2.
    Usage(String),
    /// The command made sense and failed; exit code 1.
    Failed(String),
}

impl From<String> for Failure {
    fn from(reason: String) -> Self {
        Self::Failed(reason)
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Failed(error.to_string())
    }
}

impl From<lexopt::Error> for Failure {
    fn from(error: lexopt::Error) -> Self {
        Self::Usage(error.to_string())
    }
}
