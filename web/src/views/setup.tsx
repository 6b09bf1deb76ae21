// Setting up a game.
import { useState } from 'preact/hooks';
import type { GameSettings, Odds, OptionFact, Start } from '../messages';
import { START } from '../state';
import { strings } from '../strings';
import type { ViewProps } from './app';
import { Button, Check, Choice, Dialog, DialogProblem, NumberField } from './parts';

const CLOCKS: [string, GameSettings['clock']][] = [
  ['none', null],
  ['1+0', { seconds: 60, increment: 0 }],
  ['3+2', { seconds: 180, increment: 2 }],
  ['5+3', { seconds: 300, increment: 3 }],
  ['10+5', { seconds: 600, increment: 5 }],
  ['15+10', { seconds: 900, increment: 10 }],
];

const clockName = (clock: GameSettings['clock']): string =>
  CLOCKS.find(([, known]) => known?.seconds === clock?.seconds && known?.increment === clock?.increment)?.[0] ??
  'other';

export const SetupDialog = ({ state, dispatch }: ViewProps) => {
  const [game, set] = useState<GameSettings>(() =>
    // A position to go on from belongs to one game, not to the next.
    state.preferences.game.start.kind === 'position' && state.preferences.game.start.moves.length > 0
      ? { ...state.preferences.game, start: { kind: 'standard' } }
      : state.preferences.game,
  );
  const change = (part: Partial<GameSettings>) => set({ ...game, ...part });
  const words = strings.play;
  const level = game.opponent.level;
  const { level_min: low, level_max: high } = state.engine ?? { level_min: 1000, level_max: 3000 };
  const options = state.engine?.options.filter((option) => option.opponent) ?? [];
  const close = () => dispatch({ on: 'setup', open: false });
  const setOption = (name: string, value: string) => {
    const others = game.opponent.options.filter(([known]) => known !== name);
    change({ opponent: { ...game.opponent, options: [...others, [name, value]] } });
  };
  return (
    <Dialog title={words.newGame} onClose={close}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          dispatch({ on: 'new game', settings: game });
        }}
      >
        <fieldset class="choice">
          <legend>{words.opponent}</legend>
          <label class="slider">
            <span>
              {words.level} <strong>{level ?? '–'}</strong>
            </span>
            <input
              type="range"
              min={low}
              max={high}
              step={50}
              value={level ?? high}
              disabled={level === null}
              aria-label={words.level}
              onInput={(event) =>
                change({ opponent: { ...game.opponent, level: Number(event.currentTarget.value) } })
              }
            />
            <span class="soft">{level === null ? words.full : words.levelHelp(level)}</span>
          </label>
          <Check
            label={words.full}
            checked={level === null}
            onChange={(full) => change({ opponent: { ...game.opponent, level: full ? null : 1500 } })}
          />
          {level !== null && <CharacterChoice options={options} value={styleOf(game)} onChange={(style) => setOption('Style', style)} />}
        </fieldset>
        <Choice
          label={words.side}
          name="side"
          value={game.side}
          options={[
            ['white', words.white],
            ['random', words.random],
            ['black', words.black],
          ]}
          onChange={(side) => change({ side })}
        />
        <ClockChoice game={game} change={change} />
        <StartChoice
          game={game}
          change={change}
          refused={state.problem !== null}
          edit={(fen) => {
            close();
            dispatch({ on: 'edit position', fen });
          }}
        />
        <DialogProblem id="setup-problem" state={state} />
        <details>
          <summary>{words.more}</summary>
          <label class="field">
            <span>{words.odds}</span>
            <select value={game.odds} onChange={(event) => change({ odds: event.currentTarget.value as Odds })}>
              {Object.entries(words.oddsNames).map(([name, text]) => (
                <option value={name}>{text}</option>
              ))}
            </select>
          </label>
          <Check label={words.natural} checked={game.natural} onChange={(natural) => change({ natural })} />
          <Check label={words.ponder} checked={game.ponder} onChange={(ponder) => change({ ponder })} />
          {options.filter(({ name }) => name !== 'Style').map((option) => (
            <OptionField
              option={option}
              value={game.opponent.options.find(([name]) => name === option.name)?.[1] ?? null}
              onChange={(value) => setOption(option.name, value)}
            />
          ))}
        </details>
        <div class="actions">
          <button type="submit" class="button primary" id="start-game">
            {words.start}
          </button>
          <Button label={strings.cancel} onClick={close} />
        </div>
      </form>
    </Dialog>
  );
};

/// The named opponent that is chosen.
export const styleOf = (game: GameSettings): string => game.opponent.options.find(([name]) => name === 'Style')?.[1] ?? 'none';

