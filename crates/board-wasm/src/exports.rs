//! The functions that the host calls. A text is passed in memory that `tabiya_allocate` gave; the call that takes it frees it.

use crate::host;
#[cfg(not(feature = "threads"))]
use crate::inline as way;
use crate::texts::split;
#[cfg(feature = "threads")]
use crate::threaded as way;
use human_model::reply::ReplyModel;
use std::sync::{Arc, LazyLock};
use web::hosted::Host;
use web::memory_files::MemoryFiles;

/// One module is one page.
static FILES: LazyLock<MemoryFiles> = LazyLock::new(|| MemoryFiles::new(host::file_changed));

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
    let (clock, threads) = (Arc::new(host::HostClock::new(way::clock_read)), threads.clamp(1, 64) as u16);
    let board = Host::new(&FILES, host::date_now, threads, hash_megabytes.max(1), clock);
    i32::from(!way::open(board))
}

/// Takes a command of the page. 0 when the session has ended.
#[unsafe(no_mangle)]
pub extern "C" fn tabiya_line(start: *mut u8, length: usize) -> i32 {
    i32::from(way::line(&String::from_utf8_lossy(&take(start, length))))
}

/// Takes a request of the page; the answer comes later. 0 when nobody will answer.
#[unsafe(no_mangle)]
pub extern "C" fn tabiya_request(start: *mut u8, length: usize) -> i32 {
    i32::from(way::request(take(start, length)))
}

/// Takes the weights of the reply network. 0 when they are good.
#[unsafe(no_mangle)]
pub extern "C" fn tabiya_weights(start: *mut u8, length: usize) -> i32 {
    i32::from(ReplyModel::install(&take(start, length)).is_err())
}

/// Does what is due on the only thread. The milliseconds until there is more to do: 0 at once, -1 when a command has come.
#[cfg(not(feature = "threads"))]
#[unsafe(no_mangle)]
pub extern "C" fn tabiya_step() -> i32 {
    way::step()
}

/// Called by the host during `tabiya_step`: the page has sent something. 1 when it ends what runs.
#[cfg(not(feature = "threads"))]
#[unsafe(no_mangle)]
pub extern "C" fn tabiya_interrupt(ends: i32) {
    way::interrupt(ends != 0);
}
