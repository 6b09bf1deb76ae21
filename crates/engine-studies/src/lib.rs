//! Studies of the search itself: suites, times to a depth, techniques taken away, profiles, and Leiserchess versions.
//!
//! They need the inside of the kernel and of the searches; experiments that only play games are in `lab`.

pub mod calibrate;
pub mod laser;
pub mod lines;
pub mod profile;
pub mod study;
