//! The safety rules, from outside: a real server, raw sockets, and what a hostile page could send.
//!
//! Each test names its rule. Rules 6 and 8 also have tests beside the code that keeps them; 10 and 11 belong to the bot.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod client;

use client::{Client, Server};
use std::io::{Read as _, Write as _};
use std::time::{Duration, Instant};

#[test]
fn rule_1_only_loopback_is_listened_on() {
    let server = Server::start();
    assert!(server.address.ip().is_loopback());
    // The same port on every other address of the machine is free: nobody listens there.
    let Some(other) = client::other_address() else {
        eprintln!("skipped: this machine has no address but loopback");
        return;
    };
    let elsewhere = std::net::SocketAddr::new(other, server.address.port());
    let reached = std::net::TcpStream::connect_timeout(&elsewhere, Duration::from_millis(500));
    assert!(reached.is_err(), "{elsewhere} answers");
}

#[test]
fn rule_2_another_host_is_refused_on_every_route() {
    let server = Server::start();
    let port = server.address.port();
    for host in ["evil.example", "evil.example:80", &format!("evil.example:{port}"), "127.0.0.1", ""] {
        for path in [
            "/",
            "/icon.svg",
            "/api/hello",
            "/api/pgn",
            "/api/studies",
            "/api/studies/1",
            "/api/lab/0",
            "/api/lab/studies",
            "/api/lab/start",
            "/api/lab/0/games",
            "/api/own",
            "/api/own/list",
            "/api/own/review",
            "/api/own/games/1",
            "/ws",
            "/nowhere",
        ] {
            let answer = Client::new(&server).host(host).get(path);
            assert_eq!(answer.status, 403, "{host} {path}");
        }
    }
    for host in [format!("127.0.0.1:{port}"), format!("localhost:{port}"), format!("LOCALHOST:{port}")] {
        assert_ne!(Client::new(&server).host(&host).get("/api/hello").status, 404, "{host}");
        assert_eq!(
            Client::new(&server).host(&host).token(&server.token).get("/api/hello").status,
            200,
            "{host}"
        );
    }
}

#[test]
fn rule_3_another_origin_opens_no_socket() {
    let server = Server::start();
    let port = server.address.port();
    for origin in [
        None,
        Some("null".to_string()),
        Some("http://evil.example".to_string()),
        Some(format!("https://127.0.0.1:{port}")),
        Some(format!("http://127.0.0.1:{}", port.wrapping_add(1))),
        Some(format!("http://127.0.0.1:{port}.evil.example")),
    ] {
        let answer = Client::new(&server).upgrade(origin.as_deref(), Some(&server.token));
        assert_eq!(answer.status, 403, "{origin:?}");
    }
    let own = format!("http://127.0.0.1:{port}");
    assert_eq!(Client::new(&server).upgrade(Some(&own), Some(&server.token)).status, 101);
}

#[test]
fn rule_4_nothing_without_this_launchs_token() {
    let server = Server::start();
    let earlier = Server::start();
    let own = format!("http://{}", server.address);
    for token in [None, Some(""), Some("0000"), Some(earlier.token.as_str())] {
        let client = || match token {
            Some(token) => Client::new(&server).token(token),
            None => Client::new(&server),
        };
        assert_eq!(client().post("/api/pgn", b"1. e4 *").status, 403, "{token:?}");
        assert_eq!(client().get("/api/pgn/0/0").status, 403, "{token:?}");
        assert_eq!(client().get("/api/studies").status, 403, "{token:?}");
        assert_eq!(client().get("/api/puzzles").status, 403, "{token:?}");
        assert_eq!(client().post("/api/studies", b"1. e4 *").status, 403, "{token:?}");
        for method in ["GET", "PUT", "DELETE"] {
            assert_eq!(client().send(method, "/api/studies/1", b"1. e4 *").status, 403, "{method} {token:?}");
        }
        assert_eq!(client().get("/api/lab/0").status, 403, "{token:?}");
        let start = br#"{"kind":"match","first":{"engine":null,"level":null},"second":{"engine":null,"level":null},"games":2,"nodes":100}"#;
        let requests: [(&str, &str, &[u8]); 15] = [
            ("POST", "/api/lab/start", &start[..]),
            ("POST", "/api/lab/0/stop", b""),
            ("POST", "/api/lab/0/resume", b""),
            ("GET", "/api/lab/0/games", b""),
            ("GET", "/api/lab/studies", b""),
            ("POST", "/api/own", b"1. e4 *"),
            ("POST", "/api/own/list", b"{}"),
            ("POST", "/api/own/export", b"{}"),
            ("POST", "/api/own/progress", b"{}"),
            ("POST", "/api/own/names", b"[]"),
            ("POST", "/api/own/review", b""),
            ("DELETE", "/api/own/review", b""),
            ("GET", "/api/own/review", b""),
            ("GET", "/api/own/games/1", b""),
            ("DELETE", "/api/own/games/1", b""),
        ];
        for (method, path, body) in requests {
            assert_eq!(client().send(method, path, body).status, 403, "{method} {path} {token:?}");
        }
        assert_eq!(client().get("/api/hello").status, 403, "{token:?}");
        assert_eq!(Client::new(&server).upgrade(Some(&own), token).status, 403, "{token:?}");
    }
    assert_eq!(Client::new(&server).token(&server.token).post("/api/pgn", b"1. e4 *").status, 200);
    assert_ne!(server.token, earlier.token);
    assert!(server.token.len() >= 32);
}

