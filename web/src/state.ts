// The one state of the page. It is changed only by `update`, shown only by `render`.
import type {
  AnalysisLine,
  AnalysisSettings,
  CoachReport,
  EngineFacts,
  Experiment,
  ExplorerMove,
  GameSettings,
  GameSummary,
  GameView,
  Imported,
  LabStudy,
  LaserLine,
  LaserView,
  Node,
  OpenedGame,
  OptionFact,
  OwnFilter,
  OwnGames,
  OwnImport,
  OwnProgress,
  OwnReviewing,
  PeopleMove,
  PuzzleFacts,
  Review,
  Sharing,
  Side,
  StudySummary,
} from './messages';
import type { EditorPosition } from './editor';
import type { Language } from './language';
import { newRecord, type PuzzleRecord } from './puzzles';
import type { Level, Quiz } from './quiz';
import type { RepertoireRecord } from './repertoire';
import type { Connection } from './socket';

export type Page = 'play' | 'puzzles' | 'repertoire' | 'analyse' | 'games' | 'laser' | 'lab';
export const PAGES: Page[] = ['play', 'puzzles', 'repertoire', 'analyse', 'games', 'laser', 'lab'];

export type PieceTheme = 'standard' | 'wood' | 'slate';
export type BoardTheme = 'green' | 'brown' | 'blue' | 'grey';

/// Kept between visits.
export interface Preferences {
  theme: 'auto' | 'light' | 'dark';
  language: Language | 'auto';
  sound: boolean;
  textMode: boolean;
  coordinates: boolean;
  /// Colours of the squares.
  board: BoardTheme;
  pieces: PieceTheme;
  /// Percent of the largest board that fits.
  size: number;
  /// Pawns become queens without asking.
  autoQueen: boolean;
  still: boolean;
  arrows: boolean;
  game: GameSettings;
  analysis: [AnalysisSettings, AnalysisSettings];
  kilonodes: number;
  /// Whether to show what people play, and of which rating.
  people: boolean;
  rating: number;
  /// Whether to show the opening explorer, and the games of which ratings; `null` for all.
  explorer: boolean;
  band: string | null;
  laser: { black: boolean; milliseconds: number };
}

export interface Promotion {
  from: string;
  to: string;
}

export interface Play {
  view: GameView | null;
  /// Which position is shown; the last one can be moved from.
  shown: number;
  flipped: boolean;
  setup: boolean;
  resigning: boolean;
  promotion: Promotion | null;
  hint: { uci: string; san: string } | null;
  note: string | null;
  /// What the opponent said about its last move.
  remark: string | null;
  elsewhere: number | null;
  /// When the clocks in `view` were told, by the page's own clock.
  told: number;
}

export interface Thinking {
  threat: boolean;
  fen: string;
  lines: AnalysisLine[];
  depth: number;
  nodes: number;
  speed: number;
  milliseconds: number;
  permille: number;
  /// How its workers share the search.
  sharing: Sharing | null;
  running: boolean;
  /// The search so far, for the picture of a race.
  course: Sample[];
}

/// A search at one moment.
export interface Sample {
  seconds: number;
  depth: number;
  nodes: number;
  sharing: Sharing | null;
}

/// What the picture of a race shows over time.
export type Measure = 'depth' | 'nodes' | 'speed' | 'takes' | 'aborts' | 'deferrals' | 'idle';

/// The last question about a line: its number, and what the answer is for. A tree takes the place of what is on the
/// board, details go to the same moves, a branch hangs below the position it was asked for.
export interface Asked {
  request: number;
  purpose: 'tree' | 'details' | 'branch';
  parent: number;
  /// Where the board goes when the moves are there; the last of them unless it says so.
  landing?: 'first';
}

/// A game as the page keeps it: tags, result and the tree of moves.
export type Chapter = Pick<OpenedGame, 'tags' | 'result' | 'nodes'>;

/// What is on the analysis board: one chapter of it is in `Analyse.nodes`, where it changes.
export interface Study {
  /// Tells apart what the page had on its board, saved or not.
  key: number;
  /// `null` until it is saved for the first time.
  id: number | null;
  revision: number;
  /// The moves of the present chapter may be out of date here.
  chapters: Chapter[];
  chapter: number;
  /// Made or opened by the player: another game does not take its place.
  kept: boolean;
  saving: 'saved' | 'waiting' | 'failed';
}

/// What an undo brings back.
export interface Snapshot {
  nodes: Node[];
  current: number;
}

/// A position being set up.
export interface Editor {
  position: EditorPosition;
  flipped: boolean;
  /// A piece letter to put down, `delete`, or `move` to drag what is there.
  tool: string;
}

