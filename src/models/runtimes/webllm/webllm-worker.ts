import { serveModel } from '../worker/serve-model.ts';
import { loadWebLlm, type WebLlmLoad } from './load-webllm.ts';

// The library is fetched only once there is a GPU for it: it weighs megabytes.
serveModel<WebLlmLoad>((task, options) => loadWebLlm(task, options, () => import('@mlc-ai/web-llm')));
