//! The other ranks: they do what the leader orders.

use crate::link::Link;
use crate::message::Message;
use engine::{Engine, OptionError, Peers, Request};
use kernel::Limits;
use std::sync::Arc;
use std::sync::mpsc::Receiver;

/// Carries out orders until the leader ends. What went wrong, such as a network file that is not on this machine, is told to
/// `complain`; the engine goes on without it.
pub fn follow(
    mut engine: Engine,
    link: &Arc<Link>,
    orders: &Receiver<Message>,
    mut complain: impl FnMut(String),
) -> Result<(), OptionError> {
    engine.set_peers(Arc::clone(link) as Arc<dyn Peers>)?;
    let mut current = 0;
    while let Ok(order) = orders.recv() {
        match order {
            Message::Option { name, value } => {
                if let Err(error) = engine.set_option(&name, value.as_deref()) {
                    complain(error.to_string());
                }
            }
            Message::NewGame => {
                if let Err(fault) = engine.new_game() {
                    complain(fault.to_string());
                }
            }
            Message::Search(order) => {
                // The old search ends before the new number holds: what it still finds is not for the new one.
                engine.finish();
                current = order.number;
                link.expect(current);
                engine.set_game(order.game);
                let limits = Limits { depth: order.depth, infinite: true, ..Limits::default() };
                engine.go(Request { limits, search_moves: order.allowed }, Box::new(|_| {}));
            }
            Message::Stop { number } if number == current => engine.stop(),
            Message::Quit => break,
            Message::Stop { .. }
            | Message::Found { .. }
            | Message::Alive
            | Message::Ended
            | Message::Close => {}
        }
    }
    engine.finish();
    link.close();
    Ok(())
}
