import * as z from 'zod/mini';
import { Id } from './decision.ts';

/** A moment of a conversation as it is told to others: what is looked at, and what is said about it. */
export const Scene = z.object({
  id: Id,
  /** The turn that it is about: the forest is shown as far as that. */
  nodeId: Id,
  /** What of the turn is shown. */
  panel: z.enum(['message', 'why', 'reply']),
  /** What of the forest is in view. */
  view: z.enum(['turn', 'path', 'forest']),
  /** For those who watch; empty for none. */
  caption: z.string(),
  /** For the person who speaks; empty for none. */
  notes: z.string(),
});
export type Scene = z.infer<typeof Scene>;
