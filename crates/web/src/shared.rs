//! State shared by all tabs: the archive, the openings, the machine's limits, and which tab plays which game.

use crate::allowed_engine::AllowedEngine;
#[cfg(not(target_family = "wasm"))]
use crate::archive::Archive;
#[cfg(target_family = "wasm")]
use crate::archive_files::Archive;
#[cfg(not(target_family = "wasm"))]
use crate::experiments::ExperimentFolder;
#[cfg(not(target_family = "wasm"))]
use crate::guard::Guard;
use crate::import::Collections;
use crate::library::{Library, Reviewer};
use crate::limits::Machine;
#[cfg(not(target_family = "wasm"))]
use crate::limits::Timeouts;
use crate::openings::Openings;
use crate::puzzles::Puzzles;
use crate::session_input::SessionInput;
use crate::studies::Studies;
use engine::Clock;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};

/// What is kept on the disk.
pub struct Stores {
    pub archive: Archive,
    pub studies: Studies,
    pub puzzles: Puzzles,
    pub library: Arc<Library>,
}

pub struct Shared {
    pub archive: Archive,
    pub studies: Studies,
    pub puzzles: Puzzles,
    pub library: Arc<Library>,
    pub reviewer: Reviewer,
    pub openings: Openings,
    pub machine: Machine,
    #[cfg(not(target_family = "wasm"))]
    pub guard: Guard,
    #[cfg(not(target_family = "wasm"))]
    pub timeouts: Timeouts,
    pub engines: Vec<AllowedEngine>,
    pub collections: Collections,
    #[cfg(not(target_family = "wasm"))]
    pub experiments: ExperimentFolder,
    pub clock: Arc<dyn Clock>,
    /// Sockets open now.
    pub sockets: AtomicUsize,
    /// Searches running now; tests check that a closed tab leaves none.
    pub searches: Arc<AtomicUsize>,
    tabs: AtomicU32,
    /// The tab that each open game is played in.
    owners: Mutex<HashMap<u32, GameOwner>>,
}

struct GameOwner {
    tab: u32,
    inputs: Sender<SessionInput>,
}

impl Shared {
    #[cfg(not(target_family = "wasm"))]
    pub fn new(
        stores: Stores,
        guard: Guard,
        experiments: ExperimentFolder,
        machine: Machine,
        timeouts: Timeouts,
        engines: Vec<AllowedEngine>,
        clock: Arc<dyn Clock>,
    ) -> Shared {
        let Stores { archive, studies, puzzles, library } = stores;
        Shared {
            archive,
            studies,
            puzzles,
            library,
            reviewer: Reviewer::default(),
            openings: Openings::embedded(),
            machine,
            guard,
            timeouts,
            engines,
            collections: Collections::default(),
            experiments,
            clock,
            sockets: AtomicUsize::new(0),
            searches: Arc::new(AtomicUsize::new(0)),
            tabs: AtomicU32::new(0),
            owners: Mutex::new(HashMap::new()),
        }
    }

    /// For a page that is its own host: no server, no other engines, no folder of experiments.
    #[cfg(target_family = "wasm")]
    pub fn hosted(stores: Stores, machine: Machine, clock: Arc<dyn Clock>) -> Shared {
        let Stores { archive, studies, puzzles, library } = stores;
        Shared {
            archive,
            studies,
            puzzles,
            library,
            reviewer: Reviewer::default(),
            openings: Openings::embedded(),
            machine,
            engines: Vec::new(),
            collections: Collections::default(),
            clock,
            sockets: AtomicUsize::new(0),
            searches: Arc::new(AtomicUsize::new(0)),
            tabs: AtomicU32::new(0),
            owners: Mutex::new(HashMap::new()),
        }
    }

    /// A number for a new tab.
    pub fn next_tab(&self) -> u32 {
        self.tabs.fetch_add(1, Ordering::Relaxed)
    }

    /// Makes a tab the owner of a game; the previous owner is told.
    pub fn claim_game(&self, game: u32, tab: u32, inputs: &Sender<SessionInput>) {
        let mut owners = self.owners.lock().unwrap_or_else(PoisonError::into_inner);
        let before = owners.insert(game, GameOwner { tab, inputs: inputs.clone() });
        if let Some(owner) = before.filter(|owner| owner.tab != tab) {
            // A session that has ended needs no message.
            let _ = owner.inputs.send(SessionInput::GameClaimed { game });
        }
    }

    /// Only the owner of a game may save it.
    pub fn owns_game(&self, game: u32, tab: u32) -> bool {
        let owners = self.owners.lock().unwrap_or_else(PoisonError::into_inner);
        owners.get(&game).is_some_and(|owner| owner.tab == tab)
    }

    pub fn release_game(&self, game: u32, tab: u32) {
        let mut owners = self.owners.lock().unwrap_or_else(PoisonError::into_inner);
        if owners.get(&game).is_some_and(|owner| owner.tab == tab) {
            owners.remove(&game);
        }
    }
}