/// Learning from one's mistakes: a better move is to be found for each.
export interface Practice {
  side: Side;
  /// Nodes reached by a mistake; the position before each is shown.
  mistakes: number[];
  at: number;
  status: 'try' | 'checking' | 'wrong' | 'solved' | 'shown';
  /// The move that is being judged, or was.
  attempt: string | null;
  solved: number;
}

export interface Analyse {
  practice: Practice | null;
  /// Set while a position is set up in place of the analysis.
  editor: Editor | null;
  study: Study;
  undo: Snapshot[];
  /// A study of an earlier visit, to be opened when the page is.
  remembered: { id: number; chapter: number; moves: string } | null;
  studies: StudySummary[] | null;
  /// Whether the list of studies is shown, and which one may be deleted.
  listing: boolean;
  removing: number | null;
  nodes: Node[];
  current: number;
  flipped: boolean;
  running: [boolean, boolean];
  threat: boolean;
  thinking: [Thinking | null, Thinking | null];
  comparing: boolean;
  measure: Measure;
  promotion: Promotion | null;
  preview: string | null;
  review: Review | null;
  reviewing: boolean;
  /// The line the review belongs to.
  reviewed: number[];
  people: { fen: string; rating: number; games: number; moves: PeopleMove[] } | null;
  explored: { fen: string; bands: string[]; moves: ExplorerMove[] } | null;
  /// Why the game on the board ends where it does: the rest of its PGN cannot be read.
  fault: string | null;
  coach: CoachReport | null;
  coaching: { done: number; total: number } | null;
  /// The line the coach's remarks belong to.
  coached: number[];
  collection: Imported | null;
  opened: number | null;
  filter: string;
  importing: boolean;
  draft: string;
  asked: Asked;
  note: string | null;
}

/// A game of Leiserchess, to be taken up again after a reload.
export interface LaserGame {
  black: boolean;
  milliseconds: number;
  fen: string | null;
  moves: string[];
}

export interface Laser {
  view: LaserView | null;
  /// What an earlier visit left.
  earlier: LaserGame | null;
  flipped: boolean;
  shown: number;
  picked: string | null;
  via: string | null;
  cursor: string;
  analysing: boolean;
  line: LaserLine | null;
  /// Counts up to fire the beam again.
  shots: number;
  setup: boolean;
}

/// The puzzle trainer.
export interface Puzzles {
  list: PuzzleFacts[] | null;
  /// To be solved next, whatever the rating: the puzzles of a game just looked at.
  queue: PuzzleFacts[];
  record: PuzzleRecord;
  /// Set while the quiz that finds the player's level is on.
  quiz: Quiz | null;
  /// What the last quiz found.
  level: Level | null;
  theme: string | null;
  current: PuzzleFacts | null;
  /// The positions of the solution, from the first.
  nodes: Node[];
  /// Which of them is shown.
  shown: number;
  /// How far the solution has been played.
  played: number;
  status: 'loading' | 'your move' | 'checking' | 'wrong' | 'reply' | 'solved' | 'shown';
  /// A move was wrong, or a hint or the solution was asked for: the puzzle counts as not solved.
  failed: boolean;
  /// What the last puzzle did to the rating.
  change: number | null;
  hint: boolean;
  promotion: Promotion | null;
  flipped: boolean;
  request: number;
  attempt: string | null;
}

export interface Lab {
  /// Ready-made studies that can be started.
  studies: LabStudy[] | null;
  experiments: Experiment[] | null;
  place: string;
  open: number | null;
  report: string | null;
}

/// The player's own games of any place.
export interface Own {
  tab: 'here' | 'all' | 'progress';
  filter: OwnFilter;
  list: OwnGames | null;
  imported: OwnImport | null;
  importing: boolean;
  reviewing: OwnReviewing | null;
  progress: OwnProgress | null;
  removing: number | null;
}

/// The repertoire trainer: the moves of a study, to be known by heart.
export interface Repertoire {
  studies: StudySummary[] | null;
  /// Which study, and what it has for the side.
  study: number | null;
  side: Side;
  chapters: Chapter[];
  record: RepertoireRecord;
  /// The line on the board: a chapter of the study and a node of it.
  chapter: number;
  node: number;
  status: 'choose' | 'your move' | 'wrong' | 'reply' | 'shown' | 'done';
  /// A wrong move or a look at the solution: the position comes again soon.
  failed: boolean;
  promotion: Promotion | null;
  /// Moves that people play often and that the repertoire does not answer.
  gaps: ExplorerMove[];
}

export interface Games {
  list: GameSummary[] | null;
  total: number;
  search: string;
  removing: number | null;
}

