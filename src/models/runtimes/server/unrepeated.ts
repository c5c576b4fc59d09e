/**
 * What follows `begun` in an answer that may start by repeating it: some servers and models give the whole reply where they
 * were asked to go on with it. `spaced`: the answer is a message of its own, so a space parts two words that would run together.
 */
export async function* unrepeated(
  pieces: AsyncIterable<string>,
  begun: string,
  spaced: boolean,
): AsyncGenerator<string> {
  if (begun === '') {
    yield* pieces;
    return;
  }
  let held: string | null = '';
  for await (const piece of pieces) {
    if (held === null) {
      yield piece;
      continue;
    }
    held += piece;
    if (held.length < begun.length && begun.startsWith(held)) continue;
    yield rest(held, begun, spaced);
    held = null;
  }
  if (held) yield rest(held, begun, spaced);
}

const rest = (answer: string, begun: string, spaced: boolean): string => {
  const text = answer.startsWith(begun) ? answer.slice(begun.length) : answer;
  if (/\s$/.test(begun)) return text.replace(/^ /, '');
  return text === answer && spaced && /^[\p{L}\p{N}]/u.test(text) ? ` ${text}` : text;
};
