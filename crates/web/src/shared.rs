//! What all boards have in common: the archive, the openings, the machine, who sits where.

use crate::archive::Archive;
use crate::guard::Guard;
use crate::import::Collections;
use crate::laboratory::Laboratory;
use crate::limits::Machine;
use crate::openings::Openings;
use crate::session::Note;
use crate::studies::Studies;
use engine::Clock;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};

pub struct Shared {
    pub archive: Archive,
    pub studies: Studies,
    pub openings: Openings,
    pub machine: Machine,
    pub guard: Guard,
    pub collections: Collections,
    pub laboratory: Laboratory,
    pub clock: Arc<dyn Clock>,
    /// Sockets open now.
    pub sockets: AtomicUsize,
    /// Searches running now: what a test looks at to see that a closed tab leaves none.
    pub searches: Arc<AtomicUsize>,
    boards: AtomicU32,
    seats: Mutex<HashMap<u32, Seat>>,
}

struct Seat {
    board: u32,
    notes: Sender<Note>,
}

impl Shared {
    pub fn new(
        archive: Archive,
        studies: Studies,
        guard: Guard,
        laboratory: Laboratory,
        machine: Machine,
        clock: Arc<dyn Clock>,
    ) -> Shared {
        Shared {
            archive,
            studies,
            openings: Openings::embedded(),
            machine,
            guard,
            collections: Collections::default(),
            laboratory,
            clock,
            sockets: AtomicUsize::new(0),
            searches: Arc::new(AtomicUsize::new(0)),
            boards: AtomicU32::new(0),
            seats: Mutex::new(HashMap::new()),
        }
    }

    /// A number for a new board.
    pub fn next_board(&self) -> u32 {
        self.boards.fetch_add(1, Ordering::Relaxed)
    }

    /// Sits down at a game; whoever sat there is told to get up.
    pub fn take_seat(&self, game: u32, board: u32, notes: &Sender<Note>) {
        let mut seats = self.seats.lock().unwrap_or_else(PoisonError::into_inner);
        let before = seats.insert(game, Seat { board, notes: notes.clone() });
        if let Some(seat) = before.filter(|seat| seat.board != board) {
            // A board that is gone needs no telling.
            let _ = seat.notes.send(Note::SeatTaken { game });
        }
    }

    /// Only the board that sits at a game may write it down.
    pub fn sits(&self, game: u32, board: u32) -> bool {
        let seats = self.seats.lock().unwrap_or_else(PoisonError::into_inner);
        seats.get(&game).is_some_and(|seat| seat.board == board)
    }

    pub fn leave_seat(&self, game: u32, board: u32) {
        let mut seats = self.seats.lock().unwrap_or_else(PoisonError::into_inner);
        if seats.get(&game).is_some_and(|seat| seat.board == board) {
            seats.remove(&game);
        }
    }
}
