//! A server to attack and a client that sends raw bytes, with no browser and no library in between.

use std::io::{Read, Write};
use std::net::{IpAddr, SocketAddr, TcpStream, UdpSocket};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

struct TestClock(Instant);

impl engine::Clock for TestClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

pub struct Server {
    pub address: SocketAddr,
    pub token: String,
    data: PathBuf,
}

static SERVERS: AtomicU32 = AtomicU32::new(0);

impl Server {
    pub fn start() -> Server {
        Server::with_timeouts(web::Timeouts::default())
    }

    /// On a port of its own, with games in a folder of its own. It ends with the test process.
    pub fn with_timeouts(timeouts: web::Timeouts) -> Server {
        let number = SERVERS.fetch_add(1, Ordering::Relaxed);
        let data = std::env::temp_dir().join(format!("tabiya-web-{}-{number}", std::process::id()));
        let (sender, receiver) = channel();
        let folder = data.clone();
        // A port nobody uses: asked for and given back; another may take it in between, so it is tried again.
        std::thread::spawn(move || {
            for _ in 0..20 {
                let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
                let sender = sender.clone();
                let ended = web::serve(web::Config {
                    port: Some(free),
                    address: web::Config::LOOPBACK,
                    data: folder.clone(),
                    experiments: folder.clone(),
                    hosts: Vec::new(),
                    timeouts,
                    engines: Vec::new(),
                    clock: Arc::new(TestClock(Instant::now())),
                    announce: Box::new(move |url| sender.send(url.to_string()).unwrap()),
                });
                assert!(ended.is_err_and(|error| error.contains("in use")));
            }
        });
        let url = receiver.recv_timeout(Duration::from_secs(20)).expect("the server starts");
        let rest = url.strip_prefix("http://").unwrap();
        let (address, token) = rest.split_once("/#token=").unwrap();
        Server { address: address.parse().unwrap(), token: token.to_string(), data }
    }

    pub fn socket(&self) -> Socket {
        let origin = format!("http://{}", self.address);
        let (stream, answer) = Client::new(self).open(Some(&origin), Some(&self.token));
        assert_eq!(answer.status, 101, "{}", answer.body);
        Socket { stream, buffer: answer.rest }
    }

    pub fn searches(&self) -> u32 {
        self.load().1
    }

    /// Tabs open and searches running.
    pub fn load(&self) -> (u32, u32) {
        let answer = Client::new(self).token(&self.token).get("/api/hello");
        let value: serde_json::Value = serde_json::from_str(&answer.body).unwrap();
        let number = |name: &str| value[name].as_u64().unwrap() as u32;
        (number("sockets"), number("searches"))
    }

    /// Where the games are saved.
    pub fn data(&self) -> &std::path::Path {
        &self.data
    }

    /// A connection over which a test sends bytes.
    pub fn connection(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        stream
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.data);
    }
}

pub struct Answer {
    pub status: u16,
    pub body: String,
    headers: Vec<(String, String)>,
    /// What came behind the head.
    rest: Vec<u8>,
}

impl Answer {
    pub fn header(&self, name: &str) -> Option<String> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone())
    }
}

pub struct Client {
    address: SocketAddr,
    host: String,
    headers: Vec<String>,
}

impl Client {
    pub fn new(server: &Server) -> Client {
        Client { address: server.address, host: server.address.to_string(), headers: Vec::new() }
    }

    pub fn host(mut self, host: &str) -> Client {
        self.host = host.to_string();
        self
    }

    pub fn token(self, token: &str) -> Client {
        self.header(&format!("X-Tabiya-Token: {token}"))
    }

    pub fn header(mut self, line: &str) -> Client {
        self.headers.push(line.to_string());
        self
    }

    pub fn get(self, path: &str) -> Answer {
        self.send("GET", path, b"")
    }

    pub fn post(self, path: &str, body: &[u8]) -> Answer {
        self.send("POST", path, body)
    }

    pub fn send(self, method: &str, path: &str, body: &[u8]) -> Answer {
        let mut stream = self.connect();
        let length = format!("Content-Length: {}", body.len());
        let head = self.head(method, path, &[length, "Connection: close".into()]);
        stream.write_all(head.as_bytes()).unwrap();
        // A server that refuses a large body may hang up in the middle of it.
        let _ = stream.write_all(body);
        read_answer(&mut stream, true)
    }

    /// Asks for a socket and lets it go.
    pub fn upgrade(self, origin: Option<&str>, token: Option<&str>) -> Answer {
        self.open(origin, token).1
    }

    fn open(self, origin: Option<&str>, token: Option<&str>) -> (TcpStream, Answer) {
        let mut lines = vec![
            "Connection: Upgrade".to_string(),
            "Upgrade: websocket".to_string(),
            "Sec-WebSocket-Version: 13".to_string(),
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==".to_string(),
        ];
        lines.extend(origin.map(|origin| format!("Origin: {origin}")));
        lines.extend(token.map(|token| format!("Sec-WebSocket-Protocol: tabiya, token.{token}")));
        let mut stream = self.connect();
        stream.write_all(self.head("GET", "/ws", &lines).as_bytes()).unwrap();
        let answer = read_answer(&mut stream, false);
        (stream, answer)
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        stream
    }

