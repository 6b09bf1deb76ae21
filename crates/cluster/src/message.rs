//! What ranks say to each other, and how it is written in bytes.
//!
//! All numbers are little-endian. A message begins with its kind. Bytes that are no message give an error, never a panic.

use chess::{Game, Move, Position};
use kernel::exchange::Batch;
use kernel::shared_progress::CompletedIteration;
use kernel::{Depth, Entry, Line, Score};
use std::fmt;

/// A message between ranks.
#[derive(Clone, Debug)]
pub enum Message {
    /// Set an option.
    Option {
        /// Its name.
        name: String,
        /// Its value; a button has none.
        value: Option<String>,
    },
    /// A new game begins.
    NewGame,
    /// Search.
    Search(SearchOrder),
    /// Search `number` is over.
    Stop {
        /// Which search.
        number: u32,
    },
    /// What a rank has found.
    Found {
        /// In which search.
        number: u32,
        /// What.
        batch: Box<Batch<Move>>,
    },
    /// The leader is there.
    Alive,
    /// The engine ends.
    Quit,
    /// A follower has ended its engine.
    Ended,
    /// Everybody has: close the connections.
    Close,
}

/// A search to be done by all ranks.
#[derive(Clone, Debug)]
pub struct SearchOrder {
    /// Tells it from earlier ones.
    pub number: u32,
    /// The game, with the position to search.
    pub game: Game,
    /// The root moves; empty for all.
    pub allowed: Vec<Move>,
    /// How deep to search at most.
    pub depth: Option<Depth>,
}

/// Bytes that are no message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DecodeError {
    /// The bytes end too early.
    TooShort,
    /// No message is of this kind.
    UnknownKind(u8),
    /// A text that is not UTF-8, a position or move that is not legal, or bytes after the end.
    Invalid(&'static str),
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooShort => f.write_str("message too short"),
            Self::UnknownKind(kind) => write!(f, "message of kind {kind}, expected 0 to 8"),
            Self::Invalid(what) => write!(f, "message with an invalid {what}"),
        }
    }
}

impl std::error::Error for DecodeError {}

const NO_DEPTH: u16 = 0;

impl Message {
    /// The message in bytes.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Writer(Vec::new());
        match self {
            Self::Option { name, value } => {
                bytes.u8(0);
                bytes.text(name);
                bytes.u8(u8::from(value.is_some()));
                bytes.text(value.as_deref().unwrap_or_default());
            }
            Self::NewGame => bytes.u8(1),
            Self::Search(order) => {
                bytes.u8(2);
                bytes.u32(order.number);
                bytes.u16(order.depth.map_or(NO_DEPTH, |depth| depth.plies().clamp(1, 1000) as u16));
                bytes.text(&order.game.start().to_shredder_fen());
                bytes.moves(order.game.moves().iter().copied(), order.game.moves().len());
                bytes.moves(order.allowed.iter().copied(), order.allowed.len());
            }
            Self::Stop { number } => {
                bytes.u8(3);
                bytes.u32(*number);
            }
            Self::Found { number, batch } => {
                bytes.u8(4);
                bytes.u32(*number);
                bytes.batch(batch);
            }
            Self::Alive => bytes.u8(5),
            Self::Quit => bytes.u8(6),
            Self::Ended => bytes.u8(7),
            Self::Close => bytes.u8(8),
        }
        bytes.0
    }

    /// Reads a message.
    pub fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut reader = Reader(bytes);
        let message = match reader.u8()? {
            0 => {
                let (name, has_value, value) = (reader.text()?, reader.u8()?, reader.text()?);
                Self::Option { name, value: (has_value != 0).then_some(value) }
            }
            1 => Self::NewGame,
            2 => Self::Search(reader.search_order()?),
            3 => Self::Stop { number: reader.u32()? },
            4 => Self::Found { number: reader.u32()?, batch: Box::new(reader.batch()?) },
            5 => Self::Alive,
            6 => Self::Quit,
            7 => Self::Ended,
            8 => Self::Close,
            kind => return Err(DecodeError::UnknownKind(kind)),
        };
        if reader.0.is_empty() { Ok(message) } else { Err(DecodeError::Invalid("end")) }
    }
}

struct Writer(Vec<u8>);

impl Writer {
    fn u8(&mut self, value: u8) {
        self.0.push(value);
    }

