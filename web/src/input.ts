// Everything that can happen, and everything the page can do about it.
import type { Shape } from './annotation';
import type {
  AnalysisSettings,
  Command,
  Event,
  GameSettings,
  Imported,
  LabStart,
  LabStudy,
  OpenedGame,
  OwnFilter,
  OwnGames,
  OwnImport,
  OwnProgress,
  OwnReviewing,
  PuzzleFacts,
  Side,
  StudySummary,
  StudyView,
} from './messages';
import type { RepertoireRecord } from './repertoire';
import type { EditorPosition } from './editor';
import type { Chapter, Editor, LaserGame, Measure, Own, Page, Preferences } from './state';
import type { Language } from './language';
import type { PuzzleRecord } from './puzzles';
import type { Connection } from './socket';
import type { Sound } from './sound';

export type Input =
  | { on: 'event'; event: Event; now: number }
  | { on: 'connection'; connection: Connection; game: number | null }
  | { on: 'page'; page: Page }
  | { on: 'key'; key: string }
  | { on: 'dialog'; dialog: 'help' | 'settings' | null }
  | { on: 'preferences'; change: Partial<Preferences> }
  | { on: 'language'; language: Language | 'auto' }
  | { on: 'problem'; what: string; next: string }
  | { on: 'dismiss' }
  // Play
  | { on: 'setup'; open: boolean }
  | { on: 'new game'; settings: GameSettings }
  | { on: 'rematch' }
  | { on: 'board move'; from: string; to: string }
  | { on: 'promote'; piece: string | null }
  | { on: 'typed move'; text: string }
  | { on: 'go to'; ply: number }
  | { on: 'take back' }
  | { on: 'resign'; sure: boolean | null }
  | { on: 'offer draw' }
  | { on: 'switch sides' }
  | { on: 'hint' }
  | { on: 'flip' }
  | { on: 'continue here' }
  | { on: 'analyse game'; review: boolean }
  | { on: 'export game'; id: number }
  // Analyse
  | { on: 'node'; index: number }
  | { on: 'engine'; slot: 0 | 1 }
  | { on: 'compare' }
  | { on: 'measure'; measure: Measure }
  | { on: 'threat' }
  | { on: 'analysis settings'; slot: 0 | 1; change: Partial<AnalysisSettings> }
  | { on: 'line move'; uci: string[] }
  | { on: 'preview'; fen: string | null }
  | { on: 'review' }
  | { on: 'people' }
  | { on: 'explorer' }
  | { on: 'rating'; rating: number }
  | { on: 'coach' }
  /// Puts a line of the coach on the board, as a variation from a node.
  | { on: 'coach line'; from: number; uci: string[] }
  | { on: 'coach puzzles' }
  | { on: 'import'; open: boolean }
  | { on: 'draft'; text: string }
  | { on: 'load'; text: string }
  | { on: 'load file'; file: File }
  | { on: 'imported'; imported: Imported }
  | { on: 'open imported'; index: number }
  | { on: 'opened game'; game: OpenedGame; index: number }
  | { on: 'filter'; text: string }
  | { on: 'reset board' }
  // Learning from mistakes
  | { on: 'practice'; side: Side | null }
  | { on: 'practice next' }
  /// A move on the board or typed, before it is played.
  | { on: 'tried move'; text: string }
  | { on: 'practice solution' }
  // Set-up board
  | { on: 'edit position'; fen: string | null }
  | { on: 'editor'; change: Partial<Editor> }
  | { on: 'editor position'; change: Partial<EditorPosition> }
  | { on: 'editor square'; square: string; letter: string | null }
  | { on: 'editor tool'; tool: 'start' | 'clear' | 'mirror' | 'swap' }
  | { on: 'editor analyse' }
  | { on: 'editor play' }
  // Studies
  | { on: 'comment'; text: string }
  | { on: 'nag'; nag: number }
  | { on: 'shapes'; shapes: Shape[] }
  | { on: 'move variation'; by: -1 | 1 }
  | { on: 'main line' }
  | { on: 'delete from here' }
  | { on: 'undo' }
  | { on: 'chapter'; index: number }
  | { on: 'add chapter' }
  | { on: 'delete chapter' }
  | { on: 'rename'; what: 'study' | 'chapter'; name: string }
  | { on: 'export chapter' }
  | { on: 'export study' }
  | { on: 'list studies'; open: boolean }
  | { on: 'studies'; studies: StudySummary[] }
  | { on: 'open study'; id: number }
  | { on: 'study'; study: StudyView }
  | { on: 'study gone' }
  | { on: 'study saved'; key: number; id: number; revision: number }
  | { on: 'study not saved'; key: number }
  | { on: 'remove study'; id: number | null; sure: boolean }
  | { on: 'copy fen' }
  | { on: 'play from here' }
  // Puzzles
  | { on: 'puzzles'; puzzles: PuzzleFacts[] }
  | { on: 'next puzzle' }
  | { on: 'puzzle theme'; theme: string | null }
  | { on: 'puzzle reply' }
  | { on: 'puzzle go to'; ply: number }
  | { on: 'puzzle hint' }
  | { on: 'puzzle solution' }
  | { on: 'analyse puzzle' }
  | { on: 'quiz'; start: boolean }
  | { on: 'play at level'; level: number }
  // Repertoire
  | { on: 'repertoire studies'; studies: StudySummary[] }
  | { on: 'repertoire open'; id: number; side: Side }
  | { on: 'repertoire study'; study: StudyView }
  | { on: 'repertoire build'; side: Side }
  | { on: 'repertoire next' }
  | { on: 'repertoire reply' }
  | { on: 'repertoire solution' }
  | { on: 'repertoire leave' }
  | { on: 'repertoire analyse' }
  // Own games
  | { on: 'own tab'; tab: Own['tab'] }
  | { on: 'own import'; file: File }
  | { on: 'own imported'; imported: OwnImport }
  | { on: 'own filter'; change: Partial<OwnFilter> }
  | { on: 'own position' }
  | { on: 'own list'; list: OwnGames }
  | { on: 'own names'; names: string[] }
  | { on: 'own open'; id: number; flipped: boolean }
  | { on: 'own opened'; game: OpenedGame; flipped: boolean }
  | { on: 'own export' }
  | { on: 'own remove'; id: number | null; sure: boolean }
  | { on: 'own review' }
  | { on: 'own reviewing'; reviewing: OwnReviewing }
  | { on: 'own progress'; progress: OwnProgress }
  | { on: 'own refresh' }
  // Games
  | { on: 'search games'; text: string }
  | { on: 'open game'; id: number }
  | { on: 'remove game'; id: number | null; sure: boolean }
  // Leiserchess
  | { on: 'laser setup'; open: boolean }
  | { on: 'laser new'; black: boolean; milliseconds: number; fen: string | null }
  | { on: 'laser square'; square: string }
  | { on: 'laser turn'; turn: 'L' | 'U' | 'R' }
  | { on: 'laser typed'; text: string }
  | { on: 'laser back' }
  | { on: 'laser analyse' }
  | { on: 'laser go to'; ply: number }
  | { on: 'laser fire' }
  // Lab
  | { on: 'open report'; id: number | null }
  | { on: 'report'; text: string }
  | { on: 'lab studies'; studies: LabStudy[] }
  | { on: 'lab start'; start: LabStart }
  | { on: 'lab stop'; id: number }
  | { on: 'lab resume'; id: number }
  | { on: 'lab games'; id: number }
  | { on: 'lab changed' }
  // Keyboard on the board
  | { on: 'cursor'; key: string };