#[test]
fn rule_5_headers_that_keep_other_pages_out() {
    let server = Server::start();
    for path in ["/", "/nowhere", "/api/hello"] {
        let answer = Client::new(&server).header("Origin: http://evil.example").get(path);
        assert_eq!(answer.header("access-control-allow-origin"), None, "{path}");
        let policy = answer.header("content-security-policy").unwrap();
        assert!(
            policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"),
            "{policy}"
        );
        assert!(!policy.contains("unsafe") && !policy.contains('*'), "{policy}");
        assert_eq!(answer.header("x-content-type-options").as_deref(), Some("nosniff"), "{path}");
        assert_eq!(answer.header("x-frame-options").as_deref(), Some("DENY"), "{path}");
    }
    let preflight = Client::new(&server)
        .header("Origin: http://evil.example")
        .header("Access-Control-Request-Method: POST")
        .send("OPTIONS", "/api/pgn", b"");
    assert_eq!(preflight.header("access-control-allow-origin"), None);
    assert_eq!(preflight.header("access-control-allow-methods"), None);
}

#[test]
fn rule_6_a_socket_takes_typed_commands_only() {
    let server = Server::start();
    let mut socket = server.socket();
    for text in ["uci", "setoption name SyzygyPath value /etc", r#"{"type":"uci","line":"quit"}"#] {
        socket.send(text);
        let answer = socket.wait_for("problem");
        assert!(answer.contains("does not know"), "{answer}");
    }
    // A setting that names a file is not among those a page may choose.
    let wanted = r#"{"type":"analyse","slot":"first","line":{"start":null,"moves":[]},"threat":false,
        "settings":{"lines":1,"threads":1,"hash_megabytes":1,"options":[["SyzygyPath","/etc"]]}}"#;
    socket.send(wanted);
    let answer = socket.wait_for("problem");
    assert!(answer.contains("cannot be set from the page"), "{answer}");
}

/// An engine is started by the name the operator gave it, never by a path, a flag or a message that names one.
#[test]
fn rule_6_an_experiment_starts_no_engine_that_the_operator_did_not_allow() {
    let server = Server::start();
    let start =
        |body: &str| Client::new(&server).token(&server.token).post("/api/lab/start", body.as_bytes()).status;
    let player = |engine: &str| {
        format!(
            r#"{{"kind":"match","first":{{"engine":"{engine}","level":null}},"second":{{"engine":null,"level":null}},"games":2,"nodes":100}}"#
        )
    };
    for engine in ["/bin/sh", "sh", "", "cmd=/bin/sh", "proto=internal cmd=/bin/sh", "../sh"] {
        assert_eq!(start(&player(engine)), 422, "{engine}");
    }
    for body in [
        r#"{"kind":"match","cmd":"/bin/sh"}"#,
        r#"{"kind":"study","name":"--out","quick":true}"#,
        r#"{"kind":"study","name":"../x","quick":true}"#,
        r#"{"kind":"run","words":["match"]}"#,
        "match --engine cmd=/bin/sh",
    ] {
        assert_eq!(start(body), 422, "{body}");
    }
}

#[test]
fn rule_7_large_bodies_are_refused() {
    let server = Server::start();
    let post = |path: &str, bytes: usize| {
        Client::new(&server).token(&server.token).post(path, &vec![b' '; bytes]).status
    };
    assert_eq!(post("/api/studies", 5_000_001), 413);
    // No game in it, but read.
    assert_eq!(post("/api/pgn", 5_000_001), 422);
    // A file that says it is larger than 200 MB is not waited for.
    let mut stream = server.connection();
    let head = format!(
        "POST /api/pgn HTTP/1.1\r\nHost: {}\r\nX-Tabiya-Token: {}\r\nContent-Length: 200000001\r\n\r\n",
        server.address, server.token
    );
    stream.write_all(head.as_bytes()).unwrap();
    let mut start = [0; 12];
    stream.read_exact(&mut start).expect("an answer before the body");
    assert_eq!(&start, b"HTTP/1.1 413");
}

