// Generated from the Rust types in crates/web/src/messages. Do not edit:
// `TABIYA_WRITE_MESSAGES=1 cargo test -p web messages` writes it anew.

export type Side = "white" | "black";

export type Slot = "first" | "second";

export type Line = { 
/**
 * `None` is the standard start position.
 */
start: string | null, moves: Array<string>, };

export type Node = { 
/**
 * Index of the position before, in the list this node is part of; `None` for the start.
 */
parent: number | null, 
/**
 * The continuation of its line; a variation otherwise.
 */
main: boolean, 
/**
 * Half-moves since the start of the game, as the move number counts them.
 */
ply: number, fen: string, turn: Side, check: boolean, 
/**
 * The move that led here, in coordinates; castling is king takes rook.
 */
uci: string | null, san: string | null, 
/**
 * Where the moved piece started and ended, to be shown as the last move.
 */
from_to: [string, string] | null, capture: boolean, 
/**
 * Legal destinations, by starting square: `e2` -> `e3e4`.
 */
dests: { [key in string]?: string }, 
/**
 * Name of the opening, where one is known for this very position.
 */
opening: string | null, 
/**
 * How the game ends here, if it does.
 */
over: string | null, 
/**
 * What a PGN says about the move, each comment whole: `[%clk ...]` and other commands included.
 */
comments: Array<string>, 
/**
 * Comments before the move; only the first move of a variation has such.
 */
comments_before: Array<string>, 
/**
 * Numeric Annotation Glyphs (NAG): 1 is `!`.
 */
nags: Array<number>, };

export type OpenedGame = { tags: Array<[string, string]>, result: string, 
/**
 * The start, the main line and the variations; parents come before children. A null move has the uci `0000`.
 */
nodes: Array<Node>, 
/**
 * Why the rest of the game cannot be read, if it cannot.
 */
fault: string | null, };

export type PuzzleFacts = { 
/**
 * The same for the same puzzle on every visit.
 */
id: string, fen: string, 
/**
 * The solver's moves and the replies between them, in coordinates.
 */
solution: Array<string>, rating: number, themes: Array<string>, };

export type StudySummary = { id: number, name: string, chapters: number, 
/**
 * When it was last saved, in seconds since 1970.
 */
saved: number, };

export type StudyView = { id: number, 
/**
 * Of the text as saved; who saves names the revision the change was made to.
 */
revision: number, chapters: Array<OpenedGame>, };

export type Worth = { "kind": "centipawns", "value": number } | { "kind": "mate", "value": number } | { "kind": "table", "value": number };

export type Clocks = { white: number, black: number, };

export type Label = "inaccuracy" | "mistake" | "blunder";

export type SideChoice = "white" | "black" | "random";

export type Opponent = { 
/**
 * A rating, or `None` for full strength.
 */
level: number | null, 
/**
 * Settings of the opponent by name, of those the server listed.
 */
options: Array<[string, string]>, };

export type ClockSettings = { seconds: number, increment: number, };

export type Start = { "kind": "standard" } | { "kind": "chess960", number: number | null, } | { "kind": "position", fen: string | null, moves: Array<string>, };

export type Odds = "none" | "pawn" | "knight" | "bishop" | "rook" | "queen";

export type GameSettings = { side: SideChoice, opponent: Opponent, 
/**
 * The player's clock; `None` plays without.
 */
clock: ClockSettings | null, 
/**
 * The engine's, when it differs.
 */
engine_clock: ClockSettings | null, start: Start, odds: Odds, 
/**
 * The engine delays its moves as a person would.
 */
natural: boolean, 
/**
 * The engine ponders.
 */
ponder: boolean, };

export type AnalysisSettings = { 
/**
 * An engine of the server's list in place of the own one.
 */
engine?: string, lines: number, threads: number, hash_megabytes: number, 
/**
 * Other settings by name, of those the server listed: a scheduler, a variant of the search.
 */
options: Array<[string, string]>, };

export type Command = { "type": "new_game", settings: GameSettings, } | { "type": "open_game", id: number, } | { "type": "move", text: string, ply: number, } | { "type": "take_back" } | { "type": "resign" } | { "type": "offer_draw" } | { "type": "switch_sides" } | { "type": "hint" } | { "type": "leave_game" } | { "type": "list_games", search: string, } | { "type": "delete_game", id: number, } | { "type": "export_game", id: number, } | { "type": "describe", request: number, line: Line, from: number, } | { "type": "analyse", slot: Slot, line: Line, settings: AnalysisSettings, 
/**
 * Shows the threat: the best move of the other side if it were to move.
 */
threat: boolean, } | { "type": "stop_analysis", slot: Slot, } | { "type": "review", line: Line, kilonodes: number, } | { "type": "stop_review" } | { "type": "people", line: Line, rating: number, } | { "type": "explore", line: Line, } | { "type": "coach", line: Line, rating: number, kilonodes: number, } | { "type": "stop_coach" } | { "type": "laser_new", black: boolean, milliseconds: number, fen: string | null, 
/**
 * Moves already played, when a game continues after a reload.
 */
moves: Array<string>, } | { "type": "laser_move", text: string, ply: number, } | { "type": "laser_take_back" } | { "type": "laser_analyse", on: boolean, } | { "type": "list_experiments" };

