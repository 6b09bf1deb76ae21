// What people of a rating play here, and what the coach says about the game.
import { strings } from '../strings';
import { moveNumber } from '../format';
import type { ViewProps } from './app';
import { Button, NumberField } from './parts';

const words = strings.people;

const percent = (share: number) => (share < 0.01 ? '<1 %' : `${Math.round(share * 100)} %`);

export const PeoplePanel = ({ state, dispatch }: ViewProps) => {
  const { analyse, preferences } = state;
  const node = analyse.nodes[analyse.current]!;
  const here = analyse.people?.fen === node.fen ? analyse.people : null;
  return (
    <div class="people">
      <div class="actions">
        <Button icon="people" text id="people" label={words.show} pressed={preferences.people} onClick={() => dispatch({ on: 'people' })} />
        {preferences.people && (
          <NumberField
            inline
            label={words.rating}
            id="rating"
            min={400}
            max={2800}
            step={50}
            value={preferences.rating}
            onChange={(rating) => dispatch({ on: 'rating', rating })}
          />
        )}
      </div>
      {preferences.people && !node.over && (
        <table class="report">
          <caption class="soft">{here ? words.caption(here.rating, here.games) : words.asking}</caption>
          {here && (
            <tbody>
              {here.moves.map((move) => (
                <tr>
                  <th scope="row">
                    <button type="button" class="move" onClick={() => dispatch({ on: 'line move', uci: [move.uci] })}>
                      {move.san}
                    </button>
                  </th>
                  <td class="share">
                    {/* Widths go through an attribute: the page's policy allows no style in markup. */}
                    <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                      <rect width={move.share * 100} height="10" />
                    </svg>
                  </td>
                  <td>{percent(move.share)}</td>
                  {here.games > 0 && <td class="soft">{words.games(move.games)}</td>}
                </tr>
              ))}
            </tbody>
          )}
        </table>
      )}
    </div>
  );
};

const played = (estimate: [number, number, number] | null) => {
  if (!estimate) return words.notEstimated;
  const [low, middle, high] = estimate.map((value) => Math.round(value / 10) * 10);
  return words.played(middle!, low!, high!);
};

/// The coach's button, its progress, and its remarks, each a way to the move it is about.
export const CoachPanel = ({ state, dispatch }: ViewProps) => {
  const { analyse } = state;
  const { coach, coaching } = analyse;
  return (
    <div class="coach">
      <div class="actions">
        <Button icon="bulb" text id="coach" label={coaching ? words.stopCoach : words.coach} onClick={() => dispatch({ on: 'coach' })} />
      </div>
      {coaching && (
        <p class="soft" role="status">
          {words.coaching}
          <progress max={Math.max(coaching.total, 1)} value={coaching.done} aria-label={words.coach} />
        </p>
      )}
      {coach && (
        <>
          <p class="soft">
            {strings.side.white}: {played(coach.white)} {strings.side.black}: {played(coach.black)}
          </p>
          {coach.moves.length === 0 && <p class="soft">{words.nothing}</p>}
          {coach.puzzles.length > 0 && (
            <div class="actions">
              <Button icon="target" text id="coach-puzzles" label={words.puzzles(coach.puzzles.length)} onClick={() => dispatch({ on: 'coach puzzles' })} />
            </div>
          )}
          <ol class="remarks">
            {coach.moves.map((remark) => {
              const index = analyse.coached[remark.ply] ?? 0;
              const node = analyse.nodes[index];
              return (
                <li aria-current={index === analyse.current ? 'true' : undefined}>
                  <button type="button" class="move" onClick={() => dispatch({ on: 'node', index })}>
                    {node ? `${moveNumber(node.ply)} ${node.san ?? ''}` : ''}
                  </button>
                  <p>{remark.comment.join(' ')}</p>
                  {node && node.parent !== null && (
                    <div class="actions">
                      {remark.better.length > 0 && (
                        <Button label={words.playBetter} onClick={() => dispatch({ on: 'coach line', from: node.parent!, uci: remark.better })} />
                      )}
                      {remark.refutation.length > 1 && (
                        <Button label={words.playRefutation} onClick={() => dispatch({ on: 'coach line', from: node.parent!, uci: remark.refutation })} />
                      )}
                    </div>
                  )}
                </li>
              );
            })}
          </ol>
        </>
      )}
    </div>
  );
};
