// A quiz that finds the player's level: what is known about the rating after each answer, and which puzzle tells most.
import type { PuzzleFacts } from './messages';

/// Puzzles of a quiz.
export const LENGTH = 12;

/// Ratings that are weighed.
const [LEAST, MOST, STEP] = [300, 3000, 25];
const RATINGS = Array.from({ length: (MOST - LEAST) / STEP + 1 }, (_, index) => LEAST + index * STEP);
/// Before the first answer: most players, mean and deviation.
const BEFORE = { mean: 1550, deviation: 500 };
/// The next puzzle is drawn among so many, those nearest to the estimate, so that no two quizzes are the same.
const DRAWN_AMONG = 48;
/// Deviations to either side: 4 players of 5 are in between.
const RANGE = 1.28;

export interface Quiz {
  /// How likely each rating is.
  weights: number[];
  tried: number;
  solved: number;
}

export interface Level {
  low: number;
  middle: number;
  high: number;
}

export const newQuiz = (): Quiz => ({
  weights: RATINGS.map((rating) => Math.exp(-(((rating - BEFORE.mean) / BEFORE.deviation) ** 2) / 2)),
  tried: 0,
  solved: 0,
});

/// The Elo formula; a guess may hit and a sure thing may slip.
const chance = (player: number, puzzle: number): number => 0.03 + 0.94 / (1 + 10 ** ((puzzle - player) / 400));

export const answered = (quiz: Quiz, rating: number, solved: boolean): Quiz => {
  const likely = quiz.weights.map((weight, index) => weight * (solved ? chance(RATINGS[index]!, rating) : 1 - chance(RATINGS[index]!, rating)));
  const sum = likely.reduce((total, weight) => total + weight, 0);
  return { weights: likely.map((weight) => weight / sum), tried: quiz.tried + 1, solved: quiz.solved + (solved ? 1 : 0) };
};

export const levelOf = ({ weights }: Quiz): Level => {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const mean = weights.reduce((total, weight, index) => total + weight * RATINGS[index]!, 0) / sum;
  const variance = weights.reduce((total, weight, index) => total + weight * (RATINGS[index]! - mean) ** 2, 0) / sum;
  const round = (rating: number) => Math.round(rating / 10) * 10;
  const reach = RANGE * Math.sqrt(variance);
  return { low: round(mean - reach), middle: round(mean), high: round(mean + reach) };
};

/// A puzzle near the estimate, where an answer tells most; `seed` draws among them. Puzzles that were met tell nothing.
export const quizPuzzle = (quiz: Quiz, puzzles: PuzzleFacts[], met: (id: string) => boolean, seed: number): PuzzleFacts | null => {
  const { middle } = levelOf(quiz);
  const distance = ({ rating }: PuzzleFacts) => Math.abs(rating - middle);
  const near = puzzles
    .filter(({ id }) => !met(id))
    .sort((one, other) => distance(one) - distance(other))
    .slice(0, DRAWN_AMONG);
  return near[seed % near.length] ?? null;
};