#[test]
fn rule_7_a_long_message_ends_its_socket() {
    let server = Server::start();
    let mut socket = server.socket();
    let text = format!(r#"{{"type":"move","ply":0,"text":"{}"}}"#, "a".repeat(70 << 10));
    socket.send(&text);
    assert!(socket.closes_within(Duration::from_secs(5)));
}

#[test]
fn rule_7_eight_boards_and_no_more() {
    let server = Server::start();
    let own = format!("http://{}", server.address);
    let mut sockets: Vec<_> = (0..8).map(|_| server.socket()).collect();
    assert_eq!(Client::new(&server).upgrade(Some(&own), Some(&server.token)).status, 503);
    sockets.pop();
    let freed = client::within(Duration::from_secs(5), || {
        Client::new(&server).upgrade(Some(&own), Some(&server.token)).status == 101
    });
    assert!(freed, "a closed board frees its place");
}

#[test]
fn rule_7_messages_are_read_at_a_bounded_pace() {
    let server = Server::start();
    let mut socket = server.socket();
    let start = Instant::now();
    for request in 0..60 {
        let text = format!(
            r#"{{"type":"describe","request":{request},"from":0,"line":{{"start":null,"moves":[]}}}}"#
        );
        socket.send(&text);
    }
    for _ in 0..60 {
        socket.wait_for("described");
    }
    // Twenty at once, forty at twenty a second.
    assert!(start.elapsed() >= Duration::from_millis(1900), "{:?}", start.elapsed());
}

#[test]
fn rule_7_threads_and_memory_are_the_machines() {
    let server = Server::start();
    let mut socket = server.socket();
    socket.send(
        r#"{"type":"analyse","slot":"first","line":{"start":null,"moves":[]},"threat":false,
        "settings":{"lines":200,"threads":60000,"hash_megabytes":4000000000}}"#,
    );
    // Cut to what there is, rather than tried.
    let answer = socket.wait_for("analysis");
    assert!(answer.contains("\"running\":true"), "{answer}");
}

