//! The board without a server: the sessions of a page that is its own host. Messages in, messages out; storage, time and the
//! machine's limits come from the host.

use crate::archive_files::Archive;
use crate::library::Library;
use crate::limits::{self, Machine};
use crate::memory_files::MemoryFiles;
use crate::messages::{Command, Event, OwnFilter};
use crate::own_games;
use crate::problem::Problem;
use crate::puzzles::Puzzles;
use crate::session::{EventSink, TabSession};
use crate::session_input::SessionInput;
use crate::shared::{Shared, Stores};
use crate::studies::Studies;
use crate::turns::Turns;
use engine::Clock;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};

/// Engines are made on the thread of a session, and WebAssembly has no guard below a stack: one that is too small overwrites other
/// memory.
const STACK_BYTES: usize = 8 << 20;

/// Takes messages for the page, each a JSON text.
pub trait Outbox: Send + Sync {
    fn event(&self, json: &str);
}

struct Sink(Arc<dyn Outbox>);

impl EventSink for Sink {
    fn send(&self, event: Event) {
        if let Ok(text) = serde_json::to_string(&event) {
            self.0.event(&text);
        }
    }

    fn offer(&self, event: Event) {
        self.send(event);
    }
}

/// What a request of the page is answered with.
pub struct Answer {
    pub status: u16,
    pub body: String,
}

pub struct Host {
    shared: Arc<Shared>,
}

impl Host {
    /// `files` hold what was kept from earlier visits. `date` tells the date and time as ISO 8601.
    pub fn new(
        files: &MemoryFiles,
        date: fn() -> String,
        threads: u16,
        hash_megabytes: u32,
        clock: Arc<dyn Clock>,
    ) -> Host {
        let stores = Stores {
            archive: Archive::new(files.folder("games"), date),
            studies: Studies::new(files.folder("studies")),
            puzzles: Puzzles::new(Path::new("/")),
            library: Arc::new(Library::new(files.folder("own"))),
        };
        Host { shared: Arc::new(Shared::hosted(stores, Machine { threads, hash_megabytes }, clock)) }
    }

    /// Opens the session of the page on the only thread there is.
    pub fn open_in_turns(&self, outbox: Arc<dyn Outbox>) -> Turns {
        Turns::open(Arc::clone(&self.shared), Box::new(Sink(outbox)))
    }

    /// Opens the session of the page, on a thread of its own.
    pub fn open(&self, outbox: Arc<dyn Outbox>) -> Result<Tab, String> {
        let (inputs, received) = channel();
        let session = TabSession::new(Arc::clone(&self.shared), inputs.clone(), Box::new(Sink(outbox)));
        std::thread::Builder::new()
            .name("tab".to_string())
            .stack_size(STACK_BYTES)
            .spawn(move || session.run(&received))
            .map_err(|error| format!("the session cannot start: {error}"))?;
        Ok(Tab { inputs })
    }

    /// What the server answers on its addresses below `/api`.
    pub fn request(&self, method: &str, path: &str, revision: Option<u32>, body: &[u8]) -> Answer {
        let shared = &*self.shared;
        let parts: Vec<&str> = path.trim_start_matches("/api/").split('/').collect();
        let number = |text: &str| text.parse::<u32>().unwrap_or(u32::MAX);
        match (method, &parts[..]) {
            (_, ["pgn" | "studies" | "own", ..]) if body.len() > limits::UPLOAD => {
                let problem = Problem::new("The file is too large.", "Choose a smaller one.");
                answer::<()>(Err(problem))
            }
            ("POST", ["pgn"]) => answer(shared.collections.add(body)),
            ("GET", ["pgn", collection, index]) => {
                answer(shared.collections.open(number(collection), number(index) as usize, &shared.openings))
            }
            ("GET", ["studies"]) => answer(shared.studies.list()),
            ("POST", ["studies"]) => answer(shared.studies.add(body, &shared.openings)),
            ("GET", ["studies", id]) => answer(shared.studies.view(number(id), &shared.openings)),
            ("PUT", ["studies", id]) => answer(shared.studies.save(number(id), revision, body)),
            ("DELETE", ["studies", id]) => answer(shared.studies.delete(number(id))),
            ("GET", ["puzzles"]) => answer(shared.puzzles.list()),
            ("POST", ["own"]) => answer(shared.library.import(body, &shared.openings)),
            ("POST", ["own", "list"]) => with(body, |filter: OwnFilter| own_games::list(shared, &filter)),
            ("POST", ["own", "progress"]) => with(body, |filter: OwnFilter| shared.library.progress(&filter)),
            ("POST", ["own", "names"]) => with(body, |names: Vec<String>| shared.library.set_names(&names)),
            ("POST", ["own", "export"]) => match serde_json::from_slice::<OwnFilter>(body) {
                Ok(filter) => match shared.library.export(&filter) {
                    Ok(body) => Answer { status: 200, body },
                    Err(problem) => answer::<()>(Err(problem)),
                },
                Err(_) => answer::<()>(Err(unknown())),
            },
            ("GET", ["own", "review"]) => answer(Ok(shared.reviewer.status())),
            ("POST", ["own", "review"]) => answer(own_games::review(shared)),
            ("DELETE", ["own", "review"]) => answer(Ok(shared.reviewer.stop())),
            ("GET", ["own", "games", id]) => answer(shared.library.open_game(number(id), &shared.openings)),
            ("DELETE", ["own", "games", id]) => answer(shared.library.delete(number(id))),
            _ => Answer { status: 404, body: String::new() },
        }
    }
}

fn unknown() -> Problem {
    Problem::new("The page sent what this program does not know.", "Reload the page.")
}

/// For a request with a JSON body.
fn with<B: DeserializeOwned, T: Serialize>(
    body: &[u8],
    work: impl FnOnce(B) -> Result<T, Problem>,
) -> Answer {
    answer(serde_json::from_slice(body).map_err(|_| unknown()).and_then(work))
}

fn answer<T: Serialize>(result: Result<T, Problem>) -> Answer {
    match result {
        Ok(value) => Answer { status: 200, body: serde_json::to_string(&value).unwrap_or_default() },
        Err(problem) => {
            let body = serde_json::json!({ "what": problem.what, "next": problem.next }).to_string();
            Answer { status: 422, body }
        }
    }
}

/// The way into a session.
#[derive(Clone)]
pub struct Tab {
    inputs: Sender<SessionInput>,
}

impl Tab {
    /// Takes a command of the page as JSON; false when the session has ended.
    pub fn send(&self, json: &str) -> bool {
        let input =
            serde_json::from_str::<Command>(json).map_or(SessionInput::Malformed, SessionInput::Command);
        self.inputs.send(input).is_ok()
    }
}
