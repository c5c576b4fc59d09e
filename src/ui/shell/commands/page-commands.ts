import type { AppState, DialogName, ModelsPage } from '../../../app/state.ts';
import { setSingleKeys, singleKeys } from '../single-keys.ts';
import { buttonThere, type Command, type Group, NO_TURN, pressButton, turnsMeant } from './command.ts';
import type { CommandId } from './default-keys.ts';

const dialog = (id: CommandId & DialogName, group: Group, words: string, also = ''): Command => ({
  id,
  group,
  words,
  also,
  run: ({ actions }) => actions.session({ dialog: id, modelsPage: null }),
});

const models = (page: ModelsPage, words: string, also: string): Command => ({
  id: `models-${page}` as CommandId,
  group: 'Models',
  words,
  also,
  run: ({ actions }) => actions.session({ dialog: 'models', modelsPage: page }),
});

const RENAME = 'header [aria-label="Rename"]';
const noReplay = ({ replay }: AppState): string | null => (replay === null ? 'Nothing is being replayed.' : null);
const saved = (state: AppState): string | null =>
  state.conversations.some(({ id }) => id === state.conversationId) ? null : NO_TURN;

export const pageCommands: readonly Command[] = [
  {
    id: 'new-conversation',
    group: 'Conversations',
    words: 'New conversation',
    run: ({ actions }) => void actions.newConversation(),
  },
  dialog('conversations', 'Conversations', 'All conversations…', 'list open'),
  {
    id: 'rename-conversation',
    group: 'Conversations',
    words: 'Rename the conversation',
    also: 'title',
    unless: (state) => saved(state) ?? (buttonThere(RENAME) ? null : 'Rename it in the list of conversations.'),
    run: () => pressButton(RENAME),
  },
  {
    id: 'delete-conversation',
    group: 'Conversations',
    words: 'Delete the conversation',
    also: 'remove',
    unless: saved,
    run: ({ actions, state }) => void actions.deleteConversation(state().conversationId),
  },
  dialog('import', 'Conversations', 'Import…', 'open file dialogue replay'),
  dialog('export', 'Conversations', 'Export…', 'save download file'),
  {
    id: 'replay-pause',
    group: 'Conversations',
    words: 'Replay: pause, or go on',
    unless: noReplay,
    run: ({ actions, state }) =>
      state().replay?.running === true ? actions.pauseReplay() : void actions.resumeReplay(),
  },
  {
    id: 'replay-step',
    group: 'Conversations',
    words: 'Replay: one turn',
    unless: (state) => noReplay(state) ?? (state.replay?.running === true ? 'Pause the replay first.' : null),
    run: ({ actions }) => void actions.stepReplay(),
  },
  {
    id: 'replay-stop',
    group: 'Conversations',
    words: 'Replay: stop',
    unless: noReplay,
    run: ({ actions }) => actions.stopReplay(),
  },
  dialog('models', 'Models', 'Models…', 'load download language model'),
  models('chat', 'Model that chats…', 'role'),
  models('decide', 'Model that decides…', 'role decider'),
  models('summarise', 'Model that summarises…', 'role'),
  models('embed', 'Model that embeds…', 'role embedder'),
  models('add', 'Add a model of your own…', 'gguf webllm transformers'),
  models('server', 'Connect a server…', 'ollama openai vllm'),
  models('kept', 'Models kept on this machine…', 'delete files storage'),
  {
    id: 'learn',
    group: 'Models',
    words: 'Let the decider learn from your corrections, or not',
    also: 'lessons personal',
    run: ({ actions, state }) => void actions.letLearn(!state().learning.on),
  },
  {
    id: 'forget-lessons',
    group: 'Models',
    words: 'Forget what the decider has learned from you',
    also: 'lessons personal',
    unless: ({ learning }) =>
      learning.corrections + learning.confirmations === 0 ? 'It has learned nothing from you yet.' : null,
    run: ({ actions }) => void actions.forgetLessons(),
  },
  {
    id: 'what-if-from',
    group: 'Turn',
    words: 'What if from this turn…',
    also: 'run again rerun decide otherwise',
    unless: (state) => (turnsMeant(state).length === 0 ? NO_TURN : null),
    run: ({ actions, state }) => actions.session({ dialog: 'what-if', whatIfFrom: turnsMeant(state())[0] ?? null }),
  },
  {
    id: 'palette',
    group: 'Coppice',
    words: 'All commands…',
    also: 'palette',
    run: ({ actions }) => actions.session({ dialog: 'palette' }),
  },
  dialog('shortcuts', 'Coppice', 'Shortcuts…', 'keys keyboard rebind'),
  dialog('evaluate', 'Coppice', 'Evaluate…', 'measure benchmark'),
  dialog('compare', 'Coppice', 'Compare memories…', 'policies side by side tokens cost memtree raptor memgpt chart'),
  dialog('what-if', 'Coppice', 'What if…', 'run again rerun compare sweep threshold theta decider'),
  dialog('analysis', 'Coppice', 'Analysis…', 'decisions charts tokens confidence table csv jsonl traces'),
  dialog('engine-settings', 'Coppice', 'Engine…', 'settings policy parameters prompts threshold theta versions'),
  dialog('settings', 'Coppice', 'Settings…', 'preferences storage'),
  {
    id: 'single-keys',
    group: 'Coppice',
    words: 'Single keys work, or not',
    also: 'accessibility speech shortcuts',
    run: ({ actions }) => {
      setSingleKeys(!singleKeys());
      actions.announce(singleKeys() ? 'Single keys work.' : 'Single keys are off.');
    },
  },
];
