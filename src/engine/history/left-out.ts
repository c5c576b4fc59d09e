import type { Entry } from '../../domain/entry.ts';
import type { Event, Refusal } from '../../domain/event-kinds.ts';
import type { NodeId } from '../../domain/forest.ts';

/** Something that the person did by hand and that a re-run does not have. */
export interface LeftOut {
  /** Where it stands in the original log. */
  readonly seq: number;
  readonly what: Event['type'];
  /** The turns that it is about. */
  readonly nodeIds: readonly NodeId[];
  readonly why: /** All edits by hand were to be left out. */
    | 'wanted'
    /** The engine put the turn there by itself. */
    | 'not-needed'
    /** The person had confirmed a place that the turn does not have here. */
    | 'placed-otherwise'
    /** What it was about is not there, or not the same. */
    | 'not-there'
    | Refusal;
}

export const leftOut = ({ seq, event }: Entry, why: LeftOut['why']): LeftOut => ({
  seq,
  what: event.type,
  nodeIds: 'nodeIds' in event ? event.nodeIds : 'nodeId' in event ? [event.nodeId] : [],
  why,
});
