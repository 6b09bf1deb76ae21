//! The functions that the host calls. A text is passed in memory that `tabiya_allocate` gave; the call that takes it frees it.

#[cfg(not(feature = "threads"))]
use crate::inline as way;
#[cfg(feature = "threads")]
use crate::threaded as way;
use human_model::reply::ReplyModel;

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

/// Makes the engine. 0 when it is there; the reason why not goes out as a line.
#[unsafe(no_mangle)]
pub extern "C" fn tabiya_start() -> i32 {
    match way::start() {
        Ok(()) => 0,
        Err(reason) => {
            crate::host::output().line(format!("info string {reason}"));
            1
        }
    }
}

/// Takes a line. Without threads a search is over when this returns. 0 when the conversation has ended.
#[unsafe(no_mangle)]
pub extern "C" fn tabiya_line(start: *mut u8, length: usize) -> i32 {
    i32::from(way::line(&String::from_utf8_lossy(&take(start, length))))
}

/// Called by the host during a search: 1 stops it, 2 says that the pondered move was played.
#[unsafe(no_mangle)]
pub extern "C" fn tabiya_interrupt(order: i32) {
    way::interrupt(order);
}

/// Takes the weights of the reply network. 0 when they are good; the reason why not goes out as a line.
#[unsafe(no_mangle)]
pub extern "C" fn tabiya_weights(start: *mut u8, length: usize) -> i32 {
    match ReplyModel::install(&take(start, length)) {
        Ok(()) => 0,
        Err(error) => {
            crate::host::output().line(format!("info string {error}"));
            1
        }
    }
}
