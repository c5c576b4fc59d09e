import type { Forest, Node, NodeId } from '../../../domain/forest.ts';
import { childrenOf, nodeOf } from '../../../domain/queries.ts';
import { changedIds, recordsOf } from '../../../domain/table.ts';
import { placeOf, turnsBefore } from '../../../domain/turns-in-order.ts';
import { breathing } from '../../tasks.ts';
import { languageSpoken, latestMessages } from '../../text/spoken-language.ts';
import { foremost } from '../../vectors/vector-math.ts';
import { replyText } from '../context-text.ts';
import type { Retrieve, RetrievedTurn } from '../policy.ts';
import { sentMessage } from '../sent-message.ts';
import { visibleForest } from '../visible-forest.ts';
import { type Hits, LexicalIndex } from './lexical-index.ts';

/** A turn and what is known of how near others are to its message. */
export interface RetrievalFor {
  readonly forest: Forest;
  readonly nodeId: NodeId;
  /** Cosine of a turn's message to that of this one; null where it is not known. */
  readonly nearness: (nodeId: NodeId) => number | null;
  /** The same of how a turn's reply begins; where it is not known, the reply counts as near as its message. */
  readonly replyNearness?: ((nodeId: NodeId) => number | null) | undefined;
}

/**
 * Chosen on five conversations of LoCoMo and one file of everyday talk, so that the figures there flatter them: evidence at 2, 5, 10
 * and 20 % of the text 0.75 / 0.85 / 0.91 / 0.95, with twice the weight of vectors 0.72 / 0.84 / 0.90 / 0.94 (at stronger neighbours). In everyday
 * talk, where one turn seldom answers another word for word, stronger neighbours do harm.
 */
const VECTOR = 0.4;
/** What a text gains of the one before and the one after it, and of those next to these: who answers seldom says the word again. */
const NEXT = 0.25;
const SECOND = 0.2;
/** A word of the query that weighs so much is rare. */
const RARE = 0.4;
/**
 * Turns up to which all are compared; beyond it, so many that have the weightiest words of the query, and their neighbours. In LoCoMo, where
 * there are some hundreds, the evidence found at 2 to 10 % of the text is the same within 0.003 with all, 500, 250 or 100.
 */
const COMPARED = 2000;
const WEIGHTIEST = 150;
const MOST = 50;

/** Finds turns of one conversation. What it has read of them it keeps, and reads again only what has changed since. */
export class Retriever {
  readonly #index = new LexicalIndex();
  #last: Promise<void> = Promise.resolve();
  #at: { readonly forest: Forest; readonly nodeId: NodeId } | null = null;

