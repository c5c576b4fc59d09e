import { serveModel } from '../worker/serve-model.ts';
import { loadWebLlm, type WebLlmLoad } from './load-webllm.ts';

// The library weighs megabytes, so it is fetched only once a GPU has been found.
serveModel<WebLlmLoad>((task, options) => loadWebLlm(task, options, () => import('@mlc-ai/web-llm')));
