// Pictures that follow numbers: the evaluation over a game, two engines in a race. uPlot draws them; it is fetched when
// the first picture is wanted.
import { Component, createRef } from 'preact';
import type UPlot from 'uplot';
import type { Review } from '../messages';
import type { Measure, Sample } from '../state';
import { strings } from '../strings';
import { count, worthText } from '../format';

const load = async (): Promise<typeof UPlot> => {
  const [module] = await Promise.all([import('uplot'), import('uplot/dist/uPlot.min.css')]);
  return module.default;
};

const colour = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// One for all graphs: another object of the same question does not know who listens to this one, and each stays for as long as the page.
const darkness = matchMedia('(prefers-color-scheme: dark)');

abstract class Graph<P> extends Component<P> {
  protected readonly element = createRef<HTMLDivElement>();
  protected plot: UPlot | null = null;
  private watcher: ResizeObserver | null = null;
  private gone = false;
  private readonly recolour = () => this.build();
  private readonly theme = new MutationObserver(this.recolour);

  protected abstract options(width: number): UPlot.Options;
  protected abstract data(): UPlot.AlignedData;
  protected abstract get label(): string;
  protected abstract readonly height: number;

  private module: typeof UPlot | null = null;

  private build() {
    const element = this.element.current;
    if (!element || !this.module) return;
    this.plot?.destroy();
    this.plot = new this.module(this.options(element.clientWidth), this.data(), element);
  }

  override async componentDidMount() {
    this.module = await load();
    if (this.gone) return;
    this.build();
    this.watcher = new ResizeObserver(() => {
      const width = this.element.current?.clientWidth ?? 0;
      if (width > 0 && this.plot && this.plot.width !== width) this.plot.setSize({ width, height: this.height });
    });
    this.watcher.observe(this.element.current!);
    darkness.addEventListener('change', this.recolour);
    this.theme.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  }

  override componentDidUpdate() {
    this.plot?.setData(this.data());
  }

  override componentWillUnmount() {
    this.gone = true;
    this.watcher?.disconnect();
    this.plot?.destroy();
    darkness.removeEventListener('change', this.recolour);
    this.theme.disconnect();
  }

  override render() {
    return <div class="graph" ref={this.element} role="img" aria-label={this.label} />;
  }
}

interface EvaluationProps {
  review: Review;
  current: number;
  onGo(at: number): void;
}

const LABEL_COLOURS = { inaccuracy: '--inaccuracy', mistake: '--mistake', blunder: '--blunder' };

/// White's chances after each move; errors as dots; a click goes there.
export class EvaluationGraph extends Graph<EvaluationProps> {
  protected get label(): string {
    return strings.analyse.graph;
  }

  protected readonly height = 120;

  protected data(): UPlot.AlignedData {
    const { moves, total } = this.props.review;
    const places = Array.from({ length: total }, (_, index) => index);
    return [places, places.map((index) => moves[index]?.win ?? null)];
  }

  protected options(width: number): UPlot.Options {
    return {
      width,
      height: this.height,
      padding: [6, 4, 6, 4],
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
      scales: { x: { time: false }, y: { range: [0, 100] } },
      axes: [{ show: false }, { show: false }],
      series: [{}, { stroke: colour('--accent'), width: 2, fill: colour('--graph-fill'), points: { show: false } }],
      hooks: {
        draw: [(plot) => this.overlay(plot)],
        ready: [
          (plot) => {
            plot.over.addEventListener('click', () => {
              if (plot.cursor.idx != null) this.props.onGo(plot.cursor.idx);
            });
          },
        ],
        setCursor: [
          (plot) => {
            const at = plot.cursor.idx;
            const seen = at == null ? undefined : this.props.review.moves[at];
            plot.over.title = seen ? worthText(seen.worth) : '';
          },
        ],
      },
    };
  }

  private overlay(plot: UPlot) {
    const { review, current } = this.props;
    const { ctx } = plot;
    const y = (value: number) => plot.valToPos(value, 'y', true);
    ctx.save();
    ctx.strokeStyle = colour('--line');
    ctx.beginPath();
    ctx.moveTo(plot.bbox.left, y(50));
    ctx.lineTo(plot.bbox.left + plot.bbox.width, y(50));
    ctx.stroke();
    if (current >= 0) {
      ctx.strokeStyle = colour('--ink');
      const x = plot.valToPos(current, 'x', true);
      ctx.beginPath();
      ctx.moveTo(x, plot.bbox.top);
      ctx.lineTo(x, plot.bbox.top + plot.bbox.height);
      ctx.stroke();
    }
    review.moves.forEach((move, index) => {
      if (!move.label) return;
      ctx.fillStyle = colour(LABEL_COLOURS[move.label]);
      ctx.beginPath();
      ctx.arc(plot.valToPos(index, 'x', true), y(move.win), 4 * devicePixelRatio, 0, 7);
      ctx.fill();
    });
    ctx.restore();
  }

  override componentDidUpdate() {
    super.componentDidUpdate();
    this.plot?.redraw();
  }
}

/// What a search was at a moment, in the measure wanted. Speed is what was done since the moment before.
const measured = (course: Sample[], at: number, measure: Measure): number | null => {
  const { seconds, depth, nodes, sharing } = course[at]!;
  switch (measure) {
    case 'depth':
      return depth;
    case 'nodes':
      return nodes;
    case 'speed': {
      const before = course[at - 1] ?? { seconds: 0, nodes: 0 };
      return seconds > before.seconds ? Math.round((nodes - before.nodes) / (seconds - before.seconds)) : null;
    }
    case 'idle':
      return sharing && sharing.idle * 100;
    default:
      return sharing && sharing[measure];
  }
};

interface RaceProps {
  courses: [Sample[], Sample[]];
  measure: Measure;
}

/// One line for each engine, over time.
export class RaceGraph extends Graph<RaceProps> {
  protected readonly height = 150;

  protected get label(): string {
    return strings.analyse.race(strings.analyse.measures[this.props.measure]);
  }

  protected data(): UPlot.AlignedData {
    const { courses, measure } = this.props;
    const times = [...new Set(courses.flatMap((course) => course.map(({ seconds }) => seconds)))].sort((a, b) => a - b);
    const series = courses.map((course) => {
      const known = new Map(course.map(({ seconds }, at) => [seconds, measured(course, at, measure)]));
      return times.map((time) => known.get(time) ?? null);
    });
    return [times, ...series] as UPlot.AlignedData;
  }

  protected options(width: number): UPlot.Options {
    const axis = { stroke: colour('--soft'), grid: { stroke: colour('--line') }, ticks: { show: false }, size: 28 };
    const values = (_: UPlot, ticks: number[]) => ticks.map((tick) => (tick >= 1e4 ? count(tick) : `${tick}`));
    const line = { width: 2, spanGaps: true, points: { show: false } };
    return {
      width,
      height: this.height,
      legend: { show: false },
      cursor: { show: false },
      scales: { x: { time: false } },
      axes: [axis, { ...axis, size: 48, values }],
      series: [
        {},
        { ...line, label: strings.analyse.first, stroke: colour('--accent') },
        { ...line, label: strings.analyse.other, stroke: colour('--mistake') },
      ],
    };
  }
}