    fn head(&self, method: &str, path: &str, more: &[String]) -> String {
        let mut lines = vec![format!("{method} {path} HTTP/1.1"), format!("Host: {}", self.host)];
        lines.extend(self.headers.iter().cloned());
        lines.extend(more.iter().cloned());
        lines.join("\r\n") + "\r\n\r\n"
    }
}

fn read_answer(stream: &mut TcpStream, to_the_end: bool) -> Answer {
    let mut bytes = Vec::new();
    let mut chunk = [0u8; 8192];
    let head_end = loop {
        if let Some(at) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break at + 4;
        }
        match stream.read(&mut chunk) {
            Ok(0) | Err(_) => panic!("no answer: {}", String::from_utf8_lossy(&bytes)),
            Ok(count) => bytes.extend_from_slice(&chunk[..count]),
        }
    };
    let head = String::from_utf8_lossy(&bytes[..head_end]).into_owned();
    let mut rest = bytes[head_end..].to_vec();
    if to_the_end {
        while let Ok(count @ 1..) = stream.read(&mut chunk) {
            rest.extend_from_slice(&chunk[..count]);
        }
    }
    let mut lines = head.lines();
    let status = lines.next().and_then(|line| line.split(' ').nth(1)).and_then(|code| code.parse().ok());
    let headers = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.to_string()))
        .collect();
    Answer { status: status.unwrap(), body: String::from_utf8_lossy(&rest).into_owned(), headers, rest }
}

/// The client's end of a WebSocket (RFC 6455), with a mask of zeros.
pub struct Socket {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Socket {
    pub fn send(&mut self, text: &str) {
        let bytes = text.as_bytes();
        let mut frame = vec![0x81];
        match bytes.len() {
            length @ 0..126 => frame.push(0x80 | length as u8),
            length @ 126..65_536 => {
                frame.push(0x80 | 0x7e);
                frame.extend_from_slice(&(length as u16).to_be_bytes());
            }
            length => {
                frame.push(0x80 | 0x7f);
                frame.extend_from_slice(&(length as u64).to_be_bytes());
            }
        }
        frame.extend_from_slice(&[0; 4]);
        frame.extend_from_slice(bytes);
        let _ = self.stream.write_all(&frame);
    }

    /// The next event of a type; others are passed over.
    pub fn wait_for(&mut self, kind: &str) -> String {
        let wanted = format!("{{\"type\":\"{kind}\"");
        loop {
            let text = self.frame().expect("the socket is open");
            if text.starts_with(&wanted) {
                return text;
            }
        }
    }

    pub fn closes_within(&mut self, time: Duration) -> bool {
        let start = Instant::now();
        while start.elapsed() < time {
            if self.frame().is_none() {
                return true;
            }
        }
        false
    }

    /// The text of the next frame; `None` when the server has closed.
    fn frame(&mut self) -> Option<String> {
        let head = self.take(2)?;
        let length = match head[1] & 127 {
            126 => u16::from_be_bytes(self.take(2)?.try_into().ok()?) as usize,
            127 => u64::from_be_bytes(self.take(8)?.try_into().ok()?) as usize,
            short => short as usize,
        };
        let bytes = self.take(length)?;
        if head[0] & 15 == 8 { None } else { Some(String::from_utf8_lossy(&bytes).into_owned()) }
    }

    fn take(&mut self, count: usize) -> Option<Vec<u8>> {
        let mut chunk = [0u8; 8192];
        while self.buffer.len() < count {
            match self.stream.read(&mut chunk) {
                Ok(0) | Err(_) => return None,
                Ok(read) => self.buffer.extend_from_slice(&chunk[..read]),
            }
        }
        let rest = self.buffer.split_off(count);
        Some(std::mem::replace(&mut self.buffer, rest))
    }
}

/// Reads until the server closes; `None` when it does not.
pub fn read_to_end(stream: &mut TcpStream) -> Option<String> {
    let mut bytes = Vec::new();
    match stream.read_to_end(&mut bytes) {
        Ok(_) => Some(String::from_utf8_lossy(&bytes).into_owned()),
        Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => Some(String::new()),
        Err(_) => None,
    }
}

/// Whether something becomes true in time.
pub fn within(time: Duration, mut test: impl FnMut() -> bool) -> bool {
    let start = Instant::now();
    while start.elapsed() < time {
        if test() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    test()
}

/// An address of this machine that is not loopback: the one a packet to the world would leave from. Nothing is sent.
pub fn other_address() -> Option<IpAddr> {
    let socket = UdpSocket::bind("0.0.0.0:0").ok()?;
    socket.connect("192.0.2.1:9").ok()?;
    socket
        .local_addr()
        .ok()
        .map(|address| address.ip())
        .filter(|ip| !ip.is_loopback() && !ip.is_unspecified())
}
