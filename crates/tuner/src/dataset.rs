//! Positions as the tuner keeps them: which weights each evaluation uses, packed end to end.

use eval::hce::{Coefficients, Use};

/// One position: where its uses lie, and what became of the game.
#[derive(Clone, Copy)]
pub struct Row {
    start: u32,
    linear: u16,
    danger: [u16; 2],
    winnable: u16,
    pub scale: [u16; 2],
    /// 24 with all pieces on the board.
    pub phase: u8,
    /// Which file it came from.
    pub source: u8,
    /// Points for White, 0 to 1: the result of the game, blended with the expected points of an evaluation.
    pub result: f32,
}

/// The uses of one row, by part of the evaluation.
pub struct Uses<'a> {
    pub linear: &'a [Use],
    pub danger: [&'a [Use]; 2],
    pub winnable: &'a [Use],
}

#[derive(Default)]
pub struct Dataset {
    pub rows: Vec<Row>,
    uses: Vec<Use>,
}

impl Dataset {
    /// Adds a position; false when the store is full (its offsets have 32 bits).
    pub fn push(&mut self, coefficients: &Coefficients, result: f32, source: u8) -> bool {
        let Ok(start) = u32::try_from(self.uses.len()) else { return false };
        self.uses.extend_from_slice(&coefficients.linear);
        self.uses.extend_from_slice(&coefficients.danger[0]);
        self.uses.extend_from_slice(&coefficients.danger[1]);
        self.uses.extend_from_slice(&coefficients.winnable);
        self.rows.push(Row {
            start,
            linear: coefficients.linear.len() as u16,
            danger: [coefficients.danger[0].len() as u16, coefficients.danger[1].len() as u16],
            winnable: coefficients.winnable.len() as u16,
            scale: coefficients.scale,
            phase: coefficients.phase as u8,
            source,
            result,
        });
        true
    }

    pub fn uses(&self, row: &Row) -> Uses<'_> {
        let rest = &self.uses[row.start as usize..];
        let (linear, rest) = rest.split_at(usize::from(row.linear));
        let (white, rest) = rest.split_at(usize::from(row.danger[0]));
        let (black, rest) = rest.split_at(usize::from(row.danger[1]));
        Uses { linear, danger: [white, black], winnable: &rest[..usize::from(row.winnable)] }
    }

    pub fn len(&self) -> usize {
        self.rows.len()
    }

    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// How much memory the uses take.
    pub fn bytes(&self) -> usize {
        self.uses.len() * size_of::<Use>() + self.rows.len() * size_of::<Row>()
    }
}