/// Named opponents, as far as the engine has them: a taste in openings and moves at any level.
const CharacterChoice = ({ options, value, onChange }: { options: OptionFact[]; value: string; onChange(style: string): void }) => {
  const style = options.find(({ name }) => name === 'Style')?.control;
  if (style?.kind !== 'choice') return null;
  return (
    <div class="characters" role="radiogroup" aria-label={strings.play.characterLabel}>
      {style.values.map((id) => {
        const [name, about] = strings.characters[id] ?? [id, ''];
        return (
          <label>
            <input type="radio" name="character" value={id} checked={id === value} onChange={() => onChange(id)} />
            <span>
              <strong>{name}</strong> <small>{about}</small>
            </span>
          </label>
        );
      })}
    </div>
  );
};

interface PartProps {
  game: GameSettings;
  change(part: Partial<GameSettings>): void;
}

const ClockChoice = ({ game, change }: PartProps) => {
  const words = strings.play;
  const name = clockName(game.clock);
  const number = (value: number, label: string, min: number, max: number, set: (value: number) => void) => (
    <NumberField label={label} value={value} min={min} max={max} step="any" onChange={set} />
  );
  const { clock, engine_clock: engine } = game;
  return (
    <>
      <Choice
        label={words.clock}
        name="clock"
        value={name}
        options={[
          ...CLOCKS.map(([key]): [string, string] => [key, key === 'none' ? words.noClock : key]),
          ...(name === 'other' ? ([['other', words.custom]] as [string, string][]) : []),
        ]}
        onChange={(key) => change({ clock: CLOCKS.find(([known]) => known === key)?.[1] ?? null, engine_clock: null })}
      />
      {clock && (
        <div class="row">
          {number(clock.seconds / 60, words.minutes, 0.25, 180, (minutes) =>
            change({ clock: { ...clock, seconds: Math.round(minutes * 60) } }),
          )}
          {number(clock.increment, words.increment, 0, 180, (increment) =>
            change({ clock: { ...clock, increment: Math.round(increment) } }),
          )}
          {number((engine ?? clock).seconds / 60, words.timeOdds, 0.25, 180, (minutes) =>
            change({ engine_clock: { increment: clock.increment, seconds: Math.round(minutes * 60) } }),
          )}
        </div>
      )}
    </>
  );
};

const StartChoice = ({ game, change, refused, edit }: PartProps & { refused: boolean; edit(fen: string): void }) => {
  const words = strings.play;
  const { start } = game;
  const starts: Record<Start['kind'], Start> = {
    standard: { kind: 'standard' },
    chess960: { kind: 'chess960', number: null },
    position: { kind: 'position', fen: '', moves: [] },
  };
  return (
    <>
      <Choice
        label={words.startFrom}
        name="start"
        value={start.kind}
        options={[
          ['standard', words.standard],
          ['chess960', words.chess960],
          ['position', words.position],
        ]}
        onChange={(kind) => change({ start: starts[kind] })}
      />
      {start.kind === 'chess960' && (
        <label class="field">
          <span>{words.chess960Number}</span>
          <input
            type="number"
            name="arrangement"
            min={0}
            max={959}
            value={start.number ?? ''}
            onInput={(event) => {
              const text = event.currentTarget.value;
              change({ start: { kind: 'chess960', number: text === '' ? null : Number(text) } });
            }}
          />
        </label>
      )}
      {start.kind === 'position' && (
        <label class="field">
          <span>{words.position}</span>
          <input
            name="fen"
            maxLength={120}
            spellcheck={false}
            value={start.fen ?? ''}
            placeholder="8/8/8/…"
            aria-invalid={refused}
            aria-describedby="setup-problem"
            onInput={(event) => change({ start: { kind: 'position', fen: event.currentTarget.value, moves: [] } })}
          />
          <Button icon="settings" text label={strings.editor.title} onClick={() => edit(start.fen || START)} />
        </label>
      )}
    </>
  );
};

/// A control for something the engine lists.
export const OptionField = ({
  option,
  value,
  onChange,
}: {
  option: OptionFact;
  value: string | null;
  onChange(value: string): void;
}) => {
  const { control } = option;
  const label = strings.options[option.name] ?? option.about;
  const now = value ?? `${control.default}`;
  switch (control.kind) {
    case 'check':
      return <Check label={label} checked={now === 'true'} onChange={(on) => onChange(`${on}`)} />;
    case 'number':
      return (
        <NumberField
          label={label}
          value={Number(now)}
          min={control.min}
          max={control.max}
          onChange={(value) => onChange(`${value}`)}
        />
      );
    case 'choice':
      return (
        <label class="field" title={option.about}>
          <span>{label}</span>
          <select value={now} onChange={(event) => onChange(event.currentTarget.value)}>
            {control.values.map((one) => (
              <option value={one}>{one === '' ? strings.analyse.plain : (strings.optionValues[option.name]?.[one] ?? one)}</option>
            ))}
          </select>
        </label>
      );
  }
};
