import { strToU8, zipSync } from 'fflate';
import { clamp, sum } from '../../domain/numbers.ts';
import { fileName } from '../../ui/parts/download.ts';
import { count, counted } from '../../ui/parts/format.ts';
import { escapedXml, PICTURE_FONT } from '../../ui/parts/picture.ts';
import { TOPIC_PALETTES } from '../../ui/topic-colour.ts';
import type { GoldDialogue } from './adjudicate.ts';
import type { PersonRow, StudyMode } from './coordinate-data.ts';
import type { PackedFile } from './label-files.ts';
import { PLACEMENT_WORDS, REASON_WORDS } from './label-words.ts';
import { everybodyLabelsAll, placements, type Study } from './study.ts';
import { leastShown, MEASURES, type StudyFigure, TICK } from './study-figures.ts';

interface StudyReport {
  readonly study: Study;
  readonly mode: StudyMode;
  readonly rows: readonly PersonRow[];
  /** Agreement among people first, then of each engine with each of them. */
  readonly columns: readonly { readonly title: string; readonly figures: readonly StudyFigure[] }[];
  /** How often two people gave each pair of actions. */
  readonly confusions: readonly (readonly number[])[];
  readonly gold: readonly GoldDialogue[];
  /** Names of dialogues that the embedded decider was trained on; for these it answered with weights fitted without them. */
  readonly trainedOn: readonly string[];
}

/** The report in Markdown with its figures as SVG, and the table for a paper in LaTeX. */
export const reportFile = (reported: StudyReport): PackedFile => {
  const files = {
    'report.md': report(reported),
    'agreement.svg': agreementPicture(reported),
    'confusions.svg': confusionPicture(reported),
    'agreement.tex': latexTable(reported),
  };
  return {
    name: `${fileName(reported.study.name)}.report.zip`,
    bytes: new Uint8Array(
      zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)]))),
    ),
  };
};

/** The dialogues that somebody has labelled turns of, training excluded. */
const begunBy = ({ cells }: PersonRow) =>
  cells.filter(({ dialogue, labelled }) => dialogue.part === 'work' && labelled > 0);

const report = (reported: StudyReport): string => {
  const { study, mode, rows, columns, gold, trainedOn } = reported;
  const work = study.dialogues.filter(({ part }) => part === 'work');
  const turns = sum(work.map((dialogue) => dialogue.turns.length));
  const begun = rows.map(begunBy).filter((cells) => cells.length > 0);
  const labels = sum(begun.flat().map(({ labelled }) => labelled));
  const dialogues = new Set(begun.flat().map(({ dialogue }) => dialogue.id)).size;
  return [
    `# ${study.name}`,
    `${counted(begun.length, 'person', 'people')} gave ${counted(labels, 'label')} in ${count(dialogues)} of ${counted(work.length, 'dialogue')} with ${counted(turns, 'turn')} in total, ${mode === 'blind' ? 'without seeing the engine’s answer' : 'seeing the engine’s answer'}; each dialogue was assigned to ${everybodyLabelsAll(study) ? 'everybody' : counted(study.peoplePerDialogue, 'person', 'people')}.`,
    '## Agreement',
    markdownTable(
      ['Measure', ...columns.map(({ title }) => title)],
      MEASURES.map(({ title }, at) => [title, ...columns.map(({ figures }) => countedFigure(figures[at]))]),
    ),
    'Brackets show the 95 % interval of a bootstrap over dialogues (1000 draws). n counts turns, once per pair of people where people are compared in pairs.',
    ...(trainedOn.length === 0
      ? []
      : [
          `The embedded decider was trained on ${counted(trainedOn.length, 'dialogue')} of these (${trainedOn.join(', ')}); for those, it answered with weights fitted without them.`,
        ]),
    '![Agreement](agreement.svg)',
    MEASURES.map(({ title, definition }) => `- **${title}**: ${definition}.`).join('\n'),
    '## Confusions of the action',
    '![Confusions of the action](confusions.svg)',
    '## People',
    markdownTable(
      ['Person', 'Turns', 'Minutes', 'Seconds a label', 'Fast guesses', 'Gold right'],
      rows.map(({ person, labelled, of, worked, pace, outlier, guesses, gold: right }) => [
        person,
        `${labelled} of ${of}`,
        String(Math.round(worked / 60_000)),
        pace === null ? '–' : `${(pace / 1000).toFixed(1)}${outlier === null ? '' : ` (${outlier})`}`,
        count(guesses.length),
        right.of === 0 ? '–' : `${right.right} of ${right.of}`,
      ]),
    ),
    '## Gold',
    goldWords(gold),
  ]
    .join('\n\n')
    .concat('\n');
};

