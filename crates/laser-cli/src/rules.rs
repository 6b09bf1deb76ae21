//! The rules of Leiserchess, for somebody who has never seen it.

pub const RULES: &str = "\
LEISERCHESS

Goal      Hit the other king with your laser. Whoever's king is hit loses, even by an own shot.

Board     8 x 8 squares, files a to h from left to right, ranks 0 to 7 from bottom to top. White moves first.

Pieces    Each side has a king and 7 pawns. White's are written in capitals, Black's in small letters.
          NN EE SS WW   a king that points north, east, south, west: there its laser fires
          NW NE SE SW   a pawn that points to that corner

Mirrors   A pawn is a mirror along its diagonal. The 2 sides it points to reflect: the beam turns by 90 degrees.
          The other 2 sides are opaque: a beam that meets one removes the pawn.

A turn    One move, then your king fires, every time. You cannot pass.
          g4R      turn the piece on g4 right (R), left (L) or half-way round (U)
          g4g5     step to an empty neighbouring square, in any of 8 directions
          c2c1b0   swap with the enemy on the neighbouring square c1, then step on to b0
          e4d5R    swap with the enemy on d5, then turn
          A swap always goes on with a step or a turn.

The shot  The beam goes straight on from your king, turns at mirrors and ends at the first opaque side, at a king, or
          at the edge of the board. It removes at most 1 piece, of either colour: you can hit your own pawns, and
          your own king.

Ko        A move may not restore the position before the opponent's last move.

Draws     100 moves of both sides together without a removed piece, or a position for the 3rd time.

Before you move, follow 2 beams: yours after your move, and your opponent's after each of its answers.";

/// What stands above a game.
pub const WELCOME: &str = "\
Goal: hit the other king with your laser. It fires by itself after each of your moves and can hit your own pieces.
White's pieces are CAPITALS, Black's are small. NN is a king that points north (its laser fires there), NW a pawn, a
mirror that points north-west. | and - are the beam of the last shot (before the first move: of
yours), *SE* is a piece that it met.
A move: g4R (turn R, U or L), g4g5 (step), c2c1b0 (swap, then step), e4d5R (swap, then turn).
New to the game? Type rules. Other words: help, moves, hint, undo, quit.";

/// The words a player may type in `tabiya laser play`.
pub const WORDS: &str = "\
a move   g4R (turn R, U or L), g4g5 (step), c2c1b0 (swap, then step), e4d5R (swap, then turn)
moves    all your moves, those of each piece in a line
hint     what the program would play
undo     take your last move back
rules    the rules of the game
help     these words
quit     leave";
