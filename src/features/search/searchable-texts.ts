import { eachFit, folded, type Term } from '../../app/search-words.ts';
import type { Attachment } from '../../domain/attachment.ts';
import type { Forest, Node, NodeId } from '../../domain/forest.ts';
import { answerTo } from '../../domain/queries.ts';
import { contentHash, embeddingText } from '../../engine/vectors/node-vectors.ts';

/** `file`: the names of a message's attachments, and the text read from them. */
const WHERE = ['message', 'note', 'summary', 'reply', 'file'] as const;
export type SearchedField = (typeof WHERE)[number];

/** Weight of a word by where it occurs: highest in what the user wrote. */
const WEIGHT: Readonly<Record<SearchedField, number>> = { message: 4, note: 4, summary: 3, reply: 2, file: 2 };
/** Weight in the title of the topic or branch of the turn. */
const IN_TITLE = 1;
/** Factor for an exact phrase match, compared with its separate words. */
const PHRASE = 1.5;

/** Maximum number of turns per part. Parts are divided by turn number, so removing a turn leaves the other parts unchanged. */
const PART = 256;
export const partOf = ({ number }: Node): number => Math.floor(number / PART);

/** Terminates each text of a turn; occurs in no text. */
const END = '\u0001';

/** The location of a turn. */
export interface TextLocation {
  readonly topic: string;
  readonly topicOrder: number;
  /** The title of the branch; empty if it has none. A match in titles alone is not a result. */
  readonly branch: string;
}

/** Some turns of a conversation, as parallel lists with one item per turn. */
interface Turns {
  readonly ids: readonly NodeId[];
  readonly numbers: readonly number[];
  readonly times: readonly number[];
  readonly hidden: readonly boolean[];
  /** Keys of their vectors in the cache. */
  readonly hashes: readonly string[];
  /** Indices into `places`. */
  readonly placed: readonly number[];
  readonly places: readonly TextLocation[];
}

/** The searchable content of turns: their texts as written, see `searchableText`. Plain data that can be stored. */
export interface Texts {
  readonly turns: Turns;
  readonly text: string;
}

export const locationOf = ({ trees, branches }: Forest, { treeId, branchId }: Node): TextLocation => ({
  topic: trees[treeId]?.title ?? '',
  topicOrder: trees[treeId]?.order ?? 0,
  branch: branches[branchId]?.title ?? '',
});

/** Concatenates the texts of turns as written: for each turn, those listed in `WHERE`. */
export const searchableText = (nodes: readonly Node[]): string => {
  let all = '';
  const add = (text: string) => {
    all += (text.includes(END) ? text.replaceAll(END, ' ') : text) + END;
  };
  for (const node of nodes) {
    add(node.message);
    add(node.note ?? '');
    add(node.summary?.text ?? '');
    add(answerTo(node));
    add(node.attachments === undefined ? '' : node.attachments.map(textOfFile).join('\n\n'));
  }
  return all;
};

/** The same for turns by id; the texts of one that is gone are empty. */
export const textOfTurns = (ids: readonly NodeId[], { nodes }: Forest): string =>
  ids.map((id) => (nodes[id] === undefined ? END.repeat(WHERE.length) : searchableText([nodes[id]]))).join('');

const textOfFile = ({ name, text = '' }: Attachment): string => `${name}\n${text}`;

const hashesOf = (nodes: readonly Node[]): string[] => nodes.map((node) => contentHash(embeddingText(node)));

export const searchableTexts = (nodes: readonly Node[], forest: Forest): Texts => {
  const places: TextLocation[] = [];
  const known = new Map<string, number>();
  const placed = nodes.map((node) => {
    const at = known.get(node.branchId) ?? places.push(locationOf(forest, node)) - 1;
    known.set(node.branchId, at);
    return at;
  });
  let hashes: readonly string[] | null = null;
  const turns: Turns = {
    ids: nodes.map(({ id }) => id),
    numbers: nodes.map(({ number }) => number),
    times: nodes.map(({ at }) => at),
    hidden: nodes.map(({ hidden }) => hidden),
    // Computed lazily: matching words does not need them.
    get hashes() {
      hashes ??= hashesOf(nodes);
      return hashes;
    },
    placed,
    places,
  };
  return { turns, text: searchableText(nodes) };
};

/** End offsets of `count` folded texts concatenated in `text`. */
const endsIn = (text: string, count: number): Uint32Array => {
  const ends = new Uint32Array(count);
  for (let at = 0, end = -1; at < count; at++) {
    end = text.indexOf(END, end + 1);
    ends[at] = end;
  }
  return ends;
};

