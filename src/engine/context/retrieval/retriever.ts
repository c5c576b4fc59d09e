import type { Forest, Node, NodeId } from '../../../domain/forest.ts';
import { childrenOf, nodeOf } from '../../../domain/queries.ts';
import { changedIds, recordsOf } from '../../../domain/table.ts';
import { placeOf, turnsBefore } from '../../../domain/turns-in-order.ts';
import { breathing } from '../../tasks.ts';
import { languageSpoken, latestMessages } from '../../text/spoken-language.ts';
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
/** Turns up to which all are compared; beyond it, those that have the weightiest words of the query, and their neighbours. */
const COMPARED = 2000;
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
      const spoken = languageSpoken([...latestMessages(forest), query]);
      const hits = this.#index.search(query, spoken);
      const asked = { ...about, forest, turn, hits, isOwn: query === turn.message };
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

/** Of a turn's two texts the share of the query's words, and with similarity. */
interface Evidence {
  readonly lexical: readonly [message: number, reply: number];
  readonly fused: readonly [message: number, reply: number];
}

/** The same with what the text gains of those around it. */
interface SmoothedEvidence {
  readonly lexical: number;
  readonly fused: number;
}

class Ranking {
  readonly #asked: RetrievalQuery;
  readonly #earlier: readonly Node[];
  readonly #evidence = new Map<NodeId, Evidence>();
  #usual = 0;

  constructor(asked: RetrievalQuery) {
    this.#asked = asked;
    this.#earlier = turnsBefore(asked.forest, asked.turn);
  }

  async best(limit: number): Promise<RetrievedTurn[]> {
    const breath = breathing(() => performance.now());
    const compared = await this.#compared(breath);
    this.#usual = this.#usualNearness(compared);
    const found: {
      readonly node: Node;
      readonly evidence: readonly [SmoothedEvidence, SmoothedEvidence];
      readonly fused: number;
    }[] = [];
    for (const node of compared) {
      await breath();
      const evidence = this.#smoothed(node);
      const fused = Math.max(...evidence.map((one) => one.fused));
      if (fused > 0) found.push({ node, evidence, fused });
    }
    return found
      .sort((a, b) => b.fused - a.fused || b.node.number - a.node.number)
      .slice(0, limit)
      .map(({ node, evidence }) => this.#retrieved(node, evidence));
  }

  async #compared(breath: () => Promise<void>): Promise<readonly Node[]> {
    if (this.#earlier.length <= COMPARED) return this.#earlier;
    const { forest, turn, hits } = this.#asked;
    const around = new Set<Node>();
    for (const id of hits.best(COMPARED / 4)) {
      await breath();
      const node = nodeOf(forest, id);
      if (node.number >= turn.number) continue;
      around.add(node);
      const { before, after } = this.#neighbours(node);
      for (const one of before) around.add(one);
      for (const one of after) around.add(one);
    }
    return [...around];
  }

  /** How near any turn is to the message: only what is nearer says something. */
  #usualNearness(nodes: readonly Node[]): number {
    if (!this.#asked.isOwn) return 0;
    const known = nodes.flatMap(({ id }) => this.#asked.nearness(id) ?? []);
    return known.reduce((sum, one) => sum + one, 0) / Math.max(1, known.length);
  }

  #retrieved(node: Node, evidence: readonly [SmoothedEvidence, SmoothedEvidence]): RetrievedTurn {
    const { hits, isOwn, nearness } = this.#asked;
    const [message, reply] = evidence;
    const own = this.#own(node);
    return {
      nodeId: node.id,
      score: strength(Math.max(message.fused, reply.fused)),
      lexical: strength(Math.max(message.lexical, reply.lexical)),
      vector: isOwn ? nearness(node.id) : null,
      rareShared: hits
        .termsIn(node.id)
        .filter(({ weight }) => weight >= RARE)
        .sort((a, b) => b.weight - a.weight)
        .map(({ word }) => word),
      passages: hits.of(node.id).map(({ part, from, to, score }) => {
        const at = part === 'message' ? 0 : 1;
        // What a passage lacks of its text's best one, in words, it lacks of its evidence.
        const lacking = own.lexical[at] - this.#share(score);
        return { part, from, to, score: strength(Math.max(0, evidence[at].fused - lacking)) };
      }),
    };
  }

  #share(score: number): number {
    const { whole } = this.#asked.hits;
    return whole === 0 ? 0 : score / whole;
  }

  /** What a turn's own texts have, without its neighbours. */
  #own(node: Node): Evidence {
    let known = this.#evidence.get(node.id);
    if (known !== undefined) return known;
    const { hits, isOwn, nearness, replyNearness } = this.#asked;
    const [message, reply] = hits.bestOf(node.id);
    const lexical = [this.#share(message), this.#share(reply)] as const;
    const near = isOwn ? nearness(node.id) : null;
    const nearReply = isOwn ? (replyNearness?.(node.id) ?? near) : null;
    const gain = (cosine: number | null) => (cosine === null ? 0 : VECTOR * Math.max(0, cosine - this.#usual));
    known = { lexical, fused: [lexical[0] + gain(near), lexical[1] + gain(nearReply)] };
    this.#evidence.set(node.id, known);
    return known;
  }

  /** The message and the reply with what each gains of those around it. */
  #smoothed(node: Node): readonly [SmoothedEvidence, SmoothedEvidence] {
    const own = this.#own(node);
    const { before, after } = this.#neighbours(node);
    const [above, below] = [before.map((one) => this.#own(one)), after.map((one) => this.#own(one))];
    const smoothed = (part: 0 | 1): SmoothedEvidence => {
      const other = part === 0 ? 1 : 0;
      const beyond = part === 0 ? above : below;
      const sum = (of: 'lexical' | 'fused') =>
        own[of][part] +
        NEXT * (own[of][other] + most(beyond, of, other)) +
        SECOND * (most(above, of, part) + most(below, of, part));
      return { lexical: sum('lexical'), fused: sum('fused') };
    };
    return [smoothed(0), smoothed(1)];
  }

  /**
   * Before it the turn that it hangs from and the one before it in time, which mostly are one; after it those that hang from it and the one
   * after it in time, if they are earlier than the turn that is asked about.
   */
  #neighbours({ id, number, parentId }: Node): { readonly before: readonly Node[]; readonly after: readonly Node[] } {
    const { forest, turn } = this.#asked;
    const place = placeOf(this.#earlier, number);
    const parent = parentId === null ? undefined : forest.nodes[parentId];
    const [last, next] = [this.#earlier[place - 1], this.#earlier[place + 1]];
    const children = childrenOf(forest, id)
      .map((child) => nodeOf(forest, child))
      .filter((child) => child.number < turn.number);
    return {
      before: [last, parent].filter((one) => one !== undefined),
      after: next === undefined ? children : [next, ...children],
    };
  }
}

const most = (all: readonly Evidence[], of: 'lexical' | 'fused', part: 0 | 1): number =>
  all.reduce((best, one) => Math.max(best, one[of][part]), 0);

/** Evidence without an upper end as 0–1: all of the query's words in one text, and nothing around it, make 0.63. */
const strength = (evidence: number): number => 1 - Math.exp(-evidence);
