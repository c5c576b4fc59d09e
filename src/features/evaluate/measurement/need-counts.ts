import { add } from '../../../app/figures/estimate.ts';
import type { Context, Segment } from '../../../domain/context.ts';
import { type Forest, type NodeId, RECALL } from '../../../domain/forest.ts';
import { segmentText } from '../../../engine/context/context-text.ts';
import { termsOf } from '../../../engine/text/terms.ts';
import { oneLine } from '../../../engine/text/words.ts';
import { type LabelledDialogue, type LabelledTurn, type Need, topicsOf } from '../datasets/dialogues.ts';
import { type PolicySize, suffixOf } from './need-metrics.ts';
import { ancestorsOf } from './placements.ts';
import { nodeIdOf, turnIndexOf } from './replay.ts';

/** A turn's context as built by a policy, with the forest that contains its overview. */
interface BuiltTurn {
  readonly forest: Forest;
  readonly context: Context;
  readonly size: PolicySize;
}

type MutableCounts = Record<string, number>;

/** The default language of a dialogue whose set does not specify one. */
const UNSAID = 'en';

/** What is known of a turn before any of its contexts is built; afterwards it is only looked up. */
interface TurnNeeds {
  readonly language: string;
  /** Content words that the rewrite adds, and the share of them found in the whole history; null if there are none. */
  readonly added: { readonly words: readonly string[]; readonly inFull: number } | null;
  /** Alternative lists of needed texts; null if not labelled. */
  readonly lists: readonly (readonly NeededText[])[] | null;
  /** Nodes of the turns whose topics are relevant to the turn. */
  readonly onTopic: ReadonlySet<string>;
  /** Nodes of the labelled path. */
  readonly path: readonly NeededTurn[];
}

interface NeededText {
  readonly nodeId: string;
  readonly text: string;
}

interface NeededTurn {
  readonly nodeId: string;
  readonly texts: readonly string[];
}

/** Returns what a turn needs according to its labels. */
export const needsOf = ({ turns, language = UNSAID }: LabelledDialogue, turn: number): TurnNeeds => {
  const { message = '', rewrite, needs, orNeeds = [] } = turns[turn] ?? {};
  const said = contentWords(message, language);
  const words = rewrite === undefined ? [] : [...contentWords(rewrite, language)].filter((word) => !said.has(word));
  const history = turns.slice(0, turn).flatMap(sendableTexts);
  const lists = needs === undefined ? null : [needs, ...orNeeds];
  const topics = topicsOf(turns);
  const own = new Set([turn, ...(lists ?? []).flat().map((need) => need.turn)].map((at) => topics[at]));
  return {
    language,
    added: words.length === 0 ? null : { words, inFull: wordShare(words, history, language) },
    lists:
      lists?.map((list) =>
        list.map(
          (need: Need): NeededText => ({
            nodeId: nodeIdOf(need.turn),
            text: turns[need.turn]?.[need.part] ?? '',
          }),
        ),
      ) ?? null,
    onTopic: new Set(topics.flatMap((topic, at) => (own.has(topic) ? [nodeIdOf(at)] : []))),
    path: ancestorsOf(turns, turn).map((at) => ({
      nodeId: nodeIdOf(at),
      texts: sendableTexts(turns[at] as LabelledTurn),
    })),
  };
};

/** The texts of a turn that can be sent: quotes from recall never are. */
const sendableTexts = ({ message, reply, replyBy }: LabelledTurn): string[] =>
  [message, replyBy === RECALL ? '' : (reply ?? '')].filter((text) => text !== '');

/** Share of `words` that occur in any of the texts. */
const wordShare = (words: readonly string[], texts: readonly string[], language: string): number => {
  const sets = texts.map((text) => contentWords(text, language));
  return words.filter((word) => sets.some((set) => set.has(word))).length / words.length;
};

/** Counts how much of its turn's needs a context contains. */
export const countNeeds = (counts: MutableCounts, needs: TurnNeeds, { forest, context, size }: BuiltTurn): void => {
  const count = (name: string, by = 1) => add(counts, name + suffixOf(size), by);
  const sent = sentTexts(forest, context);
  countSize(counts, sent, context, size);

  if (needs.added !== null) {
    const texts = sent.map(({ text }) => text);
    count('rewritten turns');
    count('rewrite recall', wordShare(needs.added.words, texts, needs.language));
    count('rewrite recall of full', needs.added.inFull);
  }
  if (needs.path.length > 0) {
    count('turns with a path');
    const found = needs.path.filter(({ nodeId, texts }) => {
      const own = standingFor(nodeId, sent);
      return texts.every((text) => isSent(text, own));
    });
    count('path recall', found.length / needs.path.length);
  }
  if (needs.lists === null) return;
  count('turns with labelled needs');
  const [least = []] = needs.lists;
  if (least.length > 0) {
    count('turns that need texts');
    count('needed text recall', Math.max(...needs.lists.map((list) => listRecall(list, sent, needs.language))));
  }
  count('history tokens', tokensOf(sent));
  count('off topic tokens', offTopicTokens(sent, needs.onTopic));
};

/** Counts the cost of a context relative to the full history. */
export const countSize = (
  counts: MutableCounts,
  sent: readonly SentText[],
  { segments, tokens, fullHistoryTokens }: Context,
  size: PolicySize,
): void => {
  const count = (name: string, by = 1) => add(counts, name + suffixOf(size), by);
  const history = historyTokensOf({ segments, fullHistoryTokens });
  count('context turns');
  count('context tokens', tokens);
  count('full history tokens', fullHistoryTokens);
  count('history shares', history === 0 ? 0 : tokensOf(sent) / history);
  count('over full', Number(tokens > fullHistoryTokens));
};

