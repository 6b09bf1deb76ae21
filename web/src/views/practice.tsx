// Learn from your mistakes: the task, and how it stands.
import type { Practice } from '../state';
import { strings } from '../strings';
import { moveNumber } from '../format';
import { mistakesOf } from '../update/practice';
import type { ViewProps } from './app';
import { Button } from './parts';

const words = strings.practice;

/// Where to begin: one button for each side that made mistakes.
export const PracticeStart = ({ state, dispatch }: ViewProps) => {
  const sides = (['white', 'black'] as const).filter((side) => mistakesOf(state, side).length > 0);
  if (!state.analyse.review?.finished || sides.length === 0) return null;
  return (
    <div class="practice-start">
      <strong>{words.title}</strong>
      <div class="actions">
        {sides.map((side) => (
          <Button id={`practice-${side}`} icon="target" text label={words.side[side]} onClick={() => dispatch({ on: 'practice', side })} />
        ))}
      </div>
    </div>
  );
};

export const PracticePanel = ({ state, dispatch, practice }: ViewProps & { practice: Practice }) => {
  const { nodes } = state.analyse;
  const mistake = practice.mistakes[practice.at];
  const node = mistake === undefined ? undefined : nodes[mistake];
  const all = practice.mistakes.length;
  const said = !node
    ? words.done(practice.solved, all)
    : {
        try: words.find(`${moveNumber(node.ply)} ${node.san ?? ''}`),
        checking: words.checking,
        wrong: words.wrong,
        solved: words.right,
        shown: words.shown,
      }[practice.status];
  const over = practice.status === 'solved' || practice.status === 'shown';
  return (
    <div class={`panel practice ${node ? practice.status : 'done'}`} data-status={node ? practice.status : 'done'}>
      <p role="status">
        <strong>{said}</strong>
      </p>
      <div class="actions">
        {node && !over && <Button text icon="bulb" label={words.solution} onClick={() => dispatch({ on: 'practice solution' })} />}
        {node && <Button id="practice-next" label={over ? words.next : words.skip} kind={over ? 'primary' : undefined} onClick={() => dispatch({ on: 'practice next' })} />}
        <Button label={words.stop} onClick={() => dispatch({ on: 'practice', side: null })} />
        {node && <span class="soft">{words.count(practice.at + 1, all)}</span>}
      </div>
    </div>
  );
};
