import fuzzysort from 'fuzzysort';
import { fitOf, folded, searchTerms } from '../../app/search-words.ts';
import { type AppState, shownForest } from '../../app/state.ts';
import type { Node } from '../../domain/forest.ts';
import { latinDigits, sum } from '../../domain/numbers.ts';
import { recordsOf } from '../../domain/table.ts';
import type { ConversationMeta } from '../../engine/storage.ts';
import { COMMAND_GROUPS, type Command } from '../../ui/commands/command.ts';
import type { CommandId } from '../../ui/commands/default-keys.ts';

/** A command in its current state. */
interface CommandEntry {
  readonly command: Command;
  readonly words: string;
  /** Why it is unavailable now; null if it is available. */
  readonly refusal: string | null;
}

export type PaletteRow =
  | ({ readonly kind: 'command'; readonly key: string; readonly marks: readonly number[] } & CommandEntry)
  | { readonly kind: 'turn'; readonly key: string; readonly node: Node; readonly topic: string; readonly order: number }
  | { readonly kind: 'conversation'; readonly key: string; readonly meta: ConversationMeta }
  | { readonly kind: 'search'; readonly key: string; readonly query: string };

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

/** Groups everything that matches; without a query, all available commands, recent ones first. */
export const paletteGroups = (
  query: string,
  listed: readonly CommandEntry[],
  recent: readonly CommandId[],
  state: AppState,
): PaletteGroup[] => {
  const sought = query.trim();
  const groups =
    sought === ''
      ? allGroups(listed, recent)
      : [
          { heading: 'Commands', rows: matching(sought, listed, recent) },
          { heading: 'Turns', rows: turnRows(sought, state) },
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

const turnRows = (query: string, state: AppState): PaletteRow[] => {
  const forest = shownForest(state);
  const nodes = recordsOf(forest.nodes);
  const number = /^(?:go to\s*)?(?:turn\s*)?#?(\d+)$/i.exec(latinDigits(query))?.[1];
  const named = number === undefined ? [] : nodes.filter((node) => `${node.number}` === number);
  const terms = searchTerms(query);
  const withWords =
    terms.length === 0
      ? []
      : nodes
          .filter((node) => !named.includes(node))
          .map((node) => ({ node, fits: terms.map((term) => fitOf(folded(node.message), term)) }))
          .filter(({ fits }) => fits.every((fit) => fit > 0))
          .sort((a, b) => sum(b.fits) - sum(a.fits) || b.node.number - a.node.number)
          .map(({ node }) => node);
  return [...named, ...withWords].slice(0, TURNS).map((node) => {
    const tree = forest.trees[node.treeId];
    return { kind: 'turn', key: node.id, node, topic: tree?.title ?? '', order: tree?.order ?? 0 };
  });
};

const conversationRows = (query: string, { conversations, conversationId }: AppState): PaletteRow[] =>
  fuzzysort
    .go(
      query,
      conversations.filter(({ id }) => id !== conversationId),
      { key: ({ title }) => title, threshold: LEAST, limit: CONVERSATIONS },
    )
    .map(({ obj: meta }) => ({ kind: 'conversation', key: meta.id, meta }));
