//! The thesis's own algorithm ("Expectimax"): at the opponent's nodes the value is the best reply's times the chance that they
//! find it, plus the worst reply's times the chance that they do not. Our own nodes are minimax.
//!
//! Kept as written, faults included, because it is the baseline everything else is measured against: the worst reply is
//! almost never played, and the skill update counts ranks, not losses, without bound. The text does not say how skill
//! becomes a probability; here the logistic curve does it, its scale set so that one best move out of thirty moves the
//! chance from one half to 0.68.

use chess::{Game, Move, Position, SEE_VALUES};
use eval::hce::Evaluator;
use kernel::Score;

/// What the thesis multiplies ranks by.
const SKILL_WEIGHT: i32 = 100;
/// Skill points for one unit of log-odds.
const SKILL_SCALE: f64 = 2000.0;
/// Its reverse futility margin for each ply, and how deep it is used.
const FUTILITY_MARGIN: i32 = 80;
const FUTILITY_DEPTH: i32 = 6;
const DEEPEST: i32 = 30;
const LONGEST_LINE: usize = 64;
const INFINITY: i32 = 32_001;

/// The opponent as the thesis models them: a number, and the replies it expects.
#[derive(Clone, Debug)]
pub struct Expectimax {
    skill: i32,
    /// The opponent's replies to our last move, best for them first.
    responses: Vec<Move>,
}

/// What a search came to.
#[derive(Clone, PartialEq, Debug)]
pub struct ExpectimaxResult {
    pub best: Move,
    /// The expected score, in centipawns.
    pub score: Score,
    pub depth: u32,
    pub nodes: u64,
    pub probability_of_optimal: f64,
}

impl Default for Expectimax {
    fn default() -> Expectimax {
        Expectimax::new(0)
    }
}

impl Expectimax {
    /// Skill 0 is the average player's: they find the best reply half the time.
    pub const fn new(skill: i32) -> Expectimax {
        Expectimax { skill, responses: Vec::new() }
    }

    pub const fn skill(&self) -> i32 {
        self.skill
    }

    pub fn probability_of_optimal(&self) -> f64 {
        1.0 / (1.0 + (-f64::from(self.skill) / SKILL_SCALE).exp())
    }

    /// The thesis's update: a hundred points for each rank above the middle of the list.
    pub fn update_skill(&mut self, move_ranking: usize, move_list_size: usize) {
        if move_ranking >= move_list_size {
            return;
        }
        let middle = move_list_size as i32 / 2;
        self.skill = self.skill.saturating_add(SKILL_WEIGHT * (middle - move_ranking as i32));
    }

    /// The opponent replied to our last move.
    pub fn opponent_played(&mut self, mv: Move) {
        let size = self.responses.len();
        if let Some(rank) = self.responses.iter().position(|response| *response == mv) {
            self.update_skill(rank, size);
        }
        self.responses.clear();
    }

    /// The reply that is best for the opponent, as far as is known: what to ponder on.
    pub fn expected_reply(&self) -> Option<Move> {
        self.responses.first().copied()
    }

    /// Ranks the replies again, best first. The thesis suggests it: its own ranking mixes in replies that the opponent may overlook, while
    /// the opponent's time is enough to rank their moves by plain alpha-beta. A list that says nothing changes nothing.
    pub fn rank(&mut self, replies: Vec<Move>) {
        if !replies.is_empty() {
            self.responses = replies;
        }
    }

    /// Deepens until `stop` says so or the nodes are spent; at least one ply is always finished. `None` without a legal move.
    pub fn think(
        &mut self,
        game: &Game,
        allowed: &[Move],
        nodes: u64,
        depth: Option<i32>,
        stop: &dyn Fn() -> bool,
    ) -> Option<ExpectimaxResult> {
        let mut tree = Tree {
            evaluator: Evaluator::default(),
            probability: self.probability_of_optimal(),
            nodes: 0,
            limit: u64::MAX,
            stop,
            keys: game.earlier_keys().to_vec(),
        };
        let root = game.position();
        let mut moves: Vec<Move> = ordered(root);
        moves.retain(|mv| allowed.is_empty() || allowed.contains(mv));
        let mut thought: Option<ExpectimaxResult> = None;
        for iteration in 1..=depth.unwrap_or(DEEPEST).clamp(1, DEEPEST) {
            let Some((best, score)) = tree.root(root, &moves, iteration) else { break };
            thought = Some(ExpectimaxResult {
                best,
                score: Score::centipawns(score),
                depth: iteration as u32,
                nodes: tree.nodes,
                probability_of_optimal: tree.probability,
            });
            // The best move first: the next iteration gains most from it.
            moves.retain(|mv| *mv != best);
            moves.insert(0, best);
            tree.limit = nodes;
            if tree.nodes >= nodes || stop() {
                break;
            }
        }
        if let Some(found) = &thought {
            self.responses = tree.responses(&root.after(found.best), found.depth as i32);
        }
        thought
    }
}

