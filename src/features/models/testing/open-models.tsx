import '../../../ui/theme.css';
import { createRoot } from 'react-dom/client';
import { onTestFinished } from 'vitest';
import { createStore } from 'zustand/vanilla';
import type { Actions } from '../../../app/actions.ts';
import type {
  Machine,
  ModelControl,
  ModelSettings,
  Offer,
  OwnModel,
  RecommendedSet,
  RoleState,
  StoredModel,
} from '../../../app/model-control.ts';
import { type AppState, initialState } from '../../../app/state.ts';
import { readyRoles } from '../../../app/testing/plain-app.ts';
import type { Role } from '../../../domain/decision.ts';
import type { ModelFailure } from '../../../engine/model-failure.ts';
import { AppContext, useApp } from '../../../ui/app-context.ts';
import { ModelsDialog, type ModelsPage } from '../models-dialog.tsx';
import { someOffers, withGpu } from './some-offers.ts';

export const QWEN = 'webllm:Qwen3-1.7B-q4f16_1-MLC';
export const SMOL = 'wllama:ggml-org/SmolLM2-360M-Instruct-GGUF/q8.gguf';
const ships = { kind: 'embedded' } as const;
const recommended: RecommendedSet = {
  choices: { chat: { kind: 'model', key: QWEN }, decide: ships, summarise: { kind: 'same-as-chat' }, embed: ships },
  about: 'Good replies at reading speed.',
  downloadBytes: 1_120_000_000,
};

/** Opens the dialog on the page, over stand-in models. */
export const openModels = (page: ModelsPage) => {
  const store = createStore<AppState>(() => {
    const state = initialState(readyRoles, 'memory');
    return { ...state, session: { ...state.session, dialog: 'models', with: page } };
  });
  const put = (role: Role | 'consult', change: Partial<RoleState>) =>
    store.setState(({ models, consult }) =>
      role === 'consult'
        ? { consult: { ...(consult ?? readyRoles.decide), ...change } }
        : { models: { ...models, [role]: { ...models[role], ...change } } },
    );
  const staged = stagedModels(
    {
      machine: withGpu,
      offers: someOffers(true),
      recommended,
      stored: [{ key: SMOL, name: 'SmolLM2 360M', bytes: 386_000_000, total: 386_000_000 }],
      served: ['qwen3:4b', 'nomic-embed-text'],
    },
    put,
  );
  const problems: string[] = [];
  const actions = {
    models: staged.control,
    reportModelFailure: (what: string) => void problems.push(what),
    announce: () => undefined,
    embedderNow: () => ({ name: 'use-lite-en int8', theta: 0.45, languages: ['en'] }),
    session: (change: Partial<AppState['session']>) =>
      store.setState(({ session }) => ({ session: { ...session, ...change } })),
  } as unknown as Actions;
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  onTestFinished(() => {
    root.unmount();
    place.remove();
  });
  root.render(
    <AppContext value={{ store, actions, part: () => Promise.reject(new Error('nothing is asked for here')) }}>
      <Opened />
    </AppContext>,
  );
  return { ...staged, put, problems };
};

const Opened = () => {
  const page = useApp(({ session }) => session.with) as ModelsPage;
  return <ModelsDialog with={page} onClose={() => undefined} />;
};

export interface Stage {
  readonly machine: Machine;
  readonly offers: readonly Offer[];
  readonly recommended: RecommendedSet | null;
  readonly stored: readonly StoredModel[];
  /** What a server returns. */
  readonly served: readonly string[];
}

/**
 * Stands in for choosing and loading models: records what it is told and loads nothing. A chosen model is `loading`
 * until the test says otherwise. Requests named in `fail` reject.
 */
const stagedModels = (stage: Stage, onRoleState: (role: Role | 'consult', change: Partial<RoleState>) => void) => {
  let { offers, stored } = stage;
  let settings: ModelSettings = { hub: 'https://huggingface.co', consult: null };
  let withKey: readonly string[] = [];
  const asked: string[] = [];
  const fail = new Map<keyof ModelControl, ModelFailure>();
  const asks = async (what: keyof ModelControl, ...about: readonly string[]): Promise<void> => {
    asked.push([what, ...about].join(' '));
    const failure = fail.get(what);
    if (failure !== undefined) throw failure;
  };
  const put = (role: Role | 'consult', choice: RoleState['choice']) => {
    const key = choice.kind === 'model' ? choice.key : choice.kind;
    const name = offers.find((offer) => offer.key === key)?.name ?? key;
    onRoleState(role, { choice, name, failure: null, state: choice.kind === 'embedded' ? 'ready' : 'loading' });
  };
  const control: ModelControl = {
    probe: async (again) => {
      // Otherwise the last result is good enough.
      if (again) await asks('probe', 'again');
      return { ...stage.machine };
    },
    offers: async () => offers,
    recommended: async () => stage.recommended,
    choose: async (role, choice) => {
      await asks('choose', role, choice.kind === 'model' ? choice.key : choice.kind);
      put(role, choice);
    },
    chooseAll: async (choices) => {
      await asks('chooseAll');
      for (const [role, choice] of Object.entries(choices)) put(role as Role, choice);
      if (Object.values(choices).every(({ kind }) => kind === 'embedded')) put('consult', ships);
    },
    cancel: (role) => {
      asked.push(`cancel ${role}`);
      onRoleState(role, { state: 'idle', progress: null });
    },
    retry: (role) => asks('retry', role),
    stored: async () => stored,
    remove: async (key) => {
      await asks('remove', key);
      stored = stored.filter((model) => model.key !== key);
    },
    addOwn: async (model) => {
      await asks('addOwn', JSON.stringify(model));
      const added = ownOffer(model);
      offers = [...offers, added];
      return added;
    },
    removeOwn: async (key) => {
      await asks('removeOwn', key);
      offers = offers.filter((offer) => offer.key !== key);
    },
    connect: async ({ baseUrl, key, remember }) => {
      await asks('connect', baseUrl, key, String(remember));
      if (remember) withKey = [...withKey, baseUrl];
      return { baseUrl, models: stage.served };
    },
    serversWithKey: async () => withKey,
    disconnect: async (baseUrl) => {
      await asks('disconnect', baseUrl);
      withKey = withKey.filter((server) => server !== baseUrl);
      offers = offers.filter(({ leavesFor }) => leavesFor !== baseUrl);
    },
    settings: async () => settings,
    set: async (change) => {
      await asks('set', JSON.stringify(change));
      settings = { ...settings, ...change };
      if (change.consult !== undefined) put('consult', change.consult ?? ships);
    },
  };
  return { control, asked, fail };
};

const ownOffer = (model: OwnModel): Offer => {
  const name =
    model.runtime === 'server'
      ? model.model
      : model.runtime === 'webllm'
        ? model.modelId
        : 'hub' in model
          ? (model.hub.split('/').at(-1) ?? model.hub)
          : 'file' in model
            ? model.file.name
            : 'a folder';
  return {
    key: `${model.runtime}:${name}`,
    name,
    runtime: model.runtime,
    roles: ['chat', 'decide', 'summarise'],
    about: 'Your own.',
    downloadBytes: null,
    memoryBytes: null,
    speed: null,
    licence: null,
    unfit: null,
    own: true,
    leavesFor: model.runtime === 'server' ? model.baseUrl : null,
  };
};
