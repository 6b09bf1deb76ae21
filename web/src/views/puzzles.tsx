// The page of the puzzle trainer.
import type { DrawShape } from '@lichess-org/chessground/draw';
import type { Key } from '@lichess-org/chessground/types';
import { useMemo } from 'preact/hooks';
import type { Side } from '../messages';
import { dueCount, themesOf } from '../puzzles';
import { LENGTH } from '../quiz';
import { type Puzzles, START } from '../state';
import { strings } from '../strings';
import { moveNumber } from '../format';
import type { ViewProps } from './app';
import { Board, boardInput } from './board';
import { Button, MoveInput, PromotionChoice, TextBoard } from './parts';
import { Stepper } from './play';

const words = strings.puzzles;
const NOTHING = {};

const said = ({ status, current, nodes, failed, played, list }: Puzzles): string => {
  if (!current) return list ? words.none : words.loading;
  switch (status) {
    case 'loading':
      return words.loading;
    case 'checking':
      return words.checking;
    case 'wrong':
      return words.wrong;
    case 'solved':
      return failed ? words.solvedLate : words.solved;
    case 'shown':
      return words.shown;
    default:
      return played > 0 ? words.right : words.find(strings.side[nodes[0]!.turn]);
  }
};

export const PuzzlesPage = ({ state, dispatch }: ViewProps) => {
  const { puzzles, preferences } = state;
  const { current, nodes, shown, played, status, record, list, change } = puzzles;
  const node = nodes[shown];
  const solver: Side = nodes[0]?.turn ?? 'white';
  const bottom: Side = (solver === 'white') !== puzzles.flipped ? 'white' : 'black';
  const live = shown === played && (status === 'your move' || status === 'wrong') && state.connection === 'open';
  const over = status === 'solved' || status === 'shown';
  const last = status === 'shown' ? nodes.length - 1 : played;
  const shapes = useMemo(
    (): DrawShape[] => (puzzles.hint && current ? [{ orig: current.solution[played]!.slice(0, 2) as Key, brush: 'green' }] : []),
    [puzzles.hint, current, played],
  );
  const name = (theme: string) => words.themes[theme] ?? theme;
  return (
    <div class="table">
      <section class="board-side" aria-label={words.title}>
        <Board
          fen={node?.fen ?? START}
          orientation={bottom}
          turn={node?.turn ?? 'white'}
          check={node?.check ?? false}
          lastMove={node?.from_to ?? null}
          dests={live && node ? node.dests : NOTHING}
          movable={live ? solver : undefined}
          premove={false}
          shapes={shapes}
          {...boardInput(state, dispatch)}
          onStep={(by) => dispatch({ on: 'puzzle go to', ply: shown + by })}
        >
          <PromotionChoice promotion={puzzles.promotion} side={solver} flipped={bottom === 'black'} dispatch={dispatch} />
        </Board>
      </section>
      <section class="panel-side">
        <div class="panel game puzzle">
          <div class="status-line" data-status={current ? status : 'none'} data-puzzle={current?.id}>
            <h1>{said(puzzles)}</h1>
            {over && current && (
              <p class="soft">{[words.puzzleRating(current.rating), ...current.themes.map(name)].join(' · ')}</p>
            )}
          </div>
          <Stepper
            at={shown}
            last={last}
            onGo={(ply) => dispatch({ on: 'puzzle go to', ply })}
            now={node?.san ? `${moveNumber(node.ply)} ${node.san}` : null}
            onFlip={() => dispatch({ on: 'flip' })}
          />
          {!over && (
            <MoveInput
              label={strings.play.moveInput}
              help={strings.play.moveInputHelp}
              disabled={!live}
              onMove={(text) => dispatch({ on: 'typed move', text })}
            />
          )}
          <div class="actions">
            <Button id="next-puzzle" text label={words.next} icon="next" kind={over ? 'primary' : undefined} onClick={() => dispatch({ on: 'next puzzle' })} />
            {!over && <Button icon="bulb" text label={words.hint} disabled={!live} onClick={() => dispatch({ on: 'puzzle hint' })} />}
            {!over && <Button icon="open" text label={words.solution} disabled={!node} onClick={() => dispatch({ on: 'puzzle solution' })} />}
            {over && <Button icon="chart" text label={words.analyse} onClick={() => dispatch({ on: 'analyse puzzle' })} />}
          </div>
        </div>
        <div class="panel">
          <p>
            {words.rating} <strong id="puzzle-rating">{record.rating}</strong>{' '}
            {change !== null && <span class={change < 0 ? 'blunder' : 'gain'}>{change > 0 ? `+${change}` : change}</span>}
          </p>
          <p class="soft">
            {words.record(record.solved, record.failed)}
            {list && `; ${words.due(dueCount(record, list, state.now))}`}
          </p>
          <QuizPart state={state} dispatch={dispatch} />
          <label class="field inline">
            <span>{words.theme}</span>
            <select
              id="puzzle-theme"
              value={puzzles.theme ?? ''}
              disabled={puzzles.quiz !== null}
              onChange={(event) => dispatch({ on: 'puzzle theme', theme: event.currentTarget.value || null })}
            >
              <option value="">{words.anyTheme}</option>
              {themesOf(list ?? []).map((theme) => (
                <option value={theme}>{name(theme)}</option>
              ))}
            </select>
          </label>
          <p class="soft">{words.about}</p>
        </div>
        {preferences.textMode && node && <TextBoard fen={node.fen} />}
      </section>
    </div>
  );
};

/// The quiz that finds the player's level: its start, how far it is, and what it found.
const QuizPart = ({ state, dispatch }: ViewProps) => {
  const { quiz, level, list } = state.puzzles;
  if (quiz) {
    return (
      <div class="actions">
        <p class="quiz-now" role="status" id="quiz">
          {words.quizNow(Math.min(quiz.tried + 1, LENGTH), LENGTH)}
        </p>
        <Button label={words.quizStop} onClick={() => dispatch({ on: 'quiz', start: false })} />
      </div>
    );
  }
  return (
    <>
      {level && (
        <p class="note" role="status" id="quiz-level">
          {words.quizLevel(level.middle, level.low, level.high)}
        </p>
      )}
      <div class="actions">
        {level && <Button text label={words.quizPlay(level.middle)} onClick={() => dispatch({ on: 'play at level', level: level.middle })} />}
        <Button icon="target" text id="quiz-start" label={words.quiz(LENGTH)} disabled={!list} onClick={() => dispatch({ on: 'quiz', start: true })} />
      </div>
    </>
  );
};
