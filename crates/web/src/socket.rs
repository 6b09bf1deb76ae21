//! Between a socket and its board: messages in at a bounded pace, events out, and a prompt end on both sides.

use crate::limits;
use crate::messages::{Command, Event};
use crate::session::{Note, Outlet, Session};
use crate::shared::Shared;
use axum::extract::ws::{Message, Utf8Bytes, WebSocket};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::Sender;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::{Instant, MissedTickBehavior};

/// Events that may wait for a slow page.
const QUEUE: usize = 256;

/// A place among the sockets; given back when dropped.
pub struct Place(Arc<Shared>);

impl Place {
    /// `None` when all are taken.
    pub fn take(shared: &Arc<Shared>) -> Option<Place> {
        let taken = shared.sockets.fetch_update(Ordering::AcqRel, Ordering::Acquire, |open| {
            (open < limits::SOCKETS).then_some(open + 1)
        });
        taken.ok().map(|_| Place(Arc::clone(shared)))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.sockets.fetch_sub(1, Ordering::AcqRel);
    }
}

struct Queue(mpsc::Sender<Event>);

impl Outlet for Queue {
    fn send(&self, event: Event) {
        // The board's own thread may wait; a page that is gone needs no answer.
        let _ = self.0.blocking_send(event);
    }

    fn offer(&self, event: Event) {
        let _ = self.0.try_send(event);
    }
}

/// Lets a burst through, then so many a second.
struct Pace {
    allowance: f64,
    last: Instant,
}

impl Pace {
    fn new() -> Pace {
        Pace { allowance: f64::from(limits::MESSAGES_PER_SECOND), last: Instant::now() }
    }

    /// How long to wait before the next message is read.
    fn wait(&mut self) -> Duration {
        let rate = f64::from(limits::MESSAGES_PER_SECOND);
        let now = Instant::now();
        self.allowance = (self.allowance + (now - self.last).as_secs_f64() * rate).min(rate) - 1.0;
        self.last = now;
        Duration::from_secs_f64((-self.allowance / rate).max(0.0))
    }
}

pub async fn serve(mut socket: WebSocket, shared: Arc<Shared>, _place: Place) {
    let (notes, heard) = std::sync::mpsc::channel();
    let (events, mut told) = mpsc::channel(QUEUE);
    let session = Session::new(Arc::clone(&shared), notes.clone(), Box::new(Queue(events)));
    let board = std::thread::Builder::new().name("board".to_string()).spawn(move || session.run(&heard));
    if board.is_err() {
        return;
    }
    converse(&mut socket, &notes, &mut told).await;
    // The board may be waiting to tell something: nobody listens any more, so it will not wait long.
    let _ = notes.send(Note::Closed);
    told.close();
    let _ = socket.send(Message::Close(None)).await;
}

async fn converse(socket: &mut WebSocket, notes: &Sender<Note>, told: &mut mpsc::Receiver<Event>) {
    let mut pace = Pace::new();
    let mut next_read = Instant::now();
    let mut heard_at = Instant::now();
    let mut heartbeat = tokio::time::interval(limits::SILENCE / 4);
    heartbeat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        // One future a turn: what to do next, whichever comes first.
        let step = {
            let reading = async {
                tokio::time::sleep_until(next_read).await;
                socket.recv().await
            };
            either(told.recv(), reading, heartbeat.tick()).await
        };
        match step {
            Step::Tell(Some(event)) => {
                let Ok(text) = serde_json::to_string(&event) else { continue };
                if socket.send(Message::Text(Utf8Bytes::from(text))).await.is_err() {
                    return;
                }
            }
            Step::Hear(Some(Ok(message))) => {
                heard_at = Instant::now();
                next_read = heard_at + pace.wait();
                let note = match message {
                    Message::Text(text) => {
                        serde_json::from_str::<Command>(&text).map_or(Note::Unclear, Note::Command)
                    }
                    Message::Binary(_) => Note::Unclear,
                    Message::Ping(_) | Message::Pong(_) => continue,
                    Message::Close(_) => return,
                };
                if notes.send(note).is_err() {
                    return;
                }
            }
            Step::Beat => {
                let silent = heard_at.elapsed() > limits::SILENCE;
                if silent || socket.send(Message::Ping(axum::body::Bytes::new())).await.is_err() {
                    return;
                }
            }
            Step::Tell(None) | Step::Hear(_) => return,
        }
    }
}

enum Step {
    Tell(Option<Event>),
    Hear(Option<Result<Message, axum::Error>>),
    Beat,
}

/// The first of three futures to be ready; the others are dropped, and each of them may be.
async fn either(
    tell: impl Future<Output = Option<Event>>,
    hear: impl Future<Output = Option<Result<Message, axum::Error>>>,
    beat: impl Future<Output = Instant>,
) -> Step {
    let mut tell = std::pin::pin!(tell);
    let mut hear = std::pin::pin!(hear);
    let mut beat = std::pin::pin!(beat);
    std::future::poll_fn(|context| {
        use std::task::Poll::{Pending, Ready};
        if let Ready(event) = tell.as_mut().poll(context) {
            return Ready(Step::Tell(event));
        }
        if let Ready(message) = hear.as_mut().poll(context) {
            return Ready(Step::Hear(message));
        }
        if beat.as_mut().poll(context).is_ready() {
            return Ready(Step::Beat);
        }
        Pending
    })
    .await
}