const goldWords = (gold: readonly GoldDialogue[]): string => {
  const turns = gold.flatMap((one) => one.turns);
  const basis = (name: string) => count(turns.filter((turn) => turn.basis === name).length);
  const reasons = Object.entries(REASON_WORDS).map(
    ([reason, words]) => `${words.toLowerCase()} ${turns.filter((turn) => turn.reason === reason).length}`,
  );
  return `Of ${counted(turns.length, 'turn')}, ${basis('agreed')} were labelled the same, ${basis('settled')} were settled by an adjudicator who did not see who said what (${reasons.join(', ')}), ${basis('one-person')} were labelled by one person, and ${basis('open')} are open.`;
};

const figureWords = (figure: StudyFigure | undefined): string => {
  if (figure === undefined) return '';
  const { value, interval } = figure;
  if (typeof value !== 'number') return `undefined, because ${value.because}`;
  return interval === null
    ? value.toFixed(3)
    : `${value.toFixed(3)} [${interval[0].toFixed(2)}, ${interval[1].toFixed(2)}]`;
};

/** With its own n: an engine is compared with more pairs than people are with each other. */
const countedFigure = (figure: StudyFigure | undefined): string =>
  typeof figure?.value === 'number' ? `${figureWords(figure)}, n ${count(figure.n)}` : figureWords(figure);

