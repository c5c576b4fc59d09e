import { clamp } from '../src/domain/numbers.ts';
import type { Curve } from '../src/features/evaluate/measurement/curves.ts';
import { BUDGETS } from '../src/features/evaluate/measurement/need-metrics.ts';

const COLUMNS = 2;
const LEGEND_LINE = 18;
const LEGEND_COLUMN = 150;
const MARGIN = 10;

/** Okabe and Ito's palette, distinguishable by colour-blind people; then the same, dashed. */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#8a8a8a'];

const STYLE = `text{font:11px system-ui,sans-serif;fill:#333}.title{font-weight:600}.axis{stroke:#8886;stroke-width:1}.line{fill:none;stroke-width:2}.own{fill:none;stroke-width:2}.paper{fill:#fff}@media (prefers-color-scheme:dark){text{fill:#ddd}.paper{fill:#1b1b1b}}`;

/** Draws curves as one picture for a page or a Markdown file, light or dark to match the reader's setting. */
export const curvesSvg = (curves: readonly Curve[]): string => {
  const subjects = [...new Set(curves.flatMap(({ lines }) => lines.map(({ subject }) => subject)))];
  const width = COLUMNS * PANEL.width + 2 * MARGIN;
  const inLine = Math.max(1, Math.floor((width - 2 * MARGIN) / LEGEND_COLUMN));
  const panels = Math.ceil(curves.length / COLUMNS) * PANEL.height;
  const height = panels + Math.ceil(subjects.length / inLine) * LEGEND_LINE + 2 * LEGEND_LINE + 2 * MARGIN;
  const look = (subject: string): string => {
    const at = subjects.indexOf(subject);
    const dash = at < COLOURS.length ? '' : ' stroke-dasharray="5 3"';
    return `stroke="${COLOURS[at % COLOURS.length]}"${dash}`;
  };
  const legend = subjects.map((subject, at) => {
    const [x, y] = [
      MARGIN + (at % inLine) * LEGEND_COLUMN,
      panels + MARGIN + 14 + Math.floor(at / inLine) * LEGEND_LINE,
    ];
    return `<path class="line" ${look(subject)} d="M${x} ${y - 4}h18"/><text x="${x + 24}" y="${y}">${escaped(subject)}</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>What contexts have of what is needed, by their size</title><style>${STYLE}</style>`,
    `<rect class="paper" width="${width}" height="${height}"/>`,
    ...curves.map(
      (curve, at) =>
        `<g transform="translate(${MARGIN + (at % COLUMNS) * PANEL.width} ${Math.floor(at / COLUMNS) * PANEL.height})">${panelOf(curve, look)}</g>`,
    ),
    ...legend,
    `<text x="${MARGIN}" y="${height - MARGIN - LEGEND_LINE}">Across: budget in per cent of the full history’s tokens, by ratios.</text>`,
    `<text x="${MARGIN}" y="${height - MARGIN}">Ring: the size a policy has of its own accord. Upright line: what an oracle pays that sends exactly the path.</text>`,
    '</svg>',
    '',
  ].join('\n');
};

const panelOf = ({ title, lines, oracle }: Curve, look: (subject: string) => string): string => {
  const right = PANEL.width - PANEL.right;
  return [
    `<text class="title" x="${PANEL.left}" y="16">${escaped(title)}</text>`,
    ...Y_TICKS.map(
      (y) =>
        `<path class="axis" d="M${PANEL.left} ${yOf(y)}H${right}"/><text x="${PANEL.left - 5}" y="${yOf(y) + 4}" text-anchor="end">${y}</text>`,
    ),
    ...BUDGETS.map((x) => `<text x="${xOf(x).toFixed(1)}" y="${PANEL.height - 10}" text-anchor="middle">${x}</text>`),
    ...(oracle === null ? [] : [`<path class="axis" d="M${xOf(oracle).toFixed(1)} ${yOf(0)}V${yOf(1)}"/>`]),
    ...lines.flatMap(({ subject, points, own }) => [
      `<path class="line" ${look(subject)} d="${lineThrough(points)}"/>`,
      ...(own === null
        ? []
        : [`<circle class="own" ${look(subject)} cx="${xOf(own.x).toFixed(1)}" cy="${yOf(own.y).toFixed(1)}" r="4"/>`]),
    ]),
  ].join('');
};

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Layout of one curve's panel, in user units of the SVG. */
const PANEL = { width: 300, height: 190, left: 34, right: 10, top: 26, bottom: 26 } as const;

const LEAST = BUDGETS[0];
const MOST = 150;

/** Logarithmic, to spread out small budgets, where policies that send little differ. */
export const xOf = (percent: number): number => {
  const share = Math.log(clamp(percent, LEAST, MOST) / LEAST) / Math.log(MOST / LEAST);
  return PANEL.left + share * (PANEL.width - PANEL.left - PANEL.right);
};

/** Vertical position of a share, from 0 to 1. */
export const yOf = (share: number): number =>
  PANEL.height - PANEL.bottom - clamp(share, 0, 1) * (PANEL.height - PANEL.top - PANEL.bottom);

const Y_TICKS = [0, 0.25, 0.5, 0.75, 1] as const;

/** Path of a line through points. */
const lineThrough = (points: readonly { readonly x: number; readonly y: number }[]): string =>
  points.map(({ x, y }, at) => `${at === 0 ? 'M' : 'L'}${xOf(x).toFixed(1)} ${yOf(y).toFixed(1)}`).join('');
