import type { Node } from '../../domain/forest.ts';
import { replyText } from '../../domain/queries.ts';
import { type Cue, cuesOf, ENDS_ASKING } from '../../engine/place/cues.ts';
import type { TopicView } from '../../engine/ports.ts';
import { createYielder } from '../../engine/tasks.ts';
import { glossedForCues, glossedForEmbedder } from '../../engine/text/glossary.ts';
import { firstAndLast, TermReader } from '../../engine/text/terms.ts';
import { CONTENT_WEIGHT, contentWords, readWord, wordsOf } from '../../engine/text/words.ts';
import { type AnswerKinds, kindsAsked } from './answer-kinds.ts';
import { type Kinship, kinshipTo, knownWords, type Lexicon } from './lexicon.ts';
import { openPronouns, type PersonMentions, personsIn } from './pronouns.ts';

/** What a decider reads of a turn besides its vector. Everything is computed on first use, once. */
class TurnTexts {
  /** Language the turn was read in. */
  readonly spoken: string | null;
  readonly #node: Node;
  readonly #lexicon: Lexicon;
  #cues: ReadonlyMap<Cue, string> | null = null;
  #length: number | null = null;
  #words: ReadonlySet<string> | null = null;
  #replyWords: ReadonlySet<string> | null = null;
  #known: readonly number[] | null = null;
  #persons: PersonMentions | null = null;
  #replyPersons: PersonMentions | null = null;
  #asked: AnswerKinds | null = null;

  constructor(node: Node, spoken: string | null, lexicon: Lexicon) {
    this.#node = node;
    this.spoken = spoken;
    this.#lexicon = lexicon;
  }

  get cues(): ReadonlyMap<Cue, string> {
    this.#cues ??= cuesOf(glossedForCues(this.#node.message, this.spoken));
    return this.#cues;
  }

  /** Length of the message, as measured by `logWordCount`. */
  get length(): number {
    this.#length ??= logWordCount(this.#node.message);
    return this.#length;
  }

  /** Content words of the message and its summary. */
  get words(): ReadonlySet<string> {
    this.#words ??= contentWords(saidIn(this.#node));
    return this.#words;
  }

  get replyWords(): ReadonlySet<string> {
    this.#replyWords ??= contentWords(startOfReply(this.#node));
    return this.#replyWords;
  }

  /** Words of the message and reply that are in the lexicon. */
  get known(): readonly number[] {
    const inEnglish = (text: string) => knownWords(this.#lexicon, glossedForEmbedder(text, this.spoken));
    this.#known ??= [...inEnglish(this.#node.message), ...inEnglish(startOfReply(this.#node))];
    return this.#known;
  }

  /** Persons the message mentions. */
  get persons(): PersonMentions {
    this.#persons ??= personsIn(glossedForEmbedder(this.#node.message, this.spoken));
    return this.#persons;
  }

  get replyPersons(): PersonMentions {
    this.#replyPersons ??= personsIn(glossedForEmbedder(startOfReply(this.#node), this.spoken));
    return this.#replyPersons;
  }

  /** What the end of the reply asks for. */
  get asked(): AnswerKinds {
    this.#asked ??= kindsAsked(replyText(this.#node).slice(-LAST_QUESTION), (text) =>
      glossedForEmbedder(text, this.spoken),
    );
    return this.#asked;
  }

