import { summaryOf } from '../adapters/models/extractive/summary.ts';
import { titleOf } from '../adapters/models/extractive/title.ts';
import { apply } from '../domain/apply.ts';
import type { Decision } from '../domain/decision.ts';
import { type Event, LOG_VERSION } from '../domain/events.ts';
import { emptyForest, type NodeId } from '../domain/forest.ts';
import { handle } from '../domain/handle.ts';
import { pendingTurn } from '../domain/queries.ts';
import { embeddingText } from '../engine/embedding-text.ts';
import { defaultParameters } from '../engine/parameters.ts';
import type { Decider } from '../engine/ports.ts';
import { type Route, route } from '../engine/route.ts';
import { Stopwatch } from '../engine/stopwatch.ts';
import { VectorTable } from '../engine/vector-table.ts';
import { Nearness } from '../engine/views.ts';
import type { LabelledTurn } from './labelled-dialogue.ts';
import type { VectorOf } from './vectors.ts';

const BY_LABEL: Decision = { topic: 'continue-topic', branch: null, by: 'person', trace: null };

/** A labelled dialogue while it is replayed in a forest of its own. Its turns are nodes `n0`, `n1`, … */
export class Replay {
  readonly forest = emptyForest();
  readonly #vectorOf: VectorOf;
  readonly #table: VectorTable;
  #turns = 0;

  constructor(vectorOf: VectorOf) {
    this.#vectorOf = vectorOf;
    this.#table = new VectorTable(vectorOf('').length);
  }

  /** How near a message is to what has been placed. */
  nearness(message: string): Nearness {
    return new Nearness(message, this.#vectorOf(message), this.#table);
  }

  /** Where the engine itself would put the next message. */
  async route(message: string, decider: Decider, theta: number): Promise<Route> {
    this.#record({ type: 'message-sent', nodeId: this.#next, message, given: null, target: null });
    const pending = pendingTurn(this.forest);
    if (pending === null) throw new Error('the message is not pending');
    const routed = await route({
      forest: this.forest,
      pending,
      near: this.nearness(message),
      deciders: [decider],
      embedder: 'use-lite-en int8',
      theta,
      policy: 'context-agent',
      parameters: defaultParameters,
      signal: new AbortController().signal,
      fallbacks: [],
      stopwatch: new Stopwatch(() => 0),
    });
    return routed;
  }

  /** Places the next turn under a node (null: a new topic), with its reply, summary and title. */
  place({ message, reply }: LabelledTurn, parentId: NodeId | null): NodeId {
    const nodeId = this.#next;
    if (pendingTurn(this.forest) === null) {
      this.#record({ type: 'message-sent', nodeId, message, given: null, target: null });
    }
    const fresh = { treeId: `t${this.#turns}`, branchId: `b${this.#turns}` };
    const placed = handle(this.forest, { type: 'place', nodeId, parentId, fresh, decision: BY_LABEL });
    if (!placed.ok) throw new Error(`the turn has no place: ${placed.refusal}`);
    for (const event of placed.events) this.#record(event);
    const given = { message, reply: reply ?? '' };
    if (reply !== null) {
      const replyId = `r${this.#turns}`;
      this.#record({ type: 'reply-started', nodeId, replyId, model: 'given', context: null });
      this.#record({ type: 'reply-received', nodeId, replyId, text: reply });
      this.#record({ type: 'reply-ended', nodeId, replyId, state: 'done', failure: null, timings: [] });
    }
    this.#record({ type: 'summarised', nodeId, text: summaryOf(given), by: 'extractive' });
    if (parentId === null) {
      this.#record({ type: 'topic-titled', treeId: fresh.treeId, title: titleOf(given), by: 'engine' });
    }
    this.#table.set(nodeId, this.#vectorOf(embeddingText(given)));
    this.#turns++;
    return nodeId;
  }

  get #next(): NodeId {
    return `n${this.#turns}`;
  }

  #record(event: Event): void {
    // Without a step nothing is kept for undo, which a measurement has no use for.
    apply(this.forest, { v: LOG_VERSION, seq: 1, at: 0, step: null, event });
  }
}

/** The node of a turn, by its index in the dialogue. */
export const nodeIdOf = (turn: number): NodeId => `n${turn}`;
