//! Routes of the player's own games and of experiments that the page starts.

use crate::answers::{App, answer, problem_answer, read_body, run_blocking};
use crate::experiment_runs;
use crate::limits;
use crate::messages::{LabStart, OwnFilter};
use crate::own_games;
use crate::problem::Problem;
use crate::shared::Shared;
use crate::upload;
use axum::Router;
use axum::extract::{Path, Request, State};
use axum::http::HeaderMap;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use std::sync::Arc;

pub fn router() -> Router<Arc<Shared>> {
    Router::new()
        .route("/api/own", post(import))
        .route("/api/own/list", post(list))
        .route("/api/own/export", post(export))
        .route("/api/own/progress", post(progress))
        .route("/api/own/names", post(names))
        .route("/api/own/review", get(reviewing).post(review).delete(stop_review))
        .route("/api/own/games/{id}", get(open).delete(delete))
        .route("/api/lab/studies", get(studies))
        .route("/api/lab/start", post(start))
        .route("/api/lab/{id}/stop", post(stop))
        .route("/api/lab/{id}/resume", post(resume))
        .route("/api/lab/{id}/games", get(games))
}

/// A small JSON body, read once the token is known to be right, and worked on by another thread.
async fn with_json<B: serde::de::DeserializeOwned + Send + 'static, T: serde::Serialize + Send + 'static>(
    shared: Arc<Shared>,
    request: Request,
    work: impl FnOnce(&Arc<Shared>, B) -> Result<T, Problem> + Send + 'static,
) -> Response {
    let headers = request.headers().clone();
    let body = match read_body(&shared, request, limits::SMALL).await {
        Ok(body) => body,
        Err(answer) => return answer,
    };
    let Ok(value) = serde_json::from_slice(&body) else {
        return problem_answer(&Problem::new(
            "The page sent what this program does not know.",
            "Reload the page.",
        ));
    };
    let state = Arc::clone(&shared);
    answer(&headers, shared, move |_| work(&state, value)).await
}

async fn import(State(shared): App, request: Request) -> Response {
    upload::receive(shared, request, |shared, reader| shared.library.import(reader, &shared.openings)).await
}

async fn list(State(shared): App, request: Request) -> Response {
    with_json(shared, request, |shared, filter: OwnFilter| own_games::list(shared, &filter)).await
}

async fn progress(State(shared): App, request: Request) -> Response {
    with_json(shared, request, |shared, filter: OwnFilter| shared.library.progress(&filter)).await
}

async fn names(State(shared): App, request: Request) -> Response {
    with_json(shared, request, |shared, names: Vec<String>| shared.library.set_names(&names)).await
}

async fn export(State(shared): App, request: Request) -> Response {
    let body = match read_body(&shared, request, limits::SMALL).await {
        Ok(body) => body,
        Err(answer) => return answer,
    };
    let Ok(filter) = serde_json::from_slice::<OwnFilter>(&body) else {
        return problem_answer(&Problem::new(
            "The page sent what this program does not know.",
            "Reload the page.",
        ));
    };
    match run_blocking(move || shared.library.export(&filter)).await {
        Ok(Ok(text)) => ([(CONTENT_TYPE, "application/x-chess-pgn")], text).into_response(),
        Ok(Err(problem)) | Err(problem) => problem_answer(&problem),
    }
}

async fn open(State(shared): App, headers: HeaderMap, Path(id): Path<u32>) -> Response {
    answer(&headers, shared, move |shared| shared.library.open_game(id, &shared.openings)).await
}

async fn delete(State(shared): App, headers: HeaderMap, Path(id): Path<u32>) -> Response {
    answer(&headers, shared, move |shared| shared.library.delete(id)).await
}

async fn reviewing(State(shared): App, headers: HeaderMap) -> Response {
    answer(&headers, shared, |shared| Ok(shared.reviewer.status())).await
}

async fn review(State(shared): App, headers: HeaderMap) -> Response {
    answer(&headers, shared, own_games::review).await
}

async fn stop_review(State(shared): App, headers: HeaderMap) -> Response {
    answer(&headers, shared, |shared| Ok(shared.reviewer.stop())).await
}

async fn studies(State(shared): App, headers: HeaderMap) -> Response {
    answer(&headers, shared, |_| experiment_runs::studies()).await
}

async fn start(State(shared): App, request: Request) -> Response {
    with_json(shared, request, |shared, wanted: LabStart| shared.experiments.start(&wanted, &shared.engines))
        .await
}

async fn stop(State(shared): App, headers: HeaderMap, Path(id): Path<u32>) -> Response {
    answer(&headers, shared, move |shared| shared.experiments.stop(id)).await
}

async fn resume(State(shared): App, headers: HeaderMap, Path(id): Path<u32>) -> Response {
    answer(&headers, shared, move |shared| shared.experiments.resume(id)).await
}

async fn games(State(shared): App, headers: HeaderMap, Path(id): Path<u32>) -> Response {
    answer(&headers, shared, move |shared| shared.experiments.games(id, &shared.collections)).await
}