  for(about: RetrievalFor): Retrieve {
    const retrieve: Retrieve = async (query, { limit = MOST } = {}) => {
      const forest = visibleForest(about.forest, about.nodeId);
      await this.#read(forest, about.nodeId);
      const turn = nodeOf(forest, about.nodeId);
      // The turn's own message is among the latest.
      const isOwn = query === turn.message;
      const spoken = languageSpoken(isOwn ? latestMessages(forest) : [...latestMessages(forest), query]);
      const hits = this.#index.search(query, spoken);
      const asked = { ...about, forest, turn, hits, isOwn };
      return await new Ranking(asked).best(limit);
    };
    // One after the other: what is read for one is not changed for another before it has searched.
    return (query, options) => {
      const found = this.#last.then(() => retrieve(query, options));
      this.#last = found.then(
        () => undefined,
        () => undefined,
      );
      return found;
    };
  }

  /** Takes in what the forest has, but for the turn that is asked about. */
  async #read(forest: Forest, nodeId: NodeId): Promise<void> {
    if (this.#at?.forest === forest && this.#at.nodeId === nodeId) return;
    const breath = breathing(() => performance.now());
    const at = this.#at;
    this.#at = null;
    const before = at === null ? null : changedIds(at.forest.nodes, forest.nodes);
    const ids = at === null || before === null ? null : new Set([...before, at.nodeId, nodeId]);
    const nodes = ids === null ? recordsOf(forest.nodes) : [...ids].flatMap((id) => forest.nodes[id] ?? []);
    for (const node of nodes) {
      if (node.id === nodeId) continue;
      // By its texts and not by the object: a forest that is folded changes its nodes in place.
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
  /** The query is the turn's own message, to which the similarities are. */
  readonly isOwn: boolean;
}

/** Where a turn's own evidence stands, and that of the turns above and below it. */
interface Around {
  readonly own: number;
  readonly above: readonly number[];
  readonly below: readonly number[];
}

/** Evidence by words alone, and with similarity; of a message and of a reply. By these a turn's four numbers stand in a row. */
const LEXICAL = 0;
const FUSED = 2;
type Kind = typeof LEXICAL | typeof FUSED;
const MESSAGE = 0;
const REPLY = 1;
type Text = typeof MESSAGE | typeof REPLY;

class Ranking {
  readonly #asked: RetrievalQuery;
  readonly #earlier: readonly Node[];
  /** What turns' own texts have, without their neighbours: four numbers each, as they come to be asked about. */
  readonly #evidence: number[] = [];
  readonly #places = new Map<NodeId, number>();
  #usual = 0;

  constructor(asked: RetrievalQuery) {
    this.#asked = asked;
    this.#earlier = turnsBefore(asked.forest, asked.turn);
  }

  async best(limit: number): Promise<RetrievedTurn[]> {
    const breath = breathing(() => performance.now());
    const compared = await this.#compared(breath);
    this.#usual = this.#usualNearness(compared);
    const found: { readonly node: Node; readonly around: Around; readonly fused: number }[] = [];
    for (const node of compared) {
      await breath();
      const around = this.#around(node);
      const fused = this.#better(around, FUSED);
      if (fused > 0) found.push({ node, around, fused });
    }
    return foremost(found, limit, (a, b) => b.fused - a.fused || b.node.number - a.node.number).map(
      ({ node, around }) => this.#retrieved(node, around),
    );
  }

  async #compared(breath: () => Promise<void>): Promise<readonly Node[]> {
    if (this.#earlier.length <= COMPARED) return this.#earlier;
    const { forest, turn, hits } = this.#asked;
    const around = new Set<Node>();
    for (const id of hits.best(WEIGHTIEST)) {
      await breath();
      const node = nodeOf(forest, id);
      if (node.number >= turn.number) continue;
      around.add(node);
      for (const one of this.#before(node)) around.add(one);
      for (const one of this.#after(node)) around.add(one);
    }
    return [...around];
  }

  /** How near any turn is to the message: only what is nearer says something. */
  #usualNearness(nodes: readonly Node[]): number {
    if (!this.#asked.isOwn) return 0;
    let [sum, known] = [0, 0];
    for (const { id } of nodes) {
      const near = this.#asked.nearness(id);
      if (near === null) continue;
      sum += near;
      known += 1;
    }
    return sum / Math.max(1, known);
  }

  #retrieved(node: Node, around: Around): RetrievedTurn {
    const { hits, isOwn, nearness } = this.#asked;
    return {
      nodeId: node.id,
      score: strength(this.#better(around, FUSED)),
      lexical: strength(this.#better(around, LEXICAL)),
      vector: isOwn ? nearness(node.id) : null,
      rareShared: hits
        .termsIn(node.id)
        .filter(({ weight }) => weight >= RARE)
        .sort((a, b) => b.weight - a.weight)
        .map(({ word }) => word),
      passages: hits.of(node.id).map(({ part, from, to, score }) => {
        const text = part === 'message' ? MESSAGE : REPLY;
        // What a passage lacks of its text's best one, in words, it lacks of its evidence.
        const lacking = (this.#evidence[around.own + LEXICAL + text] as number) - this.#share(score);
        return { part, from, to, score: strength(Math.max(0, this.#smoothed(around, FUSED, text) - lacking)) };
      }),
    };
  }

  #share(score: number): number {
    const { whole } = this.#asked.hits;
    return whole === 0 ? 0 : score / whole;
  }

  /** Where the evidence of a turn's own texts stands. */
  #ownOf({ id }: Node): number {
    const known = this.#places.get(id);
    if (known !== undefined) return known;
    const { hits, isOwn, nearness, replyNearness } = this.#asked;
    const [message, reply] = hits.bestOf(id);
    const near = isOwn ? nearness(id) : null;
    const nearReply = isOwn ? (replyNearness?.(id) ?? near) : null;
    const gain = (cosine: number | null) => (cosine === null ? 0 : VECTOR * Math.max(0, cosine - this.#usual));
    const [messageShare, replyShare] = [this.#share(message), this.#share(reply)];
    const place = this.#evidence.length;
    this.#evidence.push(messageShare, replyShare, messageShare + gain(near), replyShare + gain(nearReply));
    this.#places.set(id, place);
    return place;
  }

  #around(node: Node): Around {
    const ownOf = (one: Node) => this.#ownOf(one);
    return { own: ownOf(node), above: this.#before(node).map(ownOf), below: this.#after(node).map(ownOf) };
  }

  /** The better of the message and the reply. */
  #better(around: Around, kind: Kind): number {
    return Math.max(this.#smoothed(around, kind, MESSAGE), this.#smoothed(around, kind, REPLY));
  }

  /** A text with what it gains of those around it. */
  #smoothed({ own, above, below }: Around, kind: Kind, text: Text): number {
    const [same, other] = text === MESSAGE ? [kind + MESSAGE, kind + REPLY] : [kind + REPLY, kind + MESSAGE];
    const beyond = text === MESSAGE ? above : below;
    return (
      (this.#evidence[own + same] as number) +
      NEXT * ((this.#evidence[own + other] as number) + this.#most(beyond, other)) +
      SECOND * (this.#most(above, same) + this.#most(below, same))
    );
  }

  #most(places: readonly number[], at: number): number {
    let most = 0;
    for (const place of places) most = Math.max(most, this.#evidence[place + at] as number);
    return most;
  }

  /** The turn before it in time and the one that it hangs from, which mostly are one. */
  #before({ number, parentId }: Node): Node[] {
    const last = this.#earlier[placeOf(this.#earlier, number) - 1];
    const parent = parentId === null ? undefined : this.#asked.forest.nodes[parentId];
    const before = last === undefined ? [] : [last];
    if (parent !== undefined && parent !== last) before.push(parent);
    return before;
  }

  /** The turn after it in time and those that hang from it, if they are earlier than the turn that is asked about. */
  #after({ id, number }: Node): Node[] {
    const { forest, turn } = this.#asked;
    const next = this.#earlier[placeOf(this.#earlier, number) + 1];
    const after = next === undefined ? [] : [next];
    for (const child of childrenOf(forest, id)) {
      const node = nodeOf(forest, child);
      if (node !== next && node.number < turn.number) after.push(node);
    }
    return after;
  }
}

/** Evidence without an upper end as 0–1: all of the query's words in one text, and nothing around it, make 0.63. */
const strength = (evidence: number): number => 1 - Math.exp(-evidence);
