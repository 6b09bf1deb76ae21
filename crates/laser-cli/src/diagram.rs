//! Drawing a board in text, with a beam on it.

use laser::{Bitboard, Colour, Position, Square};

/// The board from White's side; `beam` marks the squares a side's beam enters.
pub(crate) fn draw(position: &Position, beam: Option<Colour>) -> String {
    let lit = beam.map_or(Bitboard::EMPTY, |colour| position.shot(colour).path);
    let mut lines: Vec<String> = (0..8).rev().map(|rank| line(position, beam, lit, rank)).collect();
    lines.push("   a   b   c   d   e   f   g   h".to_owned());
    let (side, quiet) = (position.side_to_move(), position.quiet_plies());
    let moves = if quiet == 1 { "move" } else { "moves" };
    lines.push(format!("{side} to move, {quiet} {moves} since a piece was removed\n"));
    lines.join("\n")
}

/// One rank.
fn line(position: &Position, beam: Option<Colour>, lit: Bitboard, rank: i32) -> String {
    let squares =
        (0..8).filter_map(|file| Square::at(file, rank)).map(|square| match position.piece_at(square) {
            Some(piece) if lit.contains(square) => format!("*{piece}*"),
            Some(piece) => format!(" {piece} "),
            None if lit.contains(square) => format!(" {}  ", stroke(position, beam, square)),
            None => " .  ".to_owned(),
        });
    format!("{rank} {}", squares.collect::<String>().trim_end())
}

/// How the beam crosses an empty square: upright, level, or both.
fn stroke(position: &Position, beam: Option<Colour>, square: Square) -> char {
    let Some(colour) = beam else { return '.' };
    let (mut upright, mut level) = (false, false);
    let mut before = position.king(colour);
    for here in position.beam(colour) {
        if let Some(before) = before.filter(|_| here == square) {
            let vertical = before.file() == here.file();
            upright |= vertical;
            level |= !vertical;
        }
        before = Some(here);
    }
    match (upright, level) {
        (true, true) => '+',
        (true, false) => '|',
        _ => '-',
    }
}
