/**
 * Tokens of a text for a model whose tokenizer is out of reach: about four characters a token in Latin script, two in
 * other alphabets, one in scripts without spaces between words. Meant to err on the high side.
 */
export const estimatedTokens = (text: string): number => {
  let quarters = 0;
  for (const letter of text) {
    const code = letter.codePointAt(0) ?? 0;
    quarters += code < 0x300 ? 1 : code < 0x2e80 ? 2 : 4;
  }
  return Math.ceil(quarters / 4);
};
