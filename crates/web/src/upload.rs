//! Uploads that are read while they arrive, so that a large file does not have to fit into memory.

use crate::answers::{json, problem_answer, refuse, run_blocking, too_large, too_slow};
use crate::limits;
use crate::problem::Problem;
use crate::shared::Shared;
use axum::body::{Body, Bytes, HttpBody as _};
use axum::extract::Request;
use axum::http::StatusCode;
use axum::http::header::CONTENT_LENGTH;
use axum::response::{IntoResponse, Response};
use std::io::{self, Read};
use std::pin::Pin;
use std::sync::Arc;
use tokio::sync::mpsc::{Receiver, Sender, channel};

/// Parts of the body that may wait for the reader.
const QUEUE: usize = 8;

enum UploadError {
    TooLarge,
    Broken,
}

/// Checks the token, gives the body to `read` on another thread while it arrives, and answers with what that made of it.
pub async fn receive<T: serde::Serialize + Send + 'static>(
    shared: Arc<Shared>,
    request: Request,
    read: impl FnOnce(&Shared, UploadReader) -> Result<T, Problem> + Send + 'static,
) -> Response {
    if let Err(refusal) = shared.guard.check_token(request.headers()) {
        return refuse(refusal);
    }
    let declared = request.headers().get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok());
    if declared.is_some_and(|bytes: usize| bytes > limits::UPLOAD) {
        return too_large();
    }
    let (limit, (sender, reader)) = (shared.timeouts.body, pipe());
    let reading = tokio::spawn(run_blocking(move || read(&shared, reader)));
    match tokio::time::timeout(limit, forward(request.into_body(), sender)).await {
        Ok(Ok(())) => {}
        Ok(Err(UploadError::TooLarge)) => return too_large(),
        Ok(Err(UploadError::Broken)) => return StatusCode::BAD_REQUEST.into_response(),
        Err(_) => return too_slow(),
    }
    match reading.await {
        Ok(Ok(Ok(value))) => json(StatusCode::OK, &value),
        Ok(Ok(Err(problem)) | Err(problem)) => problem_answer(&problem),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

/// A sender for [`forward`] and a reader for another thread.
fn pipe() -> (Sender<Bytes>, UploadReader) {
    let (sender, parts) = channel(QUEUE);
    (sender, UploadReader { parts, part: Bytes::new() })
}

pub struct UploadReader {
    parts: Receiver<Bytes>,
    part: Bytes,
}

impl Read for UploadReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.part.is_empty() {
            match self.parts.blocking_recv() {
                Some(part) => self.part = part,
                None => return Ok(0),
            }
        }
        let count = buffer.len().min(self.part.len());
        buffer[..count].copy_from_slice(&self.part.split_to(count));
        Ok(count)
    }
}

/// Passes a body on. A reader that has enough is no reason to stop: a browser sends everything before it reads the
/// answer.
async fn forward(mut body: Body, sender: Sender<Bytes>) -> Result<(), UploadError> {
    let (mut total, mut wanted) = (0, true);
    while let Some(frame) = std::future::poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await {
        let Ok(part) = frame.map_err(|_| UploadError::Broken)?.into_data() else { continue };
        total += part.len();
        if total > limits::UPLOAD {
            return Err(UploadError::TooLarge);
        }
        wanted = wanted && sender.send(part).await.is_ok();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tee::Tee;

    #[test]
    fn parts_are_read_as_one_text() {
        let (sender, reader) = pipe();
        let writer = std::thread::spawn(move || {
            for part in ["1. e4", "", " e5 ", "*"] {
                sender.blocking_send(Bytes::from_static(part.as_bytes())).unwrap();
            }
        });
        let mut tee = Tee::new(reader, 4);
        let mut text = String::new();
        tee.read_to_string(&mut text).unwrap();
        writer.join().unwrap();
        assert_eq!((text.as_str(), tee.start.as_slice()), ("1. e4 e5 *", b"1. e".as_slice()));
    }
}
