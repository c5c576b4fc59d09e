import type { Forest, Node, NodeId } from '../../domain/forest.ts';
import { childrenOf, nodeOf } from '../../domain/queries.ts';
import { ownReply } from '../embedding-text.ts';
import { languageSpoken, latestMessages } from '../text/spoken-language.ts';
import { visibleForest } from '../visible-forest.ts';
import { type Hits, LexicalIndex, type PassageHit } from './lexical-index.ts';
import type { Retrieve, Retrieved } from './retrieved.ts';

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
 * Measured on LoCoMo (evidence at 2, 5, 10 and 20 % of the text): words alone 0.63 / 0.72 / 0.77 / 0.82, with neighbours
 * 0.72 / 0.82 / 0.88 / 0.92, with vectors, too, 0.75 / 0.85 / 0.91 / 0.95. Anything between half and twice these weights
 * does about as well there; in everyday talk, where one turn seldom answers another word for word, stronger neighbours do harm.
 */
const VECTOR = 0.4;
/** What a text gains of the one before and the one after it, and of those next to these: who answers seldom says the word again. */
const NEXT = 0.25;
const SECOND = 0.2;
/** A word of the query that weighs so much is rare. */
const RARE = 0.55;
/** Turns up to which all are compared; beyond it, those that have the weightiest words of the query, and their neighbours. */
const COMPARED = 2000;
const MOST = 50;

/** Finds turns of one conversation. What it has read of them it keeps, and reads again only what has changed since. */
export class Retriever {
  readonly #index = new LexicalIndex();
  #at: { readonly forest: Forest; readonly nodeId: NodeId } | null = null;

