//! `tabiya serve`: the board in the browser.

use crate::cli::{Command, Failure, Flag, Parsed, Run, remark};
use std::io::Write as _;
use std::net::IpAddr;
use std::path::{Path, PathBuf};

pub const COMMAND: Command = Command {
    name: "serve",
    summary: "Play and analyse on a board in the browser",
    arguments: "",
    flags: &[
        Flag {
            name: "port",
            value: Some("N"),
            help: "listen on this port (default 8064, or any if that is taken)",
        },
        Flag { name: "no-open", value: None, help: "print the address, do not open a browser" },
        Flag {
            name: "address",
            value: Some("IP"),
            help: "listen on this address of the machine; others can then reach it (default: loopback only)",
        },
        Flag {
            name: "host",
            value: Some("NAME"),
            help: "a name or address that browsers use for this machine, as often as needed (with --address 0.0.0.0)",
        },
        Flag {
            name: "engine",
            value: Some("NAME=PATH"),
            help: "a UCI engine that the page may use in an analysis, as often as needed",
        },
        Flag { name: "data", value: Some("DIR"), help: "where games are saved (default: your data folder)" },
        Flag {
            name: "lab",
            value: Some("DIR"),
            help: "show the experiments below this folder (default: here)",
        },
    ],
    examples: &["tabiya serve", "tabiya serve --port 8000 --no-open"],
    run: Run::Parsed(run),
};

const NO_PAGE: &str = "this program was built without the board's page. With Node.js (20 or newer) and npm, \
     `make play` in the source folder builds both and opens the board; `tabiya play` is a game in the terminal";

fn run(parsed: &Parsed) -> Result<(), Failure> {
    parsed.no_positional()?;
    let port = match parsed.text("port") {
        Some(_) => Some(parsed.number("port", web::DEFAULT_PORT, 1..=u16::MAX)?),
        None => None,
    };
    let address = match parsed.text("address") {
        Some(text) => text.parse::<IpAddr>().map_err(|_| {
            parsed.usage(&format!("--address '{text}', expected an address such as 192.168.1.7"))
        })?,
        None => web::Config::LOOPBACK,
    };
    if !web::assets::present() {
        return Err(Failure::Failed(NO_PAGE.to_string()));
    }
    if !address.is_loopback() {
        remark(&format!(
            "tabiya: {address} can be reached from other machines; whoever has the link can play and see your games"
        ));
    }
    let data = match parsed.text("data") {
        Some(folder) => PathBuf::from(folder),
        None => data_folder()?,
    };
    let open = !parsed.has("no-open");
    web::serve(web::Config {
        port,
        address,
        hosts: parsed.texts("host").map(str::to_string).collect(),
        timeouts: web::Timeouts::default(),
        engines: engines(parsed)?,
        data: data.clone(),
        experiments: PathBuf::from(parsed.text("lab").unwrap_or(".")),
        clock: crate::clock::system(),
        announce: Box::new(move |url| announce(url, open.then_some(data.as_path()))),
    })
    .map_err(Failure::Failed)
}

/// The engines that the operator allows; the page knows their names only.
fn engines(parsed: &Parsed) -> Result<Vec<web::AllowedEngine>, Failure> {
    let read = |text: &str| match text.split_once('=') {
        Some((name, path)) if !name.trim().is_empty() && !path.trim().is_empty() => {
            Ok(web::AllowedEngine { name: name.trim().to_string(), path: PathBuf::from(path.trim()) })
        }
        _ => Err(parsed.usage(&format!("--engine '{text}', expected NAME=PATH"))),
    };
    parsed.texts("engine").map(read).collect()
}

/// Where the XDG convention wants data that a person would miss.
pub fn data_folder() -> Result<PathBuf, Failure> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let data = set("XDG_DATA_HOME").filter(|path| path.is_absolute());
    data.or_else(|| set("HOME").map(|home| home.join(".local/share")))
        .map(|folder| folder.join("tabiya"))
        .ok_or_else(|| {
            Failure::Failed("no home folder is set: say where games are saved with --data DIR".into())
        })
}

/// Prints the link; opens it too where there is a folder for the file that leads to it.
fn announce(url: &str, folder: Option<&Path>) {
    // A reader that went away is no reason to stop serving.
    let mut out = std::io::stdout();
    let _ = writeln!(out, "The board is at {url}\nPress Ctrl-C here to stop it.");
    let _ = out.flush();
    if let Some(folder) = folder {
        open_browser(url, folder);
    }
}

/// Asks the desktop to open the address. Where there is none, the printed address has to do.
fn open_browser(url: &str, folder: &Path) {
    let graphical = cfg!(target_os = "macos")
        || ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some());
    let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    if !graphical || web::browser::open(Path::new(opener), folder, url).is_err() {
        remark("tabiya: no desktop to open a browser on; open the address above yourself");
    }
}
