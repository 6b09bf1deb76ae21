//! A flat folder of small files, named by the program: on the disk of a server, or kept by the page of a browser.

use std::io;

pub trait Files: Send + Sync {
    fn names(&self) -> io::Result<Vec<String>>;

    fn read(&self, name: &str) -> io::Result<Vec<u8>>;

    /// All of the new text or all of the old one, whatever happens in between.
    fn write(&self, name: &str, text: &[u8]) -> io::Result<()>;

    fn remove(&self, name: &str) -> io::Result<()>;

    /// When the file was written last, in seconds since 1970.
    fn saved(&self, name: &str) -> io::Result<f64>;
}
