//! A hint to the cache. With the hint for large pages (`table::pages`) and a fiber's way out (`sched::virtual_time`), the
//! only `unsafe` of the kernel.

/// Asks the processor to load the cache line where a value begins.
#[cfg(all(target_arch = "x86_64", not(miri), not(loom)))]
#[inline]
pub fn prefetch<T>(value: &T) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: a prefetch neither reads nor writes as far as the abstract machine can tell and
    // cannot fault; the pointer comes from a live reference, so it is valid even so. SSE, which the
    // instruction belongs to, is part of every x86_64 processor.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast()) }
}

/// The safe twin: on other machines the line is simply loaded when it is needed.
#[cfg(not(all(target_arch = "x86_64", not(miri), not(loom))))]
#[inline]
pub fn prefetch<T>(_value: &T) {}

#[cfg(test)]
mod tests {
    use super::prefetch;

    /// The twin does nothing visible; so must the hint.
    #[test]
    fn prefetching_changes_nothing() {
        let values = [[7_u64; 8]; 4];
        values.iter().for_each(prefetch);
        prefetch(&());
        assert_eq!(values, [[7; 8]; 4]);
    }
}
