import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from '@playwright/test';
import { build, mergeConfig, preview } from 'vite';
import { App } from '../e2e/support/app.ts';
import { type Hub, startHub } from '../e2e/support/hub.ts';
import { modelsMissing } from '../e2e/support/hub-files.ts';
import { ModelsDialog } from '../e2e/support/models-dialog.ts';
import { launchOptions } from '../scripts/find-browser.mjs';
import { root } from '../scripts/run.mjs';
import { serve } from '../scripts/serve.mjs';
import { sum } from '../src/domain/numbers.ts';
import app from '../vite.config.ts';
import type { Figure } from './figure.ts';
import { noteLongTasks, takeLongTasks } from './long-tasks.ts';

const STORY = 'Once upon a time there was a dog';
const TYPED = 'What did the dog find in the park, and who came to help it when it was lost?';
/** Length of the streamed reply in tokens. */
const LENGTH = 300;
/** Milliseconds between key presses of a fast typist. */
const KEY_MS = 40;

const MODELS = {
  llama: {
    name: 'llama.cpp',
    own: { runtime: 'wllama', hub: 'local/stories260K-gguf/stories260K-f32.gguf' },
    offer: 'stories260K-f32.gguf',
    repo: 'local/stories260K-gguf',
    paths: ['stories260K-f32.gguf'],
  },
  transformers: {
    name: 'transformers.js',
    own: { runtime: 'transformers', hub: 'local/stories260K', task: 'generate' },
    offer: 'stories260K',
    repo: 'local/stories260K',
    paths: [
      'config.json',
      'tokenizer.json',
      'tokenizer_config.json',
      'generation_config.json',
      'onnx/model_quantized.onnx',
    ],
  },
} as const;
type Runtime = keyof typeof MODELS;

interface Measured {
  readonly loading: readonly number[];
  readonly streaming: readonly number[];
  /** The same text typed while no model is working: what the page, and a busy machine, take by themselves. */
  readonly typing: readonly number[];
}

const opened = async (browser: Browser, address: string): Promise<Page> => {
  const context = await browser.newContext({ baseURL: address, viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await noteLongTasks(page);
  return page;
};

/** Types while `work` is running and waits until it ends. */
const typingDuring = async (page: Page, work: Promise<unknown> = Promise.resolve()): Promise<number[]> => {
  const typing = page
    .getByRole('textbox', { name: 'Message', exact: true })
    .pressSequentially(TYPED, { delay: KEY_MS });
  await Promise.all([typing, work]);
  return takeLongTasks(page);
};

/** Measures the app, whose models run in workers. */
const inApp = async (browser: Browser, address: string, hub: Hub, runtime: Runtime): Promise<Measured> => {
  const page = await opened(browser, address);
  const app = new App(page);
  const models = new ModelsDialog(app);
  const { own, offer } = MODELS[runtime];
  await app.open();
  // The embedded models are loaded and have answered.
  await app.send('A first message, so that the page has been used.');
  await app.button('Reply settings').click();
  const settings = app.dialog('Reply settings');
  await settings.getByRole('textbox', { name: 'Temperature' }).fill('0');
  await settings.getByRole('textbox', { name: 'Longest reply' }).fill(String(LENGTH));
  await settings.getByRole('button', { name: 'Save' }).click();
  await models.open();
  await models.setHub(hub.address);
  await models.addOwn(own);
  await models.go('chat');
  await models.button(`Use ${offer}`).waitFor();
  await takeLongTasks(page);
  await models.button(`Use ${offer}`).click();
  await models.now.filter({ hasText: offer }).getByText('ready', { exact: true }).waitFor();
  const loading = await takeLongTasks(page);
  await models.close();
  await app.message.fill(STORY);
  await takeLongTasks(page);
  await app.button('Send').click();
  const streaming = await typingDuring(
    page,
    app
      .turn(2)
      .getByText(/tokens\/s/)
      .waitFor(),
  );
  await app.settled();
  await takeLongTasks(page);
  const typing = await typingDuring(page);
  await page.context().close();
  return { loading, streaming, typing };
};

/** Measures the same code without the app's workers. */
const onMainThread = async (browser: Browser, address: string, hub: Hub, runtime: Runtime): Promise<Measured> => {
  const page = await opened(browser, address);
  const { repo, paths } = MODELS[runtime];
  await page.goto('./');
  await page.waitForFunction(() => window.modelBench !== undefined);
  await takeLongTasks(page);
  await page.evaluate(([name, where, what]) => window.modelBench.load(name, where, what), [
    runtime,
    `${hub.address}/${repo}`,
    paths,
  ] as const);
  const loading = await takeLongTasks(page);
  const writing = page.evaluate(([text, most]) => window.modelBench.write(text, most), [STORY, LENGTH] as const);
  const streaming = await typingDuring(page, writing);
  const typing = await typingDuring(page);
  await page.context().close();
  return { loading, streaming, typing };
};

const counted = (tasks: readonly number[]): string => `${tasks.length} long task${tasks.length === 1 ? '' : 's'}`;

/** Measures tasks over 50 ms on the page while a model loads, and while it streams and the user types. */
export const modelTasks = async (): Promise<Figure[]> => {
  if (modelsMissing !== null) {
    console.log(`  Not measured: ${modelsMissing}.`);
    return [];
  }
  const outDir = await mkdtemp(join(tmpdir(), 'coppice-bench-'));
  const config = mergeConfig(app, {
    configFile: false,
    root: join(root, 'bench', 'models'),
    logLevel: 'error',
    build: { outDir, chunkSizeWarningLimit: 10_000 },
  });
  await build(config);
  const plain = await preview({ ...config, preview: { ...config.preview, port: 0, host: '127.0.0.1' } });
  const site = await serve();
  const hub = await startHub();
  const browser = await chromium.launch(await launchOptions());
  try {
    const figures: Figure[] = [];
    for (const runtime of ['llama', 'transformers'] as const) {
      const ours = await inApp(browser, site.address, hub, runtime);
      const main = await onMainThread(browser, plain.resolvedUrls?.local[0] as string, hub, runtime);
      const figure = (what: string, phase: keyof Measured): Figure => ({
        name: `${MODELS[runtime].name} ${what}: ${counted(ours[phase])}, together`,
        value: sum(ours[phase]),
        unit: 'ms',
        goal: null,
        baseline: { name: `on the main thread, ${counted(main[phase])}`, value: sum(main[phase]) },
      });
      figures.push(
        figure('loads', 'loading'),
        figure('streams while one types', 'streaming'),
        figure('rests while one types', 'typing'),
      );
    }
    return figures;
  } finally {
    await browser.close();
    await hub.stop();
    await site.close();
    await plain.close();
    await rm(outDir, { recursive: true });
  }
};
