import type { Node } from '../../domain/forest.ts';
import { replyOf } from '../../domain/queries.ts';
import { type Cue, cuesOf } from '../../engine/cues.ts';
import type { TopicView } from '../../engine/ports.ts';
import { contentWeights } from './text/words.ts';

/** What a decider reads of a turn besides its vector. */
export interface TurnTexts {
  readonly cues: ReadonlyMap<Cue, string>;
  readonly words: ReadonlySet<string>;
  /** The reply ends by asking something. */
  readonly replyAsks: boolean;
}

/** Topics whose words are kept; more than any conversation shows at once, and a few MB at most. */
const KEPT_TOPICS = 2000;
/** How far from its end a reply is searched for a question mark, in UTF-16 units. */
const END_OF_REPLY = 20;
/** Lightest word that counts as content; filler such as "nice" or "thing" weighs 0.3. */
const CONTENT_WEIGHT = 0.5;

/** Texts are read once: nodes never change in place, and a topic's words are kept until its summary changes. */
export class TextReader {
  readonly #turns = new WeakMap<Node, TurnTexts>();
  readonly #topics = new Map<string, { summary: string; title: string; words: ReadonlySet<string> }>();

  turn(node: Node): TurnTexts {
    const known = this.#turns.get(node);
    if (known !== undefined) return known;
    const reply = replyOf(node)?.text ?? '';
    const texts: TurnTexts = {
      cues: cuesOf(node.message),
      words: contentWords(`${node.message} ${node.summary?.text ?? ''}`),
      replyAsks: /\?\s*$/.test(reply.slice(-END_OF_REPLY)),
    };
    this.#turns.set(node, texts);
    return texts;
  }

  topic({ treeId, title, summary }: TopicView): ReadonlySet<string> {
    const known = this.#topics.get(treeId);
    if (known !== undefined && known.summary === summary && known.title === title) return known.words;
    const words = contentWords(`${title} ${summary}`);
    if (this.#topics.size >= KEPT_TOPICS) this.#topics.clear();
    this.#topics.set(treeId, { summary, title, words });
    return words;
  }
}

/** Words of the first set that are in the second, too. */
export const common = (a: ReadonlySet<string>, b: ReadonlySet<string>): string[] =>
  [...a].filter((word) => b.has(word));

/** The words of a text that carry what it is about, by their stems. */
export const contentWords = (text: string): ReadonlySet<string> => {
  const words = new Set<string>();
  for (const [word, weight] of contentWeights(text)) if (weight >= CONTENT_WEIGHT) words.add(word);
  return words;
};
