import { adapterName, gpuAdapter, isSoftware } from '../../src/models/machine/probe-webgpu.ts';
import { webllmRuntime } from '../../src/models/runtimes/webllm/webllm-runtime.ts';
import { type Measured, measure } from './measure.ts';

/** API of this page for scripts and tests: the app's own runtime and worker, and the library itself for comparison. */
const page = {
  /** The GPU that models get here; null if there is none. */
  gpu: async () => {
    const adapter = await gpuAdapter(navigator.gpu, { powerPreference: 'high-performance' });
    if (adapter === null) return null;
    const { info, features } = adapter;
    return { name: adapterName(info), software: isSoftware(info), f16: features.has('shader-f16') };
  },
  runtime: webllmRuntime,
  library: () => import('@mlc-ai/web-llm'),
  measure: (modelId: string, hub: string): Promise<Measured> =>
    measure(webllmRuntime({ hub: () => hub }), modelId, (text) => {
      document.title = text;
      const state = document.getElementById('state');
      if (state) state.textContent = text;
    }),
};

declare global {
  interface Window {
    webllm: typeof page;
  }
}

window.webllm = page;
