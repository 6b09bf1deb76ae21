//! The board in the browser: a small server on loopback, the page inside the binary, one board for each tab.
//!
//! Nothing here prints: what a person should read goes through [`Config::announce`]. The server trusts nobody but the
//! page it serves; `guard` and `limits` hold the rules, and `tests/safety.rs` has a test for each.

mod accuracy;
mod archive;
pub mod assets;
mod describe;
mod guard;
mod import;
mod laboratory;
mod limits;
mod messages;
pub mod odds;
mod openings;
mod problem;
mod routes;
mod session;
mod shared;
mod socket;
mod studies;

pub use openings::Openings;

use archive::Archive;
use engine::Clock;
use guard::Guard;
use laboratory::Laboratory;
use limits::Machine;
use shared::Shared;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use studies::Studies;

/// Tried first; when it is taken and no other was asked for, the system picks one.
pub const DEFAULT_PORT: u16 = 8064;

pub struct Config {
    /// `None` takes the usual port or, if that is busy, any.
    pub port: Option<u16>,
    /// Safety rule 1: loopback, unless a person says otherwise.
    pub address: IpAddr,
    /// Where saved games live.
    pub data: PathBuf,
    /// Where experiments are looked for.
    pub laboratory: PathBuf,
    pub clock: Arc<dyn Clock>,
    /// Called once the server answers, with the address to open: it carries this launch's token.
    pub announce: Box<dyn FnOnce(&str) + Send>,
}

impl Config {
    pub const LOOPBACK: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
}

/// Serves until the process ends. Errors are sentences.
pub fn serve(config: Config) -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .enable_time()
        .build()
        .map_err(|error| format!("the server cannot start: {error}"))?;
    runtime.block_on(async move {
        let listener = bind(config.address, config.port).await?;
        let address = listener.local_addr().map_err(|error| error.to_string())?;
        let token = guard::fresh_token().map_err(|error| format!("no source of random numbers: {error}"))?;
        let archive = Archive::open(&config.data).map_err(|error| error.to_string())?;
        let studies =
            Studies::open(&config.data).map_err(|error| format!("{}: {error}", config.data.display()))?;
        let url = format!("http://{address}/#token={token}");
        let shared = Shared::new(
            archive,
            studies,
            Guard::new(address, token),
            Laboratory::new(config.laboratory),
            Machine::look(),
            config.clock,
        );
        let router = routes::router(Arc::new(shared));
        (config.announce)(&url);
        axum::serve(listener, router).await.map_err(|error| format!("the server ended: {error}"))
    })
}

async fn bind(address: IpAddr, port: Option<u16>) -> Result<tokio::net::TcpListener, String> {
    let first = SocketAddr::new(address, port.unwrap_or(DEFAULT_PORT));
    let error = match tokio::net::TcpListener::bind(first).await {
        Ok(listener) => return Ok(listener),
        Err(error) => error,
    };
    let busy = error.kind() == std::io::ErrorKind::AddrInUse;
    if busy && port.is_none() {
        let any = SocketAddr::new(address, 0);
        return tokio::net::TcpListener::bind(any).await.map_err(|error| format!("{any}: {error}"));
    }
    if busy {
        return Err(format!(
            "port {} is in use: choose another with --port, or leave the flag out",
            first.port()
        ));
    }
    Err(format!("{first}: {error}"))
}
