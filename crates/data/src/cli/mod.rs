//! The commands `tabiya datagen` and `tabiya data`.

mod arguments;
mod data;
mod datagen;
mod failure;
mod network;

pub use data::data;
pub use datagen::datagen;
pub use failure::Failure;
