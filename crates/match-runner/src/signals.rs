//! The two things the standard library cannot say to the system: end a whole process group, and end a child when
//! its parent dies. This is the lab's only unsafe code.

use std::process::{Child, Command};

/// Puts the child into a process group of its own, so that Ctrl-C in the terminal does not reach it and its own
/// children can be ended with it; on Linux the system also kills it when the thread that started it is gone, so
/// that `kill -9` of the lab leaves no engine behind.
#[cfg(unix)]
pub(super) fn isolate(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
    #[cfg(target_os = "linux")]
    // SAFETY: between fork and exec only async-signal-safe calls are allowed; prctl and the construction of an
    // error from errno are (neither allocates nor takes a lock).
    unsafe {
        command.pre_exec(|| {
            if libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) == 0 {
                Ok(())
            } else {
                Err(std::io::Error::last_os_error())
            }
        });
    }
}

/// Ends the child's whole group. The child must not have been waited for yet.
#[cfg(unix)]
pub(super) fn kill_group(child: &Child) {
    if let Ok(group) = libc::pid_t::try_from(child.id())
        && group > 1
    {
        // SAFETY: kill has no memory effects. The group id is the child's own pid (see `isolate`), which cannot have
        // been reused because the child has not been reaped.
        unsafe {
            libc::kill(-group, libc::SIGKILL);
        }
    }
}

#[cfg(not(unix))]
pub(super) fn isolate(_command: &mut Command) {}

#[cfg(not(unix))]
pub(super) fn kill_group(_child: &Child) {}
