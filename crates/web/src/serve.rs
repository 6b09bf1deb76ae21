//! The board as a server on loopback: its configuration, and the loop that serves.

use crate::allowed_engine::AllowedEngine;
use crate::archive::Archive;
use crate::experiments::ExperimentFolder;
use crate::guard::{self, Guard};
use crate::library::Library;
use crate::limits::{Machine, Timeouts};
use crate::puzzles::Puzzles;
use crate::shared::{Shared, Stores};
use crate::studies::Studies;
use crate::{routes, server};
use engine::Clock;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;

/// Tried first; when it is taken and no other was asked for, the system picks one.
pub const DEFAULT_PORT: u16 = 8064;

pub struct Config {
    /// `None` takes the default port or, if that is in use, any free one.
    pub port: Option<u16>,
    /// Safety rule 1: loopback, unless the operator chooses another.
    pub address: IpAddr,
    /// Names and addresses that browsers may use for this server, besides the address itself.
    pub hosts: Vec<String>,
    pub timeouts: Timeouts,
    /// Engines besides the own one that the page may use in an analysis.
    pub engines: Vec<AllowedEngine>,
    /// The folder of saved games.
    pub data: PathBuf,
    /// The folder whose experiments are shown.
    pub experiments: PathBuf,
    pub clock: Arc<dyn Clock>,
    /// Called once the server accepts connections, with the link to open. The link holds the token of this launch.
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
    guard::check_hosts(config.address, &config.hosts)?;
    if let Some(missing) = config.engines.iter().find(|engine| !engine.path.is_file()) {
        return Err(format!("engine {}: {} is not a file", missing.name, missing.path.display()));
    }
    runtime.block_on(async move {
        let listener = bind(config.address, config.port).await?;
        let address = listener.local_addr().map_err(|error| error.to_string())?;
        let token = guard::fresh_token().map_err(|error| format!("no source of random numbers: {error}"))?;
        let archive = Archive::open(&config.data).map_err(|error| error.to_string())?;
        let studies =
            Studies::open(&config.data).map_err(|error| format!("{}: {error}", config.data.display()))?;
        let library = Library::open(&config.data)?;
        let guard = Guard::new(address, &config.hosts, token.clone());
        let url = format!("http://{}/#token={token}", guard.public_host());
        let shared = Shared::new(
            Stores { archive, studies, puzzles: Puzzles::new(&config.data), library: Arc::new(library) },
            guard,
            ExperimentFolder::new(config.experiments),
            Machine::detect(),
            config.timeouts,
            config.engines,
            config.clock,
        );
        let router = routes::router(Arc::new(shared));
        (config.announce)(&url);
        server::serve(listener, router, config.timeouts).await;
        Ok(())
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
