/** Halvings at most: sixteen pieces. What then still is too long is cut by the model. */
const MOST_HALVINGS = 4;

/** A text in pieces that fit, parted between words where it has any. */
export const piecesOf = (
  text: string,
  fits: (piece: string) => boolean,
  halvings = MOST_HALVINGS,
): readonly string[] => {
  if (halvings === 0 || text.length < 2 || fits(text)) return [text];
  const [first, second] = halves(text);
  return [first, second].filter((half) => half.trim() !== '').flatMap((half) => piecesOf(half, fits, halvings - 1));
};

/** At the space nearest after the middle, else the one before it, else in the middle. */
export const halves = (text: string): readonly [string, string] => {
  const middle = Math.floor(text.length / 2);
  const after = text.indexOf(' ', middle);
  const space = after >= 0 && after < text.length - 1 ? after : text.lastIndexOf(' ', middle);
  const at = space > 0 ? space + 1 : middle;
  return [text.slice(0, at), text.slice(at)];
};
