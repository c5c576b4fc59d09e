import { PROVENANCE, provenanceWords } from '../../app/provenance.ts';
import type { SettingsState } from '../../app/saved-settings.ts';
import { LOG_VERSION } from '../../domain/entry.ts';
import type { Forest } from '../../domain/forest.ts';
import { conversationTitle } from '../../domain/queries.ts';
import { cell, type ExportedFile, fileName } from '../../ui/parts/download.ts';
import type { CompareState } from './compare-run.ts';
import { BASELINE, type CompareRow, type Spent, sumsOf } from './compare-run-rows.ts';

/** Version of the files' form. */
const FORM_VERSION = 2;

/** What a comparison is of. */
export interface ComparedFrom extends Pick<CompareState, 'conversationId' | 'names' | 'madeBy' | 'failed' | 'anew'> {
  readonly rows: readonly CompareRow[];
  readonly forest: Forest;
  readonly settings: SettingsState;
}

/** Name of a file of the comparison, by its ending. */
export const comparisonName = (forest: Forest, ending: string): string =>
  `${fileName(conversationTitle(forest))}.comparison.${ending}`;

const COLUMNS = ['turn', 'message', 'policy', 'sent', 'tokens', 'calls', 'read', 'ms', 'msLogged'] as const;
const MADE_WITH = ['unit', 'embedder', 'summariser', 'settings', 'form', 'app'] as const;

/** A line for each policy of each turn, for spreadsheets (RFC 4180). */
export const comparisonCsv = (from: ComparedFrom): ExportedFile => {
  const { rows, names, madeBy, settings, forest } = from;
  const lines = rows.flatMap((row) =>
    names.flatMap((name) => {
      const spent = row.by[name];
      if (spent === undefined) return [];
      const { tokens, calls, read, ms, logged } = rounded(spent);
      const sent = row.sent === name ? 'yes' : 'no';
      const madeWith = [row.unit, madeBy.embed, madeBy.summarise, settings.current, FORM_VERSION, provenanceWords()];
      return [[row.number, row.message, name, sent, tokens, calls, read, ms, logged, ...madeWith]];
    }),
  );
  return {
    name: comparisonName(forest, 'csv'),
    text: [[...COLUMNS, ...MADE_WITH], ...lines].map((line) => `${line.map(cell).join(',')}\r\n`).join(''),
  };
};

const NOTE =
  'Every policy was given the same turns and the same replies: a context is what it would have sent for that turn alone. calls, read and ms are what its own bookkeeping cost between the context before and this one: ms was measured while comparing, logged (msLogged in the table) when the turn was sent.';

/** The whole comparison: sums, then turn by turn. */
export const comparisonJson = (from: ComparedFrom): ExportedFile => {
  const { rows, names, madeBy, failed, anew, settings, forest, conversationId } = from;
  const used = settings.versions.find(({ version }) => version === settings.current);
  const content = {
    coppice: 'comparison',
    versions: { form: FORM_VERSION, log: LOG_VERSION, settings: settings.current },
    conversation: { id: conversationId, title: conversationTitle(forest), turns: rows.length },
    madeBy: PROVENANCE,
    note: NOTE,
    models: madeBy,
    settings: { version: settings.current, parameters: used?.parameters ?? {} },
    baseline: BASELINE,
    policies: names.map((name) => {
      const { turns, share, ...sums } = sumsOf(rows, name);
      const placedAnew = anew.includes(name);
      return { name, turns, total: rounded(sums), share, placedAnew, failed: failed.get(name) ?? null };
    }),
    turns: rows.map(({ number, nodeId, message, sent, unit, by }) => ({
      turn: number,
      nodeId,
      message,
      unit,
      policies: Object.fromEntries(
        names.flatMap((name) => {
          const spent = by[name];
          return spent === undefined ? [] : [[name, { ...rounded(spent), sent: sent === name }]];
        }),
      ),
    })),
  };
  return { name: comparisonName(forest, 'json'), text: `${JSON.stringify(content, null, 2)}\n` };
};

/** No clock is as fine as its digits. */
const rounded = ({ tokens, calls, read, ms, logged }: Spent): Spent => ({
  tokens,
  calls,
  read,
  ms: Math.round(ms * 1000) / 1000,
  logged: Math.round(logged * 1000) / 1000,
});
