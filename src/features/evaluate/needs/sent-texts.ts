import type { Context, Segment } from '../../../domain/context.ts';
import type { Forest, NodeId } from '../../../domain/forest.ts';
import { segmentText } from '../../../engine/context/context-text.ts';
import { termsOf } from '../../../engine/text/terms.ts';

/** A piece of what is sent of the history. */
export interface SentText {
  readonly text: string;
  readonly tokens: number;
  /** The turns that it stands for; none for a heading, or a line that counts what is left out. */
  readonly turns: readonly NodeId[];
}

/** All that a context sends of the history, the instructions and the message aside. An overview is its lines. */
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
export const tokensOf = (sent: readonly SentText[]): number => sent.reduce((total, { tokens }) => total + tokens, 0);

/** Texts of a conversation come again in every context: what is made of one is kept. */
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

/** The content words of a text, by their stems; of a language written without spaces, pairs of characters. */
export const contentWords = keeping(
  (text, language): ReadonlySet<string> => new Set(termsOf(text, language).words.keys()),
);

/** Weight from which a word says what a text is about: a name, a number, a noun that is none of the commonest. */
const RARE = 0.7;

/** Names, numbers and whatever is not common; all its content words where a text has none of those. */
export const rareWords = keeping((text, language): ReadonlySet<string> => {
  const words = [...termsOf(text, language).words];
  const rare = words.filter(([, weight]) => weight >= RARE);
  return new Set((rare.length > 0 ? rare : words).map(([word]) => word));
});

/** A text as it is compared: white space counts for nothing. */
export const plain = keeping((text): string => text.normalize('NFKC').replace(/\s+/g, ' ').trim());

/** Whether a text stands, word for word, in one of those that are sent. */
export const isSent = (text: string, sent: readonly SentText[]): boolean => {
  const wanted = plain(text, '');
  return sent.some((one) => plain(one.text, '').includes(wanted));
};
