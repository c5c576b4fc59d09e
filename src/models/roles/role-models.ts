import type { Progress, RoleState } from '../../app/model-control.ts';
import type { Role } from '../../domain/decision.ts';
import { ModelFailure } from '../../engine/model-failure.ts';
import type { ChatModel, Decider, Embedder, Models, Summariser } from '../../engine/ports.ts';
import { chatModel } from '../prompted/chat-model.ts';
import { promptedDecider } from '../prompted/prompted-decider.ts';
import { promptedSummariser } from '../prompted/prompted-summariser.ts';
import type { LoadProgress } from '../runtimes/runtime.ts';
import { speedMeter } from '../store/speed-meter.ts';
import { type Loaded, ModelPool, type Runtimes } from './model-pool.ts';
import { RoleModel, type RoleParts } from './role-model.ts';
import { watchedEmbedder, watchedGenerator } from './watched.ts';

export interface RoleModelsParts {
  readonly embedded: Models;
  readonly runtimes: Runtimes;
  show(role: Role, state: RoleState): void;
  /** The model that is asked where the decider is unsure has no place of its own where its state would show. */
  consultFailed(failure: ModelFailure): void;
  /** Embeds the open conversation by another embedder, before that one answers. */
  compareAnew(embedder: Embedder, onDone: (done: number, of: number) => void, signal: AbortSignal): Promise<void>;
  now(): number;
}

/** The models of all roles. A chat model has its engine to itself; whoever decides and summarises may share one. */
export interface RoleModels {
  readonly chat: RoleModel<ChatModel>;
  readonly decide: RoleModel<Decider>;
  readonly summarise: RoleModel<Summariser>;
  readonly embed: RoleModel<Embedder>;
  /** Asked where the embedded decider is unsure; null for nobody. */
  readonly consult: RoleModel<Decider | null>;
}

export const createRoleModels = ({
  embedded,
  runtimes,
  show,
  consultFailed,
  compareAnew,
  now,
}: RoleModelsParts): RoleModels => {
  const pool = new ModelPool(runtimes);
  const meter = (): ((progress: LoadProgress) => Pick<Progress, 'speed' | 'timeLeft'>) => {
    const pace = speedMeter();
    return ({ loaded, total }) => pace(loaded, total, now());
  };
  const side = <T>(
    role: Role | null,
    shipped: T & ({ readonly name: string } | null),
    make: RoleParts<T>['make'],
  ): RoleParts<T> => ({
    pool,
    use: 'side',
    meter,
    embedded: { model: shipped, name: shipped?.name ?? 'nobody' },
    make,
    now,
    show: (state) => {
      if (role !== null) show(role, state);
      else if (state.failure !== null) consultFailed(new ModelFailure(state.failure.kind, state.failure.message));
    },
  });
  const decider: RoleParts<Decider>['make'] = (loaded, onActive) =>
    promptedDecider(watchedGenerator(generatorIn(loaded), onActive));
  return {
    chat: new RoleModel<ChatModel>({
      ...side<ChatModel>('chat', embedded.chat, (loaded, onActive) =>
        chatModel(watchedGenerator(generatorIn(loaded), onActive)),
      ),
      use: 'chat',
    }),
    decide: new RoleModel<Decider>(side('decide', embedded.decide, decider)),
    summarise: new RoleModel<Summariser>(
      side<Summariser>('summarise', embedded.summarise, (loaded, onActive) =>
        promptedSummariser(watchedGenerator(generatorIn(loaded), onActive)),
      ),
    ),
    embed: new RoleModel<Embedder>({
      ...side<Embedder>('embed', embedded.embed, (loaded, onActive) => watchedEmbedder(embedderIn(loaded), onActive)),
      use: 'embed',
      settle: (embedder, onProgress, signal) =>
        compareAnew(
          embedder,
          (loaded, total) => onProgress({ phase: 'embedding', loaded, total, speed: null, timeLeft: null }),
          signal,
        ),
    }),
    consult: new RoleModel<Decider | null>(side<Decider | null>(null, null, decider)),
  };
};

const generatorIn = (loaded: Loaded) => {
  if (loaded.kind === 'generator') return loaded.generator;
  throw new ModelFailure('unsupported', `${loaded.embedder.name} compares texts, it does not write.`);
};

const embedderIn = (loaded: Loaded) => {
  if (loaded.kind === 'embedder') return loaded.embedder;
  throw new ModelFailure('unsupported', `${loaded.generator.name} writes, it does not compare texts.`);
};
