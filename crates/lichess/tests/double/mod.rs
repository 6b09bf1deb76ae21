//! A double of the site: a server on a real socket with the bot API and faults on demand.
//!
//! It keeps its own games, by the rules, and its own record of what was asked when; it shares no code with the bot but
//! the rules of chess.

#![allow(dead_code)]

mod world;

pub use world::{Answer, Opponent, Setup};

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use world::World;

pub const TOKEN: &str = "lip_averysecretword";
pub const ACCOUNT: &str = "tabiyabot";

pub struct Double {
    pub port: u16,
    world: Arc<World>,
    /// Answers being made now, and the most there ever were at one time.
    flights: Arc<[AtomicUsize; 2]>,
    beats: Arc<AtomicBool>,
}

impl std::ops::Deref for Double {
    type Target = World;

    fn deref(&self) -> &World {
        &self.world
    }
}

impl Double {
    pub fn start() -> Double {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let double = Double {
            port: listener.local_addr().unwrap().port(),
            world: Arc::new(World::default()),
            flights: Arc::new([AtomicUsize::new(0), AtomicUsize::new(0)]),
            beats: Arc::new(AtomicBool::new(true)),
        };
        let (world, flights, beats) =
            (Arc::clone(&double.world), Arc::clone(&double.flights), Arc::clone(&double.beats));
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let connection = Connection {
                    world: Arc::clone(&world),
                    flights: Arc::clone(&flights),
                    beats: Arc::clone(&beats),
                };
                std::thread::spawn(move || connection.serve(stream));
            }
        });
        double
    }

    /// Without empty lines, a quiet stream looks dead.
    pub fn fall_silent(&self) {
        self.beats.store(false, Ordering::SeqCst);
    }

    pub fn most_at_one_time(&self) -> usize {
        self.flights[1].load(Ordering::SeqCst)
    }
}

struct Connection {
    world: Arc<World>,
    flights: Arc<[AtomicUsize; 2]>,
    beats: Arc<AtomicBool>,
}

struct Head {
    method: String,
    path: String,
    authorised: bool,
    body: String,
}

fn read_head(input: &mut impl BufRead) -> Option<Head> {
    let mut line = String::new();
    input.read_line(&mut line).ok().filter(|read| *read > 0)?;
    let mut words = line.split(' ').map(str::to_string);
    let (method, path) = (words.next()?, words.next()?);
    let (mut authorised, mut length) = (false, 0);
    loop {
        let mut header = String::new();
        input.read_line(&mut header).ok().filter(|read| *read > 0)?;
        let header = header.trim_end();
        if header.is_empty() {
            break;
        }
        let (name, value) = header.split_once(':')?;
        match name.to_ascii_lowercase().as_str() {
            "authorization" => authorised = value.trim() == format!("Bearer {TOKEN}"),
            "content-length" => length = value.trim().parse().ok()?,
            _ => {}
        }
    }
    let mut body = vec![0; length];
    input.read_exact(&mut body).ok()?;
    Some(Head { method, path, authorised, body: String::from_utf8(body).ok()? })
}

impl Connection {
    fn serve(&self, stream: TcpStream) {
        let Ok(mut output) = stream.try_clone() else { return };
        let mut input = BufReader::new(stream);
        while let Some(head) = read_head(&mut input) {
            let now = self.flights[0].fetch_add(1, Ordering::SeqCst) + 1;
            self.flights[1].fetch_max(now, Ordering::SeqCst);
            // As long as the way to a real site, so that requests at one time would meet.
            std::thread::sleep(Duration::from_millis(5));
            let answer = if head.authorised {
                self.world.ask(&head.method, &head.path, &head.body)
            } else {
                Answer::Status(401, r#"{"error":"No such token"}"#.to_string())
            };
            self.flights[0].fetch_sub(1, Ordering::SeqCst);
            if self.world.is_held(&head.method, &head.path) {
                // Until the client hangs up.
                let _ = std::io::Read::read(&mut input, &mut [0]);
                return;
            }
            let kept = match answer {
                Answer::Status(status, body) => write_whole(&mut output, status, &body).is_ok(),
                Answer::HangUp => return,
                Answer::Stream => {
                    let _ = self.stream(&mut output, &head.path);
                    return;
                }
            };
            if !kept {
                return;
            }
        }
    }

    fn stream(&self, output: &mut TcpStream, path: &str) -> std::io::Result<()> {
        output.write_all(
            b"HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n",
        )?;
        let mut reader = self.world.open(path);
        let mut beat = Instant::now();
        loop {
            for line in reader.lines(&self.world) {
                chunk(output, &[line.as_bytes(), b"\n"].concat())?;
            }
            if reader.is_cut(&self.world) {
                // In the middle of a line.
                return chunk(output, b"{\"type\":\"gameSta");
            }
            if reader.is_over(&self.world) {
                return output.write_all(b"0\r\n\r\n");
            }
            if self.beats.load(Ordering::SeqCst) && beat.elapsed() > Duration::from_millis(100) {
                chunk(output, b"\n")?;
                beat = Instant::now();
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

fn chunk(output: &mut TcpStream, bytes: &[u8]) -> std::io::Result<()> {
    // In two parts, so that lines do not arrive whole.
    let (one, other) = bytes.split_at(bytes.len() / 2);
    for part in [one, other].into_iter().filter(|part| !part.is_empty()) {
        output.write_all(format!("{:x}\r\n", part.len()).as_bytes())?;
        output.write_all(part)?;
        output.write_all(b"\r\n")?;
    }
    output.flush()
}

fn write_whole(output: &mut TcpStream, status: u16, body: &str) -> std::io::Result<()> {
    write!(
        output,
        "HTTP/1.1 {status} Whatever\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )?;
    output.flush()
}
