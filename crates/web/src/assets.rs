//! The page, inside the binary. A request names an entry of a table, never a path on disk: safety rule 8.

/// By path, as in `/assets/index.js`.
static TABLE: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/assets.rs"));

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Asset {
    pub bytes: &'static [u8],
    pub kind: &'static str,
    /// Its name changes with its content, so it may be kept for ever.
    pub lasting: bool,
}

/// Whether the page was there when this program was built.
pub fn present() -> bool {
    find("/").is_some()
}

pub fn find(path: &str) -> Option<Asset> {
    let path = if path == "/" { "/index.html" } else { path };
    let (name, bytes) = TABLE.iter().find(|(name, _)| *name == path)?;
    Some(Asset { bytes, kind: kind(name), lasting: name.starts_with("/assets/") })
}

fn kind(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("json" | "webmanifest") => "application/json",
        Some("txt") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rule 8: whatever the path says, only entries of the table are served.
    #[test]
    fn no_path_leads_out_of_the_table() {
        for path in [
            "/../Cargo.toml",
            "/assets/../../Cargo.toml",
            "//etc/passwd",
            "/%2e%2e/x",
            "",
            "..",
            "/assets",
            "/assets/",
        ] {
            assert_eq!(find(path), None, "{path}");
        }
    }

    #[test]
    fn the_page_is_whole_or_absent() {
        assert_eq!(present(), !TABLE.is_empty());
        for (name, bytes) in TABLE {
            assert!(!bytes.is_empty() && kind(name) != "application/octet-stream", "{name}");
        }
    }
}
