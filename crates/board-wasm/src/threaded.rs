//! With threads: the session and the requests of the page have one each. No function here waits: the host's own thread starts
//! the workers of all others.

use crate::host;
use crate::texts::serve;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use web::hosted::{Host, Tab};

/// Megabytes to ask for at the start, the first that there are: more than a game, an analysis and a review need.
const RESERVES: [usize; 5] = [512, 384, 256, 192, 128];

static PAGE: OnceLock<Page> = OnceLock::new();

struct Page {
    tab: Tab,
    requests: Sender<Box<[u8]>>,
}

/// The clock was read. The session has a thread of its own and needs no turn.
pub fn clock_read(_now: Duration) {}

/// Makes the memory as large as it will need to be while there is only one thread. In Chromium a thread does not know at once that
/// another one has made it larger: it can read and write the new part, but fails when it fills or copies it, or uses an atomic
/// there. Nothing is used of what is reserved until it is needed.
fn reserve() {
    for megabytes in RESERVES {
        let mut room: Vec<u8> = Vec::new();
        // The allocator keeps what it is given back.
        if room.try_reserve_exact(megabytes << 20).is_ok() {
            std::hint::black_box(&mut room);
            return;
        }
    }
}

pub fn open(board: Host) -> bool {
    reserve();
    let Ok(tab) = board.open(Arc::new(host::Page)) else { return false };
    let (requests, inbox) = channel::<Box<[u8]>>();
    let started = std::thread::Builder::new().name("requests".into()).stack_size(8 << 20).spawn(move || {
        for request in inbox {
            serve(&board, &request);
        }
    });
    started.is_ok() && PAGE.set(Page { tab, requests }).is_ok()
}

pub fn line(text: &str) -> bool {
    PAGE.get().is_some_and(|page| page.tab.send(text))
}

pub fn request(request: Box<[u8]>) -> bool {
    PAGE.get().is_some_and(|page| page.requests.send(request).is_ok())
}
