import * as z from 'zod/mini';

/** An id is a key of plain objects, so it must not be one that every object has already. */
export const Id = z.string().check(
  z.minLength(1),
  z.refine((id) => !(id in {}), { error: 'an id that is free to be used as a key' }),
);
