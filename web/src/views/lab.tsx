// The laboratory's experiments: a list with progress, and reports.
import { useEffect, useRef } from 'preact/hooks';
import { strings } from '../strings';
import { dateText } from '../format';
import type { ViewProps } from './app';
import { Button } from './parts';

const words = strings.lab;
/// How often a running experiment is looked at.
const REFRESH = 3000;

export const LabPage = ({ state, dispatch }: ViewProps) => {
  const { experiments, open, report, place } = state.lab;
  useEffect(() => {
    if (open !== null) return;
    const timer = setInterval(() => {
      if (!document.hidden) dispatch({ on: 'open report', id: null });
    }, REFRESH);
    return () => clearInterval(timer);
  }, [open]);
  if (open !== null) {
    return (
      <div class="reading">
        <Button icon="previous" text label={words.back} onClick={() => dispatch({ on: 'open report', id: null })} />
        {report === null ? <p class="soft">{words.loading}</p> : <Report text={report} />}
      </div>
    );
  }
  return (
    <div class="reading">
      <h1>{words.title}</h1>
      <p class="soft">{words.about}</p>
      {place && <p class="soft">{words.place(place)}</p>}
      {experiments === null ? (
        <p class="soft">…</p>
      ) : experiments.length === 0 ? (
        <p class="panel">{words.none}</p>
      ) : (
        <ul class="experiments">
          {experiments.map((one) => (
            <li key={one.id} class="panel">
              <div>
                <strong>{one.name}</strong> <span class="tag">{one.kind}</span>
                <p class="soft">
                  {one.problem ?? `${words.progress(one.done, one.wanted, one.unit)} · ${dateText(one.created)} · ${one.folder}`}
                </p>
                {one.wanted !== null && one.done < one.wanted && (
                  <progress max={one.wanted} value={one.done} aria-label={one.name} />
                )}
              </div>
              <Button
                icon="chart"
                text
                label={words.report}
                disabled={one.problem !== null}
                onClick={() => dispatch({ on: 'open report', id: one.id })}
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
};

/// A report is a page of its own with its own style. It is shown in a shadow, where neither reaches the other; scripts in
/// it would not run, and it has none.
const Report = ({ text }: { text: string }) => {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = host.current!;
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' });
    // The page's policy forbids styles in markup; the same styles set from here are allowed.
    const styles: string[] = [];
    const markup = text
      .replaceAll(/<style>([\s\S]*?)<\/style>/g, (_, style: string) => {
        styles.push(style);
        return '';
      })
      .replaceAll(/ style="/g, ' data-style="');
    const page = new DOMParser().parseFromString(markup, 'text/html');
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(styles.join('\n').replaceAll(':root', ':host').replaceAll(/\bbody\b/g, ':host'));
    root.adoptedStyleSheets = [sheet];
    root.replaceChildren(...page.body.childNodes);
    for (const styled of root.querySelectorAll<HTMLElement | SVGElement>('[data-style]')) {
      styled.style.cssText = styled.dataset['style'] ?? '';
    }
  }, [text]);
  return <div class="report-host" ref={host} />;
};
