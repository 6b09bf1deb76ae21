//! Ranks that are processes of an MPI job.
//!
//! The calls of MPI that this needs, and no others: send and receive without waiting. All of them are made by the thread that
//! began the job (`MPI_THREAD_FUNNELED`): [`Mpi`] holds pointers, so the compiler refuses to give it to another thread. Errors
//! are returned, not fatal. [`crate::channels`] is the same without MPI, and the tests of the protocol run there.

use crate::transport::{PeerLost, Transport};
use mpi_sys as ffi;
use std::ffi::c_int;
use std::mem::MaybeUninit;
use std::ptr::null_mut;
use std::time::Duration;

/// All messages have this tag.
const TAG: c_int = 0;
/// Messages are bytes in order, so one at a time is received from each rank.
struct Receiving {
    request: ffi::MPI_Request,
    buffer: Vec<u8>,
}

/// A message that MPI may still read.
struct Sending {
    request: ffi::MPI_Request,
    _buffer: Vec<u8>,
}

/// This process in its MPI job.
pub struct Mpi {
    number: usize,
    sending: Vec<Vec<Sending>>,
    receiving: Vec<Option<Receiving>>,
    is_closed: bool,
}

/// MPI cannot be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MpiError(&'static str);

impl std::fmt::Display for MpiError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "MPI: {}", self.0)
    }
}

impl std::error::Error for MpiError {}

/// Was this process started by `mpirun` or its like?
pub fn is_job() -> bool {
    ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"].iter().any(|name| std::env::var_os(name).is_some())
}

fn world() -> ffi::MPI_Comm {
    // SAFETY: a constant that the MPI library defines before any code of ours runs.
    unsafe { ffi::RSMPI_COMM_WORLD }
}

fn bytes() -> ffi::MPI_Datatype {
    // SAFETY: as in `world`.
    unsafe { ffi::RSMPI_UINT8_T }
}

fn succeeded(code: c_int) -> bool {
    i64::from(code) == i64::from(ffi::MPI_SUCCESS)
}

impl Mpi {
    /// Joins the job. Only the first call in a process can succeed.
    pub fn join() -> Result<Self, MpiError> {
        let (mut initialized, mut provided, mut number, mut size) = (0, 0, 0, 0);
        // SAFETY: the pointers are to locals that live through the calls; MPI allows null for the arguments of the program;
        // it is initialised at most once, which the first call makes sure of.
        unsafe {
            if !succeeded(ffi::MPI_Initialized(&raw mut initialized)) || initialized != 0 {
                return Err(MpiError("begun before"));
            }
            let needed = ffi::RSMPI_THREAD_FUNNELED;
            let code = ffi::MPI_Init_thread(null_mut(), null_mut(), needed, &raw mut provided);
            if !succeeded(code) || provided < needed {
                return Err(MpiError("no support for threads"));
            }
            let codes = [
                ffi::MPI_Comm_set_errhandler(ffi::RSMPI_COMM_WORLD, ffi::RSMPI_ERRORS_RETURN),
                ffi::MPI_Comm_rank(world(), &raw mut number),
                ffi::MPI_Comm_size(world(), &raw mut size),
            ];
            if !codes.into_iter().all(succeeded) {
                return Err(MpiError("no communicator"));
            }
        }
        let size = size.max(1) as usize;
        Ok(Self {
            number: number.max(0) as usize,
            sending: (0..size).map(|_| Vec::new()).collect(),
            receiving: (0..size).map(|_| None).collect(),
            is_closed: false,
        })
    }

