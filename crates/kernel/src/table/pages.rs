//! Large pages for a large table. A probe touches a random page, and with pages of 4 KiB nearly every
//! one of them also misses the processor's table of addresses; with 2 MiB it rarely does.

use std::mem::MaybeUninit;

/// Asks the system for large pages under `memory`, which is not written to yet. A hint: what is
/// too small, or refused, stays as it is.
#[cfg(all(target_os = "linux", not(miri), not(loom)))]
pub(super) fn prefer_large<T>(memory: &mut [MaybeUninit<T>]) {
    const LARGE_PAGE: usize = 2 << 20;
    let range = memory.as_mut_ptr_range();
    let start = range.start.addr().next_multiple_of(LARGE_PAGE);
    let end = range.end.addr() / LARGE_PAGE * LARGE_PAGE;
    if start >= end {
        return;
    }
    let first = range.start.with_addr(start);
    // SAFETY: the range lies inside `memory`, which we hold exclusively, and begins and ends between
    // large pages. The advice changes how the system backs the memory, never what is read from it.
    let _ = unsafe { libc::madvise(first.cast(), end - start, libc::MADV_HUGEPAGE) };
}

/// The safe twin: elsewhere the system's own choice of pages has to do.
#[cfg(not(all(target_os = "linux", not(miri), not(loom))))]
pub(super) fn prefer_large<T>(_memory: &mut [MaybeUninit<T>]) {}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::prefer_large;

    /// The twin does nothing visible; so must the hint, at any size and alignment.
    #[test]
    fn a_wish_for_large_pages_changes_nothing() {
        let sizes: &[usize] = if cfg!(miri) { &[0, 1, 100] } else { &[0, 1, 100, 5 << 20, (9 << 20) + 13] };
        for &size in sizes {
            let mut memory: Vec<u8> = Vec::with_capacity(size);
            prefer_large(memory.spare_capacity_mut());
            memory.resize(size, 7);
            assert!(memory.iter().all(|&byte| byte == 7), "{size} bytes");
        }
    }
}
