import { adapterName, gpuAdapter, isSoftware } from '../../src/models/machine/probe-webgpu.ts';
import { webllmRuntime } from '../../src/models/runtimes/webllm/webllm-runtime.ts';
import { type Measured, measure } from './measure.ts';

/** What scripts and tests ask of this page: the app's own runtime and worker, and the library itself to compare with. */
const page = {
  /** The GPU that models are given here; null if none. */
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
