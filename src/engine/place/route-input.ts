import type { Fallback, SettingsUsed } from '../../domain/decision.ts';
import type { Forest, PendingTurn } from '../../domain/forest.ts';
import type { Retrieval, TopicMethod } from '../context/policy.ts';
import type { Parameters } from '../parameters.ts';
import type { Decider } from '../ports.ts';
import type { Prompts } from '../settings.ts';
import type { Stopwatch } from '../tasks.ts';
import type { ComparedMessage } from './compared-message.ts';

/** What placing a message needs. */
export interface RouteInput {
  readonly forest: Forest;
  readonly pending: PendingTurn;
  readonly near: ComparedMessage;
  /** Asked in turn: the chosen decider, then the embedded one. */
  readonly deciders: readonly Decider[];
  readonly embedder: string;
  readonly theta: number;
  readonly policy: string;
  /** How fork points are found; by similarity by default. */
  readonly retrieval?: Retrieval;
  /** How the topic is found; by one question by default. */
  readonly topicBy?: TopicMethod;
  readonly parameters: Parameters;
  /** The person's own prompts, for deciders that are language models. */
  readonly prompts?: Partial<Prompts>;
  /** Named in the trace. */
  readonly settings?: SettingsUsed;
  readonly signal: AbortSignal;
  /** Fallbacks so far (from embedding); the decisions add theirs. */
  readonly fallbacks: Fallback[];
  readonly stopwatch: Stopwatch;
}
