import type { Forest, Node, NodeId } from '../../../domain/forest.ts';
import { childrenOf, nodeOf, replyText } from '../../../domain/queries.ts';
import { changedIds, recordsOf } from '../../../domain/table.ts';
import { placeOf, turnsInOrder } from '../../../domain/turns-in-order.ts';
import { createYielder, Queue } from '../../tasks.ts';
import { languageSpoken, latestMessages } from '../../text/spoken-language.ts';
import { highestOf } from '../../vectors/vector-math.ts';
import type { Retrieve, RetrievedTurn } from '../policy.ts';
import { sentMessage } from '../sent-message.ts';
import { visibleForest } from '../visible-forest.ts';
import { type Hits, LexicalIndex } from './lexical-index.ts';

/** A turn, and the known similarities of others to its message. */
export interface RetrievalFor {
  readonly forest: Forest;
  readonly nodeId: NodeId;
  /** Cosine similarity of a turn's message to this one's; null if unknown. */
  readonly nearness: (nodeId: NodeId) => number | null;
  /** The same for the start of a turn's reply; if unknown, the reply counts as near as its message. */
  readonly replyNearness?: ((nodeId: NodeId) => number | null) | undefined;
}

/**
 * Chosen on five conversations of LoCoMo and one file of everyday conversation, so results on those are optimistic:
 * evidence found at 2, 5, 10 and 20 % of the text is 0.75 / 0.85 / 0.91 / 0.95; with twice the vector weight (and
 * stronger neighbours) 0.72 / 0.84 / 0.90 / 0.94. Stronger neighbours hurt in everyday conversation, where a turn
 * seldom answers another word for word.
 */
const VECTOR = 0.4;
/** What a text gains from the texts directly before and after it, and from those one step further: a reply seldom repeats the word. */
const NEXT = 0.25;
const SECOND = 0.2;
/** Weight from which a query word is rare. */
const RARE = 0.4;
/**
 * Number of turns up to which all are compared; beyond it, only the `WEIGHTIEST` with the weightiest query words, and their
 * neighbours. In LoCoMo, with some hundreds of turns, the evidence found at 2 to 10 % of the text is the same within
 * 0.003 with all, 500, 250 or 100.
 */
const COMPARED = 2000;
const WEIGHTIEST = 100;
const MOST = 50;

/** Finds turns of one conversation. Keeps what it has read and rereads only what has changed. */
export class Retriever {
  readonly #index = new LexicalIndex();
  readonly #queue = new Queue();
  #at: { readonly forest: Forest; readonly nodeId: NodeId } | null = null;

  for(about: RetrievalFor): Retrieve {
    const retrieve: Retrieve = async (query, { limit = MOST } = {}) => {
      const forest = visibleForest(about.forest, about.nodeId);
      await this.#read(forest, about.nodeId);
      const turn = nodeOf(forest, about.nodeId);
      // The turn's own message is already among the latest.
      const isOwn = query === turn.message;
      const spoken = languageSpoken(isOwn ? latestMessages(forest) : [...latestMessages(forest), query]);
      const hits = this.#index.search(query, spoken);
      const asked = { ...about, forest, turn, hits, isOwn };
      return await new Ranking(asked).best(limit);
    };
    // Runs one query at a time, so that the index is not changed for another query before this one has searched.
    return (query, options) => this.#queue.run(() => retrieve(query, options));
  }

  /** Indexes the forest, except for the turn that is asked about. */
  async #read(forest: Forest, nodeId: NodeId): Promise<void> {
    if (this.#at?.forest === forest && this.#at.nodeId === nodeId) return;
    const breath = createYielder(() => performance.now());
    const at = this.#at;
    this.#at = null;
    const before = at === null ? null : changedIds(at.forest.nodes, forest.nodes);
    const ids = at === null || before === null ? null : new Set([...before, at.nodeId, nodeId]);
    const nodes = ids === null ? recordsOf(forest.nodes) : [...ids].flatMap((id) => forest.nodes[id] ?? []);
    for (const node of nodes) {
      if (node.id === nodeId) continue;
      // Compares texts rather than objects: folding a forest changes its nodes in place.
      const text = { message: sentMessage(node), reply: replyText(node) };
      if (this.#index.has(node.id, text)) continue;
      await breath();
      this.#index.set(node.id, text);
    }
    for (const id of ids ?? this.#index.ids()) {
      if (id === nodeId || forest.nodes[id] === undefined) this.#index.delete(id);
    }
    this.#at = { forest, nodeId };
  }
}

interface RetrievalQuery extends RetrievalFor {
  readonly turn: Node;
  readonly hits: Hits;
  /** Whether the query is the turn's own message, which the similarities refer to. */
  readonly isOwn: boolean;
}

/** Evidence by words alone and with similarity, for message and reply. A turn's four numbers are stored in this order. */
const LEXICAL = 0;
const FUSED = 2;
type Kind = typeof LEXICAL | typeof FUSED;
const MESSAGE = 0;
const REPLY = 1;
type Text = typeof MESSAGE | typeof REPLY;
const NUMBERS = 4;

/** Turns compared between two checks of the clock. */
const SOME = 64;

/** Compares turns, by their place in chronological order. */
class Ranking {
  readonly #asked: RetrievalQuery;
  readonly #turns: readonly Node[];
  /** Number of turns earlier than the one asked about. */
  readonly #count: number;
  /** By place, where a turn's numbers stand in the arrays below, plus 1; 0 if it has none. */
  readonly #known: Int32Array;
  /** The evidence of turns' own texts, and the maxima of the turns directly above and below each. */
  #own = new Float64Array(0);
  #above = new Float64Array(0);
  #below = new Float64Array(0);

