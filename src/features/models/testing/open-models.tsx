import '../../../ui/theme.css';
import { createRoot } from 'react-dom/client';
import { onTestFinished } from 'vitest';
import { createStore } from 'zustand/vanilla';
import type { Actions } from '../../../app/actions.ts';
import type { RecommendedSet, RoleState } from '../../../app/model-control.ts';
import { type AppState, initialState } from '../../../app/state.ts';
import { readyRoles } from '../../../app/testing/no-choice.ts';
import type { Role } from '../../../domain/decision.ts';
import { AppContext } from '../../../ui/app-context.ts';
import { TooltipProvider } from '../../../ui/parts/tooltip.tsx';
import { ModelsDialog } from '../models-dialog.tsx';
import { someOffers, withGpu } from './some-offers.ts';
import { stagedModels } from './staged-models.ts';

export const QWEN = 'webllm:Qwen3-1.7B-q4f16_1-MLC';
export const SMOL = 'wllama:ggml-org/SmolLM2-360M-Instruct-GGUF/q8.gguf';
const ships = { kind: 'embedded' } as const;
const recommended: RecommendedSet = {
  choices: { chat: { kind: 'model', key: QWEN }, decide: ships, summarise: { kind: 'same-as-chat' }, embed: ships },
  about: 'Good replies at reading speed.',
  downloadBytes: 1_120_000_000,
};

/** The dialog on the page, over models that only play their part. */
export const openModels = (modelsPage: AppState['session']['modelsPage'] = null) => {
  const store = createStore<AppState>(() => {
    const state = initialState(readyRoles, 'memory');
    return { ...state, session: { ...state.session, dialog: 'models', modelsPage } };
  });
  const put = (role: Role, change: Partial<RoleState>) =>
    store.setState(({ models }) => ({ models: { ...models, [role]: { ...models[role], ...change } } }));
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
    <AppContext value={{ store, actions }}>
      <TooltipProvider>
        <ModelsDialog onClose={() => undefined} />
      </TooltipProvider>
    </AppContext>,
  );
  return { ...staged, put, problems };
};