#[test]
fn rule_8_no_path_leads_to_the_disk() {
    let server = Server::start();
    for path in
        ["/../Cargo.toml", "/assets/../../../Cargo.toml", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd", "/.."]
    {
        let answer = Client::new(&server).get(path);
        assert_eq!(answer.status, 404, "{path}");
        assert!(!answer.body.contains("[package]") && !answer.body.contains("root:"), "{path}");
    }
}

#[test]
fn rule_9_a_closed_tab_stops_its_searches() {
    let server = Server::start();
    let mut socket = server.socket();
    socket.send(
        r#"{"type":"analyse","slot":"first","line":{"start":null,"moves":[]},"threat":false,
        "settings":{"lines":1,"threads":1,"hash_megabytes":1}}"#,
    );
    socket.wait_for("analysis");
    socket.send(r#"{"type":"laser_new","black":true,"milliseconds":60000,"fen":null}"#);
    socket.wait_for("laser");
    assert!(client::within(Duration::from_secs(5), || server.searches() == 2), "{}", server.searches());
    // Gone without a word, as when a browser crashes.
    drop(socket);
    let start = Instant::now();
    assert!(client::within(Duration::from_secs(5), || server.searches() == 0), "{}", server.searches());
    assert!(start.elapsed() < Duration::from_secs(5));
}

#[test]
fn rule_12_tags_and_comments_come_back_as_text() {
    let server = Server::start();
    let pgn = b"[White \"<img src=x onerror=alert(1)>\"]\n\n1. e4 {<script>alert(1)</script>} *";
    let answer = Client::new(&server).token(&server.token).post("/api/pgn", pgn);
    assert_eq!(answer.header("content-type").as_deref(), Some("application/json"));
    assert!(
        answer.body.contains("<img src=x onerror=alert(1)>"),
        "kept as it is: the page shows text, never markup"
    );
    let game = Client::new(&server).token(&server.token).get("/api/pgn/0/0");
    assert_eq!(game.header("content-type").as_deref(), Some("application/json"));
    assert_eq!(game.header("x-content-type-options").as_deref(), Some("nosniff"));
}

/// A connection that sends nothing, half a head, or nothing more after an answer is closed.
#[test]
fn slow_and_idle_connections_are_closed() {
    let timeouts = web::Timeouts { head: Duration::from_millis(300), ..web::Timeouts::default() };
    let server = Server::with_timeouts(timeouts);
    let whole = format!("GET /icon.svg HTTP/1.1\r\nHost: {}\r\n\r\n", server.address);
    for sent in ["", "GET / HTTP/1.1\r\nHost: ", whole.as_str()] {
        let mut stream = server.connection();
        stream.write_all(sent.as_bytes()).unwrap();
        assert!(client::read_to_end(&mut stream).is_some(), "{sent:?} stays open");
    }
}

#[test]
fn a_body_without_the_token_is_not_waited_for() {
    let server = Server::start();
    let mut stream = server.connection();
    let head =
        format!("POST /api/pgn HTTP/1.1\r\nHost: {}\r\nContent-Length: 4000000\r\n\r\n", server.address);
    stream.write_all(head.as_bytes()).unwrap();
    let mut start = [0; 12];
    stream.read_exact(&mut start).expect("an answer before the body");
    assert_eq!(&start, b"HTTP/1.1 403");
}

#[test]
fn a_body_that_does_not_come_ends_its_request() {
    let timeouts = web::Timeouts { body: Duration::from_millis(300), ..web::Timeouts::default() };
    let server = Server::with_timeouts(timeouts);
    let mut stream = server.connection();
    let head = format!(
        "POST /api/pgn HTTP/1.1\r\nHost: {}\r\nX-Tabiya-Token: {}\r\nContent-Length: 4000\r\n\r\n1. e4",
        server.address, server.token
    );
    stream.write_all(head.as_bytes()).unwrap();
    let mut start = [0; 12];
    stream.read_exact(&mut start).expect("an answer without the body");
    assert_eq!(&start, b"HTTP/1.1 408");
}

#[test]
fn connections_are_bounded() {
    let timeouts = web::Timeouts { head: Duration::from_secs(300), ..web::Timeouts::default() };
    let server = Server::with_timeouts(timeouts);
    let idle: Vec<_> = (0..64).map(|_| server.connection()).collect();
    let mut one_more = server.connection();
    assert_eq!(client::read_to_end(&mut one_more).as_deref(), Some(""), "one too many is closed");
    drop(idle);
    let free = client::within(Duration::from_secs(20), || {
        let mut stream = server.connection();
        let head = format!("GET /icon.svg HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", server.address);
        let _ = stream.write_all(head.as_bytes());
        client::read_to_end(&mut stream).is_some_and(|answer| answer.starts_with("HTTP/1.1"))
    });
    assert!(free, "the server answers again");
}

#[test]
fn a_page_that_does_not_read_is_dropped() {
    let timeouts = web::Timeouts { silence: Duration::from_secs(1), ..web::Timeouts::default() };
    let server = Server::with_timeouts(timeouts);
    let mut socket = server.socket();
    // Each answer is larger than a megabyte; nothing of it is read.
    let moves = vec![r#""g1f3","g8f6","f3g1","f6g8""#; 512].join(",");
    for request in 0..20 {
        socket.send(&format!(
            r#"{{"type":"describe","request":{request},"from":0,"line":{{"start":null,"moves":[{moves}]}}}}"#
        ));
    }
    assert!(client::within(Duration::from_secs(60), || server.load().0 == 0), "{:?}", server.load());
    drop(socket);
}

/// A tab's place is free again only when its engines are gone, so memory stays bounded.
#[test]
fn a_closed_tab_keeps_its_place_until_its_engines_are_gone() {
    let server = Server::start();
    let mut socket = server.socket();
    socket.send(
        r#"{"type":"coach","rating":1500,"kilonodes":100,
        "line":{"start":null,"moves":["e2e4","e7e5","g1f3","b8c6","f1c4","d8g5","f3g5"]}}"#,
    );
    socket.wait_for("coaching");
    drop(socket);
    let gone = client::within(Duration::from_secs(60), || {
        let (tabs, searches) = server.load();
        assert!(tabs >= searches, "{tabs} places are taken, {searches} searches run");
        tabs == 0
    });
    assert!(gone);
}

#[cfg(unix)]
#[test]
fn saved_games_are_readable_by_their_owner_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let server = Server::start();
    let files: Vec<_> = std::fs::read_dir(server.data()).unwrap().map(|entry| entry.unwrap()).collect();
    assert!(files.iter().any(|file| file.file_name() == "games.sqlite"));
    for file in files {
        let facts = file.metadata().unwrap();
        let expected = if facts.is_dir() { 0o700 } else { 0o600 };
        assert_eq!(facts.permissions().mode() & 0o777, expected, "{:?}", file.file_name());
    }
}
