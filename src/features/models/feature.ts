import type { ModelsPage } from '../../app/state.ts';
import { dialogCommand, type Feature, type FeatureCommand } from '../../ui/commands/feature.ts';

type Page = Exclude<ModelsPage, 'overview'>;

const page = (modelsPage: Page, words: string, also: string): FeatureCommand =>
  dialogCommand('models', { group: 'Models', words, also }, { modelsPage });

export const models: Feature<'models', 'models' | `models-${Page}` | 'learn' | 'forget-lessons'> = {
  dialogs: { models: async () => (await import('./models-dialog.tsx')).ModelsDialog },
  commands: {
    models: dialogCommand(
      'models',
      {
        group: 'Models',
        words: 'Models…',
        also: 'load download language model',
        button: { label: 'Models', place: 'files' },
      },
      { modelsPage: null },
    ),
    'models-chat': page('chat', 'Model that chats…', 'role'),
    'models-decide': page('decide', 'Model that decides…', 'role decider'),
    'models-summarise': page('summarise', 'Model that summarises…', 'role'),
    'models-embed': page('embed', 'Model that embeds…', 'role embedder'),
    'models-add': page('add', 'Add a model of your own…', 'gguf webllm transformers'),
    'models-server': page('server', 'Connect a server…', 'ollama openai vllm'),
    'models-kept': page('kept', 'Models kept on this machine…', 'delete files storage'),
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
};