  constructor(asked: RetrievalQuery) {
    this.#asked = asked;
    this.#turns = turnsInOrder(asked.forest);
    this.#count = placeOf(this.#turns, asked.turn.number);
    this.#known = new Int32Array(this.#count);
  }

  async best(limit: number): Promise<RetrievedTurn[]> {
    const breath = createYielder(() => performance.now());
    const places = await this.#compared(breath);
    if (!this.#hasEvidence(places)) return [];
    await this.#read(places, breath);
    // Newest first, so that it wins ties.
    const fused = new Float64Array(places.length);
    for (let i = 0; i < places.length; i++) fused[i] = this.#better(FUSED, places[places.length - 1 - i] as number);
    return highestOf(fused, limit)
      .filter((i) => (fused[i] as number) > 0)
      .map((i) => this.#retrieved(places[places.length - 1 - i] as number));
  }

  /** Places of the turns to compare, in chronological order. */
  async #compared(breath: () => Promise<void>): Promise<Int32Array> {
    if (this.#count <= COMPARED) return Int32Array.from({ length: this.#count }, (_, place) => place);
    const { forest, hits } = this.#asked;
    if (hits.whole === 0) return new Int32Array(0);
    const best = hits.best(WEIGHTIEST).map((id) => placeOf(this.#turns, nodeOf(forest, id).number));
    return this.#withNeighbours(best, breath);
  }

  /** Adds the turns directly before and after, above and below, in chronological order. */
  async #withNeighbours(places: Iterable<number>, breath: () => Promise<void>): Promise<Int32Array> {
    const found = new Set<number>();
    for (const place of places) {
      await breath();
      if (place >= this.#count) continue;
      for (const one of [place, place - 1, this.#parentOf(place), place + 1, ...this.#childrenOf(place)]) {
        if (one >= 0 && one < this.#count) found.add(one);
      }
    }
    return Int32Array.from(found).sort();
  }

  /** False before a message is written: it has neither words nor similarities. */
  #hasEvidence(places: Int32Array): boolean {
    const { hits, isOwn, nearness, replyNearness } = this.#asked;
    if (hits.whole > 0) return true;
    const isNear = ({ id }: Node): boolean => nearness(id) !== null || (replyNearness?.(id) ?? null) !== null;
    return isOwn && places.some((place) => isNear(this.#turns[place] as Node));
  }

  /** Reads the evidence of turns and of what stands around them. */
  async #read(places: Int32Array, breath: () => Promise<void>): Promise<void> {
    const { hits, isOwn, nearness, replyNearness } = this.#asked;
    const around = places.length === this.#count ? places : await this.#withNeighbours(places, breath);
    const needed = around === places ? places : Int32Array.from(new Set([...places, ...around]));
    const near: (number | null)[] = [];
    for (let i = 0; i < needed.length; i++) {
      const place = needed[i] as number;
      this.#known[place] = NUMBERS * i + 1;
      near.push(isOwn ? nearness((this.#turns[place] as Node).id) : null);
    }
    const usual = mean(near.slice(0, places.length));
    const gain = (cosine: number | null): number => (cosine === null ? 0 : VECTOR * Math.max(0, cosine - usual));
    this.#own = new Float64Array(NUMBERS * needed.length);
    for (let i = 0; i < needed.length; i++) {
      if (i % SOME === 0) await breath();
      const { id } = this.#turns[needed[i] as number] as Node;
      const [message, reply] = hits.bestOf(id);
      const nearMessage = near[i] as number | null;
      const nearReply = isOwn ? (replyNearness?.(id) ?? nearMessage) : null;
      const at = NUMBERS * i;
      this.#own[at + LEXICAL + MESSAGE] = this.#share(message);
      this.#own[at + LEXICAL + REPLY] = this.#share(reply);
      this.#own[at + FUSED + MESSAGE] = this.#share(message) + gain(nearMessage);
      this.#own[at + FUSED + REPLY] = this.#share(reply) + gain(nearReply);
    }
    this.#above = new Float64Array(this.#own.length);
    this.#below = new Float64Array(this.#own.length);
    for (const place of needed) {
      this.#connect(place - 1, place);
      this.#connect(this.#parentOf(place), place);
    }
  }

  /** Notes the evidence of two turns with each other, unless one of them is not needed. */
  #connect(upper: number, lower: number): void {
    const above = (this.#known[upper] ?? 0) - 1;
    const below = (this.#known[lower] ?? 0) - 1;
    if (above < 0 || below < 0) return;
    for (let i = 0; i < NUMBERS; i++) {
      const over = this.#own[above + i] as number;
      const under = this.#own[below + i] as number;
      if (over > (this.#above[below + i] as number)) this.#above[below + i] = over;
      if (under > (this.#below[above + i] as number)) this.#below[above + i] = under;
    }
  }

  #retrieved(place: number): RetrievedTurn {
    const { hits, isOwn, nearness } = this.#asked;
    const { id } = this.#turns[place] as Node;
    return {
      nodeId: id,
      score: strength(this.#better(FUSED, place)),
      lexical: strength(this.#better(LEXICAL, place)),
      vector: isOwn ? nearness(id) : null,
      rareShared: hits
        .termsIn(id)
        .filter(({ weight }) => weight >= RARE)
        .sort((a, b) => b.weight - a.weight)
        .map(({ word }) => word),
      passages: hits.of(id).map(({ part, from, to, score }) => {
        const text = part === 'message' ? MESSAGE : REPLY;
        // A passage's lexical gap to the best one of its text is deducted from its evidence.
        const lacking = (this.#own[this.#atOf(place) + LEXICAL + text] as number) - this.#share(score);
        return { part, from, to, score: strength(Math.max(0, this.#smoothed(FUSED, text, place) - lacking)) };
      }),
    };
  }

  #share(score: number): number {
    const { whole } = this.#asked.hits;
    return whole === 0 ? 0 : score / whole;
  }

  #atOf(place: number): number {
    return (this.#known[place] as number) - 1;
  }

  /** The better of the message and the reply. */
  #better(kind: Kind, place: number): number {
    return Math.max(this.#smoothed(kind, MESSAGE, place), this.#smoothed(kind, REPLY, place));
  }

  /** Evidence of a text, including what it gains from its surroundings. */
  #smoothed(kind: Kind, text: Text, place: number): number {
    const at = this.#atOf(place) + kind;
    const same = at + text;
    const other = at + (text === MESSAGE ? REPLY : MESSAGE);
    const beyond = text === MESSAGE ? this.#above : this.#below;
    return (
      (this.#own[same] as number) +
      NEXT * ((this.#own[other] as number) + (beyond[other] as number)) +
      SECOND * ((this.#above[same] as number) + (this.#below[same] as number))
    );
  }

  /** Place of a turn's parent unless it is the chronologically previous turn, as it usually is; −1 for none. */
  #parentOf(place: number): number {
    const { parentId } = this.#turns[place] as Node;
    if (parentId === null || this.#turns[place - 1]?.id === parentId) return -1;
    const parent = this.#asked.forest.nodes[parentId];
    return parent === undefined ? -1 : placeOf(this.#turns, parent.number);
  }

  /** Places of a turn's children, except the chronologically next turn. */
  #childrenOf(place: number): readonly number[] {
    const { forest } = this.#asked;
    const children = childrenOf(forest, (this.#turns[place] as Node).id);
    const next = this.#turns[place + 1]?.id;
    if (children.length === 0 || (children.length === 1 && children[0] === next)) return NONE;
    return children.filter((id) => id !== next).map((id) => placeOf(this.#turns, nodeOf(forest, id).number));
  }
}

const NONE: readonly number[] = [];

/** Mean similarity of turns to the message, of those where it is known: only higher values say something. */
const mean = (similarities: readonly (number | null)[]): number => {
  let [sum, known] = [0, 0];
  for (const one of similarities) {
    if (one === null) continue;
    sum += one;
    known += 1;
  }
  return sum / Math.max(1, known);
};

/** Maps unbounded evidence to 0–1: all query words in one text with nothing around it give 0.63. */
const strength = (evidence: number): number => 1 - Math.exp(-evidence);
