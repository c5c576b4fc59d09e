import type { AppState } from '../../../app/state.ts';
import { buttonThere, type Command, NO_TURN, pressButton } from './command.ts';

const RENAME = 'header [aria-label="Rename"]';
const saved = (state: AppState): string | null =>
  state.conversations.some(({ id }) => id === state.conversationId) ? null : NO_TURN;

export const conversationCommands: readonly Command[] = [
  {
    id: 'new-conversation',
    group: 'Conversations',
    words: 'New conversation',
    run: ({ actions }) => void actions.newConversation(),
  },
  {
    id: 'conversations',
    group: 'Conversations',
    words: 'All conversations…',
    also: 'list open',
    run: ({ actions }) => actions.session({ dialog: 'conversations' }),
  },
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
];