    fn u16(&mut self, value: u16) {
        self.0.extend(value.to_le_bytes());
    }

    fn u32(&mut self, value: u32) {
        self.0.extend(value.to_le_bytes());
    }

    fn u64(&mut self, value: u64) {
        self.0.extend(value.to_le_bytes());
    }

    fn text(&mut self, text: &str) {
        self.u32(text.len() as u32);
        self.0.extend(text.as_bytes());
    }

    fn moves(&mut self, moves: impl Iterator<Item = Move>, count: usize) {
        self.u16(count.min(usize::from(u16::MAX)) as u16);
        moves.take(usize::from(u16::MAX)).for_each(|mv| self.u16(mv.bits()));
    }

    /// Numbers of moves and entries first; no moves mean no iteration.
    fn batch(&mut self, batch: &Batch<Move>) {
        self.u8(batch.iteration.as_ref().map_or(0, |iteration| iteration.line.len() as u8));
        self.u16(batch.entries.len() as u16);
        if let Some(iteration) = batch.iteration.as_ref().filter(|iteration| !iteration.line.is_empty()) {
            self.u16(iteration.depth.plies() as u16);
            self.u16(iteration.score.to_table(0) as u16);
            self.u16(iteration.selective_depth as u16);
            iteration.line.iter().for_each(|mv| self.u16(mv.bits()));
        }
        for (key, entry) in &batch.entries {
            self.u64(*key);
            self.u64(entry.to_bits());
        }
    }
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], DecodeError> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(DecodeError::TooShort)?;
        self.0 = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], DecodeError> {
        self.take(N)?.try_into().map_err(|_| DecodeError::TooShort)
    }

    fn u8(&mut self) -> Result<u8, DecodeError> {
        self.array().map(|[byte]| byte)
    }

    fn u16(&mut self) -> Result<u16, DecodeError> {
        self.array().map(u16::from_le_bytes)
    }

    fn u32(&mut self) -> Result<u32, DecodeError> {
        self.array().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Result<u64, DecodeError> {
        self.array().map(u64::from_le_bytes)
    }

    fn text(&mut self) -> Result<String, DecodeError> {
        let length = self.u32()? as usize;
        let bytes = self.take(length)?;
        String::from_utf8(bytes.to_vec()).map_err(|_| DecodeError::Invalid("text"))
    }

    fn a_move(&mut self) -> Result<Move, DecodeError> {
        Move::from_bits(self.u16()?).ok_or(DecodeError::Invalid("move"))
    }

    fn moves(&mut self) -> Result<Vec<Move>, DecodeError> {
        let count = self.u16()?;
        (0..count).map(|_| self.a_move()).collect()
    }

    fn search_order(&mut self) -> Result<SearchOrder, DecodeError> {
        let number = self.u32()?;
        let depth = Some(self.u16()?).filter(|&depth| depth != NO_DEPTH);
        let start = Position::from_fen(&self.text()?).map_err(|_| DecodeError::Invalid("position"))?;
        let mut game = Game::new(start);
        for mv in self.moves()? {
            game.play(mv).map_err(|_| DecodeError::Invalid("move"))?;
        }
        let allowed = self.moves()?;
        if !allowed.iter().all(|&mv| game.position().is_legal(mv)) {
            return Err(DecodeError::Invalid("root move"));
        }
        Ok(SearchOrder { number, game, allowed, depth: depth.map(|depth| Depth::new(i32::from(depth))) })
    }

    fn batch(&mut self) -> Result<Batch<Move>, DecodeError> {
        let (moves, entries) = (self.u8()?, self.u16()?);
        let iteration = if moves == 0 { None } else { Some(self.iteration(moves)?) };
        let entry = |_| Ok((self.u64()?, Entry::from_bits(self.u64()?)));
        Ok(Batch { iteration, entries: (0..entries).map(entry).collect::<Result<_, _>>()? })
    }

    fn iteration(&mut self, moves: u8) -> Result<CompletedIteration<Move>, DecodeError> {
        let depth = Depth::new(i32::from(self.u16()?)).min(Depth::MAX);
        let score = Score::from_table(self.u16()? as i16, 0);
        let selective_depth = usize::from(self.u16()?);
        let mut line = Line::default();
        for _ in 0..moves {
            line.push(self.a_move()?);
        }
        Ok(CompletedIteration { depth, score, selective_depth, line })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use common::Random;
    use kernel::Bound;

    fn round_trip(message: &Message) -> Message {
        Message::decode(&message.encode()).unwrap()
    }

    #[test]
    fn what_is_written_is_read_again() {
        let value = Some("ybwc".to_string());
        let option = Message::Option { name: "Parallel".into(), value };
        assert!(matches!(round_trip(&option), Message::Option { name, value }
            if name == "Parallel" && value.as_deref() == Some("ybwc")));
        let button = Message::Option { name: "Clear Hash".into(), value: None };
        assert!(matches!(round_trip(&button), Message::Option { value: None, .. }));
        assert!(matches!(round_trip(&Message::NewGame), Message::NewGame));
        assert!(matches!(round_trip(&Message::Stop { number: 7 }), Message::Stop { number: 7 }));
        for message in [Message::Alive, Message::Quit, Message::Ended, Message::Close] {
            assert_eq!(round_trip(&message).encode(), message.encode());
        }
    }

    #[test]
    fn a_search_carries_the_whole_game() {
        let mut game = Game::default();
        for text in ["e2e4", "e7e5", "e1e2", "e8e7"] {
            let mv = game.position().parse_uci(text).unwrap();
            game.play(mv).unwrap();
        }
        let allowed = vec![game.position().legal_moves()[3]];
        let order = SearchOrder {
            number: 3,
            game: game.clone(),
            allowed: allowed.clone(),
            depth: Some(Depth::new(9)),
        };
        let Message::Search(read) = round_trip(&Message::Search(order)) else { panic!("another kind") };
        assert_eq!((read.number, read.allowed, read.depth), (3, allowed, Some(Depth::new(9))));
        assert_eq!(read.game.moves(), game.moves());
        assert_eq!(read.game.earlier_keys(), game.earlier_keys());
        assert_eq!(read.game.position().key(), game.position().key());
    }

    fn batch() -> Batch<Move> {
        let mut line = Line::default();
        Game::default().position().legal_moves().iter().take(5).for_each(|&mv| line.push(mv));
        let score = Score::mated_in(6);
        let entry = Entry {
            best: std::num::NonZeroU16::new(77),
            score: -31_000,
            eval: Some(Score::centipawns(-55)),
            depth: Depth::new(21),
            bound: Bound::Upper,
            pv: true,
        };
        let depth = Depth::new(14);
        Batch {
            iteration: Some(CompletedIteration { depth, score, selective_depth: 31, line }),
            entries: vec![(u64::MAX - 5, entry), (1, Entry::default())],
        }
    }

    #[test]
    fn a_batch_is_as_long_as_virtual_time_counts_it() {
        for batch in [batch(), Batch { iteration: None, ..batch() }, Batch::default()] {
            let bytes = Message::Found { number: 1, batch: Box::new(batch.clone()) }.encode();
            assert_eq!(bytes.len(), batch.wire_bytes());
            let Message::Found { number: 1, batch: read } = Message::decode(&bytes).unwrap() else {
                panic!("another kind")
            };
            assert_eq!(read.entries, batch.entries);
            let known = |batch: &Batch<Move>| {
                let found = batch.iteration.as_ref();
                found.map(|it| (it.depth, it.score, it.selective_depth, it.line.iter().collect::<Vec<_>>()))
            };
            assert_eq!(known(&read), known(&batch));
        }
    }

    #[test]
    fn no_bytes_panic() {
        let order = SearchOrder { number: 1, game: Game::default(), allowed: Vec::new(), depth: None };
        let samples = [Message::Found { number: 1, batch: Box::new(batch()) }, Message::Search(order)];
        let mut random = Random::new(5);
        for sample in samples {
            let bytes = sample.encode();
            for length in 0..bytes.len() {
                assert!(Message::decode(&bytes[..length]).is_err());
            }
            for _ in 0..20_000 {
                let mut changed = bytes.clone();
                for _ in 0..=random.next_u64() % 3 {
                    let place = random.next_u64() as usize % changed.len();
                    changed[place] = random.next_u64() as u8;
                }
                if let Ok(message) = Message::decode(&changed) {
                    assert_eq!(Message::decode(&message.encode()).unwrap().encode(), message.encode());
                }
            }
        }
        assert_eq!(Message::decode(&[99]).unwrap_err(), DecodeError::UnknownKind(99));
        assert_eq!(Message::decode(&[]).unwrap_err(), DecodeError::TooShort);
    }
}