const markdownTable = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map((_, at) => (at === 0 ? '---' : '---:')), ...rows]
    .map((row) => `| ${row.map((words) => words.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');

/** For signs that a backslash makes a line break or an accent. */
const TEX_COMMANDS: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '^': '\\textasciicircum{}',
  '~': '\\textasciitilde{}',
};

const latexTable = ({ study, columns }: StudyReport): string => {
  const escaped = (words: string) =>
    words
      .replaceAll(/[&%$#_{}\\^~]/g, (sign) => TEX_COMMANDS[sign] ?? `\\${sign}`)
      .replaceAll('κ', '$\\kappa$')
      .replaceAll('α', '$\\alpha$')
      .replaceAll('₃', '$_3$')
      .replaceAll('−', '$-$');
  const row = (cells: readonly string[]) => `  ${cells.map(escaped).join(' & ')} \\\\`;
  return [
    '\\begin{table}',
    '  \\centering',
    `  \\begin{tabular}{l${'r'.repeat(columns.length)}}`,
    '  \\hline',
    row(['Measure', ...columns.map(({ title }) => title)]),
    '  \\hline',
    ...MEASURES.map(({ title }, at) =>
      row([title, ...columns.map(({ figures }) => figureWords(figures[at]).replace(/^undefined.*/, '--'))]),
    ),
    '  \\hline',
    '  \\end{tabular}',
    `  \\caption{Agreement in ${escaped(study.name)}, with 95\\,\\% bootstrap intervals over dialogues.}`,
    '\\end{table}',
    '',
  ].join('\n');
};

/* Charts on white, for print, in the colours of the page's topics. */
const INK = { ground: '#ffffff', ink: '#26251f', quiet: '#66645a', line: '#dddbd3' };
const COLOURS = TOPIC_PALETTES.light;
/** The third of them in red, green and blue, mixed with the ground by how often a cell was chosen. */
const HEAT = [1, 3, 5].map((at) => Number.parseInt(COLOURS[2]?.slice(at, at + 2) ?? '', 16));

const svg = (width: number, height: number, parts: readonly string[]): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${PICTURE_FONT}"><rect width="${width}" height="${height}" fill="${INK.ground}"/>${parts.join('')}</svg>\n`;

const text = (x: number, y: number, words: string, rest = ''): string =>
  `<text x="${x}" y="${y}" font-size="12" fill="${INK.ink}" ${rest}>${escapedXml(words)}</text>`;

/** One row per measure, with a dot and an interval for each column. */
const agreementPicture = ({ columns }: StudyReport): string => {
  const [left, wide, top, slot] = [230, 460, 34 + 18 * columns.length, 16 + 12 * columns.length];
  const least = leastShown(columns.flatMap(({ figures }) => figures));
  const x = (value: number) => left + wide * clamp((value - least) / (1 - least), 0, 1);
  const height = top + slot * MEASURES.length + 34;
  const bottom = height - 30;
  const ticks = Array.from({ length: Math.round((1 - least) / TICK) + 1 }, (_, at) => {
    const value = least + TICK * at;
    const stroke = value === 0 && least < 0 ? INK.quiet : INK.line;
    const words = String(value).replace('-', '−');
    return `<path d="M${x(value)} ${top - 6}V${bottom}" stroke="${stroke}"/>${text(x(value), bottom + 16, words, 'text-anchor="middle"')}`;
  });
  const key = columns.map(
    ({ title }, at) =>
      `<circle cx="${left + 6}" cy="${20 + 18 * at}" r="4" fill="${colourOf(at)}"/>${text(left + 18, 24 + 18 * at, title)}`,
  );
  const drawn = MEASURES.map(({ title }, row) => {
    const middle = top + slot * row + slot / 2;
    const dots = columns.map(({ figures }, at) => {
      const { value, interval } = figures[row] ?? { value: null, interval: null };
      if (typeof value !== 'number') return '';
      const y = middle + 12 * (at - (columns.length - 1) / 2);
      const span =
        interval === null
          ? ''
          : `<path d="M${x(interval[0]).toFixed(1)} ${y}H${x(interval[1]).toFixed(1)}" stroke="${colourOf(at)}" stroke-width="2"/>`;
      return `${span}<circle cx="${x(value).toFixed(1)}" cy="${y}" r="4" fill="${colourOf(at)}"/>`;
    });
    return `${text(left - 14, middle + 4, title, 'text-anchor="end"')}${dots.join('')}`;
  });
  return svg(left + wide + 30, height, [...ticks, ...key, ...drawn]);
};

const colourOf = (at: number): string => COLOURS[at % COLOURS.length] ?? INK.ink;

/** How often one person gave one action and another person the other; agreement is on the diagonal. */
const confusionPicture = ({ confusions }: StudyReport): string => {
  const [left, top, size, tall] = [150, 40, 118, 44];
  const most = Math.max(1, ...confusions.flatMap((row, at) => row.filter((_, to) => to > at)));
  const cells = placements.flatMap((row, at) => [
    text(left - 10, top + tall * at + tall / 2 + 4, PLACEMENT_WORDS[row], 'text-anchor="end"'),
    text(left + size * at + size / 2, top - 12, PLACEMENT_WORDS[row], 'text-anchor="middle"'),
    ...placements.flatMap((_, to) => {
      if (to < at) return [];
      const n = confusions[at]?.[to] ?? 0;
      const share = at === to ? 0 : n / most;
      const fill =
        at === to ? '#e4eef2' : `rgb(${HEAT.map((part) => Math.round(255 - (255 - part) * share * 0.55)).join()})`;
      return [
        `<rect x="${left + size * to + 2}" y="${top + tall * at + 2}" width="${size - 4}" height="${tall - 4}" rx="4" fill="${fill}" stroke="${INK.line}"/>`,
        text(
          left + size * to + size / 2,
          top + tall * at + tall / 2 + 4,
          count(n),
          'text-anchor="middle" font-weight="600"',
        ),
      ];
    }),
  ]);
  return svg(left + size * placements.length + 20, top + tall * placements.length + 20, cells);
};
