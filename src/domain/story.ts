import * as z from 'zod/mini';
import { Id } from './decision.ts';

/** A moment of a conversation as presented to others: what is shown, and what is said about it. */
export const StoryScene = z.object({
  id: Id,
  /** The turn it is about: the forest is shown up to this turn. */
  nodeId: Id,
  /** The part of the turn that is shown. */
  panel: z.enum(['message', 'why', 'reply']),
  /** The part of the forest that is in view. */
  view: z.enum(['turn', 'path', 'forest']),
  /** For the audience; empty for none. */
  caption: z.string(),
  /** For the presenter; empty for none. */
  notes: z.string(),
});
export type StoryScene = z.infer<typeof StoryScene>;
