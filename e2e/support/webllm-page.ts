import { type Browser, test as base, chromium, type Page } from '@playwright/test';
import { servePage } from '../../scripts/check-webgpu/serve-page.ts';
import { launchOptions, SOFTWARE_GPU } from '../../scripts/find-browser.mjs';
import { type CompiledModel, makeCompiledModel } from './compiled-model.ts';
import { type Hub, startHub } from './hub.ts';

/** The outcome of a load. For a stand-in model, success is reaching the point where the library asks for the model itself. */
export interface Told {
  readonly ok: boolean;
  /** The kind of failure. */
  readonly kind: string | null;
  readonly message: string;
  readonly downloading: readonly { readonly loaded: number; readonly total: number | null }[];
  /** Bytes that the library had uploaded to the GPU at the end; null if it did not get that far. */
  readonly prepared: number | null;
}

interface Load {
  readonly modelId?: string;
  /** Paths on the hub; null for a model from WebLLM's own list. */
  readonly custom?: { readonly weights: string; readonly library: string } | null;
  /** Cancels the load once this many bytes have arrived. */
  readonly cancelAt?: number;
}

export const TINY = { weights: '/local/tiny', library: '/local/tiny/resolve/main/stand-in-webgpu.wasm' };

/** The page of `npm run check:webgpu`, loading models from the local hub. */
export class WebLlmPage {
  constructor(
    readonly page: Page,
    readonly hub: Hub,
  ) {}

  load({ modelId = 'tiny', custom = TINY, cancelAt = Number.POSITIVE_INFINITY }: Load = {}): Promise<Told> {
    return this.page.evaluate(
      async ({ address, modelId, custom, cancelAt }) => {
        const downloading: { loaded: number; total: number | null }[] = [];
        let prepared: number | null = null;
        const cancel = new AbortController();
        const runtime = window.webllm.runtime({ hub: () => address });
        const at = (path: string): string => (path.startsWith('http') ? path : address + path);
        const spec = {
          runtime: 'webllm' as const,
          modelId,
          custom: custom && { weights: at(custom.weights), library: at(custom.library) },
        };
        const told = { ok: true, kind: null, message: '' };
        const result = await runtime
          .loadGenerator?.(spec, {
            signal: cancel.signal,
            onProgress: ({ phase, loaded, total }) => {
              if (phase === 'preparing') prepared = loaded;
              else downloading.push({ loaded, total });
              if (phase === 'downloading' && loaded >= cancelAt) cancel.abort(new Error('cancelled'));
            },
            onLost: () => undefined,
          })
          .then(
            () => told,
            (error: Error) => ({ ok: false, kind: Reflect.get(error, 'kind') ?? null, message: error.message }),
          );
        return { ...(result ?? told), downloading, prepared };
      },
      { address: this.hub.address, modelId, custom, cancelAt },
    );
  }

  stored(): Promise<readonly { key: string; name: string; bytes: number; total: number | null }[]> {
    return this.page.evaluate(async () => (await window.webllm.runtime().stored?.()) ?? []);
  }

  async remove(key: string): Promise<void> {
    await this.page.evaluate((one) => window.webllm.runtime().remove?.(one), key);
  }

  /** What the library itself reports about its cache. */
  async libraryHasTiny(): Promise<boolean> {
    await this.#lookInBucket();
    return this.page.evaluate(async (model) => {
      const { hasModelInCache } = await window.webllm.library();
      return hasModelInCache('tiny', {
        cacheBackend: 'cache',
        model_list: [{ model, model_id: 'tiny', model_lib: '' }],
      });
    }, `${this.hub.address}/local/tiny`);
  }

  /** File names of the URLs in the caches of the models' storage bucket. */
  async kept(): Promise<string[]> {
    await this.#lookInBucket();
    return this.page.evaluate(async () => {
      const scopes = ['webllm/config', 'webllm/model', 'webllm/wasm'];
      const keys = await Promise.all(scopes.map(async (scope) => (await caches.open(scope)).keys()));
      return keys.flat().map(({ url }) => url.split('/').at(-1) ?? url);
    });
  }

  /** Makes the page's `caches` those of the models' own storage bucket from now on. */
  #lookInBucket(): Promise<void> {
    return this.page.evaluate(async () => {
      const { storageBuckets } = navigator as unknown as {
        storageBuckets: { open(name: string): Promise<{ readonly caches: CacheStorage }> };
      };
      const { caches } = await storageBuckets.open('models');
      Object.defineProperty(self, 'caches', { value: caches, configurable: true });
    });
  }

  /** Files for which bytes were sent, in order. */
  fetched(): string[] {
    return this.hub.log.filter(({ status }) => status === 200).map(({ path }) => path.split('/').at(-1) ?? path);
  }
}

interface WorkerFixtures {
  readonly site: string;
  readonly model: CompiledModel;
  readonly gpu: Browser;
}

export const test = base.extend<{ webllm: WebLlmPage; hub: Hub }, WorkerFixtures>({
  site: [
    async ({}, use) => {
      const { address, close } = await servePage();
      await use(address);
      await close();
    },
    { scope: 'worker' },
  ],
  model: [
    async ({}, use) => {
      const model = await makeCompiledModel();
      await use(model);
      await model.remove();
    },
    { scope: 'worker' },
  ],
  gpu: [
    async ({}, use) => {
      const browser = await chromium.launch(await launchOptions(SOFTWARE_GPU));
      await use(browser);
      await browser.close();
    },
    { scope: 'worker' },
  ],
  hub: async ({ model }, use) => {
    const hub = await startHub({
      repos: { 'local/tiny': model.folder, 'mlc-ai/Qwen3-0.6B-q4f32_1-MLC': model.folder },
    });
    await use(hub);
    await hub.stop();
  },
  webllm: async ({ gpu, hub, site }, use) => {
    const context = await gpu.newContext();
    const page = await context.newPage();
    await page.goto(site);
    await use(new WebLlmPage(page, hub));
    await context.close();
  },
});
