import { defineFeature } from '../../ui/commands/feature.ts';
import type { ModelsPage } from './models-dialog.tsx';

const at = (page: ModelsPage, words: string, also: string) =>
  ({ opens: 'models', with: page, group: 'Models', words, also }) as const;

export const models = defineFeature({
  dialogs: { models: async () => (await import('./models-dialog.tsx')).ModelsDialog },
  commands: {
    models: {
      opens: 'models',
      group: 'Models',
      words: 'Models…',
      also: 'load download language model',
      button: { label: 'Models', place: 'files' },
    },
    'models-chat': at('chat', 'Model that chats…', 'role'),
    'models-decide': at('decide', 'Model that decides…', 'role decider'),
    'models-summarise': at('summarise', 'Model that summarises…', 'role'),
    'models-embed': at('embed', 'Model that embeds…', 'role embedder'),
    'models-add': at('add', 'Add a model of your own…', 'gguf webllm transformers'),
    'models-server': at('server', 'Connect a server…', 'ollama openai vllm'),
    'models-kept': at('kept', 'Downloaded models…', 'delete files storage'),
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
      unless: ({ learning }) => (learning.lessons === 0 ? 'It has learned nothing from you yet.' : null),
      run: ({ actions }) => void actions.forgetLessons(),
    },
  },
});
