import { HeldAnswers } from './held-answers.ts';
import { type Hub, startHub } from './hub.ts';
import { modelsMissing } from './hub-files.ts';
import { type LongerWindow, makeLongerWindow } from './longer-window.ts';
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
  readonly longerWindow: LongerWindow;
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
  longerWindow: [
    async ({}, use) => {
      const longer = await makeLongerWindow();
      await use(longer);
      await longer.remove();
    },
    { scope: 'worker' },
  ],
  hub: async ({ chosenOrigins, longerWindow }, use) => {
    const hub = await startHub({ repos: longerWindow.repos });
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
