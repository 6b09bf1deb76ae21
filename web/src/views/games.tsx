// Saved games.
import { strings } from '../strings';
import { dateText } from '../format';
import type { ViewProps } from './app';
import { MiniBoard } from './board';
import { OwnGamesTab, ProgressTab } from './own';
import { Button, Choice, Dialog } from './parts';

const words = strings.games;

export const GamesPage = (props: ViewProps) => {
  const { state, dispatch } = props;
  const { tab } = state.own;
  return (
    <div class="reading">
      <h1>{words.title}</h1>
      <Choice
        label={strings.own.show}
        name="games-tab"
        value={tab}
        options={[
          ['here', strings.own.tabs.here],
          ['all', strings.own.tabs.all],
          ['progress', strings.own.tabs.progress],
        ]}
        onChange={(next) => dispatch({ on: 'own tab', tab: next })}
      />
      {tab === 'here' ? <PlayedHere {...props} /> : tab === 'all' ? <OwnGamesTab {...props} /> : <ProgressTab {...props} />}
    </div>
  );
};

const PlayedHere = ({ state, dispatch }: ViewProps) => {
  const { list, total, search, removing } = state.games;
  return (
    <>
      <label class="field">
        <span class="hidden">{words.search}</span>
        <input
          type="search"
          placeholder={words.search}
          value={search}
          onInput={(event) => dispatch({ on: 'search games', text: event.currentTarget.value })}
        />
      </label>
      {list === null ? (
        <p class="soft">…</p>
      ) : list.length === 0 ? (
        <p class="soft">{search ? words.noneFound : words.none}</p>
      ) : (
        <>
          <p class="soft">{words.total(total)}</p>
          <ul class="cards">
            {list.map((game) => (
              <li key={game.id} class="card">
                <MiniBoard fen={game.fen} orientation={game.black === strings.play.you ? 'black' : 'white'} />
                <div class="card-text">
                  <strong>
                    {game.white} – {game.black}
                  </strong>
                  <span>
                    {game.result === '*' ? words.unfinished : game.result} · {words.plies(game.plies)}
                  </span>
                  <span class="soft">{game.opening ?? ''}</span>
                  <span class="soft">{dateText(game.date)}</span>
                  <div class="actions">
                    <Button icon="open" text label={words.open} onClick={() => dispatch({ on: 'open game', id: game.id })} />
                    <Button icon="download" label={words.pgn} onClick={() => dispatch({ on: 'export game', id: game.id })} />
                    <Button
                      icon="trash"
                      label={words.remove}
                      onClick={() => dispatch({ on: 'remove game', id: game.id, sure: false })}
                    />
                  </div>
                </div>
              </li>
            ))}
          </ul>
        </>
      )}
      {removing !== null && (
        <Dialog title={words.removeSure} onClose={() => dispatch({ on: 'remove game', id: null, sure: false })}>
          <div class="actions">
            <Button
              label={words.remove}
              kind="danger"
              onClick={() => dispatch({ on: 'remove game', id: removing, sure: true })}
            />
            <Button label={strings.cancel} onClick={() => dispatch({ on: 'remove game', id: null, sure: false })} />
          </div>
        </Dialog>
      )}
    </>
  );
};