export type Effect =
  | { do: 'send'; command: Command }
  | { do: 'save'; preferences: Preferences }
  | { do: 'sound'; sound: Sound }
  | { do: 'remember game'; id: number | null }
  | { do: 'download'; name: string; text: string }
  | { do: 'upload'; text: string }
  | { do: 'read file'; file: File }
  | { do: 'fetch imported'; collection: number; index: number }
  | { do: 'fetch report'; id: number }
  | { do: 'save study'; key: number; id: number | null; revision: number; chapters: Chapter[] }
  | { do: 'add study'; text: string }
  | { do: 'fetch studies' }
  | { do: 'fetch study'; id: number }
  | { do: 'delete study'; id: number }
  | { do: 'remember study'; place: { id: number; chapter: number; moves: string } | null }
  | { do: 'remember laser'; game: LaserGame }
  | { do: 'fetch puzzles' }
  | { do: 'remember puzzles'; record: PuzzleRecord }
  /// Puzzles of one's own games, which the server does not keep.
  | { do: 'keep puzzles'; puzzles: PuzzleFacts[] }
  | { do: 'remember repertoire'; record: RepertoireRecord }
  /// Asks the server; what it answers becomes an input.
  | { do: 'request'; method: 'GET' | 'POST' | 'DELETE'; path: string; body?: unknown; answer(value: never): Input | null }
  /// Sends a file of own games.
  | { do: 'send file'; path: string; file: File; answer(value: never): Input }
  /// Saves what the server answers as a file.
  | { do: 'save answer'; path: string; body: unknown; name: string }
  /// After a pause, as a person would reply.
  | { do: 'later'; input: Input; milliseconds: number }
  | { do: 'go'; page: Page }
  | { do: 'copy'; text: string }
  | { do: 'focus input' }
  /// Everything is said again in another language.
  | { do: 'reload' };
