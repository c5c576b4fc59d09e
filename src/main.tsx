import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createApp } from './app/app.ts';
import type { RoleState } from './app/model-control.ts';
import { whenIdle } from './engine/tasks.ts';
import { features } from './features/features.ts';
import { isEmbedded } from './features/share/shared-address.ts';
import { createEmbeddedModels, deciderOnDemand } from './models/embedded/embedded-models.ts';
import { createBrowserRoles } from './models/roles/browser-roles.ts';
import { browserDrafts } from './storage/drafts.ts';
import { overlayStorage } from './storage/memory-storage.ts';
import {
  exclusive,
  goWithoutRefusedChannels,
  watchLessons,
  watchLog,
  watchSettings,
  whenFree,
} from './storage/tab-sync.ts';
import { AppView } from './ui/app.tsx';
import { AppContext } from './ui/app-context.ts';
import { FeaturesContext } from './ui/commands/feature.ts';
import { PartErrorBoundary } from './ui/parts/lazy-parts.tsx';

const ready = ({ name }: { name: string }): RoleState => ({
  choice: { kind: 'embedded' },
  name,
  answering: name,
  previous: null,
  missing: false,
  state: 'ready',
  progress: null,
  failure: null,
});

const embedded = createEmbeddedModels({
  base: document.baseURI,
  onEncoderState: (state) => roles.shippedEmbedder(state),
  isStill: () => matchMedia('(prefers-reduced-motion: reduce)').matches,
});
const learned = deciderOnDemand();
const models = { ...embedded, decide: learned.decide };

/** Random and short, since it appears in every log entry. (`crypto.randomUUID` is missing without TLS.) */
const newId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => (byte % 36).toString(36)).join('');

const roles = createBrowserRoles({
  embedded: models,
  tokens: embedded.tokens,
  loadShippedEmbedder: () => embedded.load(),
  show: (role, state) =>
    app.store.setState(({ models }) =>
      role === 'consult' ? { consult: state } : { models: { ...models, [role]: state } },
    ),
  consultFailed: (failure) => app.actions.reportModelFailure('The model asked where the decider is unsure', failure),
  compareAnew: (...how) => app.compareAnew(...how),
  newKey: newId,
});

const app = createApp(
  {
    // Loaded with its library after the first paint.
    openStorage: async (begin) => {
      goWithoutRefusedChannels();
      const opened = await (await import('./storage/indexeddb-storage.ts')).openStorage({}, begin);
      await roles.open({
        // The app may have gone on in memory, above what was opened.
        setting: (name) => app.setting(name) ?? opened.storage.setting(name),
        changeSetting: (...change) => app.changeSetting(...change),
      });
      return opened;
    },
    overlayStorage,
    models: () => roles.models,
    modelControl: roles,
    embedded: models,
    learner: learned.learner,
    rerunDeciders: async () => (await import('./models/embedded/what-if-deciders.ts')).createWhatIfDeciders(),
    heldOutDeciders: async (messages) =>
      (await import('./features/evaluate/held-out/held-out-deciders.ts')).heldOutDeciders(messages),
    readFile: async (...what) => (await import('./features/attachments/read-file.ts')).readFile(...what),
    readDialogues: async (...how) => (await import('./features/exchange/import-reader.ts')).readDialogues(...how),
    hashOf: async (bytes) => (await import('./features/attachments/read-file.ts')).sha256(bytes),
    drafts: browserDrafts(),
    watchLog,
    watchLessons,
    watchSettings,
    shippedPrompts: async () => (await import('./models/prompted/prompts.ts')).SHIPPED_PROMPTS,
    exclusive,
    whenFree,
    now: Date.now,
    elapsed: () => performance.now(),
    newId,
  },
  {
    chat: ready(models.chat),
    decide: ready(models.decide),
    summarise: ready(models.summarise),
    embed: { ...ready(models.embed), state: 'idle' },
  },
);

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');

/**
 * Loads what is not needed until the conversation is open: the encoder and the decider's weights, so that the first
 * message need not wait for them. If that fails, the status or the turn's trace says so, and the next use retries.
 */
const loadBehind = (): void => {
  void embedded.load().catch(() => undefined);
  void learned.load().catch(() => undefined);
};

/** Renders the page and loads the rest after its first paint. */
const open = (page: HTMLElement): void => {
  createRoot(page).render(
    <StrictMode>
      <AppContext value={app}>
        <PartErrorBoundary part="The page">
          <FeaturesContext value={features}>
            <AppView />
          </FeaturesContext>
        </PartErrorBoundary>
      </AppContext>
    </StrictMode>,
  );
  void app.start().then(() => {
    whenIdle(loadBehind);
    for (const { start } of features) start?.(app);
  });
};

// Embedded in another page's frame, it shows what its address contains and stores nothing.
if (isEmbedded(location)) void import('./features/share/iframe-page.ts').then(({ showEmbedded }) => showEmbedded(root));
else open(root);
