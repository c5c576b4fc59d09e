import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { longerWindow } from '../../src/models/runtimes/wllama/testing/longer-window.ts';
import { HeldAnswers } from './held-answers.ts';
import { type Hub, startHub } from './hub.ts';
import { MODELS, modelsMissing } from './hub-files.ts';
import { ModelsDialog } from './models-dialog.ts';
import { test as base, expect } from './test.ts';

interface Fixtures {
  /** A local model hub that the page may request. */
  readonly hub: Hub;
  readonly models: ModelsDialog;
  readonly answers: HeldAnswers;
  /** Skips the test, with the reason, if the models are missing. */
  readonly realModels: undefined;
}

interface WorkerFixtures {
  readonly longRepos: LongRepos;
}

/** Tests in which the user chooses real models from a hub. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  realModels: [
    async ({}, use, { skip }) => {
      skip(modelsMissing !== null, modelsMissing ?? '');
      await use(undefined);
    },
    { auto: true },
  ],
  longRepos: [
    async ({}, use) => {
      const folder = await mkdtemp(join(tmpdir(), 'coppice-long-'));
      await use(await makeLongRepos(folder));
      await rm(folder, { recursive: true });
    },
    { scope: 'worker' },
  ],
  hub: async ({ chosenOrigins, longRepos }, use) => {
    const hub = await startHub({ repos: longRepos });
    chosenOrigins.add(hub.address).add(hub.cdn);
    await use(hub);
    await hub.stop();
  },
  models: ({ app }, use) => use(new ModelsDialog(app)),
  answers: async ({ page }, use) => use(await HeldAnswers.install(page)),
});

export { expect };

/** The small generators, by runtime. */
export const GENERATORS = {
  'llama.cpp': {
    own: { runtime: 'wllama', hub: 'local/stories260K-gguf/stories260K-f32.gguf' },
    long: { runtime: 'wllama', hub: 'long/stories260K-gguf/long.gguf' },
    name: 'stories260K-f32.gguf',
    author: /^stories260K-f32\.gguf \(wllama, WASM/,
  },
  'transformers.js': {
    own: { runtime: 'transformers', hub: 'local/stories260K', task: 'generate' },
    long: { runtime: 'transformers', hub: 'long/stories260K', task: 'generate' },
    name: 'stories260K',
    author: /^stories260K \(transformers\.js, WASM/,
  },
} as const;

/** Tokens. The models' own 512, at a letter or two each, are too few for a question about a conversation. */
const WINDOW = 2048;

/** For the hub: the small generators, configured for longer texts than they were trained on. */
type LongRepos = Readonly<Record<'long/stories260K' | 'long/stories260K-gguf', string>>;

const makeLongRepos = async (folder: string): Promise<LongRepos> => {
  const gguf = join(folder, 'gguf');
  await mkdir(gguf);
  const original = new Uint8Array(await readFile(join(MODELS, 'stories260K-gguf/stories260K-f32.gguf')));
  await writeFile(join(gguf, 'long.gguf'), new Uint8Array(longerWindow(original.buffer, WINDOW)));
  const onnx = join(folder, 'onnx');
  await cp(join(MODELS, 'stories260K'), onnx, { recursive: true });
  const config = JSON.parse(await readFile(join(onnx, 'config.json'), 'utf8'));
  await writeFile(join(onnx, 'config.json'), JSON.stringify({ ...config, max_position_embeddings: WINDOW }));
  return { 'long/stories260K': onnx, 'long/stories260K-gguf': gguf };
};
