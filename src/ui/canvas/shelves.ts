interface Size {
  readonly width: number;
  readonly height: number;
}

/** How much wider than tall a packed forest is to be, so that it fills a pane and not a thread. */
const ASPECT = 1.4;
/** Rows are this wide at first … */
const FIRST_WIDTH = 2000;
/** … and grow in steps, so that a growing forest is rearranged seldom. */
const STEP = 1.25;

/**
 * Puts boxes side by side in the order given, in as many rows as make the whole about as wide as
 * ASPECT says; a few boxes make one row. Returns their top left corners and the whole's size.
 */
export const packShelves = (boxes: readonly Size[], gap: number, rowGap: number) => {
  const total = boxes.reduce((sum, box) => sum + box.width + gap, -gap);
  for (let limit = FIRST_WIDTH; ; limit *= STEP) {
    const packed = pack(boxes, limit, gap, rowGap);
    if (limit >= total || packed.height * ASPECT <= limit) return packed;
  }
};

/** Rows as wide as the limit, or as their one box. */
export const pack = (boxes: readonly Size[], limit: number, gap: number, rowGap: number) => {
  let x = 0;
  let y = 0;
  let row = 0;
  let width = 0;
  const places = boxes.map((box) => {
    if (x > 0 && x + box.width > limit) {
      y += row + rowGap;
      x = 0;
      row = 0;
    }
    const place = { x, y };
    x += box.width + gap;
    row = Math.max(row, box.height);
    width = Math.max(width, x - gap);
    return place;
  });
  return { places, width, height: y + row };
};
