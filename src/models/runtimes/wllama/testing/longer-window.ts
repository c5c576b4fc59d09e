/** A GGUF file of a llama model that claims a window of `window` tokens, whatever it was trained on. */
export const longerWindow = (file: ArrayBuffer, window: number): ArrayBuffer => {
  const key = new TextEncoder().encode('llama.context_length');
  const bytes = new Uint8Array(file.slice(0));
  const at = bytes.findIndex((_, i) => key.every((byte, j) => bytes[i + j] === byte));
  if (at < 0) throw new Error('The file has no llama.context_length.');
  // The value is four bytes after the key, behind its type.
  new DataView(bytes.buffer).setUint32(at + key.length + 4, window, true);
  return bytes.buffer;
};
