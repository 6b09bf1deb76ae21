//! What the routes share: reading bodies, working on another thread, answers and refusals.

use crate::guard::Refusal;
use crate::problem::Problem;
use crate::shared::Shared;
use axum::body::{Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use std::sync::Arc;

pub type App = State<Arc<Shared>>;

pub fn refuse(refusal: Refusal) -> Response {
    (StatusCode::FORBIDDEN, refusal.sentence()).into_response()
}

pub fn json(status: StatusCode, value: &impl serde::Serialize) -> Response {
    let text = serde_json::to_string(value).unwrap_or_default();
    (status, [(CONTENT_TYPE, "application/json")], text).into_response()
}

pub fn problem_answer(problem: &Problem) -> Response {
    let value = serde_json::json!({ "what": problem.what, "next": problem.next });
    json(StatusCode::UNPROCESSABLE_ENTITY, &value)
}

/// Long work runs on another thread than the server's.
pub async fn run_blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Problem> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|_| Problem::new("The server could not finish this.", "Try again."))
}

/// The body of a request, read only once the token is known to be right.
pub async fn read_body(shared: &Shared, request: Request, limit: usize) -> Result<Bytes, Response> {
    shared.guard.check_token(request.headers()).map_err(refuse)?;
    match tokio::time::timeout(shared.timeouts.body, to_bytes(request.into_body(), limit)).await {
        Ok(Ok(bytes)) => Ok(bytes),
        Ok(Err(_)) => Err(too_large()),
        Err(_) => Err(too_slow()),
    }
}

pub fn too_large() -> Response {
    (StatusCode::PAYLOAD_TOO_LARGE, "The request is too large.\n").into_response()
}

pub fn too_slow() -> Response {
    (StatusCode::REQUEST_TIMEOUT, "The request took too long.\n").into_response()
}

/// Checks the token, works on another thread, and answers with the value or the problem.
pub async fn answer<T: serde::Serialize + Send + 'static>(
    headers: &HeaderMap,
    shared: Arc<Shared>,
    work: impl FnOnce(&Shared) -> Result<T, Problem> + Send + 'static,
) -> Response {
    if let Err(refusal) = shared.guard.check_token(headers) {
        return refuse(refusal);
    }
    match run_blocking(move || work(&shared)).await {
        Ok(Ok(value)) => json(StatusCode::OK, &value),
        Ok(Err(problem)) | Err(problem) => problem_answer(&problem),
    }
}
