/** Characters of a message's beginning that are kept; the rest of what it may take is its end. */
const HEAD = 2 / 3;

/** White space as single spaces; of a text that is too long its beginning and its end, with … for what lies between. */
export const clip = (text: string, most: number): string => {
  const flat = text.replace(/\s+/g, ' ').trim();
  if (flat.length <= most) return flat;
  const head = Math.floor(most * HEAD);
  return `${wellFormed(flat.slice(0, head)).trimEnd()} … ${wellFormed(flat.slice(flat.length - (most - head))).trimStart()}`;
};

/** Without the half of a surrogate pair that was cut in two. */
const wellFormed = (text: string): string => text.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '');
