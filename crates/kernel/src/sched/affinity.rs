//! Threads on cores of their own.
//!
//! A thread inherits the cores of the one that starts it, so what the process was given is looked up once, before anybody is bound: a
//! helper started by a thread that is bound already must still find its own core.

/// Keeps the calling thread on the core of this number among those the process was given; without enough of them, or against the system's will, it
/// stays where it may be.
pub fn pin(number: usize) {
    system::pin(number);
}

/// The calling thread may run wherever the process was given cores, as before it was bound. A thread that never was stays as it is.
pub fn unpin() {
    system::unpin();
}

#[cfg(target_os = "linux")]
mod system {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
    use std::sync::OnceLock;

    static GIVEN: OnceLock<Option<CpuSet>> = OnceLock::new();

    pub(super) fn pin(number: usize) {
        let given = GIVEN.get_or_init(|| sched_getaffinity(None).ok());
        let core =
            given.and_then(|given| (0..CpuSet::MAX_CPU).filter(|&core| given.is_set(core)).nth(number));
        if let Some(core) = core {
            let mut only = CpuSet::new();
            only.set(core);
            // A wish: whoever may not choose searches as well.
            let _ = sched_setaffinity(None, &only);
        }
    }

    pub(super) fn unpin() {
        if let Some(Some(given)) = GIVEN.get() {
            let _ = sched_setaffinity(None, given);
        }
    }
}

/// A page of a browser has no say in this.
#[cfg(target_family = "wasm")]
mod system {
    pub(super) fn pin(_number: usize) {}

    pub(super) fn unpin() {}
}

#[cfg(not(any(target_os = "linux", target_family = "wasm")))]
mod system {
    use core_affinity::{CoreId, get_core_ids, set_for_current};
    use std::sync::OnceLock;

    static GIVEN: OnceLock<Vec<CoreId>> = OnceLock::new();

    pub(super) fn pin(number: usize) {
        let given = GIVEN.get_or_init(|| get_core_ids().unwrap_or_default());
        if let Some(&core) = given.get(number) {
            set_for_current(core);
        }
    }

    /// These systems have no way back, or take cores as a hint anyway.
    pub(super) fn unpin() {}
}

#[cfg(all(test, target_os = "linux", not(miri), not(loom)))]
mod tests {
    use super::*;
    use rustix::thread::{CpuSet, sched_getaffinity};

    /// `None` where nobody tells.
    fn mine() -> Option<CpuSet> {
        sched_getaffinity(None).ok()
    }

    fn count(cores: Option<CpuSet>) -> u32 {
        cores.map_or(0, |cores| cores.count())
    }

    #[test]
    fn a_thread_started_by_a_bound_one_finds_a_core_of_its_own_and_may_roam_again() {
        std::thread::spawn(|| {
            let given = mine();
            pin(0);
            let first = mine();
            assert_eq!(count(first), 1);
            let second = std::thread::spawn(|| {
                pin(1);
                mine()
            });
            let second = second.join().unwrap();
            if count(given) > 1 {
                assert_eq!(count(second), 1);
                assert_ne!(second, first, "not where its parent is bound");
            }
            pin(CpuSet::MAX_CPU);
            assert_eq!(mine(), first, "there is no such core");
            unpin();
            assert_eq!(mine(), given);
        })
        .join()
        .unwrap();
    }
}
