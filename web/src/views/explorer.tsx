// The opening explorer: what was played in this position, by others and in one's own games.
import type { ExplorerMove } from '../messages';
import { translated } from '../server';
import { strings } from '../strings';
import type { ViewProps } from './app';
import { Button } from './parts';

const words = strings.explorer;

/// Games of one rating band, or of all.
const counted = (move: ExplorerMove, band: number): number =>
  band < 0 ? move.games.reduce((sum, games) => sum + games, 0) : (move.games[band] ?? 0);

/// How many percent of the games White won, were drawn, and Black won; null where there are too few.
export const outcome = (move: ExplorerMove, band: number): [number, number, number] | null => {
  let [games, white, drawn] = [0, 0, 0];
  move.results.forEach((results, index) => {
    if (!results || (band >= 0 && band !== index)) return;
    const count = move.games[index] ?? 0;
    games += count;
    white += count * results[0];
    drawn += count * results[1];
  });
  if (games === 0) return null;
  const [first, second] = [Math.round(white / games), Math.round(drawn / games)];
  return [first, second, 100 - first - second];
};

const Outcome = ({ shares }: { shares: [number, number, number] | null }) =>
  shares && (
    <>
      <svg class="outcome" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
        <rect class="white" width={shares[0]} height="10" />
        <rect class="drawn" x={shares[0]} width={shares[1]} height="10" />
        <rect class="black" x={shares[0] + shares[1]} width={shares[2]} height="10" />
      </svg>
      <small>{words.outcome(...shares)}</small>
    </>
  );

export const ExplorerPanel = ({ state, dispatch }: ViewProps) => {
  const { analyse, preferences } = state;
  const node = analyse.nodes[analyse.current]!;
  const here = analyse.explored?.fen === node.fen ? analyse.explored : null;
  const band = here ? here.bands.indexOf(preferences.band ?? '') : -1;
  const rows = (here?.moves ?? [])
    .map((move) => ({ move, games: counted(move, band), own: move.own.wins + move.own.draws + move.own.losses }))
    .filter(({ games, own }) => games + own > 0)
    .sort((one, other) => other.games - one.games || other.own - one.own);
  const total = rows.reduce((sum, { games }) => sum + games, 0);
  const own = rows.some((row) => row.own > 0);
  return (
    <div class="explorer people">
      <div class="actions">
        <Button icon="open" text id="explorer" label={words.title} pressed={preferences.explorer} onClick={() => dispatch({ on: 'explorer' })} />
        {preferences.explorer && here && (
          <label class="field inline">
            <span class="hidden">{words.rating}</span>
            <select
              id="band"
              value={band < 0 ? '' : here.bands[band]}
              onChange={(event) => dispatch({ on: 'preferences', change: { band: event.currentTarget.value || null } })}
            >
              <option value="">{words.allRatings}</option>
              {here.bands.map((name) => (
                <option value={name}>{translated(name)}</option>
              ))}
            </select>
          </label>
        )}
      </div>
      {preferences.explorer && !node.over && (
        <table class="report">
          <caption class="soft">{!here ? words.loading : rows.length === 0 ? words.none : words.caption(total)}</caption>
          {rows.length > 0 && (
            <>
              <thead>
                <tr>
                  <th scope="col">{words.move}</th>
                  <th scope="col">
                    <span class="hidden">{words.share}</span>
                  </th>
                  <th scope="col">{words.games}</th>
                  <th scope="col">{words.outcomes}</th>
                  {own && <th scope="col">{words.own}</th>}
                </tr>
              </thead>
              <tbody>
                {rows.map(({ move, games, own: played }) => (
                  <tr>
                    <th scope="row">
                      <button type="button" class="move" onClick={() => dispatch({ on: 'line move', uci: [move.uci] })}>
                        {move.san}
                      </button>
                    </th>
                    <td class="share">
                      {/* Widths go through an attribute: the page's policy allows no style in markup. */}
                      <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                        <rect width={total > 0 ? (games / total) * 100 : 0} height="10" />
                      </svg>
                      {move.opening && <small class="soft">{move.opening}</small>}
                    </td>
                    <td>{games}</td>
                    <td class="outcomes">
                      <Outcome shares={outcome(move, band)} />
                    </td>
                    {own && <td>{played > 0 ? words.results(move.own.wins, move.own.draws, move.own.losses) : ''}</td>}
                  </tr>
                ))}
              </tbody>
            </>
          )}
        </table>
      )}
    </div>
  );
};
