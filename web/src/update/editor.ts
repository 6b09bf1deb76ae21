// Setting up a position, and what to do with it.
import { colorsSwapped, type EditorPosition, fromFen, mirrored, toFen } from '../editor';
import type { Input } from '../input';
import { type Editor, START, type State } from '../state';
import type { Result } from './result';
import { withAnalyse } from './study';

const withEditor = (state: State, editor: Editor, change: Partial<Editor>): State =>
  withAnalyse({ ...state, problem: null }, { editor: { ...editor, ...change } });

const start = (): EditorPosition => fromFen(START)!;

/// `load` puts a FEN on the analysis board; the editor stays open until the server has taken it.
export const editorInput = (state: State, input: Input, load: (state: State, fen: string) => Result): Result | null => {
  const { editor } = state.analyse;
  if (input.on === 'edit position') {
    const position = fromFen(input.fen ?? state.analyse.nodes[state.analyse.current]!.fen) ?? start();
    const opened = withAnalyse({ ...state, page: 'analyse', problem: null }, { editor: { position, flipped: state.analyse.flipped, tool: 'move' } });
    return [opened, [{ do: 'go', page: 'analyse' }]];
  }
  if (!editor) return null;
  const { position } = editor;
  switch (input.on) {
    case 'editor':
      return [withEditor(state, editor, input.change), []];
    case 'editor position':
      return [withEditor(state, editor, { position: { ...position, ...input.change } }), []];
    case 'editor square': {
      const pieces = new Map(position.pieces);
      if (input.letter === null) pieces.delete(input.square);
      else pieces.set(input.square, input.letter);
      return [withEditor(state, editor, { position: { ...position, pieces } }), []];
    }
    case 'editor tool': {
      const made: Record<typeof input.tool, () => EditorPosition> = {
        start,
        clear: () => ({ ...start(), pieces: new Map(), castling: '' }),
        mirror: () => mirrored(position),
        swap: () => colorsSwapped(position),
      };
      return [withEditor(state, editor, { position: made[input.tool]() }), []];
    }
    case 'flip':
      if (state.page !== 'analyse') return null;
      return [withEditor(state, editor, { flipped: !editor.flipped }), []];
    case 'editor analyse':
      return load(state, toFen(position));
    case 'editor play': {
      const game = { ...state.preferences.game, odds: 'none' as const, start: { kind: 'position' as const, fen: toFen(position), moves: [] } };
      const preferences = { ...state.preferences, game };
      return [{ ...state, preferences, page: 'play', play: { ...state.play, setup: true } }, [{ do: 'go', page: 'play' }]];
    }
    default:
      return null;
  }
};
