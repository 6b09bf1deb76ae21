//! Holds ARCHITECTURE.md to the sources. Each check reads a table of that file or states a rule of it; a table that
//! says more or less than the sources is a failure, so the document cannot go stale.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test that cannot go on should stop

mod clock;
mod dependencies;
mod document;
mod glossary;
mod imports;
mod language;
mod lexer;
mod links;
mod literals;
mod names;
mod output;
mod protocol_words;
mod results;
mod retired_words;
mod sources;
mod unsafe_code;
