/** At most this many cards are mounted; the rest is drawn. */
export const MOUNT_LIMIT = 200;
/** At most this many are mounted in one frame while the view rests. */
const AT_REST = 24;
/** While it moves, as many as this, and fewer after a late frame. */
const MOVING = 4;
const MOVING_LATE = 1;
/** A frame that took longer than this was late, in milliseconds. */
const LATE_MS = 20;

/** How many cards may be mounted in a frame, so that it is not late. `since` is the time since the frame before. */
export const mountsInFrame = (moving: boolean, since: number): number => {
  if (!moving) return AT_REST;
  return since > LATE_MS ? MOVING_LATE : MOVING;
};

/**
 * The next frame's cards: those mounted that may stay, and the first `atOnce` of those wanted. Both
 * lists have the nearest first. Returns `mounted` itself if nothing changes, and whether more are to come.
 */
export const nextMounted = (
  mounted: ReadonlySet<string>,
  wanted: readonly string[],
  mayStay: readonly string[],
  atOnce: number,
): { readonly cards: ReadonlySet<string>; readonly more: boolean } => {
  const missing = wanted.filter((id) => !mounted.has(id));
  const stays = new Set(wanted);
  for (const id of mayStay) {
    if (stays.size >= MOUNT_LIMIT) break;
    if (mounted.has(id)) stays.add(id);
  }
  const kept = [...mounted].filter((id) => stays.has(id));
  if (missing.length === 0 && kept.length === mounted.size) return { cards: mounted, more: false };
  const added = missing.slice(0, atOnce);
  // In the order they were mounted in: another order would move every element in the document.
  return { cards: new Set([...kept, ...added]), more: missing.length > added.length };
};
