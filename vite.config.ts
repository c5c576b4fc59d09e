import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig, type Plugin } from 'vite';
import { PAGE_HEADERS } from './scripts/page-headers.mjs';
import { serviceWorker } from './scripts/service-worker-plugin.mjs';

/** Of the sources; with `+` where they were changed since. */
const commitOf = (): string => {
  const git = (...words: string[]) =>
    execFileSync('git', words, { cwd: import.meta.dirname, stdio: ['ignore', 'pipe', 'ignore'] })
      .toString()
      .trim();
  try {
    return `${git('rev-parse', '--short=12', 'HEAD')}${git('status', '--porcelain', '--untracked-files=no') === '' ? '' : '+'}`;
  } catch {
    return 'unknown';
  }
};

/** Of the embedded decider's weights, as exports name them. */
const weightsHash = (): string =>
  ['decider-weights', 'reconsider-weights']
    .reduce(
      (hash, name) => hash.update(readFileSync(new URL(`./src/models/embedded/${name}.json`, import.meta.url))),
      createHash('sha256'),
    )
    .digest('hex')
    .slice(0, 12);

/**
 * No script but the page's own, none inline, no eval but WASM's, no frames, no forms. A person may choose a model server at any address,
 * so connections are not held to some; the page opens none that was not chosen.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self' blob:",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "media-src 'self' data: blob:",
  "font-src 'self' data:",
  "manifest-src 'self'",
  "connect-src 'self' data: blob: http: https:",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** Not while developing: Vite's own scripts are inline. */
const contentSecurityPolicy: Plugin = {
  name: 'content-security-policy',
  apply: 'build',
  transformIndexHtml: () => [
    { tag: 'meta', attrs: { 'http-equiv': 'Content-Security-Policy', content: POLICY }, injectTo: 'head-prepend' },
  ],
};

/** What is loaded one after the other, though never without one another, each with all that it imports: a file each, named for when it is needed. */
const TOGETHER = {
  opening: [
    'app/draft-files.ts',
    'app/settings-keeper.ts',
    'storage/indexeddb-storage.ts',
    'ui/chat/turn-list.tsx',
    'ui/inspector/context-tab.tsx',
    'ui/inspector/decision-tab.tsx',
    'ui/inspector/inspector.tsx',
    'ui/inspector/turn-tab.tsx',
    'ui/outline/outline.tsx',
    'ui/shell/pane-border.tsx',
    'ui/timeline/timeline.tsx',
  ],
  // By itself: where it cannot be loaded, the rest goes on.
  'forest-canvas': ['ui/canvas/forest-canvas.tsx'],
  message: [
    'engine/context/policies/focused/build.ts',
    'engine/context/retrieval/retriever.ts',
    'engine/turn/decide.ts',
    'engine/text/spoken-language.ts',
    'models/embedded/decider-weights.ts',
    'models/embedded/embedded-decider.ts',
    'models/embedded/encoder-client.ts',
    'models/embedded/extractive/summary.ts',
    'models/embedded/personal/learner.ts',
    'models/embedded/recall/recall.ts',
  ],
  commands: [
    'features/palette/palette.tsx',
    'features/search/search-dialog.tsx',
    'features/search/search.ts',
    'ui/chat/place-picker.tsx',
    'ui/shell/commands/registry.ts',
  ],
};

/** Rejects what is not there any more. */
const anyOf = (modules: readonly string[]): ((id: string) => boolean) => {
  const paths = new Set(modules.map((module) => realpathSync(join(import.meta.dirname, 'src', module))));
  return (id) => paths.has(id);
};

export default defineConfig({
  define: {
    __VERSION__: JSON.stringify(JSON.parse(readFileSync(new URL('./package.json', import.meta.url), 'utf8')).version),
    __COMMIT__: JSON.stringify(commitOf()),
    __DECIDER_WEIGHTS__: JSON.stringify(weightsHash()),
  },
  // Relative addresses: the built site works under any sub-path.
  base: './',
  plugins: [react(), contentSecurityPolicy, serviceWorker()],
  resolve: {
    // The WASM runtime is loaded by address, not carried inside the script.
    conditions: ['onnxruntime-web-use-extern-wasm', ...defaultClientConditions],
    // What transformers.js imports carries 27 MB of WASM; this build has 17 MB for WebGPU and runs the plain one, too.
    alias: { 'onnxruntime-web/webgpu': 'onnxruntime-web/jspi' },
  },
  server: { headers: PAGE_HEADERS },
  preview: { headers: PAGE_HEADERS },
  build: {
    rolldownOptions: {
      output: {
        // Parted by what else uses them, these would be a hundred files more: to ask for each takes a browser some milliseconds, cached or not.
        codeSplitting: {
          groups: [
            { name: 'page', tags: ['$initial'], priority: 1 },
            ...Object.entries(TOGETHER).map(([name, modules]) => ({ name, test: anyOf(modules) })),
          ],
        },
      },
    },
  },
  worker: { format: 'es' },
  // Only workers import these, or what is loaded on use; found late, they would reload a page that is already in use.
  optimizeDeps: {
    include: [
      '@huggingface/tokenizers',
      'onnxruntime-web/wasm',
      '@huggingface/transformers',
      '@wllama/wllama/esm/index.js',
      '@mlc-ai/web-llm',
      '@noble/hashes/legacy.js',
      '@noble/hashes/sha2.js',
      '@noble/hashes/utils.js',
      'pdfjs-dist/legacy/build/pdf.mjs',
      'mammoth',
      '@streamparser/json',
    ],
  },
});
