/** At most this many cards are mounted; the rest is drawn. */
export const MOUNT_LIMIT = 200;
/** At most this many are mounted in one frame, so that no frame is late. */
export const MOUNT_PER_FRAME = 24;

/**
 * The next frame's cards: those mounted that may stay, and the first of those wanted. Both lists
 * have the nearest first. Returns `mounted` itself if nothing changes, and whether more are to come.
 */
export const nextMounted = (
  mounted: ReadonlySet<string>,
  wanted: readonly string[],
  mayStay: readonly string[],
): { readonly cards: ReadonlySet<string>; readonly more: boolean } => {
  const missing = wanted.filter((id) => !mounted.has(id));
  const room = MOUNT_LIMIT - wanted.length;
  const wantedSet = new Set(wanted);
  const extra = mayStay.filter((id) => mounted.has(id) && !wantedSet.has(id)).slice(0, room);
  const kept = wanted.length - missing.length + extra.length;
  if (missing.length === 0 && kept === mounted.size) return { cards: mounted, more: false };
  const added = missing.slice(0, MOUNT_PER_FRAME);
  const cards = new Set([...wanted.filter((id) => mounted.has(id)), ...extra, ...added]);
  return { cards, more: missing.length > added.length };
};
