import { Download } from 'lucide-react';
import { PROVENANCE, provenanceWords } from '../../app/provenance.ts';
import { LOG_VERSION } from '../../domain/entry.ts';
import type { Forest } from '../../domain/forest.ts';
import { conversationTitle } from '../../domain/queries.ts';
import { asSentence, errorMessage } from '../../engine/model-failure.ts';
import { useActions, useAppState } from '../../ui/app-context.ts';
import { fallbackWords } from '../../ui/inspector/decision-words.ts';
import { Button } from '../../ui/parts/button.tsx';
import {
  type Bin,
  bins,
  drawnLevels,
  linear,
  linePath,
  type Series,
  tokenLevels,
  turnTicks,
} from '../../ui/parts/charts/scale.ts';
import { download, type ExportedFile, fileName, spreadsheet } from '../../ui/parts/download.ts';
import { count, counted, percent } from '../../ui/parts/format.ts';
import { Menu, MenuItem } from '../../ui/parts/menu.tsx';
import { colourReader, escapedXml, type Inks, PICTURE_FONT, pngOf, readInks } from '../../ui/parts/picture.ts';
import type { CompareRun, CompareState } from './compare-run.ts';
import { policyTokenSeries } from './cost-table.tsx';
import {
  BASELINE,
  comparedTurns,
  fallbacksIn,
  type PolicyCost,
  sumsOf,
  type TurnComparison,
  wasSent,
} from './turn-comparisons.ts';

/** The complete comparison as files: figures for other programs, and the chart for a page. */
export const ExportMenu = ({ run, rows }: { run: CompareRun; rows: readonly TurnComparison[] }) => {
  const { announce } = useActions();
  const state = useAppState();
  const from = () => {
    const { forest } = state();
    return { ...run.store.getState(), rows, forest };
  };
  const svg = () => {
    const { names, forest } = from();
    const { read, done } = colourReader();
    const series = policyTokenSeries(rows, names).map((one) => ({ ...one, colour: read(one.colour) }));
    const inks = readInks(read);
    done();
    return chartSvg({
      title: `${conversationTitle(forest)}: tokens sent for each turn`,
      about: `${counted(rows.length, 'turn')}, each as every policy would have sent it · counted by ${rows[0]?.unit ?? ''}`,
      numbers: rows.map(({ number }) => number),
      series,
      notes: names.map((name) => noteOf(rows, names, name)),
      inks,
    });
  };
  const csv = () => {
    const { name, text } = comparisonCsv(from());
    download(name, text);
  };
  const json = () => {
    const { name, text } = comparisonJson(from());
    download(name, text, 'application/json');
  };
  const picture = async () => {
    const { names, forest } = from();
    try {
      download(comparisonName(forest, 'png'), await pngOf(svg(), WIDTH, heightOf(names.length)), 'image/png');
    } catch (error) {
      const why = asSentence(errorMessage(error));
      announce(`Could not create the picture: ${why} Export it as SVG instead.`);
    }
  };
  return (
    <Menu
      label="Export the comparison"
      align="end"
      trigger={
        <Button disabled={rows.length === 0} aria-label="Export the comparison">
          <Download size={14} aria-hidden />
          Export
        </Button>
      }
    >
      <MenuItem onSelect={csv} detail="CSV">
        Figures for a spreadsheet
      </MenuItem>
      <MenuItem onSelect={json} detail="JSON">
        Figures for a program
      </MenuItem>
      <MenuItem onSelect={() => download(comparisonName(from().forest, 'svg'), svg(), 'image/svg+xml')} detail="SVG">
        Chart as a drawing
      </MenuItem>
      <MenuItem onSelect={() => void picture()} detail="PNG">
        Chart as a picture
      </MenuItem>
    </Menu>
  );
};

/** `410 a turn, 41 % of full-history`; if not every turn is known for all policies, `410 a turn over 100 turns, …` */
const noteOf = (rows: readonly TurnComparison[], names: readonly string[], name: string): string => {
  const compared = comparedTurns(rows, names);
  const { turns, tokens, share } = sumsOf(compared, name);
  if (turns === 0) return '';
  const over = compared.length === rows.length ? '' : ` over ${counted(turns, 'turn')}`;
  return `${count(tokens / turns)} a turn${over}${share === null ? '' : `, ${percent(share)} of ${BASELINE}`}`;
};

/** Version of the file format. */
const FORM_VERSION = 3;

/** What a comparison is based on. */
export interface ComparedFrom extends Pick<CompareState, 'conversationId' | 'names' | 'madeBy' | 'failed' | 'anew'> {
  readonly rows: readonly TurnComparison[];
  readonly forest: Forest;
}

/** File name of the comparison with a given extension. */
const comparisonName = (forest: Forest, ending: string): string =>
  `${fileName(conversationTitle(forest))}.comparison.${ending}`;

const COLUMNS = [
  'turn',
  'message',
  'policy',
  'sent',
  'tokens',
  'calls',
  'read',
  'ms',
  'msLogged',
  'placedAnew',
  'fallbacks',
] as const;
const MADE_WITH = ['unit', 'embedder', 'summariser', 'window', 'settings', 'form', 'app'] as const;

