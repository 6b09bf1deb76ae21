// The page of the repertoire trainer.
import type { DrawShape } from '@lichess-org/chessground/draw';
import type { Side } from '../messages';
import { cardsOf, dueCards, total } from '../repertoire';
import { START } from '../state';
import { strings } from '../strings';
import { moveNumber } from '../format';
import { openingOf } from '../tree';
import { nodesOf } from '../update/repertoire';
import type { ViewProps } from './app';
import { Board, boardInput } from './board';
import { Button, MoveInput, PromotionChoice, TextBoard } from './parts';

const words = strings.repertoire;
const NOTHING = {};
const NO_SHAPES: DrawShape[] = [];
const SIDES: Side[] = ['white', 'black'];

export const RepertoirePage = (props: ViewProps) =>
  props.state.repertoire.status === 'choose' ? <Choose {...props} /> : <Train {...props} />;

const Choose = ({ state, dispatch }: ViewProps) => {
  const { studies, record } = state.repertoire;
  return (
    <div class="reading">
      <h1>{words.title}</h1>
      <p class="soft">{words.about}</p>
      <div class="actions">
        {SIDES.map((side) => (
          <Button icon="plus" text id={`build-${side}`} label={words.build(strings.side[side])} onClick={() => dispatch({ on: 'repertoire build', side })} />
        ))}
      </div>
      {studies === null ? (
        <p class="soft">…</p>
      ) : studies.length === 0 ? (
        <p class="panel">{words.none}</p>
      ) : (
        <ul class="experiments">
          {studies.map((study) => (
            <li class="panel" key={study.id}>
              <div>
                <strong>{study.name || strings.study.unnamed}</strong>
                <p class="soft">{strings.study.count(study.chapters)}</p>
              </div>
              <div class="actions">
                {SIDES.map((side) => (
                  <Button icon="next" text label={words.train(strings.side[side])} onClick={() => dispatch({ on: 'repertoire open', id: study.id, side })} />
                ))}
              </div>
            </li>
          ))}
        </ul>
      )}
      <p class="soft">{words.known(Object.values(record).filter(({ box }) => box > 0).length)}</p>
    </div>
  );
};

const Train = ({ state, dispatch }: ViewProps) => {
  const { repertoire, preferences } = state;
  const { status, side, gaps, chapters, record } = repertoire;
  const nodes = nodesOf(repertoire);
  const node = nodes[repertoire.node];
  const live = status === 'your move' || status === 'wrong';
  const cards = cardsOf(chapters, side);
  const due = dueCards(cards, record, state.now).length;
  const said = {
    choose: '',
    'your move': words.yourMove,
    wrong: words.wrong,
    reply: words.right,
    shown: words.shown,
    done: cards.length === 0 ? words.empty(strings.side[side]) : words.done,
  }[status];
  const all = gaps.reduce((sum, move) => sum + total(move), 0);
  return (
    <div class="table">
      <section class="board-side" aria-label={words.title}>
        <Board
          fen={node?.fen ?? START}
          orientation={side}
          turn={node?.turn ?? 'white'}
          check={node?.check ?? false}
          lastMove={node?.from_to ?? null}
          dests={live && node ? node.dests : NOTHING}
          movable={live ? side : undefined}
          premove={false}
          shapes={NO_SHAPES}
          {...boardInput(state, dispatch)}
          onStep={() => {}}
        >
          <PromotionChoice promotion={repertoire.promotion} side={side} flipped={side === 'black'} dispatch={dispatch} />
        </Board>
      </section>
      <section class="panel-side">
        <div class="panel game">
          <div class="status-line" data-status={status}>
            <h1>{said}</h1>
            <p class="soft">
              {node?.san ? `${moveNumber(node.ply)} ${node.san} · ` : ''}
              {openingOf(nodes, repertoire.node) ?? ''}
            </p>
          </div>
          {(status === 'shown' || status === 'reply') && (node?.comments ?? []).map((comment) => <p>{comment.replace(/\[%[^\]]*\]/g, '').trim()}</p>)}
          {live && (
            <MoveInput
              label={strings.play.moveInput}
              help={strings.play.moveInputHelp}
              disabled={false}
              onMove={(text) => dispatch({ on: 'typed move', text })}
            />
          )}
          <div class="actions">
            {live && <Button icon="bulb" text id="repertoire-solution" label={words.solution} onClick={() => dispatch({ on: 'repertoire solution' })} />}
            {status !== 'done' && (
              <Button icon="next" text id="repertoire-next" label={words.next} kind={live ? undefined : 'primary'} onClick={() => dispatch({ on: 'repertoire next' })} />
            )}
            <Button icon="chart" text label={words.analyse} onClick={() => dispatch({ on: 'repertoire analyse' })} />
            <Button icon="previous" text id="repertoire-leave" label={words.leave} onClick={() => dispatch({ on: 'repertoire leave' })} />
          </div>
        </div>
        <div class="panel">
          <p id="repertoire-due">{words.due(due, cards.length)}</p>
          {gaps.length > 0 && (
            <>
              <p>{words.gaps}</p>
              <ul class="gaps" id="repertoire-gaps">
                {gaps.slice(0, 5).map((move) => (
                  <li>
                    <strong>{move.san}</strong> <span class="soft">{words.gap(total(move), all)}</span> {move.opening ?? ''}
                  </li>
                ))}
              </ul>
            </>
          )}
        </div>
        {preferences.textMode && node && <TextBoard fen={node.fen} />}
      </section>
    </div>
  );
};
