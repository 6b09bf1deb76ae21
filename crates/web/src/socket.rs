//! Between a socket and its session: messages in at a bounded rate, events out, and a prompt end on both sides.

use crate::limits;
use crate::messages::{Command, Event};
use crate::session::{EventSink, TabSession};
use crate::session_input::SessionInput;
use crate::shared::Shared;
use axum::extract::ws::{Message, Utf8Bytes, WebSocket};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::Sender;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::{Instant, MissedTickBehavior, timeout};

/// Events that may wait for a slow page.
const QUEUE: usize = 256;

/// One of the tabs that may be open at one time. Its session holds it until the session's engines are gone, so that
/// tabs opened and closed in a hurry cannot use more memory than the limit allows.
pub struct SocketSlot(Arc<Shared>);

impl SocketSlot {
    /// `None` when all are taken.
    pub fn take(shared: &Arc<Shared>) -> Option<SocketSlot> {
        let taken = shared.sockets.fetch_update(Ordering::AcqRel, Ordering::Acquire, |open| {
            (open < limits::SOCKETS).then_some(open + 1)
        });
        taken.ok().map(|_| SocketSlot(Arc::clone(shared)))
    }
}

impl Drop for SocketSlot {
    fn drop(&mut self) {
        self.0.sockets.fetch_sub(1, Ordering::AcqRel);
    }
}

struct Queue(mpsc::Sender<Event>);

impl EventSink for Queue {
    fn send(&self, event: Event) {
        // The session's own thread may wait; a page that is gone needs no answer.
        let _ = self.0.blocking_send(event);
    }

    fn offer(&self, event: Event) {
        let _ = self.0.try_send(event);
    }
}

/// A token bucket: lets a burst through, then so many messages a second.
struct RateLimiter {
    allowance: f64,
    last: Instant,
}

impl RateLimiter {
    fn new() -> RateLimiter {
        RateLimiter { allowance: f64::from(limits::MESSAGES_PER_SECOND), last: Instant::now() }
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

pub async fn serve(mut socket: WebSocket, shared: Arc<Shared>, slot: SocketSlot) {
    let silence = shared.timeouts.silence;
    let (inputs, received) = std::sync::mpsc::channel();
    let (events, mut outgoing) = mpsc::channel(QUEUE);
    let session = TabSession::new(Arc::clone(&shared), inputs.clone(), Box::new(Queue(events)));
    let thread = std::thread::Builder::new().name("tab".to_string()).spawn(move || {
        session.run(&received);
        // The engines of the session are gone now.
        drop(slot);
    });
    if thread.is_err() {
        return;
    }
    exchange(&mut socket, &inputs, &mut outgoing, silence).await;
    // The session may wait to send an event: with the queue closed, it does not wait for long.
    let _ = inputs.send(SessionInput::Closed);
    outgoing.close();
    let _ = timeout(silence, socket.send(Message::Close(None))).await;
}

async fn exchange(
    socket: &mut WebSocket,
    inputs: &Sender<SessionInput>,
    outgoing: &mut mpsc::Receiver<Event>,
    silence: Duration,
) {
    let mut limiter = RateLimiter::new();
    let mut next_read = Instant::now();
    let mut received_at = Instant::now();
    let mut heartbeat = tokio::time::interval(silence / 4);
    heartbeat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        // What comes first is done; the other two futures are dropped and made anew.
        let step = {
            let reading = async {
                tokio::time::sleep_until(next_read).await;
                socket.recv().await
            };
            first_of(outgoing.recv(), reading, heartbeat.tick()).await
        };
        match step {
            Step::Send(Some(event)) => {
                let Ok(text) = serde_json::to_string(&event) else { continue };
                // A page that does not read for so long is gone.
                let sent = timeout(silence, socket.send(Message::Text(Utf8Bytes::from(text)))).await;
                if !matches!(sent, Ok(Ok(()))) {
                    return;
                }
            }
            Step::Receive(Some(Ok(message))) => {
                received_at = Instant::now();
                next_read = received_at + limiter.wait();
                let input = match message {
                    Message::Text(text) => serde_json::from_str::<Command>(&text)
                        .map_or(SessionInput::Malformed, SessionInput::Command),
                    Message::Binary(_) => SessionInput::Malformed,
                    Message::Ping(_) | Message::Pong(_) => continue,
                    Message::Close(_) => return,
                };
                if inputs.send(input).is_err() {
                    return;
                }
            }
            Step::Heartbeat => {
                let silent = received_at.elapsed() > silence;
                let ping = timeout(silence, socket.send(Message::Ping(axum::body::Bytes::new())));
                if silent || !matches!(ping.await, Ok(Ok(()))) {
                    return;
                }
            }
            Step::Send(None) | Step::Receive(_) => return,
        }
    }
}

enum Step {
    Send(Option<Event>),
    Receive(Option<Result<Message, axum::Error>>),
    Heartbeat,
}

/// The first of three futures to be ready; the others are dropped, which is safe for each of them.
async fn first_of(
    send: impl Future<Output = Option<Event>>,
    receive: impl Future<Output = Option<Result<Message, axum::Error>>>,
    heartbeat: impl Future<Output = Instant>,
) -> Step {
    let mut send = std::pin::pin!(send);
    let mut receive = std::pin::pin!(receive);
    let mut heartbeat = std::pin::pin!(heartbeat);
    std::future::poll_fn(|context| {
        use std::task::Poll::{Pending, Ready};
        if let Ready(event) = send.as_mut().poll(context) {
            return Ready(Step::Send(event));
        }
        if let Ready(message) = receive.as_mut().poll(context) {
            return Ready(Step::Receive(message));
        }
        if heartbeat.as_mut().poll(context).is_ready() {
            return Ready(Step::Heartbeat);
        }
        Pending
    })
    .await
}
