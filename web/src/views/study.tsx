// The study on the board: what is said about the present move, its chapters, and the list of all studies.
import { useEffect, useRef, useState } from 'preact/hooks';
import { commentText, nagSign, OFFERED } from '../annotation';
import { strings } from '../strings';
import { branchOf, movedVariation } from '../tree';
import { chapterName, studyName, tagOf } from '../update/study';
import type { ViewProps } from './app';
import { Button, Dialog } from './parts';

const words = strings.study;

/// Milliseconds after the last key before a comment counts as one change.
const PAUSE = 500;

/// A comment, the annotation glyphs, and what can be done with the variation.
export const AnnotationPanel = ({ state, dispatch }: ViewProps) => {
  const { nodes, current } = state.analyse;
  const node = nodes[current]!;
  const atStart = node.parent === null;
  const branch = branchOf(nodes, current);
  return (
    <details class="annotation" id="annotation">
      <summary>{words.annotate}</summary>
      <CommentField key={`${state.analyse.study.key} ${state.analyse.study.chapter} ${current}`} state={state} dispatch={dispatch} />
      <div class="glyphs" role="group" aria-label={words.glyphs}>
        {OFFERED.map((nag) => (
          <button
            type="button"
            class="button quiet square"
            disabled={atStart}
            aria-pressed={node.nags.includes(nag)}
            aria-label={words.glyphNames[nag]}
            title={words.glyphNames[nag]}
            onClick={() => dispatch({ on: 'nag', nag })}
          >
            {nagSign(nag)}
          </button>
        ))}
      </div>
      <div class="actions">
        <Button label={words.promote} disabled={branch === null} onClick={() => dispatch({ on: 'move variation', by: -1 })} />
        <Button label={words.mainLine} disabled={branch === null} onClick={() => dispatch({ on: 'main line' })} />
        <Button
          label={words.demote}
          disabled={movedVariation(nodes, current, 1) === null}
          onClick={() => dispatch({ on: 'move variation', by: 1 })}
        />
        <Button icon="trash" text label={words.deleteFrom} disabled={atStart} onClick={() => dispatch({ on: 'delete from here' })} />
      </div>
    </details>
  );
};

/// What is typed counts after a pause, and when the field is left.
const CommentField = ({ state, dispatch }: ViewProps) => {
  const node = state.analyse.nodes[state.analyse.current]!;
  const known = commentText(node);
  const [draft, setDraft] = useState<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const latest = useRef<string | null>(null);
  const commit = () => {
    clearTimeout(timer.current);
    if (latest.current !== null) dispatch({ on: 'comment', text: latest.current });
    latest.current = null;
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <label class="field">
      <span>{words.comment}</span>
      <textarea
        id="comment"
        rows={2}
        maxLength={4000}
        value={draft ?? known}
        onInput={(event) => {
          latest.current = event.currentTarget.value;
          setDraft(latest.current);
          clearTimeout(timer.current);
          timer.current = setTimeout(commit, PAUSE);
        }}
        onBlur={() => {
          commit();
          setDraft(null);
        }}
      />
    </label>
  );
};

/// Who played, where and when, and how it ended.
export const GameFacts = ({ state }: Pick<ViewProps, 'state'>) => {
  const { study } = state.analyse;
  const game = study.chapters[study.chapter]!;
  const player = (side: 'White' | 'Black') => {
    const [name, elo] = [tagOf(game, side), tagOf(game, `${side}Elo`)];
    return name && (elo ? `${name} (${elo})` : name);
  };
  const [white, black] = [player('White'), player('Black')];
  if (!white && !black) return null;
  const facts = [game.result === '*' ? null : game.result, tagOf(game, 'Event'), tagOf(game, 'Date')];
  return (
    <p class="game-facts">
      <strong>{`${white ?? '?'} – ${black ?? '?'}`}</strong>{' '}
      <span class="soft">{facts.filter((fact) => fact !== null && !/^[?.]+$/.test(fact)).join(' · ')}</span>
    </p>
  );
};

