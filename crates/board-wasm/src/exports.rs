//! The functions that the host calls. A text is passed in memory that `tabiya_allocate` gave; the call that takes it frees it.
//! None of them waits: the host's own thread starts the workers of all others.

use crate::host;
use human_model::reply::ReplyModel;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, LazyLock, OnceLock};
use std::time::Instant;
use web::hosted::{Host, Tab};
use web::memory_files::MemoryFiles;

/// One module is one page.
static FILES: LazyLock<MemoryFiles> = LazyLock::new(|| MemoryFiles::new(host::file_changed));
static PAGE: OnceLock<Page> = OnceLock::new();

struct Page {
    tab: Tab,
    requests: Sender<Box<[u8]>>,
}

/// Memory for a text of so many bytes.
#[unsafe(no_mangle)]
pub extern "C" fn tabiya_allocate(length: usize) -> *mut u8 {
    Box::into_raw(vec![0_u8; length].into_boxed_slice()).cast()
}

/// The bytes at `start`, which `tabiya_allocate` gave for this length.
fn take(start: *mut u8, length: usize) -> Box<[u8]> {
    // SAFETY: the host passes what `tabiya_allocate` returned for this length, filled, and never uses it again.
    unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(start, length)) }
}

/// Splits off what stands before the first newline.
fn split(bytes: &[u8]) -> (String, &[u8]) {
    let end = bytes.iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len());
    let rest = bytes.get(end + 1..).unwrap_or_default();
    (String::from_utf8_lossy(&bytes[..end]).into_owned(), rest)
}

/// Puts back a file of an earlier visit: its name, a newline, when it was saved in seconds since 1970, a newline, its text.
#[unsafe(no_mangle)]
pub extern "C" fn tabiya_restore(start: *mut u8, length: usize) {
    let bytes = take(start, length);
    let (name, rest) = split(&bytes);
    let (saved, text) = split(rest);
    FILES.restore(&name, text.to_vec(), saved.parse().unwrap_or_default());
}

/// Opens the session with these limits of the machine. 0 when it is open.
#[unsafe(no_mangle)]
pub extern "C" fn tabiya_start(threads: u32, hash_megabytes: u32) -> i32 {
    let clock = Arc::new(host::HostClock(Instant::now()));
    let board = Arc::new(Host::new(
        &FILES,
        host::date_now,
        threads.clamp(1, 64) as u16,
        hash_megabytes.max(1),
        clock,
    ));
    let Ok(tab) = board.open(Arc::new(host::Page)) else { return 1 };
    let (requests, inbox) = channel::<Box<[u8]>>();
    let started = std::thread::Builder::new().name("requests".into()).stack_size(8 << 20).spawn(move || {
        for request in inbox {
            serve(&board, &request);
        }
    });
    i32::from(started.is_err() || PAGE.set(Page { tab, requests }).is_err())
}

/// A request is a line "NUMBER METHOD PATH REVISION", then the body; a revision of `-` is none.
fn serve(board: &Host, request: &[u8]) {
    let (line, body) = split(request);
    let mut words = line.split(' ');
    let mut word = || words.next().unwrap_or_default();
    let (number, method, path, revision) = (word(), word(), word(), word());
    host::answer(number, &board.request(method, path, revision.parse().ok(), body));
}

/// Takes a command of the page. 0 when the session has ended.
#[unsafe(no_mangle)]
pub extern "C" fn tabiya_line(start: *mut u8, length: usize) -> i32 {
    let text = take(start, length);
    i32::from(PAGE.get().is_some_and(|page| page.tab.send(&String::from_utf8_lossy(&text))))
}

/// Takes a request of the page; the answer comes later.
#[unsafe(no_mangle)]
pub extern "C" fn tabiya_request(start: *mut u8, length: usize) -> i32 {
    let request = take(start, length);
    i32::from(PAGE.get().is_some_and(|page| page.requests.send(request).is_ok()))
}

/// Takes the weights of the reply network. 0 when they are good.
#[unsafe(no_mangle)]
pub extern "C" fn tabiya_weights(start: *mut u8, length: usize) -> i32 {
    i32::from(ReplyModel::install(&take(start, length)).is_err())
}
