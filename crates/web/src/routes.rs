//! The routes of the server. Every request passes the guard, and every answer carries its security headers.

use crate::answers::{App, answer, json, problem_answer, read_body, refuse, run_blocking};
use crate::assets;
use crate::guard::{self, SOCKET_PROTOCOL};
use crate::library_routes;
use crate::limits;
use crate::shared::Shared;
use crate::socket::{self, SocketSlot};
use crate::upload;
use axum::Router;
use axum::extract::{Path, Request, State, WebSocketUpgrade};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Names the revision of a study that a change was made to.
const REVISION_HEADER: &str = "x-tabiya-revision";

pub fn router(shared: Arc<Shared>) -> Router {
    Router::new()
        .route("/api/hello", get(hello))
        .route("/api/pgn", post(upload_games))
        .route("/api/pgn/{collection}/{index}", get(open))
        .route("/api/studies", get(studies).post(add_study))
        .route("/api/studies/{id}", get(study).put(save_study).delete(delete_study))
        .route("/api/puzzles", get(puzzles))
        .route("/api/lab/{id}", get(report))
        .merge(library_routes::router())
        .route("/ws", get(upgrade))
        .fallback(asset)
        .layer(middleware::from_fn_with_state(Arc::clone(&shared), protect))
        .with_state(shared)
}

async fn protect(State(shared): App, request: Request, next: Next) -> Response {
    let mut response = match shared.guard.check_host(request.headers()) {
        Ok(()) => next.run(request).await,
        Err(refusal) => refuse(refusal),
    };
    guard::add_security_headers(response.headers_mut());
    response
}

async fn asset(uri: Uri) -> Response {
    match assets::find(uri.path()) {
        Some(found) => {
            let keep = if found.lasting { "public, max-age=31536000, immutable" } else { "no-cache" };
            ([(CONTENT_TYPE, found.kind), (CACHE_CONTROL, keep)], found.bytes).into_response()
        }
        None => (StatusCode::NOT_FOUND, "There is nothing at this address.\n").into_response(),
    }
}

/// Lets a page find out why its socket does not open, and how busy the server is.
async fn hello(State(shared): App, headers: HeaderMap) -> Response {
    if let Err(refusal) = shared.guard.check_token(&headers) {
        return refuse(refusal);
    }
    let sockets = shared.sockets.load(Ordering::Acquire);
    let value = serde_json::json!({
        "version": env!("CARGO_PKG_VERSION"),
        "sockets": sockets,
        "full": sockets >= limits::SOCKETS,
        "searches": shared.searches.load(Ordering::Relaxed),
    });
    json(StatusCode::OK, &value)
}

/// A file of games is read on another thread while it arrives.
async fn upload_games(State(shared): App, request: Request) -> Response {
    upload::receive(shared, request, |shared, reader| shared.collections.add(reader)).await
}

async fn open(
    State(shared): App,
    headers: HeaderMap,
    Path((collection, index)): Path<(u32, usize)>,
) -> Response {
    if let Err(refusal) = shared.guard.check_token(&headers) {
        return refuse(refusal);
    }
    match run_blocking(move || shared.collections.open(collection, index, &shared.openings)).await {
        Ok(Ok(nodes)) => json(StatusCode::OK, &nodes),
        Ok(Err(problem)) | Err(problem) => problem_answer(&problem),
    }
}

async fn studies(State(shared): App, headers: HeaderMap) -> Response {
    answer(&headers, shared, |shared| shared.studies.list()).await
}

async fn puzzles(State(shared): App, headers: HeaderMap) -> Response {
    answer(&headers, shared, |shared| shared.puzzles.list()).await
}

async fn add_study(State(shared): App, request: Request) -> Response {
    let headers = request.headers().clone();
    let body = match read_body(&shared, request, limits::PGN).await {
        Ok(body) => body,
        Err(answer) => return answer,
    };
    answer(&headers, shared, move |shared| shared.studies.add(&body, &shared.openings)).await
}

async fn study(State(shared): App, headers: HeaderMap, Path(id): Path<u32>) -> Response {
    answer(&headers, shared, move |shared| shared.studies.view(id, &shared.openings)).await
}

/// The revision that the change was made to comes in a header; a study changed elsewhere meanwhile is not overwritten.
async fn save_study(State(shared): App, Path(id): Path<u32>, request: Request) -> Response {
    let headers = request.headers().clone();
    let body = match read_body(&shared, request, limits::PGN).await {
        Ok(body) => body,
        Err(answer) => return answer,
    };
    let revision = headers.get(REVISION_HEADER).and_then(|value| value.to_str().ok()?.parse().ok());
    answer(&headers, shared, move |shared| shared.studies.save(id, revision, &body)).await
}

async fn delete_study(State(shared): App, headers: HeaderMap, Path(id): Path<u32>) -> Response {
    answer(&headers, shared, move |shared| shared.studies.delete(id)).await
}

async fn report(State(shared): App, headers: HeaderMap, Path(id): Path<u32>) -> Response {
    if let Err(refusal) = shared.guard.check_token(&headers) {
        return refuse(refusal);
    }
    match run_blocking(move || shared.experiments.report(id)).await {
        Ok(Ok(page)) => ([(CONTENT_TYPE, "text/plain; charset=utf-8")], page).into_response(),
        Ok(Err(problem)) | Err(problem) => problem_answer(&problem),
    }
}

async fn upgrade(State(shared): App, headers: HeaderMap, socket: WebSocketUpgrade) -> Response {
    let allowed =
        shared.guard.check_origin(&headers).and_then(|()| shared.guard.check_socket_token(&headers));
    if let Err(refusal) = allowed {
        return refuse(refusal);
    }
    let Some(slot) = SocketSlot::take(&shared) else {
        return (StatusCode::SERVICE_UNAVAILABLE, "Too many tabs are open: close one of the others.\n")
            .into_response();
    };
    socket
        .protocols([SOCKET_PROTOCOL])
        .max_message_size(limits::MESSAGE)
        .max_frame_size(limits::MESSAGE)
        .on_upgrade(move |socket| socket::serve(socket, shared, slot))
}
