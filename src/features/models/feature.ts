import type { ModelsPage } from '../../app/state.ts';
import { defineFeature } from '../../ui/commands/feature.ts';

type Page = Exclude<ModelsPage, 'overview'>;

const page = (modelsPage: Page, words: string, also: string) =>
  ({ opens: 'models', session: { modelsPage }, group: 'Models', words, also }) as const;

export const models = defineFeature({
  dialogs: { models: async () => (await import('./models-dialog.tsx')).ModelsDialog },
  commands: {
    models: {
      opens: 'models',
      session: { modelsPage: null },
      group: 'Models',
      words: 'Models…',
      also: 'load download language model',
      button: { label: 'Models', place: 'files' },
    },
    'models-chat': page('chat', 'Model that chats…', 'role'),
    'models-decide': page('decide', 'Model that decides…', 'role decider'),
    'models-summarise': page('summarise', 'Model that summarises…', 'role'),
    'models-embed': page('embed', 'Model that embeds…', 'role embedder'),
    'models-add': page('add', 'Add a model of your own…', 'gguf webllm transformers'),
    'models-server': page('server', 'Connect a server…', 'ollama openai vllm'),
    'models-kept': page('kept', 'Downloaded models…', 'delete files storage'),
    learn: {
      group: 'Models',
      words: 'Turn learning from your corrections on or off',
      also: 'lessons personal',
      run: ({ actions, state }) => void actions.letLearn(!state().learning.on),
    },
    'forget-lessons': {
      group: 'Models',
      words: 'Forget what the decider has learned from you',
      also: 'lessons personal',
      unless: ({ learning }) =>
        learning.corrections + learning.confirmations === 0 ? 'It has learned nothing from you yet.' : null,
      run: ({ actions }) => void actions.forgetLessons(),
    },
  },
});
