//! Connections: bounded in number and in time, so that clients that open many, send slowly or do not read cannot tie the
//! server up.

use crate::limits::{CONNECTIONS, Timeouts};
use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::timeout;

/// Pause after a connection could not be accepted, usually for lack of file descriptors.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Serves until the process ends.
pub async fn serve(listener: TcpListener, router: Router, timeouts: Timeouts) {
    let connections = Arc::new(Semaphore::new(CONNECTIONS));
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(ACCEPT_PAUSE).await;
            continue;
        };
        // One connection too many is closed at once.
        let Ok(permit) = Arc::clone(&connections).try_acquire_owned() else { continue };
        let router = router.clone();
        tokio::spawn(async move {
            serve_connection(stream, router, timeouts).await;
            drop(permit);
        });
    }
}

/// A socket that is upgraded leaves this function with its upgrade; the number of those has a limit of its own.
async fn serve_connection(stream: TcpStream, router: Router, timeouts: Timeouts) {
    let service = TowerToHyperService::new(router);
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        // Runs while a connection is idle, too.
        .header_read_timeout(timeouts.head)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    let mut connection = std::pin::pin!(connection);
    if timeout(timeouts.connection, connection.as_mut()).await.is_err() {
        // The request that runs may end; no other begins.
        connection.as_mut().graceful_shutdown();
        let _ = timeout(timeouts.connection, connection).await;
    }
}
