//! Files in memory, where the program has no disk. Whoever keeps them for the next time hears of every change.

use crate::files::Files;
use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

/// The name of a file, and its text or `None` when it is deleted.
pub type OnChange = dyn Fn(&str, Option<&[u8]>) + Send + Sync;

/// Names, each with the text and the time it was saved.
type SavedFiles = BTreeMap<String, (Vec<u8>, f64)>;

/// All files of a page. Clones are the same files.
#[derive(Clone)]
pub struct MemoryFiles {
    files: Arc<Mutex<SavedFiles>>,
    on_change: Arc<OnChange>,
    /// The folder: names in it do not have it.
    prefix: String,
}

fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64()
}

impl MemoryFiles {
    pub fn new(on_change: impl Fn(&str, Option<&[u8]>) + Send + Sync + 'static) -> MemoryFiles {
        MemoryFiles { files: Arc::default(), on_change: Arc::new(on_change), prefix: String::new() }
    }

    /// The files of a folder.
    pub fn folder(&self, name: &str) -> MemoryFiles {
        MemoryFiles { prefix: format!("{}{name}/", self.prefix), ..self.clone() }
    }

    /// Puts back a file of an earlier visit; nobody is told.
    pub fn restore(&self, name: &str, text: Vec<u8>, saved: f64) {
        self.lock().insert(name.to_string(), (text, saved));
    }

    fn lock(&self) -> MutexGuard<'_, SavedFiles> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn path(&self, name: &str) -> String {
        format!("{}{name}", self.prefix)
    }

    fn look<T>(&self, name: &str, look: impl FnOnce(&(Vec<u8>, f64)) -> T) -> io::Result<T> {
        self.lock().get(&self.path(name)).map(look).ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

impl Files for MemoryFiles {
    fn names(&self) -> io::Result<Vec<String>> {
        Ok(self
            .lock()
            .keys()
            .filter_map(|path| path.strip_prefix(&self.prefix))
            .map(str::to_string)
            .collect())
    }

    fn read(&self, name: &str) -> io::Result<Vec<u8>> {
        self.look(name, |(text, _)| text.clone())
    }

    fn write(&self, name: &str, text: &[u8]) -> io::Result<()> {
        let path = self.path(name);
        self.lock().insert(path.clone(), (text.to_vec(), now()));
        (self.on_change)(&path, Some(text));
        Ok(())
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        let path = self.path(name);
        self.lock().remove(&path).ok_or(io::ErrorKind::NotFound)?;
        (self.on_change)(&path, None);
        Ok(())
    }

    fn saved(&self, name: &str) -> io::Result<f64> {
        self.look(name, |(_, saved)| *saved)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_told_and_folders_are_apart() {
        let told = Arc::new(Mutex::new(Vec::new()));
        let listening = Arc::clone(&told);
        let files = MemoryFiles::new(move |name, text| {
            listening.lock().unwrap().push((name.to_string(), text.map(<[u8]>::to_vec)));
        });
        files.restore("studies/1.pgn", b"old".to_vec(), 5.0);
        let studies = files.folder("studies");
        assert_eq!(
            (studies.names().unwrap(), studies.saved("1.pgn").unwrap()),
            (vec!["1.pgn".to_string()], 5.0)
        );
        assert!(files.folder("games").names().unwrap().is_empty());
        studies.write("2.pgn", b"new").unwrap();
        studies.remove("1.pgn").unwrap();
        assert_eq!(studies.remove("1.pgn").unwrap_err().kind(), io::ErrorKind::NotFound);
        let expected =
            [("studies/2.pgn".to_string(), Some(b"new".to_vec())), ("studies/1.pgn".to_string(), None)];
        assert_eq!(*told.lock().unwrap(), expected);
    }
}
