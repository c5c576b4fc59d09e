import type { Usage } from '../../../../domain/reply.ts';
import type { ModelFailure } from '../../../../engine/model-failure.ts';
import { ModelFailure as Failure } from '../../../../engine/model-failure.ts';
import type { GenerationRequest, LoadOptions, TextGenerator } from '../../runtime.ts';
import { workerGenerator } from '../../worker/model-worker.ts';
import { paired } from '../../worker/testing/paired.ts';
import { startEngine } from '../load-webllm.ts';
import { type LoadedModel, servedEngine } from '../served-engine.ts';
import { CHATML, StandInEngine } from './stand-in-engine.ts';

const never = new AbortController().signal;

/** The page's own protocol with its worker, with a stand-in for the library's engine behind it. */
export const standInModel = (more: Partial<LoadedModel> = {}) => {
  const engine = new StandInEngine();
  const lost: Error[] = [];
  const pair = paired(async (name, options) => {
    const device = new Promise<ModelFailure>((resolve) => {
      engine.loseDevice = () => resolve(new Failure('device-lost', 'The GPU is gone.'));
    });
    const started = await startEngine(() => engine, { id: name, name, bytes: 1000 }, device, options);
    void device.then(options.onLost);
    const model: LoadedModel = {
      name,
      window: 64,
      template: CHATML,
      packaged: false,
      tokenizer: null,
      thinks: false,
      ...more,
    };
    return servedEngine(started, model, device, options.onLost);
  });
  const load = async (options: Partial<LoadOptions> = {}): Promise<TextGenerator> => {
    const facts = await pair.model.load('stand-in', {
      signal: never,
      onProgress: () => undefined,
      onLost: (error) => lost.push(error),
      ...options,
    });
    return workerGenerator(pair.model, facts);
  };
  return { engine, lost, load, pair };
};

export const request = (more: Partial<GenerationRequest> = {}): GenerationRequest => ({
  messages: [{ role: 'user', content: 'count to five' }],
  begun: '',
  temperature: null,
  topP: null,
  maxTokens: null,
  schema: null,
  ...more,
});

/** A whole reply, its usage, and what ended it if it did not end by itself. */
export const replyOf = async (
  generator: TextGenerator,
  asked: GenerationRequest = request(),
  signal: AbortSignal = never,
): Promise<{ text: string; usage: Usage | null; failure: unknown }> => {
  const reply: { text: string; usage: Usage | null; failure: unknown } = { text: '', usage: null, failure: null };
  try {
    for await (const piece of generator.generate({ ...asked, onUsage: (usage) => (reply.usage = usage) }, signal)) {
      reply.text += piece;
    }
  } catch (error) {
    reply.failure = error;
  }
  return reply;
};
