import * as z from 'zod/mini';
import { Id } from './id.ts';

/** A turn that another needs though it is not on its path ("as we said about Japan, for the work trip"). */
export const Reference = z.object({
  to: Id,
  /** What of it is sent: its path in full, or its summary alone. */
  as: z.enum(['path', 'summary']),
  by: z.enum(['engine', 'person']),
});
export type Reference = z.infer<typeof Reference>;