/** How well a turn matches all terms. */
export interface TextMatch {
  /** Index of the turn in the part. */
  readonly turn: number;
  readonly score: number;
  /** The best-matching text of the turn. */
  readonly where: SearchedField;
}

/** Turns in the form used for matching: their folded texts, concatenated. The original texts are read again for display. */
export class SearchPart {
  readonly turns: Turns;
  readonly #read: () => Promise<string | null>;
  #folded: string;
  /** End offset of each text. */
  readonly #ends: Uint32Array;
  readonly #titles: string;
  readonly #titleEnds: Uint32Array;
  #written: string | null = null;

  /** `read` returns the texts as written; null if they cannot be read. */
  constructor({ turns, text }: Texts, read: () => Promise<string | null>) {
    this.turns = turns;
    this.#read = read;
    this.#folded = folded(text);
    this.#ends = endsIn(this.#folded, this.size * WHERE.length);
    const titles = turns.places.map(({ topic, branch }) => `${topic}\n${branch}`.replaceAll(END, ' ') + END);
    this.#titles = folded(titles.join(''));
    this.#titleEnds = endsIn(this.#titles, titles.length);
  }

  get size(): number {
    return this.turns.ids.length;
  }

  /** Number of UTF-16 units in memory. */
  get length(): number {
    return this.#folded.length;
  }

  /** Frees its text: it can no longer be searched, but still serves the matches found in it. */
  release(): void {
    this.#folded = '';
  }

  placeOf(turn: number): TextLocation {
    return this.turns.places[this.turns.placed[turn] as number] as TextLocation;
  }

  /** The turns that match all terms, not by titles alone. */
  matches(terms: readonly Term[]): TextMatch[] {
    const { placed } = this.turns;
    const scores = new Float64Array(this.size);
    const worths = new Float64Array(this.#ends.length);
    for (const term of terms) {
      const best = new Float64Array(this.size);
      let any = false;
      eachFit(this.#folded, this.#ends, term, (at, fit) => {
        const turn = Math.floor(at / WHERE.length);
        const worth = fit * WEIGHT[WHERE[at % WHERE.length] as SearchedField] * (term.phrase ? PHRASE : 1);
        worths[at] = (worths[at] as number) + worth;
        best[turn] = Math.max(best[turn] as number, worth);
        any = true;
      });
      const inTitles = new Float64Array(this.#titleEnds.length);
      eachFit(this.#titles, this.#titleEnds, term, (at, fit) => {
        inTitles[at] = fit * IN_TITLE;
        any = true;
      });
      if (!any) return [];
      for (let turn = 0; turn < this.size; turn++) {
        const worth = (best[turn] as number) || (inTitles[placed[turn] as number] as number);
        scores[turn] = worth === 0 ? Number.NaN : (scores[turn] as number) + worth;
      }
    }
    const found: TextMatch[] = [];
    for (let turn = 0; turn < this.size; turn++) {
      if (Number.isNaN(scores[turn])) continue;
      let foremost = 0;
      for (let at = 1; at < WHERE.length; at++) {
        if (this.#worth(worths, turn, at) > this.#worth(worths, turn, foremost)) foremost = at;
      }
      if (this.#worth(worths, turn, foremost) === 0) continue;
      found.push({ turn, score: scores[turn] as number, where: WHERE[foremost] as SearchedField });
    }
    return found;
  }

  #worth(worths: Float64Array, turn: number, at: number): number {
    return worths[turn * WHERE.length + at] as number;
  }

  /** Loads the original texts for `written`. */
  async recall(): Promise<void> {
    this.#written ??= await this.#read();
  }

  /** A text of a turn as written; null if it is not loaded, or is gone. */
  written(turn: number, where: SearchedField): string | null {
    if (this.#written === null) return null;
    return this.#written.split(END, (turn + 1) * WHERE.length)[turn * WHERE.length + WHERE.indexOf(where)] ?? null;
  }
}

/** The stored content of a part, if valid. */
export const parsedTexts = ({ turns, text }: { readonly [field: string]: unknown }): Texts | null => {
  const { ids, numbers, times, hidden, hashes, placed, places } = turns as Turns;
  const isWhole =
    typeof text === 'string' &&
    Array.isArray(places) &&
    [ids, numbers, times, hidden, hashes, placed].every((list) => Array.isArray(list) && list.length === ids.length) &&
    placed.every((at) => typeof places[at]?.topic === 'string') &&
    text.split(END).length === ids.length * WHERE.length + 1;
  return isWhole ? { turns: turns as Turns, text } : null;
};