    /// Begins to receive the next message of a rank, if there is one.
    fn begin_to_receive(&mut self, from: usize) {
        let (mut flag, mut count, mut status) = (0, 0, MaybeUninit::<ffi::MPI_Status>::uninit());
        // SAFETY: the pointers are to locals that live through the call.
        let code =
            unsafe { ffi::MPI_Iprobe(from as c_int, TAG, world(), &raw mut flag, status.as_mut_ptr()) };
        if !succeeded(code) || flag == 0 {
            return;
        }
        // SAFETY: a probe that found a message has written the status.
        if !succeeded(unsafe { ffi::MPI_Get_count(status.as_ptr(), bytes(), &raw mut count) }) {
            return;
        }
        let (mut buffer, mut request) = (vec![0; count.max(0) as usize], MaybeUninit::uninit());
        // SAFETY: `count` bytes of the buffer are writable. It is kept in `receiving`, where nothing touches it until the
        // request is done; if it never is, the buffer is leaked. A vector that is moved keeps its memory in place.
        let code = unsafe {
            ffi::MPI_Irecv(
                buffer.as_mut_ptr().cast(),
                count,
                bytes(),
                from as c_int,
                TAG,
                world(),
                request.as_mut_ptr(),
            )
        };
        if succeeded(code) {
            // SAFETY: a call that succeeded has written the request.
            let request = unsafe { request.assume_init() };
            self.receiving[from] = Some(Receiving { request, buffer });
        }
    }
}

/// Is the request done?
fn is_done(request: &mut ffi::MPI_Request) -> bool {
    let (mut flag, mut status) = (0, MaybeUninit::<ffi::MPI_Status>::uninit());
    // SAFETY: the request is one that MPI gave and was not done when last asked; the other pointers are to locals.
    let code = unsafe { ffi::MPI_Test(request, &raw mut flag, status.as_mut_ptr()) };
    succeeded(code) && flag != 0
}

impl Transport for Mpi {
    fn number(&self) -> usize {
        self.number
    }

    fn size(&self) -> usize {
        self.sending.len()
    }

    fn send(&mut self, to: usize, message: Vec<u8>) -> Result<(), PeerLost> {
        let Ok(length) = c_int::try_from(message.len()) else { return Err(PeerLost) };
        let mut request = MaybeUninit::uninit();
        // SAFETY: `length` bytes of the message are readable. It is kept unchanged in `sending` until the request is done; if
        // it never is, the message is leaked. A vector that is moved keeps its memory in place.
        let code = unsafe {
            ffi::MPI_Isend(
                message.as_ptr().cast(),
                length,
                bytes(),
                to as c_int,
                TAG,
                world(),
                request.as_mut_ptr(),
            )
        };
        if !succeeded(code) {
            return Err(PeerLost);
        }
        // SAFETY: a call that succeeded has written the request.
        let request = unsafe { request.assume_init() };
        self.sending[to].push(Sending { request, _buffer: message });
        Ok(())
    }

    fn pending(&mut self, to: usize) -> usize {
        self.sending[to].retain_mut(|sending| !is_done(&mut sending.request));
        self.sending[to].len()
    }

    fn receive(&mut self) -> Option<(usize, Vec<u8>)> {
        for from in 0..self.size() {
            if from == self.number {
                continue;
            }
            if self.receiving[from].is_none() {
                self.begin_to_receive(from);
            }
            if let Some(receiving) = &mut self.receiving[from]
                && is_done(&mut receiving.request)
            {
                return self.receiving[from].take().map(|received| (from, received.buffer));
            }
        }
        None
    }

    fn close(&mut self, together: bool) {
        if std::mem::replace(&mut self.is_closed, true) {
            return;
        }
        if together {
            // The last words of this rank have to be on their way.
            let mut looks = 0;
            while (0..self.size()).any(|to| self.pending(to) > 0) && looks < 1000 {
                looks += 1;
                std::thread::sleep(Duration::from_millis(1));
            }
            // SAFETY: MPI was initialised by this thread, and nothing calls it after `is_closed` is set.
            let _ = unsafe { ffi::MPI_Finalize() };
        }
    }
}

impl Drop for Mpi {
    /// MPI may still read or write what was not done.
    fn drop(&mut self) {
        std::mem::forget(std::mem::take(&mut self.sending));
        std::mem::forget(std::mem::take(&mut self.receiving));
    }
}