export type OptionFact = { name: string, about: string, control: OptionControl, 
/**
 * For the opponent in a game; otherwise for the analysis.
 */
opponent: boolean, };

export type OptionControl = { "kind": "check", default: boolean, } | { "kind": "number", default: number, min: number, max: number, } | { "kind": "choice", default: string, values: Array<string>, };

export type EngineFacts = { version: string, level_min: number, level_max: number, threads_max: number, hash_max_megabytes: number, options: Array<OptionFact>, 
/**
 * Names of the engines that an analysis may use besides the own one.
 */
engines: Array<string>, };

export type Status = { "kind": "your_move" } | { "kind": "thinking" } | { "kind": "over", result: string, reason: string, };

export type GameView = { id: number, settings: GameSettings, you: Side, opponent: string, chess960: boolean, 
/**
 * From the start to the present position.
 */
nodes: Array<Node>, status: Status, clocks: Clocks | null, opening: string | null, };

export type GameSummary = { id: number, date: string, white: string, black: string, result: string, plies: number, opening: string | null, fen: string, };

export type AnalysisLine = { rank: number, depth: number, selective_depth: number, worth: Worth, san: Array<string>, uci: Array<string>, 
/**
 * The board after each move, for a look while hovering.
 */
fens: Array<string>, };

export type Sharing = { workers: number, 
/**
 * Split points offered to other workers.
 */
offers: number, 
/**
 * Times a worker joined a split point.
 */
takes: number, 
/**
 * Searches aborted because of a cutoff by another worker.
 */
aborts: number, 
/**
 * Times the owner of a split point waited for its helpers.
 */
waits: number, 
/**
 * Moves deferred because another worker was searching them.
 */
deferrals: number, 
/**
 * Share of the workers' time without work.
 */
idle: number, };

export type ReviewedMove = { 
/**
 * Of the position after the move; the first entry is the start.
 */
worth: Worth, 
/**
 * White's chances in percent.
 */
win: number, label: Label | null, 
/**
 * What was better, in the position before the move.
 */
best: string | null, best_line: Array<string>, accuracy: number | null, };

export type SideReview = { accuracy: number | null, inaccuracies: number, mistakes: number, blunders: number, 
/**
 * Mean loss in centipawns.
 */
loss: number | null, };

export type Review = { total: number, moves: Array<ReviewedMove>, white: SideReview, black: SideReview, finished: boolean, };

export type PeopleMove = { san: string, uci: string, 
/**
 * By the model, from 0 to 1.
 */
share: number, 
/**
 * Counted in real games of this opening; zero where none are known.
 */
games: number, };

export type ExplorerMove = { san: string, uci: string, 
/**
 * Games by rating, in the order of [`Event::Explored`]'s `bands`.
 */
games: Array<number>, 
/**
 * Of 100 games of each rating, how many White won and how many were drawn; none where there are too few.
 */
results: Array<[number, number] | null>, own: OwnResults, 
/**
 * Name of the opening after the move.
 */
opening: string | null, };

export type OwnResults = { wins: number, draws: number, losses: number, };

export type CoachedMove = { 
/**
 * Half-moves played, this one included.
 */
ply: number, 
/**
 * Sentences.
 */
comment: Array<string>, find_best: number | null, play_this: number | null, 
/**
 * What was better and how it goes on, from the position before the move, in coordinates; empty where nothing was wrong.
 */
better: Array<string>, 
/**
 * The move and how it is punished, from the position before it.
 */
refutation: Array<string>, };

export type CoachReport = { moves: Array<CoachedMove>, 
/**
 * The rating each side's moves look like: the lower end of an 80 % interval, the middle, the upper end. `None` when no
 * move was counted.
 */
white: [number, number, number] | null, black: [number, number, number] | null, 
/**
 * Positions of this game in which 1 move was right and another was played.
 */
puzzles: Array<PuzzleFacts>, };

export type ImportedGame = { white: string, black: string, event: string, date: string, result: string, plies: number, 
/**
 * Why it cannot be read, if it cannot.
 */
problem: string | null, };

export type Imported = { collection: number, games: Array<ImportedGame>, 
/**
 * The file had more games than are kept.
 */
cut_short: boolean, };

export type Experiment = { 
/**
 * Names it in the report's address.
 */
id: number, kind: string, name: string, created: string, folder: string, done: number, wanted: number | null, unit: string, problem: string | null, 
/**
 * Started by this server and not ended.
 */
running: boolean, 
/**
 * The last line that a run of this server wrote.
 */
said: string, 
/**
 * It has games to look at.
 */
games: boolean, };

export type LabStudy = { name: string, kind: string, about: string, 
/**
 * Estimates, in words.
 */
time: string, quick_time: string, };

