import { eachFit, folded, type Term } from '../../app/search-words.ts';
import type { Attachment } from '../../domain/attachment.ts';
import type { Forest, Node, NodeId } from '../../domain/forest.ts';
import { replyOf } from '../../domain/queries.ts';
import { answerOf } from '../../domain/reply.ts';
import { contentHash, embeddingText } from '../../engine/vectors/node-vectors.ts';

/** `file`: the names of the files that came with the message, and what was read from them. */
const WHERE = ['message', 'note', 'summary', 'reply', 'file'] as const;
export type Where = (typeof WHERE)[number];

/** What a word counts where it stands: most in what the person wrote themselves. */
const WEIGHT: Readonly<Record<Where, number>> = { message: 4, note: 4, summary: 3, reply: 2, file: 2 };
/** In the title of the topic or branch above the turn. */
const IN_TITLE = 1;
/** A phrase that stands there as it was sought counts more than its words. */
const PHRASE = 1.5;

/** Turns in a part, at most: by their numbers, so that one that goes leaves the other parts as they are. */
const PART = 256;
export const partOf = ({ number }: Node): number => Math.floor(number / PART);

/** Behind each text of a turn; it stands in none. */
const END = '\u0001';

/** Where a turn is. */
export interface Place {
  readonly topic: string;
  readonly topicOrder: number;
  /** The title of the branch; empty where it has none. Titles alone find nothing. */
  readonly branch: string;
}

/** Some turns of a conversation; each list has one for each turn. */
interface Turns {
  readonly ids: readonly NodeId[];
  readonly numbers: readonly number[];
  readonly times: readonly number[];
  readonly hidden: readonly boolean[];
  /** Under which their vectors are in the cache. */
  readonly hashes: readonly string[];
  /** Which of the places. */
  readonly placed: readonly number[];
  readonly places: readonly Place[];
}

/** What can be found of them: their texts as written, see `textOf`. Plain, to be stored. */
export interface Texts {
  readonly turns: Turns;
  readonly text: string;
}

export const placeOf = ({ trees, branches }: Forest, { treeId, branchId }: Node): Place => ({
  topic: trees[treeId]?.title ?? '',
  topicOrder: trees[treeId]?.order ?? 0,
  branch: branches[branchId]?.title ?? '',
});

const answerTo = (node: Node): string => answerOf(replyOf(node)?.text ?? '');

/** The texts of turns as written: of each what stands in `WHERE`, one behind the other. */
export const textOf = (nodes: readonly Node[]): string => {
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

const textOfFile = ({ name, text = '' }: Attachment): string => `${name}\n${text}`;

const hashesOf = (nodes: readonly Node[]): string[] => nodes.map((node) => contentHash(embeddingText(node)));

export const textsOf = (nodes: readonly Node[], forest: Forest): Texts => {
  const places: Place[] = [];
  const known = new Map<string, number>();
  const placed = nodes.map((node) => {
    const at = known.get(node.branchId) ?? places.push(placeOf(forest, node)) - 1;
    known.set(node.branchId, at);
    return at;
  });
  let hashes: readonly string[] | null = null;
  const turns: Turns = {
    ids: nodes.map(({ id }) => id),
    numbers: nodes.map(({ number }) => number),
    times: nodes.map(({ at }) => at),
    hidden: nodes.map(({ hidden }) => hidden),
    // Not before they are asked for: to find words nobody needs them.
    get hashes() {
      hashes ??= hashesOf(nodes);
      return hashes;
    },
    placed,
    places,
  };
  return { turns, text: textOf(nodes) };
};

/** Where each of so many folded texts in one ends. */
const endsIn = (text: string, count: number): Uint32Array => {
  const ends = new Uint32Array(count);
  for (let at = 0, end = -1; at < count; at++) {
    end = text.indexOf(END, end + 1);
    ends[at] = end;
  }
  return ends;
};

/** How well a turn of a part has all that is sought. */
export interface Match {
  /** Which turn of the part. */
  readonly turn: number;
  readonly score: number;
  /** The text that has the words best. */
  readonly where: Where;
}

/** Some turns as they are compared: their texts folded, in one. As they were written they are read again when they are shown. */
export class Part {
  readonly turns: Turns;
  readonly #read: () => Promise<string | null>;
  #folded: string;
  /** Where each of the texts ends. */
  readonly #ends: Uint32Array;
  readonly #titles: string;
  readonly #titleEnds: Uint32Array;
  #written: string | null = null;

  /** `read` gives the texts as they were written; null where they have changed since, or are gone. */
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

  /** UTF-16 units that are kept. */
  get length(): number {
    return this.#folded.length;
  }

  /** Its words are not sought again: it goes on for what was found in it. */
  release(): void {
    this.#folded = '';
  }

  placeOf(turn: number): Place {
    return this.turns.places[this.turns.placed[turn] as number] as Place;
  }

  /** The turns that have all the terms, not by the titles above them alone. */
  matches(terms: readonly Term[]): Match[] {
    const { placed } = this.turns;
    const scores = new Float64Array(this.size);
    const worths = new Float64Array(this.#ends.length);
    for (const term of terms) {
      const best = new Float64Array(this.size);
      let any = false;
      eachFit(this.#folded, this.#ends, term, (at, fit) => {
        const turn = Math.floor(at / WHERE.length);
        const worth = fit * WEIGHT[WHERE[at % WHERE.length] as Where] * (term.phrase ? PHRASE : 1);
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
    const found: Match[] = [];
    for (let turn = 0; turn < this.size; turn++) {
      if (Number.isNaN(scores[turn])) continue;
      let foremost = 0;
      for (let at = 1; at < WHERE.length; at++) {
        if (this.#worth(worths, turn, at) > this.#worth(worths, turn, foremost)) foremost = at;
      }
      if (this.#worth(worths, turn, foremost) === 0) continue;
      found.push({ turn, score: scores[turn] as number, where: WHERE[foremost] as Where });
    }
    return found;
  }

  #worth(worths: Float64Array, turn: number, at: number): number {
    return worths[turn * WHERE.length + at] as number;
  }

  /** So that `written` has something to tell. */
  async recall(): Promise<void> {
    this.#written ??= await this.#read();
  }

  /** A text of a turn as it was written; null before it was recalled, or where it is gone. */
  written(turn: number, where: Where): string | null {
    if (this.#written === null) return null;
    return this.#written.split(END, (turn + 1) * WHERE.length)[turn * WHERE.length + WHERE.indexOf(where)] ?? null;
  }
}

/** What is stored of a part, if it is one. */
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