/** Tokens of the whole history before a message, excluding the instructions and the message itself. */
export const historyTokensOf = ({ segments, fullHistoryTokens }: Pick<Context, 'segments' | 'fullHistoryTokens'>) =>
  segments
    .filter(({ kind }) => kind === 'instructions' || kind === 'message')
    .reduce((left, { tokens }) => left - tokens, fullHistoryTokens);

const standingFor = (nodeId: string, sent: readonly SentText[]): SentText[] =>
  sent.filter(({ turns }) => turns.includes(nodeId));

const listRecall = (list: readonly NeededText[], sent: readonly SentText[], language: string): number =>
  list.length === 0 ? 1 : list.filter((need) => isServed(need, sent, language)).length / list.length;

/** Whether a text is sent in full, or whether the text that stands for its turn contains all its rare words. */
const isServed = ({ nodeId, text }: NeededText, sent: readonly SentText[], language: string): boolean => {
  const own = standingFor(nodeId, sent);
  if (own.length === 0) return plain(text, '') === '';
  if (isSent(text, own)) return true;
  const rare = [...rareWords(text, language)];
  return (
    rare.length > 0 &&
    wordShare(
      rare,
      own.map((one) => one.text),
      language,
    ) === 1
  );
};

/** A text made from several turns counts proportionally for each of them. */
const offTopicTokens = (sent: readonly SentText[], onTopic: ReadonlySet<string>): number =>
  sent.reduce((total, { tokens, turns }) => {
    const off = turns.filter((nodeId) => !onTopic.has(nodeId)).length;
    return off === 0 ? total : total + (tokens * off) / turns.length;
  }, 0);

/** Whether a turn continues the previous one, according to its labels. */
export const continuesPrevious = ({ turns }: LabelledDialogue, turn: number): boolean =>
  turn > 0 && turns[turn]?.parent === turn - 1;

/** Counts what an oracle that sends exactly the labelled path in full would send. */
export const countOracle = (
  counts: MutableCounts,
  needs: TurnNeeds,
  context: Context,
  turnTokens: (turn: number) => number,
): void => {
  const path = needs.path.reduce((total, { nodeId }) => total + turnTokens(turnIndexOf(nodeId)), 0);
  const history = historyTokensOf(context);
  add(counts, 'oracle tokens', context.fullHistoryTokens - history + path);
  add(counts, 'oracle shares', history === 0 ? 0 : path / history);
};

/** A piece of the history that is sent. */
interface SentText {
  readonly text: string;
  readonly tokens: number;
  /** The turns it stands for; empty for a heading, or for a line that counts what is left out. */
  readonly turns: readonly NodeId[];
}

/** Everything that a context sends of the history, without the instructions and the message. An overview is split into its lines. */
export const sentTexts = (forest: Forest, { segments }: Context): SentText[] =>
  segments.flatMap((segment): SentText[] => {
    if (segment.kind === 'instructions' || segment.kind === 'message') return [];
    if (segment.kind !== 'overview') {
      return [{ text: segmentText(forest, segment), tokens: segment.tokens, turns: turnsOf(segment) }];
    }
    const lines = (forest.overviews[segment.overviewId]?.lines ?? []).map(
      (line): SentText => ({
        text: line.text,
        tokens: line.tokens,
        turns: line.kind === 'left-out' ? [] : line.nodeIds,
      }),
    );
    const head = segment.tokens - lines.reduce((total, { tokens }) => total + tokens, 0);
    return [{ text: '', tokens: head, turns: [] }, ...lines];
  });

const turnsOf = (segment: Segment): readonly NodeId[] => {
  if ('nodeId' in segment) return [segment.nodeId];
  return 'from' in segment ? segment.from : [];
};

/** Tokens that a context spends on the history. */
const tokensOf = (sent: readonly SentText[]): number => sent.reduce((total, { tokens }) => total + tokens, 0);

/** Caches results per text, because a conversation's texts recur in every context. */
const keeping = <T>(make: (text: string, language: string) => T) => {
  const known = new Map<string, T>();
  return (text: string, language: string): T => {
    const key = `${language} ${text}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    if (known.size >= MOST_KEPT) known.clear();
    const made = make(text, language);
    known.set(key, made);
    return made;
  };
};
const MOST_KEPT = 20_000;

/** The stemmed content words of a text; pairs of characters in languages written without spaces. */
const contentWords = keeping((text, language): ReadonlySet<string> => new Set(termsOf(text, language).words.keys()));

/** Weight from which a word indicates what a text is about: a name, a number, or a noun that is not among the most common. */
const RARE = 0.7;

/** Names, numbers and anything uncommon; all content words if a text has none of those. */
const rareWords = keeping((text, language): ReadonlySet<string> => {
  const words = [...termsOf(text, language).words];
  const rare = words.filter(([, weight]) => weight >= RARE);
  return new Set((rare.length > 0 ? rare : words).map(([word]) => word));
});

/** Normalises a text for comparison, ignoring differences in white space. */
const plain = keeping((text): string => oneLine(text.normalize('NFKC')));

/** Whether a text occurs word for word in one of the sent texts. */
export const isSent = (text: string, sent: readonly SentText[]): boolean => {
  const wanted = plain(text, '');
  return sent.some((one) => plain(one.text, '').includes(wanted));
};
