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

/** At the space nearest after the middle. */
export const halves = (text: string): readonly [string, string] => {
  const middle = text.indexOf(' ', Math.floor(text.length / 2)) + 1 || Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)];
};
