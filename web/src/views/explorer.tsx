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
