import fuzzysort from 'fuzzysort';
import { fitOf, folded, searchTerms } from '../../app/search-words.ts';
import { type AppState, shownForest } from '../../app/state.ts';
import type { Forest, Node } from '../../domain/forest.ts';
import { latinDigits, sum } from '../../domain/numbers.ts';
import { recordsOf } from '../../domain/table.ts';
import type { ConversationMeta } from '../../engine/storage.ts';
import { COMMAND_GROUPS, type Command, disabledReason } from '../../ui/commands/command.ts';
import type { CommandId } from '../../ui/commands/default-keys.ts';

/** A command in its state when the list was made. */
interface CommandEntry {
  readonly command: Command;
  readonly words: string;
  /** Why it was unavailable when the list was made; null if it was available. */
  readonly refusal: string | null;
}

export type PaletteRow =
  | ({ readonly kind: 'command'; readonly key: string; readonly marks: readonly number[] } & CommandEntry)
  | { readonly kind: 'turn'; readonly key: string; readonly node: Node; readonly topic: string; readonly order: number }
  | { readonly kind: 'conversation'; readonly key: string; readonly meta: ConversationMeta }
  | { readonly kind: 'search'; readonly key: string; readonly query: string };

/**
 * Why a row still cannot be chosen; null if it can, or could when the list was made. Asking the other commands with every
 * token of a reply would cost too much: if they are refused by now, they say so when they are run.
 */
export const refusalNow = (row: PaletteRow, state: AppState): string | null =>
  row.kind === 'command' && row.refusal !== null ? disabledReason(row.command, state) : null;

export interface PaletteGroup {
  readonly heading: string;
  readonly rows: readonly PaletteRow[];
}

const COMMANDS = 12;
const TURNS = 8;
const CONVERSATIONS = 5;
/** Minimum score, from 0 for no match to 1 for identical: below this, letters match only by chance. */
const LEAST = 0.35;
/** Recent and available commands rank above equally good matches. */
const RECENT = 1.15;
const REFUSED = 0.85;

const asRow = (listed: CommandEntry, marks: readonly number[] = []): PaletteRow => ({
  kind: 'command',
  key: listed.command.id,
  marks,
  ...listed,
});

/** Groups everything that matches, with the turns found so far; without a query, all available commands, recent ones first. */
export const paletteGroups = (
  query: string,
  listed: readonly CommandEntry[],
  recent: readonly CommandId[],
  state: AppState,
  turns: readonly Node[],
): PaletteGroup[] => {
  const sought = query.trim();
  const groups =
    sought === ''
      ? allGroups(listed, recent)
      : [
          { heading: 'Commands', rows: matching(sought, listed, recent) },
          { heading: 'Turns', rows: turns.map((node) => turnRow(shownForest(state), node)) },
          { heading: 'Conversations', rows: conversationRows(sought, state) },
          { heading: 'Everywhere', rows: [{ kind: 'search', key: 'search-all', query: sought } as const] },
        ];
  return groups.filter(({ rows }) => rows.length > 0);
};

const allGroups = (listed: readonly CommandEntry[], recent: readonly CommandId[]): PaletteGroup[] => [
  {
    heading: 'Recently used',
    rows: recent.flatMap((id) => listed.filter(({ command }) => command.id === id)).map((one) => asRow(one)),
  },
  ...COMMAND_GROUPS.map((group) => ({
    heading: group,
    rows: listed
      .filter(({ command }) => command.group === group && !recent.includes(command.id))
      .sort((a, b) => Number(a.refusal !== null) - Number(b.refusal !== null))
      .map((one) => asRow(one)),
  })),
];

const matching = (query: string, listed: readonly CommandEntry[], recent: readonly CommandId[]): PaletteRow[] =>
  fuzzysort
    .go(query, listed, {
      keys: [(one) => one.words, (one) => `${one.command.group} ${one.command.words} ${one.command.also ?? ''}`],
      threshold: LEAST,
      limit: COMMANDS,
      scoreFn: (result) => {
        const { command, refusal } = result.obj;
        return result.score * (recent.includes(command.id) ? RECENT : 1) * (refusal === null ? 1 : REFUSED);
      },
    })
    .map((result) => asRow(result.obj, (result[0]?.score ?? 0) > LEAST ? result[0]?.indexes : []));

const turnRow = ({ trees }: Forest, node: Node): PaletteRow => {
  const tree = trees[node.treeId];
  return { kind: 'turn', key: node.id, node, topic: tree?.title ?? '', order: tree?.order ?? 0 };
};

/** Turns compared in a step: as many as may have to be read for it in a few milliseconds. */
const PART = 128;

/** The turns that match best, found in steps: in a long conversation, each message may have to be read. */
export function* turnsFound(query: string, forest: Forest): Generator<undefined, readonly Node[]> {
  const sought = query.trim();
  const nodes = recordsOf(forest.nodes);
  const number = /^(?:go to\s*)?(?:turn\s*)?#?(\d+)$/i.exec(latinDigits(sought))?.[1];
  const named = number === undefined ? [] : nodes.filter((node) => `${node.number}` === number);
  const terms = searchTerms(sought);
  if (terms.length === 0) return named.slice(0, TURNS);
  const found: { readonly node: Node; readonly fit: number }[] = [];
  for (const [at, node] of nodes.entries()) {
    if (at > 0 && at % PART === 0) yield;
    if (named.includes(node)) continue;
    const message = folded(node.message);
    const fits = terms.map((term) => fitOf(message, term));
    if (fits.every((fit) => fit > 0)) found.push({ node, fit: sum(fits) });
  }
  found.sort((a, b) => b.fit - a.fit || b.node.number - a.node.number);
  return [...named, ...found.map(({ node }) => node)].slice(0, TURNS);
}

const conversationRows = (query: string, { conversations, conversationId }: AppState): PaletteRow[] =>
  fuzzysort
    .go(
      query,
      conversations.filter(({ id }) => id !== conversationId),
      { key: ({ title }) => title, threshold: LEAST, limit: CONVERSATIONS },
    )
    .map(({ obj: meta }) => ({ kind: 'conversation', key: meta.id, meta }));