export type LabPlayer = { 
/**
 * An engine that the operator allows, by its name; `None` is the own one.
 */
engine: string | null, 
/**
 * A rating that the own engine plays at; `None` is full strength.
 */
level: number | null, };

export type LabStart = { "kind": "study", name: string, quick: boolean, } | { "kind": "match", first: LabPlayer, second: LabPlayer, games: number, nodes: number, };

export type OwnFilter = { 
/**
 * Anywhere in players, event, date or opening.
 */
words: string, opening: string, 
/**
 * The player had White.
 */
white: boolean | null, 
/**
 * The player's result: 2 a win, 1 a draw, 0 a loss.
 */
half_points: number | null, speed: string | null, 
/**
 * Dates as in PGN: `2026.11.18`.
 */
from: string | null, to: string | null, 
/**
 * A FEN that was reached.
 */
position: string | null, };

export type OwnGame = { id: number, white: string, black: string, white_elo: number | null, black_elo: number | null, event: string, date: string, result: string, opening: string | null, speed: string, plies: number, 
/**
 * `None` when neither side is the player.
 */
player_is_white: boolean | null, accuracy: number | null, };

export type OwnGames = { games: Array<OwnGame>, 
/**
 * Games that fit the filter, and in all.
 */
total: number, all: number, wins: number, draws: number, losses: number, names: Array<string>, };

export type OwnImport = { added: number, known: number, unreadable: number, 
/**
 * The most frequent names of the file.
 */
players: Array<string>, };

export type OwnReviewing = { running: boolean, done: number, total: number, };

export type ProgressPoint = { id: number, date: string, accuracy: number | null, 
/**
 * The rating the moves look like: lower end of an 80 % interval, middle, upper end.
 */
rating: [number, number, number] | null, 
/**
 * What the site says.
 */
site_rating: number | null, };

export type PhaseErrors = { name: string, moves: number, errors: number, 
/**
 * Expected points lost in all.
 */
loss: number, };

export type ThemeErrors = { name: string, errors: number, };

export type OwnProgress = { 
/**
 * From the oldest game to the latest.
 */
points: Array<ProgressPoint>, phases: Array<PhaseErrors>, openings: Array<PhaseErrors>, themes: Array<ThemeErrors>, };

export type LaserPiece = { square: string, side: Side, king: boolean, 
/**
 * Quarter turns clockwise: a king looks north, east, south, west; a pawn's mirror north-west, north-east, ...
 */
quarters: number, };

export type LaserMove = { text: string, from: string, 
/**
 * The enemy it changes places with first.
 */
via: string | null, to: string, 
/**
 * `L`, `R` or `U`.
 */
turn: string | null, };

export type LaserPly = { text: string | null, pieces: Array<LaserPiece>, 
/**
 * Squares of the last shot, the firing king's first; empty before the first.
 */
beam: Array<string>, 
/**
 * The beam left the board: where it would have gone on, as files and ranks.
 */
exit: [number, number] | null, zapped: LaserPiece | null, fen: string, };

export type LaserView = { you: Side, turn: Side, plies: Array<LaserPly>, moves: Array<LaserMove>, 
/**
 * `None` while the game is running.
 */
result: string | null, reason: string | null, thinking: boolean, };

export type LaserLine = { 
/**
 * Plies played before the position searched.
 */
ply: number, depth: number, worth: Worth, nodes: number, milliseconds: number, moves: Array<string>, };

export type Event = { "type": "welcome", engine: EngineFacts, } | { "type": "engine_options", engine: string, options: Array<OptionFact>, } | { "type": "game", view: GameView, } | { "type": "game_elsewhere", id: number, } | { "type": "draw_declined" } | { "type": "remark", text: string, } | { "type": "hint", uci: string, san: string, } | { "type": "games", games: Array<GameSummary>, total: number, } | { "type": "exported", name: string, pgn: string, } | { "type": "described", request: number, from: number, nodes: Array<Node>, } | { "type": "undescribed", request: number, problem: string, } | { "type": "analysis", slot: Slot, threat: boolean, fen: string, lines: Array<AnalysisLine>, depth: number, nodes: number, nodes_per_second: number, milliseconds: number, permille_used: number, sharing: Sharing | null, running: boolean, } | { "type": "reviewed", review: Review, } | { "type": "people", fen: string, rating: number, 
/**
 * Of this opening, at this level.
 */
games: number, moves: Array<PeopleMove>, } | { "type": "explored", fen: string, 
/**
 * Names of the rating bands: `online below 1200`.
 */
bands: Array<string>, 
/**
 * The most played first.
 */
moves: Array<ExplorerMove>, } | { "type": "coaching", done: number, total: number, } | { "type": "coached", report: CoachReport, } | { "type": "laser", view: LaserView, } | { "type": "laser_analysis", line: LaserLine, } | { "type": "experiments", experiments: Array<Experiment>, place: string, } | { "type": "problem", what: string, next: string, };