export interface State {
  /// The time of the last input, in milliseconds since 1970: updates ask no clock.
  now: number;
  page: Page;
  connection: Connection;
  engine: EngineFacts | null;
  /// What may be set of other engines, by name; known once they have been started.
  otherOptions: Record<string, OptionFact[]>;
  preferences: Preferences;
  play: Play;
  analyse: Analyse;
  laser: Laser;
  puzzles: Puzzles;
  repertoire: Repertoire;
  lab: Lab;
  games: Games;
  own: Own;
  problem: { what: string; next: string } | null;
  announcement: string;
  dialog: 'help' | 'settings' | null;
  cursor: string;
  picked: string | null;
  /// Grows when the board must be drawn anew although the position is the same: a move was refused.
  redraw: number;
}

export const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';

export const defaultPreferences = (): Preferences => ({
  theme: 'auto',
  language: 'auto',
  sound: true,
  textMode: false,
  coordinates: true,
  board: 'green',
  pieces: 'standard',
  size: 100,
  autoQueen: false,
  still: false,
  arrows: true,
  game: {
    side: 'white',
    opponent: { level: 1500, options: [] },
    clock: null,
    engine_clock: null,
    start: { kind: 'standard' },
    odds: 'none',
    natural: true,
    ponder: true,
  },
  // Alike, so that a comparison is fair until one of them is changed.
  analysis: [
    { lines: 3, threads: 1, hash_megabytes: 64, options: [] },
    { lines: 3, threads: 1, hash_megabytes: 64, options: [] },
  ],
  kilonodes: 100,
  people: false,
  rating: 1500,
  explorer: false,
  band: null,
  laser: { black: false, milliseconds: 1000 },
});

export const emptyNode = (): Node => ({
  parent: null,
  main: true,
  ply: 0,
  fen: START,
  turn: 'white',
  check: false,
  uci: null,
  san: null,
  from_to: null,
  capture: false,
  dests: {},
  opening: null,
  over: null,
  comments: [],
  comments_before: [],
  nags: [],
});

/// A board nobody has changed yet.
export const emptyStudy = (key = 0): Study => ({
  key,
  id: null,
  revision: 0,
  chapters: [{ tags: [], result: '*', nodes: [emptyNode()] }],
  chapter: 0,
  kept: false,
  saving: 'saved',
});

export const noFilter = (): OwnFilter => ({
  words: '',
  opening: '',
  white: null,
  half_points: null,
  speed: null,
  from: null,
  to: null,
  position: null,
});

export const initial = (page: Page, preferences: Preferences): State => ({
  now: 0,
  page,
  connection: 'connecting',
  engine: null,
  otherOptions: {},
  preferences,
  play: {
    view: null,
    shown: 0,
    flipped: false,
    setup: false,
    resigning: false,
    promotion: null,
    hint: null,
    note: null,
    remark: null,
    elsewhere: null,
    told: 0,
  },
  analyse: {
    practice: null,
    editor: null,
    study: emptyStudy(),
    undo: [],
    remembered: null,
    studies: null,
    listing: false,
    removing: null,
    nodes: [emptyNode()],
    current: 0,
    flipped: false,
    running: [false, false],
    threat: false,
    thinking: [null, null],
    comparing: false,
    measure: 'depth',
    promotion: null,
    preview: null,
    review: null,
    reviewing: false,
    reviewed: [],
    people: null,
    explored: null,
    fault: null,
    coach: null,
    coaching: null,
    coached: [],
    collection: null,
    opened: null,
    filter: '',
    importing: false,
    draft: '',
    asked: { request: 0, purpose: 'details', parent: 0 },
    note: null,
  },
  laser: {
    view: null,
    earlier: null,
    flipped: false,
    shown: 0,
    picked: null,
    via: null,
    cursor: 'e4',
    analysing: false,
    line: null,
    shots: 0,
    setup: false,
  },
  puzzles: {
    list: null,
    queue: [],
    record: newRecord(preferences.rating),
    quiz: null,
    level: null,
    theme: null,
    current: null,
    nodes: [],
    shown: 0,
    played: 0,
    status: 'loading',
    failed: false,
    change: null,
    hint: false,
    promotion: null,
    flipped: false,
    request: 0,
    attempt: null,
  },
  repertoire: {
    studies: null,
    study: null,
    side: 'white',
    chapters: [],
    record: {},
    chapter: 0,
    node: 0,
    status: 'choose',
    failed: false,
    promotion: null,
    gaps: [],
  },
  lab: { studies: null, experiments: null, place: '', open: null, report: null },
  own: {
    tab: 'here',
    filter: noFilter(),
    list: null,
    imported: null,
    importing: false,
    reviewing: null,
    progress: null,
    removing: null,
  },
  games: { list: null, total: 0, search: '', removing: null },
  problem: null,
  announcement: '',
  dialog: null,
  cursor: 'e2',
  picked: null,
  redraw: 0,
});
