import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MODELS } from './hub-files.ts';

/** Tokens. The models' own 512, at a letter or two each, are too few for a question about a conversation. */
const WINDOW = 2048;

export interface LongerWindow {
  /** For the hub: the small generators, configured for longer texts than they were trained on. */
  readonly repos: Readonly<Record<'long/stories260K' | 'long/stories260K-gguf', string>>;
  remove(): Promise<void>;
}

export const makeLongerWindow = async (): Promise<LongerWindow> => {
  const folder = await mkdtemp(join(tmpdir(), 'coppice-long-'));
  const gguf = join(folder, 'gguf');
  await mkdir(gguf);
  await writeFile(
    join(gguf, 'long.gguf'),
    longerGguf(await readFile(join(MODELS, 'stories260K-gguf/stories260K-f32.gguf'))),
  );
  const onnx = join(folder, 'onnx');
  await cp(join(MODELS, 'stories260K'), onnx, { recursive: true });
  const config = JSON.parse(await readFile(join(onnx, 'config.json'), 'utf8'));
  await writeFile(join(onnx, 'config.json'), JSON.stringify({ ...config, max_position_embeddings: WINDOW }));
  return {
    repos: { 'long/stories260K': onnx, 'long/stories260K-gguf': gguf },
    remove: () => rm(folder, { recursive: true }),
  };
};

/** The value is four bytes after the key, behind its type. */
const longerGguf = (file: Buffer): Buffer => {
  const key = 'llama.context_length';
  const at = file.indexOf(key);
  if (at < 0) throw new Error(`The file has no ${key}.`);
  file.writeUInt32LE(WINDOW, at + key.length + 4);
  return file;
};