struct Tree<'a> {
    evaluator: Evaluator,
    probability: f64,
    nodes: u64,
    limit: u64,
    stop: &'a dyn Fn() -> bool,
    keys: Vec<u64>,
}

impl Tree<'_> {
    fn root(&mut self, position: &Position, moves: &[Move], depth: i32) -> Option<(Move, i32)> {
        let mut best: Option<(Move, i32)> = None;
        for mv in moves {
            let alpha = best.map_or(-INFINITY, |(_, score)| score);
            let score =
                self.child(position, *mv, |tree, child| tree.theirs(child, -INFINITY, -alpha, depth - 1, 1))?;
            if best.is_none_or(|(_, highest)| score > highest) {
                best = Some((*mv, score));
            }
        }
        best
    }

    /// Plays, searches the child for its own mover, and answers for ours.
    fn child(
        &mut self,
        position: &Position,
        mv: Move,
        search: impl FnOnce(&mut Self, &Position) -> Option<i32>,
    ) -> Option<i32> {
        self.keys.push(position.key());
        let score = search(self, &position.after(mv)).map(|score| -score);
        self.keys.pop();
        score
    }

    fn tick(&mut self) -> Option<()> {
        self.nodes += 1;
        let asked = self.nodes.is_multiple_of(1024) && (self.stop)();
        (self.nodes <= self.limit && !(asked && self.limit < u64::MAX)).then_some(())
    }

    fn over(&self, position: &Position, ply: i32) -> Option<i32> {
        if !position.has_legal_move() {
            return Some(if position.in_check() { ply - 32_000 } else { 0 });
        }
        let drawn = position.is_insufficient_material()
            || position.halfmove_clock() >= 100
            || position.repetitions(&self.keys) >= 1;
        drawn.then_some(0)
    }

    /// Our node: plain alpha-beta.
    fn ours(&mut self, position: &Position, mut alpha: i32, beta: i32, depth: i32, ply: i32) -> Option<i32> {
        self.tick()?;
        if let Some(score) = self.over(position, ply) {
            return Some(score);
        }
        if depth <= 0 || ply as usize >= LONGEST_LINE {
            return self.quiescence(position, alpha, beta, ply);
        }
        if depth <= FUTILITY_DEPTH && !position.in_check() {
            let standing = self.evaluator.evaluate(position);
            if standing - FUTILITY_MARGIN * depth >= beta {
                return Some(standing);
            }
        }
        let mut best = -INFINITY;
        for mv in ordered(position) {
            let score = self
                .child(position, mv, |tree, child| tree.theirs(child, -beta, -alpha, depth - 1, ply + 1))?;
            best = best.max(score);
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        Some(best)
    }

    /// The opponent's node: every reply is searched, none is cut, because both the best and the worst are needed. The
    /// window is of no use below it.
    fn theirs(&mut self, position: &Position, alpha: i32, beta: i32, depth: i32, ply: i32) -> Option<i32> {
        self.tick()?;
        if let Some(score) = self.over(position, ply) {
            return Some(score);
        }
        if depth <= 0 || ply as usize >= LONGEST_LINE {
            return self.quiescence(position, alpha, beta, ply);
        }
        let (mut best, mut worst) = (-INFINITY, INFINITY);
        for mv in ordered(position) {
            let score = self.child(position, mv, |tree, child| {
                tree.ours(child, -INFINITY, INFINITY, depth - 1, ply + 1)
            })?;
            best = best.max(score);
            worst = worst.min(score);
        }
        Some(self.expected(best, worst))
    }

    /// The thesis's formula.
    fn expected(&self, best: i32, worst: i32) -> i32 {
        (f64::from(best) * self.probability + f64::from(worst) * (1.0 - self.probability)) as i32
    }

    /// Captures until none is left.
    fn quiescence(&mut self, position: &Position, mut alpha: i32, beta: i32, ply: i32) -> Option<i32> {
        self.tick()?;
        let mut best = self.evaluator.evaluate(position);
        alpha = alpha.max(best);
        if best >= beta || ply as usize >= LONGEST_LINE {
            return Some(best);
        }
        let mut captures: Vec<Move> = position.noisy_moves().iter().copied().collect();
        captures.sort_by_key(|mv| std::cmp::Reverse(exchange(position, *mv)));
        for mv in captures {
            let score = -self.quiescence(&position.after(mv), -beta, -alpha, ply + 1)?;
            best = best.max(score);
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        Some(best)
    }

    /// The opponent's replies, best for them first, by the same expected scores, as the thesis ranks them.
    fn responses(&mut self, position: &Position, depth: i32) -> Vec<Move> {
        self.limit = u64::MAX;
        let shallow = (depth - 2).clamp(0, 1);
        let mut scored: Vec<(i32, Move)> = ordered(position)
            .into_iter()
            .filter_map(|mv| {
                let score = self
                    .child(position, mv, |tree, child| tree.ours(child, -INFINITY, INFINITY, shallow, 2))?;
                Some((score, mv))
            })
            .collect();
        scored.sort_by_key(|(score, mv)| (std::cmp::Reverse(*score), mv.bits()));
        scored.into_iter().map(|(_, mv)| mv).collect()
    }
}

/// Most valuable victim, least valuable attacker.
fn exchange(position: &Position, mv: Move) -> i32 {
    let victim = position.captured(mv).map_or(0, |kind| 10 * SEE_VALUES[kind.index()]);
    let attacker = position.piece_on(mv.from()).map_or(0, |piece| SEE_VALUES[piece.kind().index()]);
    if victim > 0 { victim - attacker + 10_000 } else { 0 }
}

fn ordered(position: &Position) -> Vec<Move> {
    let mut moves: Vec<Move> = position.legal_moves().iter().copied().collect();
    moves.sort_by_key(|mv| std::cmp::Reverse(exchange(position, *mv)));
    moves
}

#[cfg(test)]
mod tests {
    use super::*;

    fn think(skill: i32, fen: &str, depth: i32) -> ExpectimaxResult {
        let game = Game::new(Position::from_fen(fen).unwrap());
        Expectimax::new(skill).think(&game, &[], 200_000, Some(depth), &|| false).unwrap()
    }

    #[test]
    fn the_update_is_the_thesis_s() {
        for (rank, size, change) in [(0, 40, 2000), (39, 40, -1900), (20, 40, 0), (0, 1, 0)] {
            let mut gambit = Expectimax::new(500);
            gambit.update_skill(rank, size);
            assert_eq!(gambit.skill(), 500 + change, "rank {rank} of {size}");
        }
        let mut gambit = Expectimax::default();
        gambit.update_skill(9, 3);
        assert_eq!((gambit.skill(), gambit.probability_of_optimal()), (0, 0.5), "nonsense changes nothing");
    }

    #[test]
    fn a_new_ranking_decides_what_a_reply_says() {
        let game = Game::default();
        let mut gambit = Expectimax::default();
        let thought = gambit.think(&game, &[], 2000, Some(2), &|| false).unwrap();
        let replies: Vec<Move> = game.position().after(thought.best).legal_moves().iter().copied().collect();
        let best = gambit.expected_reply().unwrap();
        let mut ranked = replies.clone();
        ranked.retain(|mv| *mv != best);
        ranked.push(best);
        gambit.rank(ranked);
        gambit.rank(Vec::new());
        gambit.opponent_played(best);
        assert!(gambit.skill() < 0, "the last of the new list, not the first of the old: {}", gambit.skill());
    }

    #[test]
    fn mates_are_found_and_legal_moves_played() {
        let thought = think(0, "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", 3);
        assert_eq!(format!("{:?}", thought.best), "d1d8");
        let game = Game::default();
        let thought = Expectimax::default().think(&game, &[], 1, None, &|| true).unwrap();
        assert!(game.position().is_legal(thought.best), "one ply is always finished");
        let mated = Game::new(Position::from_fen("R3k3/8/4K3/8/8/8/8/8 b - - 0 1").unwrap());
        assert_eq!(Expectimax::default().think(&mated, &[], 1000, None, &|| false), None);
    }

    #[test]
    fn the_score_rises_as_skill_falls() {
        // The queen can take a pawn that is defended: only somebody who misses the recapture loses a pawn for nothing.
        let fen = "4k3/8/2p5/3p4/8/8/3Q4/3K4 w - - 0 1";
        let (master, fool) = (think(60_000, fen, 2), think(-60_000, fen, 2));
        assert!(master.score < fool.score);
        assert_ne!(format!("{:?}", master.best), "d2d5");
    }

    #[test]
    fn the_opponents_reply_is_ranked() {
        let game = Game::default();
        let mut gambit = Expectimax::default();
        let thought = gambit.think(&game, &[], 20_000, Some(2), &|| false).unwrap();
        let after = game.position().after(thought.best);
        let mut fine = gambit.clone();
        fine.opponent_played(gambit.responses[0]);
        assert!(fine.skill() > 0);
        let last = *gambit.responses.last().unwrap();
        assert!(after.is_legal(last));
        gambit.opponent_played(last);
        assert!(gambit.skill() < 0);
    }
}
