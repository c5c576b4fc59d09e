import type { Usage } from '../../../domain/reply.ts';
import { errorMessage, ModelFailure } from '../../../engine/model-failure.ts';
import { Queue } from '../../../engine/tasks.ts';
import type { LoadOptions } from '../runtime.ts';
import {
  holdLivenessLock,
  type ModelAnswer,
  type ModelFacts,
  type ModelRequest,
  type ModelResponse,
  type ModelTask,
  type SentFailure,
  type SentGeneration,
  type UseTask,
} from './protocol.ts';

/** A model inside its worker. Calls to methods it lacks are mistakes and fail as `unsupported`. */
export interface ServedModel {
  readonly facts: ModelFacts;
  /** Calls `piece` as text arrives. An abort ends it soon, without an error. */
  generate?(request: SentGeneration, piece: (text: string) => void, signal: AbortSignal): Promise<Usage>;
  /** Normalised vectors. */
  embed?(texts: readonly string[], signal: AbortSignal): Promise<Float32Array<ArrayBuffer>[]>;
  count?(texts: readonly string[]): Promise<number[]>;
}

/** The parts of a worker's global scope in use: a `DedicatedWorkerGlobalScope`, or a port in tests. */
interface Scope {
  onmessage: ((event: MessageEvent) => void) | null;
  postMessage(message: unknown, options?: { transfer: Transferable[] }): void;
}

type LoadTask<Spec> = Extract<ModelTask<Spec>, { kind: 'load' }>;

/** Serves a single model from this worker; see protocol.ts. `load` rejects with a ModelFailure. */
export const serveModel = <Spec>(
  load: (spec: Spec, options: LoadOptions) => Promise<ServedModel>,
  scope: Scope = self as unknown as Scope,
): void => {
  const controllers = new Map<number, AbortController>();
  let model: ServedModel | null = null;
  let running: number | null = null;
  const queue = new Queue();

  const send = (response: ModelResponse, transfer: Transferable[] = []): void =>
    scope.postMessage(response, { transfer });

  const begin = async (id: number, task: LoadTask<Spec>, signal: AbortSignal): Promise<ModelAnswer> => {
    const { spec, alive } = task;
    if (alive !== null) await holdLivenessLock(alive);
    model = await load(spec, {
      signal,
      onProgress: (progress) => send({ id, kind: 'progress', progress }),
      onLost: (error) => send({ kind: 'lost', failure: failureOf(error) }),
    });
    return { kind: 'loaded', facts: model.facts };
  };

  const perform = async (id: number, task: ModelTask<Spec>, signal: AbortSignal): Promise<ModelAnswer> => {
    if (task.kind === 'load') return begin(id, task, signal);
    if (model === null) throw new ModelFailure('unknown', 'The model was asked before it was loaded. Try again.');
    return use(model, id, task, signal);
  };

  const use = async (model: ServedModel, id: number, task: UseTask, signal: AbortSignal): Promise<ModelAnswer> => {
    switch (task.kind) {
      case 'generate': {
        if (!model.generate) throw lacking(model, 'write');
        const piece = (text: string): void => send({ id, kind: 'piece', text });
        return { kind: 'done', usage: await model.generate(task.request, piece, signal) };
      }
      case 'embed':
        if (!model.embed) throw lacking(model, 'compare texts');
        return { kind: 'embedded', vectors: await model.embed(task.texts, signal) };
      case 'count':
        if (!model.count) throw lacking(model, 'count tokens');
        return { kind: 'counted', counts: await model.count(task.texts) };
    }
  };

  const answer = async (id: number, task: ModelTask<Spec>): Promise<void> => {
    const signal = controllers.get(id)?.signal;
    // Aborted while it was queued, and answered then.
    if (signal === undefined) return;
    running = id;
    const result = await perform(id, task, signal).catch(
      (error: unknown): ModelAnswer => (signal.aborted ? CANCELLED : { kind: 'failed', failure: failureOf(error) }),
    );
    running = null;
    controllers.delete(id);
    send({ id, ...result }, result.kind === 'embedded' ? result.vectors.map(({ buffer }) => buffer) : []);
  };

  const abort = (id: number): void => {
    controllers.get(id)?.abort();
    // The page does not wait long for an answer, and the request before may take longer.
    if (id !== running && controllers.delete(id)) send({ id, ...CANCELLED });
  };

  scope.onmessage = ({ data }: MessageEvent<ModelRequest<Spec>>) => {
    if (data.kind === 'abort') return abort(data.id);
    const { id, ...task } = data;
    controllers.set(id, new AbortController());
    void queue.run(() => answer(id, task as ModelTask<Spec>));
  };
};

const CANCELLED: ModelAnswer = { kind: 'failed', failure: { kind: 'closed', message: 'It was cancelled.' } };

const lacking = ({ facts }: ServedModel, what: string): ModelFailure =>
  new ModelFailure('unsupported', `${facts.name} cannot ${what}. Choose another model for this role.`);

const failureOf = (error: unknown): SentFailure =>
  error instanceof ModelFailure
    ? { kind: error.kind, message: error.message, status: error.status }
    : { kind: 'unknown', message: errorMessage(error) };