  /** Whether the reply ends with a question. */
  get replyAsks(): boolean {
    return ENDS_ASKING.test(replyText(this.#node).slice(-END_OF_REPLY));
  }

  /** Whether the reply reports something done or asks if there is anything else, so that its subject may be closed. */
  get replyCloses(): boolean {
    return CLOSING.test(startOfReply(this.#node));
  }
}

/** Logarithm of 1 plus the number of words. */
export const logWordCount = (message: string): number => Math.log1p(message.split(/\s+/).length);

const saidIn = ({ message, summary }: Node): string => `${message} ${summary?.text ?? ''}`;
const startOfReply = (node: Node): string => replyText(node).slice(0, START_OF_REPLY);

/** What a decider reads of a topic for a message: the words of its title, and which of the message's words it has. */
interface TopicTexts {
  readonly titleWords: ReadonlySet<string>;
  /** Words also in the topic's title, or in the messages or summaries of its turns. */
  readonly shared: readonly string[];
  readonly sharedWithReplies: readonly string[];
}

/** Turns of a topic that are read to tell what it is about. */
const READ_TURNS = 9;
/** Topics whose words are cached: more than any conversation shows at once, and a few MB at most. */
const KEPT_TOPICS = 2000;
/** Length of the end of a reply that is searched for a question mark, in UTF-16 units. */
const END_OF_REPLY = 60;
/** Length of the end of a reply that is read for what it asks, in UTF-16 units. */
const LAST_QUESTION = 240;
/** Length of the start of a reply that is read for words, in UTF-16 units. */
const START_OF_REPLY = 600;
const CLOSING =
  /\b(?:anything else|(?:any|some)thing (?:more|further)|what else|else (?:can|may) i|(?:is|are|has been|have been|all|been|is now) (?:booked|reserved|confirmed|scheduled|set|done|sent|paid|purchased|ordered|complete[d]?|added|ready)|(?:booked|reserved|confirmed|scheduled|purchased|ordered|sent|added) (?:it|your|the|for|successfully)|success(?:ful|fully)?|enjoy|you(?:'re| are) welcome|have a (?:great|good|nice|wonderful))\b/i;

/** Reads each text once: nodes never change in place. */
export class TextReader {
  readonly lexicon: Lexicon;
  /** Language the person writes in; if it is not English, texts are translated to find their cue words. */
  spoken: string | null = null;
  readonly terms = new TermReader();
  readonly #turns = new WeakMap<Node, TurnTexts>();
  readonly #topics = new Map<string, TopicWords>();
  readonly #searched = new Set<string>();
  readonly #ahead = new WeakMap<TopicToRead, { readonly words: ReadonlySet<string>; readonly texts: TopicTexts }>();

  constructor(lexicon: Lexicon) {
    this.lexicon = lexicon;
  }

  turn(node: Node): TurnTexts {
    const known = this.#turns.get(node);
    // The detected language may change as more is said, and a forest must read the same at any time.
    if (known !== undefined && known.spoken === this.spoken) return known;
    const texts = new TurnTexts(node, this.spoken, this.lexicon);
    this.#turns.set(node, texts);
    return texts;
  }

  /** Reads what a message will be compared with, pausing in between: reading topics of thousands of turns at once would block typing. */
  async readAhead(topics: readonly TopicView[], message: string, spoken: string | null): Promise<void> {
    const breath = createYielder(() => performance.now());
    const words = contentWords(message);
    const speaksOfPerson = openPronouns(personsIn(glossedForEmbedder(message, spoken))) !== 0;
    for (const topic of topics) {
      await this.terms.readAhead(topic.turns, spoken, breath);
      for (const node of firstAndLast(topic.turns, READ_TURNS)) {
        await breath();
        // Another message may have been read in the meantime.
        this.spoken = spoken;
        this.#knownIn(node);
        if (speaksOfPerson) this.#personsOf(node);
      }
      const reading = this.#reading(topic, words);
      let step = reading.next();
      for (; step.done !== true; step = reading.next()) await breath();
      this.#ahead.set(topic, { words, texts: step.value });
    }
  }

  /** Persons a topic mentions: in its messages, in messages and replies, and in its last turn. */
  personsIn({ turns }: Pick<TopicView, 'turns'>): Readonly<Record<'said' | 'all' | 'last', PersonMentions>> {
    let [said, all, last] = [0, 0, 0];
    for (const node of firstAndLast(turns, READ_TURNS)) {
      last = this.#personsOf(node);
      said |= this.turn(node).persons;
      all |= last;
    }
    return { said, all, last };
  }

  #personsOf(node: Node): PersonMentions {
    const { persons, replyPersons } = this.turn(node);
    return persons | replyPersons;
  }

  #knownIn(node: Node): readonly number[] {
    return this.turn(node).known;
  }

  /** Returns how close topics are to a message by subject. `words`: the message's words that are in the lexicon. */
  kinshipTo(words: readonly number[]): (topic: Pick<TopicView, 'turns'>) => Kinship {
    const near = kinshipTo(this.lexicon, words);
    const knownIn = (turns: readonly Node[]) => new Set(turns.flatMap((node) => this.#knownIn(node)));
    return ({ turns }) => near({ all: knownIn(firstAndLast(turns, READ_TURNS)), last: knownIn(turns.slice(-1)) });
  }

  /**
   * Returns which of the message's words a topic has. The first time, the topic is searched for them. When asked again, it is read
   * in full, which takes longer, and its words are kept; later turns are added to them.
   */
  topic(topic: TopicToRead, words: ReadonlySet<string>): TopicTexts {
    const ahead = this.#ahead.get(topic);
    return ahead !== undefined && isSame(ahead.words, words) ? ahead.texts : finished(this.#reading(topic, words));
  }

  /** Yields at every turn. */
  *#reading(topic: TopicToRead, words: ReadonlySet<string>): Generator<undefined, TopicTexts> {
    const read = this.#topics.has(topic.treeId) || this.#searched.has(topic.treeId);
    if (read) return textsFrom(words, yield* this.#wordsOf(topic));
    if (this.#searched.size >= KEPT_TOPICS) this.#searched.clear();
    this.#searched.add(topic.treeId);
    const titleWords = contentWords(topic.title);
    const said = yield* findingWords(topic.turns, saidIn, words);
    const replyWords = yield* findingWords(topic.turns, startOfReply, words);
    return textsFrom(words, { titleWords, words: new Set([...titleWords, ...said]), replyWords });
  }

  *#wordsOf({ treeId, title, turns }: TopicToRead): Generator<undefined, TopicWords> {
    let known = this.#topics.get(treeId);
    if (known === undefined || known.title !== title || !startsWith(turns, known.turns)) {
      if (this.#topics.size >= KEPT_TOPICS) this.#topics.clear();
      const titleWords = contentWords(title);
      known = { title, turns: [], titleWords, words: new Set(titleWords), replyWords: new Set() };
      this.#topics.set(treeId, known);
    }
    for (let at = known.turns.length; at < turns.length; at++) {
      // Directly from the texts: a topic that was not active lately may have thousands of turns to read.
      contentWords(saidIn(turns[at] as Node), known.words);
      contentWords(startOfReply(turns[at] as Node), known.replyWords);
      yield;
    }
    known.turns = turns;
    return known;
  }
}

type TopicToRead = Pick<TopicView, 'treeId' | 'title' | 'turns'>;

const isSame = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
  a.size === b.size && [...a].every((word) => b.has(word));

/** Runs all steps at once. */
export const finished = <T>(steps: Generator<undefined, T>): T => {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
};

const textsFrom = (
  words: ReadonlySet<string>,
  of: Readonly<Record<'titleWords' | 'words' | 'replyWords', ReadonlySet<string>>>,
): TopicTexts => ({
  titleWords: of.titleWords,
  shared: common(words, of.words),
  sharedWithReplies: common(words, of.replyWords),
});

interface TopicWords {
  readonly title: string;
  turns: readonly Node[];
  readonly titleWords: ReadonlySet<string>;
  readonly words: Set<string>;
  readonly replyWords: Set<string>;
}

const startsWith = (turns: readonly Node[], start: readonly Node[]): boolean => {
  if (turns.length < start.length) return false;
  // Not `===`: compiled for objects, it reads each one, and 100,000 of them are scattered over memory.
  for (let at = start.length - 1; at >= 0; at--) if (!Object.is(turns[at], start[at])) return false;
  return true;
};

/** Words of the first set that are also in the second. */
export const common = (a: ReadonlySet<string>, b: ReadonlySet<string>): string[] =>
  [...a].filter((word) => b.has(word));

/**
 * Returns which of the words (stems) occur in the items' texts. A text is read word by word only if it may contain one that has
 * not been found yet: searching for a few words takes a tenth of the time of reading everything. Yields at every item.
 */
export function* findingWords<T>(
  items: readonly T[],
  textOf: (item: T) => string,
  words: ReadonlySet<string>,
): Generator<undefined, ReadonlySet<string>> {
  const found = new Set<string>();
  const missing = new Map([...words].map((word) => [word, beginningOf(word)]));
  for (const item of items) {
    if (missing.size === 0) break;
    yield;
    const text = textOf(item);
    if (!mayHave(text.toLowerCase(), missing)) continue;
    for (const word of wordsOf(text)) {
      const { root, weight } = readWord(word);
      if (weight >= CONTENT_WEIGHT && missing.delete(root)) found.add(root);
    }
  }
  return found;
}

const mayHave = (text: string, beginnings: ReadonlyMap<string, string>): boolean => {
  for (const beginning of beginnings.values()) if (text.includes(beginning)) return true;
  return false;
};

/** Lower-case prefix of all words with this stem: without the end that is told from others ("cities": city, "hoping": hope, "dying": die). */
export const beginningOf = (stem: string): string => stem.replace(/(?:y|i?e)$/, '');
