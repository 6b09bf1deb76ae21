//! A toy kind of experiment for the guide in `../README.md`: it flips coins. Only tests compile it.

pub mod kind;

#[cfg(test)]
mod tests;