/// The study's name, its chapters, and whether it is saved.
export const StudyPanel = ({ state, dispatch }: ViewProps) => {
  const { study } = state.analyse;
  return (
    <div class="panel study">
      <div class="study-head">
        <strong>{studyName(study) ?? words.unnamed}</strong>
        <span class="soft" role="status" id="saving">
          {study.id === null && study.saving === 'saved' ? '' : words.saving[study.saving]}
        </span>
      </div>
      {study.chapters.length > 1 && (
        <ol class="chapters scroll" tabIndex={0} aria-label={words.chapters}>
          {study.chapters.map((chapter, index) => (
            <li>
              <button
                type="button"
                class="entry"
                aria-current={index === study.chapter ? 'true' : undefined}
                onClick={() => dispatch({ on: 'chapter', index })}
              >
                <span class="names">{`${index + 1}. ${chapterName(chapter, index)}`}</span>
              </button>
            </li>
          ))}
        </ol>
      )}
      <div class="actions">
        <Button icon="open" text id="open-studies" label={words.list} onClick={() => dispatch({ on: 'list studies', open: true })} />
        <Button icon="plus" text label={words.addChapter} onClick={() => dispatch({ on: 'add chapter' })} />
        <Button icon="download" text label={words.exportStudy} onClick={() => dispatch({ on: 'export study' })} />
      </div>
      <details>
        <summary>{words.names}</summary>
        <div class="form">
          <NameField key={`study ${study.key}`} label={words.studyName} id="study-name" value={studyName(study) ?? ''} onChange={(name) => dispatch({ on: 'rename', what: 'study', name })} />
          <NameField
            key={`chapter ${study.key} ${study.chapter}`}
            label={words.chapterName}
            id="chapter-name"
            value={tagOf(study.chapters[study.chapter]!, 'ChapterName') ?? ''}
            onChange={(name) => dispatch({ on: 'rename', what: 'chapter', name })}
          />
          <div class="actions">
            <Button icon="trash" text label={words.deleteChapter} disabled={study.chapters.length < 2} onClick={() => dispatch({ on: 'delete chapter' })} />
          </div>
        </div>
      </details>
    </div>
  );
};

/// What is typed stays until it is accepted: an engine draws the page again many times a second.
const NameField = ({ label, id, value, onChange }: { label: string; id: string; value: string; onChange(value: string): void }) => {
  const [draft, setDraft] = useState<string | null>(null);
  return (
    <label class="field">
      <span>{label}</span>
      <input
        id={id}
        maxLength={200}
        value={draft ?? value}
        onInput={(event) => setDraft(event.currentTarget.value)}
        onChange={(event) => onChange(event.currentTarget.value)}
        onBlur={() => setDraft(null)}
      />
    </label>
  );
};

export const StudiesDialog = ({ state, dispatch }: ViewProps) => {
  const { studies, study, removing } = state.analyse;
  const date = (seconds: number) => new Date(seconds * 1000).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <Dialog title={words.list} onClose={() => dispatch({ on: 'list studies', open: false })}>
      {studies?.length === 0 && <p class="soft">{words.none}</p>}
      <ul class="studies">
        {studies?.map((one) => (
          <li>
            <button
              type="button"
              class="entry"
              aria-current={one.id === study.id ? 'true' : undefined}
              onClick={() => dispatch({ on: 'open study', id: one.id })}
            >
              <span class="names">{one.name}</span>
              <span class="soft">{`${words.count(one.chapters)} · ${date(one.saved)}`}</span>
            </button>
            {removing === one.id ? (
              <Button label={words.removeSure} kind="danger" onClick={() => dispatch({ on: 'remove study', id: one.id, sure: true })} />
            ) : (
              <Button icon="trash" label={words.remove(one.name)} kind="quiet" onClick={() => dispatch({ on: 'remove study', id: one.id, sure: false })} />
            )}
          </li>
        ))}
      </ul>
    </Dialog>
  );
};
