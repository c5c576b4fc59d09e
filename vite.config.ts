import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig } from 'vite';

export default defineConfig({
  // Relative addresses: the built site works under any sub-path.
  base: './',
  plugins: [react()],
  resolve: {
    // The WASM runtime is loaded by address, not carried inside the script.
    conditions: ['onnxruntime-web-use-extern-wasm', ...defaultClientConditions],
  },
  worker: { format: 'es' },
  // Only the worker imports these; found late, they would reload a page that is already in use.
  optimizeDeps: { include: ['@huggingface/tokenizers', 'onnxruntime-web/wasm'] },
});