  for(about: RetrievalFor): Retrieve {
    return async (query, { limit = MOST } = {}) => {
      const forest = visibleForest(about.forest, about.nodeId);
      this.#read(forest, about.nodeId);
      const turn = nodeOf(forest, about.nodeId);
      const spoken = languageSpoken([...latestMessages(forest), query]);
      const hits = this.#index.search(query, spoken);
      const asked = { ...about, forest, turn, index: this.#index, hits, isOwn: query === turn.message };
      return new Ranking(asked).best(limit);
    };
  }

  /** Takes in what the forest has, but for the turn that is asked about. */
  #read(forest: Forest, nodeId: NodeId): void {
    if (this.#at?.forest === forest && this.#at.nodeId === nodeId) return;
    let here = 0;
    for (const node of Object.values(forest.nodes)) {
      if (node.id === nodeId) continue;
      here += 1;
      this.#index.set(node.id, { message: node.message, reply: ownReply(node) });
    }
    if (here !== this.#index.size) {
      for (const id of [...this.#index.ids()]) {
        if (id === nodeId || forest.nodes[id] === undefined) this.#index.delete(id);
      }
    }
    this.#at = { forest, nodeId };
  }
}

interface Asked extends RetrievalFor {
  readonly turn: Node;
  readonly index: LexicalIndex;
  readonly hits: Hits;
  /** The query is the turn's own message, to which the similarities are. */
  readonly isOwn: boolean;
}

/** Of a turn's two texts the share of the query's words, and with similarity. */
interface Evidence {
  readonly lexical: readonly [message: number, reply: number];
  readonly fused: readonly [message: number, reply: number];
}

class Ranking {
  readonly #asked: Asked;
  readonly #earlier: readonly Node[];
  readonly #placeOf: ReadonlyMap<NodeId, number>;
  readonly #evidence = new Map<NodeId, Evidence>();
  #usual = 0;

  constructor(asked: Asked) {
    this.#asked = asked;
    this.#earlier = Object.values(asked.forest.nodes)
      .filter(({ number }) => number < asked.turn.number)
      .sort((a, b) => a.number - b.number);
    this.#placeOf = new Map(this.#earlier.map(({ id }, place) => [id, place]));
  }

  best(limit: number): Retrieved[] {
    const compared = this.#compared();
    this.#usual = this.#usualNearness(compared);
    return compared
      .map((node) => ({ node, found: this.#retrieved(node) }))
      .filter(({ found }) => found.score > 0)
      .sort((a, b) => b.found.score - a.found.score || b.node.number - a.node.number)
      .slice(0, limit)
      .map(({ found }) => found);
  }

  #compared(): readonly Node[] {
    if (this.#earlier.length <= COMPARED) return this.#earlier;
    const best = [...this.#asked.hits.scores]
      .filter(([id]) => this.#placeOf.has(id))
      .map(([id, passages]) => ({ id, most: Math.max(...passages.map(({ score }) => score)) }))
      .sort((a, b) => b.most - a.most)
      .slice(0, COMPARED / 4);
    const ids = new Set<NodeId>();
    for (const { id } of best) {
      const node = nodeOf(this.#asked.forest, id);
      for (const one of [node, ...this.#before(node), ...this.#after(node)]) ids.add(one.id);
    }
    return [...ids].map((id) => nodeOf(this.#asked.forest, id));
  }

  /** How near any turn is to the message: only what is nearer says something. */
  #usualNearness(nodes: readonly Node[]): number {
    if (!this.#asked.isOwn) return 0;
    const known = nodes.flatMap(({ id }) => this.#asked.nearness(id) ?? []);
    return known.reduce((sum, one) => sum + one, 0) / Math.max(1, known.length);
  }

  #retrieved(node: Node): Retrieved {
    const { hits, isOwn, nearness } = this.#asked;
    const passages = this.#allPassages(node);
    const parts = [this.#smoothed(node, 0), this.#smoothed(node, 1)] as const;
    const [message, reply] = parts;
    const own = new Set(passages.flatMap(({ terms }) => terms));
    const rare = [...own].map((at) => hits.terms[at]).filter((term) => term !== undefined && term.weight >= RARE);
    return {
      nodeId: node.id,
      score: strength(Math.max(message.fused, reply.fused)),
      lexical: strength(Math.max(message.lexical, reply.lexical)),
      vector: isOwn ? nearness(node.id) : null,
      rareShared: rare.sort((a, b) => (b?.weight ?? 0) - (a?.weight ?? 0)).map((term) => term?.word ?? ''),
      passages: passages.map(({ part, from, to, score }) => {
        const whole = parts[part === 'message' ? 0 : 1];
        const best = this.#own(node).lexical[part === 'message' ? 0 : 1];
        // What a passage lacks of the text's best one, in words, it lacks of its evidence.
        return { part, from, to, score: strength(Math.max(0, whole.fused - (best - this.#share(score)))) };
      }),
    };
  }

  #passages({ id }: Node): readonly PassageHit[] {
    return this.#asked.hits.scores.get(id) ?? [];
  }

  #allPassages({ id }: Node): readonly PassageHit[] {
    const { hits, index } = this.#asked;
    return hits.scores.get(id) ?? index.spansOf(id).map((span) => ({ ...span, score: 0, terms: [] }));
  }

  #share(score: number): number {
    const { whole } = this.#asked.hits;
    return whole === 0 ? 0 : score / whole;
  }

  /** What a turn's own texts have, without its neighbours. */
  #own(node: Node): Evidence {
    let known = this.#evidence.get(node.id);
    if (known !== undefined) return known;
    const lexical: [number, number] = [0, 0];
    for (const { part, score } of this.#passages(node)) {
      const at = part === 'message' ? 0 : 1;
      lexical[at] = Math.max(lexical[at], this.#share(score));
    }
    const { isOwn, nearness, replyNearness } = this.#asked;
    const near = isOwn ? nearness(node.id) : null;
    const nearReply = isOwn ? (replyNearness?.(node.id) ?? near) : null;
    const gain = (cosine: number | null) => (cosine === null ? 0 : VECTOR * Math.max(0, cosine - this.#usual));
    known = { lexical, fused: [lexical[0] + gain(near), lexical[1] + gain(nearReply)] };
    this.#evidence.set(node.id, known);
    return known;
  }

  /** A text with what it gains of those around it: 0 for the message, 1 for the reply. */
  #smoothed(node: Node, part: 0 | 1): { lexical: number; fused: number } {
    const other = part === 0 ? 1 : 0;
    const own = this.#own(node);
    const before = this.#before(node).map((one) => this.#own(one));
    const after = this.#after(node).map((one) => this.#own(one));
    const beyond = part === 0 ? before : after;
    const sum = (of: 'lexical' | 'fused') =>
      own[of][part] +
      NEXT * (own[of][other] + most(beyond, of, other)) +
      SECOND * (most(before, of, part) + most(after, of, part));
    return { lexical: sum('lexical'), fused: sum('fused') };
  }

  /** The turn that it hangs from and the one before it in time, which mostly are one. */
  #before(node: Node): Node[] {
    const { nodes } = this.#asked.forest;
    const place = this.#placeOf.get(node.id) ?? 0;
    const parent = node.parentId === null ? undefined : nodes[node.parentId];
    return [this.#earlier[place - 1], parent].flatMap((one) => one ?? []);
  }

  /** Those that hang from it and the one after it in time, if they are earlier than the turn that is asked about. */
  #after(node: Node): Node[] {
    const { forest } = this.#asked;
    const place = this.#placeOf.get(node.id) ?? 0;
    const next = this.#earlier[place + 1];
    const children = childrenOf(forest, node.id).flatMap((id) => this.#earlier[this.#placeOf.get(id) ?? -1] ?? []);
    return next === undefined ? children : [next, ...children];
  }
}

const most = (all: readonly Evidence[], of: 'lexical' | 'fused', part: 0 | 1): number =>
  all.reduce((best, one) => Math.max(best, one[of][part]), 0);

/** Evidence without an upper end as 0–1: all of the query's words in one text, and nothing around it, make 0.63. */
const strength = (evidence: number): number => 1 - Math.exp(-evidence);
