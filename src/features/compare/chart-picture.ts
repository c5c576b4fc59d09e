import type { Series } from '../../ui/parts/charts/scale.ts';
import { type Bin, bins, drawnLevels, linear, linePath, tokenLevels, turnTicks } from '../../ui/parts/charts/scale.ts';
import { escapedXml, type Inks, PICTURE_FONT } from '../../ui/parts/picture.ts';

interface Chart {
  readonly title: string;
  /** A line below it. */
  readonly about: string;
  readonly numbers: readonly number[];
  /** In colours of their own, without `var`. */
  readonly series: readonly Series[];
  /** What stands behind the name of each line in the legend. */
  readonly notes: readonly string[];
  readonly inks: Inks;
}

export const WIDTH = 960;
const LEFT = 64;
const RIGHT = 24;
const TOP = 76;
const PLOT = 300;
const LEGEND_ROW = 24;

/** How high the drawing is with so many lines: two stand beside each other in the legend. */
export const heightOf = (lines: number): number => TOP + PLOT + 56 + Math.ceil(lines / 2) * LEGEND_ROW;

/** The chart as a file of its own: nothing outside it is needed to show it. */
export const chartSvg = ({ title, about, numbers, series, notes, inks }: Chart): string => {
  const height = heightOf(series.length);
  const [top, bottom, right] = [TOP, TOP + PLOT, WIDTH - RIGHT];
  const levels = tokenLevels(series);
  const y = linear([0, levels.at(-1) ?? 1], [bottom, top]);
  const slot = (right - LEFT) / Math.max(1, numbers.length);
  const x = ({ from, to }: Bin) => LEFT + ((from + to + 1) / 2) * slot;
  const parts = bins(numbers.length, right - LEFT);
  const ends = [numbers[0] ?? 0, numbers.at(-1) ?? 0] as const;
  const place = linear(ends, [LEFT + slot / 2, right - slot / 2]);
  const text = (at: readonly [number, number], words: string, rest = '') =>
    `<text x="${at[0].toFixed(1)}" y="${at[1].toFixed(1)}" ${rest}>${escapedXml(words)}</text>`;
  const drawn = [
    `<rect width="${WIDTH}" height="${height}" fill="${inks.ground}"/>`,
    text([LEFT, 32], title, `font-size="18" font-weight="600" fill="${inks.ink}"`),
    text([LEFT, 54], about, `font-size="12" fill="${inks.quiet}"`),
    ...drawnLevels(levels, { top, bottom }).map(
      ({ y: at, words }) =>
        `<path d="M${LEFT} ${at.toFixed(1)}H${right}" stroke="${inks.line}"/>${text([LEFT - 8, at + 4], words, `font-size="11" text-anchor="end" fill="${inks.quiet}"`)}`,
    ),
    ...turnTicks(numbers, right - LEFT).map((turn) =>
      text([place(turn), bottom + 18], String(turn), `font-size="11" text-anchor="middle" fill="${inks.quiet}"`),
    ),
    text([right, bottom + 34], 'turn', `font-size="11" text-anchor="end" fill="${inks.quiet}"`),
    ...series
      .map(
        ({ values, colour, dash }) =>
          `<path d="${linePath(values, parts, x, y)}" fill="none" stroke="${colour}" stroke-width="2" stroke-linejoin="round" stroke-linecap="round"${dashed(dash)}/>`,
      )
      .toReversed(),
    ...series.map(({ name, colour, dash }, index) => {
      const [column, row] = [index % 2, Math.floor(index / 2)];
      const [left, middle] = [LEFT + column * ((right - LEFT) / 2), bottom + 60 + row * LEGEND_ROW];
      return `<path d="M${left} ${middle - 4}h28" stroke="${colour}" stroke-width="2"${dashed(dash)}/><text x="${left + 38}" y="${middle}" font-size="13" fill="${inks.ink}">${escapedXml(name)} <tspan fill="${inks.quiet}">${escapedXml(notes[index] ?? '')}</tspan></text>`;
    }),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" font-family="${PICTURE_FONT}">
<title>${escapedXml(`${title}. ${about}`)}</title>
${drawn.join('\n')}
</svg>
`;
};

const dashed = (dash: string | undefined): string => (dash === undefined ? '' : ` stroke-dasharray="${dash}"`);