/** One line per policy and turn, for spreadsheets. */
export const comparisonCsv = (from: ComparedFrom): ExportedFile => {
  const { rows, names, madeBy, anew, forest } = from;
  const lines = rows.flatMap((row) =>
    names.flatMap((name) => {
      const spent = row.by[name];
      if (spent === undefined) return [];
      const { tokens, calls, read, ms, logged } = rounded(spent);
      const sent = wasSent(row, name, anew) ? 'yes' : 'no';
      const placedAnew = anew.includes(name) ? 'yes' : 'no';
      const madeWith = [
        row.unit,
        madeBy.embed,
        madeBy.summarise,
        madeBy.window,
        row.settings.version,
        FORM_VERSION,
        provenanceWords(),
      ];
      const fallbacks = (row.fallbacks[name] ?? []).map(fallbackWords).join(' ');
      return [
        [row.number, row.message, name, sent, tokens, calls, read, ms, logged, placedAnew, fallbacks, ...madeWith],
      ];
    }),
  );
  return {
    name: comparisonName(forest, 'csv'),
    text: spreadsheet([[...COLUMNS, ...MADE_WITH], ...lines]),
  };
};

const NOTE =
  'Every policy was given the same turns and the same replies: a context is what it would have sent for that turn alone, with the engine settings (settings) that the turn was sent with. calls, read and ms are what its own bookkeeping cost between the context before and this one: ms was measured while comparing, logged (msLogged in the table) when the turn was sent. window: tokens that the chat model reads at most; what was sent had the window of the model it was sent to. The totals and shares of policies are over the turns known for every policy that has any. placedAnew: turns are where the policy’s own rule would have placed them, so nothing of that was sent. fallbacks: models that failed while a memory was built up to that turn, and what stood in for them.';

/** The complete comparison: sums first, then turn by turn. */
export const comparisonJson = (from: ComparedFrom): ExportedFile => {
  const { rows, names, madeBy, failed, anew, forest, conversationId } = from;
  const compared = comparedTurns(rows, names);
  const content = {
    coppice: 'comparison',
    versions: { form: FORM_VERSION, log: LOG_VERSION },
    conversation: { id: conversationId, title: conversationTitle(forest), turns: rows.length },
    madeBy: PROVENANCE,
    note: NOTE,
    models: madeBy,
    baseline: BASELINE,
    policies: names.map((name) => {
      const { turns, share, ...sums } = sumsOf(compared, name);
      const placedAnew = anew.includes(name);
      const fallbacks = fallbacksIn(rows, name);
      return { name, turns, total: rounded(sums), share, placedAnew, failed: failed.get(name) ?? null, fallbacks };
    }),
    turns: rows.map(({ number, nodeId, message, sent, unit, settings, by }) => ({
      turn: number,
      nodeId,
      message,
      unit,
      settings,
      policies: Object.fromEntries(
        names.flatMap((name) => {
          const spent = by[name];
          return spent === undefined ? [] : [[name, { ...rounded(spent), sent: wasSent({ sent }, name, anew) }]];
        }),
      ),
    })),
  };
  return { name: comparisonName(forest, 'json'), text: `${JSON.stringify(content, null, 2)}\n` };
};

/** Drops digits beyond the precision of any clock. */
const rounded = ({ tokens, calls, read, ms, logged }: PolicyCost): PolicyCost => ({
  tokens,
  calls,
  read,
  ms: Math.round(ms * 1000) / 1000,
  logged: Math.round(logged * 1000) / 1000,
});

interface Chart {
  readonly title: string;
  /** A line of text below it. */
  readonly about: string;
  readonly numbers: readonly number[];
  /** With literal colours, without `var`. */
  readonly series: readonly Series[];
  /** Text after the name of each line in the legend. */
  readonly notes: readonly string[];
  readonly inks: Inks;
}

export const WIDTH = 960;
const LEFT = 64;
const RIGHT = 24;
const TOP = 76;
const PLOT = 300;
const LEGEND_ROW = 24;

/** Height of the drawing for this many lines: the legend has two per row. */
export const heightOf = (lines: number): number => TOP + PLOT + 56 + Math.ceil(lines / 2) * LEGEND_ROW;

/** The chart as a standalone file that needs nothing else to be displayed. */
export const chartSvg = ({ title, about, numbers, series, notes, inks }: Chart): string => {
  const height = heightOf(series.length);
  const [top, bottom, right] = [TOP, TOP + PLOT, WIDTH - RIGHT];
  const levels = tokenLevels(series);
  const y = linear([0, levels.at(-1) ?? 1], [bottom, top]);
  const slot = (right - LEFT) / Math.max(1, numbers.length);
  const x = ({ from, to }: Bin) => LEFT + ((from + to + 1) / 2) * slot;
  const parts = bins(numbers.length, right - LEFT);
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
    ...turnTicks(numbers, right - LEFT).map((index) =>
      text(
        [x({ from: index, to: index }), bottom + 18],
        String(numbers[index]),
        `font-size="11" text-anchor="middle" fill="${inks.quiet}"`,
      ),
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
