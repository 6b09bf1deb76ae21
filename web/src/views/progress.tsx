// Accuracy or estimated rating of one game after another, with a mean over the last games.
import type { ProgressPoint } from '../messages';
import { strings } from '../strings';

const [WIDTH, HEIGHT, LEFT, BOTTOM] = [720, 220, 44, 24];
/// Games that the line is a mean over.
const WINDOW = 10;

const valueOf = (point: ProgressPoint, measure: 'accuracy' | 'rating'): number | null =>
  measure === 'accuracy' ? point.accuracy : (point.rating?.[1] ?? null);

/// The mean of a game and the ones before it.
export const rolling = (values: number[]): number[] =>
  values.map((_, at) => {
    const last = values.slice(Math.max(0, at - WINDOW + 1), at + 1);
    return last.reduce((sum, value) => sum + value, 0) / last.length;
  });

export const ProgressChart = ({
  points,
  measure,
  onGo,
}: {
  points: ProgressPoint[];
  measure: 'accuracy' | 'rating';
  onGo(id: number): void;
}) => {
  const shown = points.flatMap((point) => {
    const value = valueOf(point, measure);
    return value === null ? [] : [{ point, value }];
  });
  if (shown.length === 0) return <p class="soft">{strings.own.nothingReviewed}</p>;
  const values = shown.map(({ value }) => value);
  const site = measure === 'rating' ? shown.flatMap(({ point }) => point.site_rating ?? []) : [];
  const step = measure === 'accuracy' ? 10 : 200;
  const low = Math.floor(Math.min(...values, ...site) / step) * step;
  const high = Math.max(Math.ceil(Math.max(...values, ...site) / step) * step, low + step);
  const x = (at: number) => LEFT + ((at + 0.5) * (WIDTH - LEFT - 8)) / shown.length;
  const y = (value: number) => 8 + ((high - value) * (HEIGHT - BOTTOM - 8)) / (high - low);
  const line = (list: number[]) => list.map((value, at) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`).join(' ');
  const lines = Array.from({ length: Math.round((high - low) / step) + 1 }, (_, index) => low + index * step);
  const label = strings.own.chart(strings.own[measure], shown.length, Math.round(rolling(values).at(-1)!));
  return (
    <figure class="progress-chart">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label} id="progress-chart">
        {lines.map((value) => (
          <g class="grid">
            <line x1={LEFT} x2={WIDTH - 8} y1={y(value)} y2={y(value)} />
            <text x={LEFT - 6} y={y(value) + 4} text-anchor="end">
              {value}
            </text>
          </g>
        ))}
        {site.length === shown.length && <polyline class="site" points={line(site)} />}
        <polyline class="mean" points={line(rolling(values))} />
        {shown.map(({ point, value }, at) => (
          <circle cx={x(at)} cy={y(value)} r="4" onClick={() => onGo(point.id)}>
            <title>{`${point.date}: ${Math.round(value)}`}</title>
          </circle>
        ))}
        <text x={LEFT} y={HEIGHT - 6}>
          {shown[0]!.point.date}
        </text>
        <text x={WIDTH - 8} y={HEIGHT - 6} text-anchor="end">
          {shown.at(-1)!.point.date}
        </text>
      </svg>
      <figcaption class="soft">{label}</figcaption>
    </figure>
  );
};
