import type { AppState } from '../../../app/state.ts';
import { brokeOff, replyOf } from '../../../domain/queries.ts';
import { answerOf } from '../../../domain/reply.ts';
import { askAbout, selectedQuote } from '../../chat/quote.tsx';
import { buttonThere, type Command, inThePast, NO_TURN, pressButton, turnsMeant } from './command.ts';

/** The turn that a command about one is about; null if there is none, or several. */
export const turnMeant = (state: AppState) => {
  const [id, more] = turnsMeant(state);
  return id === undefined || more !== undefined ? null : ((state.past?.forest ?? state.forest).nodes[id] ?? null);
};

const aboutOne = (state: AppState): string | null =>
  turnMeant(state) === null ? (turnsMeant(state).length > 1 ? 'Select one turn only.' : NO_TURN) : inThePast(state);

const busy = ({ turn }: AppState): string | null =>
  turn === null ? null : 'A reply is being written. Stop it, or wait for it.';

const anotherReply = (state: AppState, step: 1 | -1): string | null => {
  const node = turnMeant(state);
  if (node === null || node.replies.length < 2) return 'This turn has one reply only.';
  return replyBeside(state, step) === undefined ? 'There is no reply in that direction.' : inThePast(state);
};

const replyBeside = (state: AppState, step: 1 | -1) => {
  const node = turnMeant(state);
  return node?.replies[node.replies.findIndex(({ id }) => id === node.replyId) + step];
};

/** The line above the message. */
const PLACE = '#choose-place';
const SETTINGS = '[aria-label^="Reply settings"]';

export const chatCommands: readonly Command[] = [
  {
    id: 'compose',
    group: 'Chat',
    words: 'Write a message',
    unless: inThePast,
    run: ({ actions, state }) => {
      actions.session({ pane: 'chat', folded: state().session.folded.filter((pane) => pane !== 'chat') });
      requestAnimationFrame(() => document.querySelector<HTMLElement>('#message')?.focus());
    },
  },
  {
    id: 'send',
    group: 'Chat',
    words: 'Send the message',
    unless: (state) =>
      inThePast(state) ?? (state.session.draft.trim() === '' ? 'There is no message yet.' : busy(state)),
    run: ({ actions, state }) => void actions.send(state().session.draft.trim()),
  },
  {
    id: 'stop',
    group: 'Chat',
    words: 'Stop the reply',
    unless: ({ turn }) => (turn === null ? 'Nothing is being written.' : null),
    run: ({ actions }) => actions.stop(),
  },
  {
    id: 'regenerate',
    group: 'Chat',
    words: 'Regenerate the reply',
    also: 'regenerate retry again',
    unless: (state) => aboutOne(state) ?? busy(state),
    run: ({ actions, state }) => {
      const node = turnMeant(state());
      if (node !== null) void actions.regenerate(node.id);
    },
  },
  {
    id: 'regenerate-embedded',
    group: 'Chat',
    words: 'Regenerate with the embedded chat model',
    also: 'regenerate recall',
    unless: (state) => aboutOne(state) ?? busy(state),
    run: ({ actions, state }) => {
      const node = turnMeant(state());
      if (node !== null) void actions.regenerate(node.id, 'embedded');
    },
  },
  {
    id: 'resume',
    group: 'Chat',
    words: 'Continue an interrupted reply',
    also: 'resume continue',
    unless: (state) => {
      const node = turnMeant(state);
      const reply = node === null ? null : replyOf(node);
      const broken = reply !== null && brokeOff(reply);
      return aboutOne(state) ?? (broken ? busy(state) : 'The reply of this turn is complete.');
    },
    run: ({ actions, state }) => {
      const node = turnMeant(state());
      if (node !== null) void actions.resume(node.id);
    },
  },
  ...([1, -1] as const).map((step): Command => {
    return {
      id: step === 1 ? 'next-reply' : 'previous-reply',
      group: 'Chat',
      words: step === 1 ? 'Next reply' : 'Previous reply',
      also: 'choose switch',
      unless: (state) => anotherReply(state, step),
      run: ({ actions, state }) => {
        const reply = replyBeside(state(), step);
        const node = turnMeant(state());
        if (node !== null && reply !== undefined) void actions.chooseReply(node.id, reply.id);
      },
    };
  }),
  {
    id: 'edit-message',
    group: 'Chat',
    words: 'Edit the turn’s message: forks beside it',
    also: 'rewrite',
    unless: aboutOne,
    run: ({ actions, state }) => {
      const node = turnMeant(state());
      if (node === null) return;
      actions.session({ editing: { nodeId: node.id, text: node.message }, selectedId: node.id, pane: 'chat' });
    },
  },
  {
    id: 'ask-about',
    group: 'Chat',
    words: 'Ask about the selected words, or the turn’s reply',
    also: 'quote branch question',
    unless: (state) => (turnsMeant(state).length === 0 ? NO_TURN : inThePast(state)),
    run: (reach) => {
      const node = turnMeant(reach.state());
      const reply = node === null ? null : replyOf(node);
      const words = (reply === null ? '' : answerOf(reply.text)) || (node?.message ?? '');
      const quote = selectedQuote() ?? (node === null ? null : { nodeId: node.id, words });
      if (quote === null) reach.actions.announce('Select words of a turn, or one turn only.');
      else askAbout(reach, quote);
    },
  },
  {
    id: 'choose-place',
    group: 'Chat',
    words: 'Choose where the next message goes…',
    also: 'place topic turn branch fork target here',
    unless: (state) => inThePast(state) ?? (state.forest.active === null ? NO_TURN : null),
    run: ({ actions, state }) => {
      const { pane, folded } = state().session;
      // At once where it can be: whoever types on means the list.
      if (pane === 'chat' && !folded.includes('chat')) return pressButton(PLACE);
      actions.session({ pane: 'chat', folded: folded.filter((one) => one !== 'chat') });
      requestAnimationFrame(() => pressButton(PLACE));
    },
  },
  {
    id: 'next-new-topic',
    group: 'Chat',
    words: 'The next message begins a new topic',
    unless: inThePast,
    run: ({ actions }) => {
      actions.session({ target: { kind: 'new-topic', chosen: true }, pane: 'chat' });
      actions.announce('The next message begins a new topic.');
    },
  },
  {
    id: 'next-anywhere',
    group: 'Chat',
    words: 'Let Coppice place the next message',
    also: 'automatic engine decides',
    unless: (state) => inThePast(state) ?? (state.session.target === null ? 'It already does.' : null),
    run: ({ actions }) => {
      actions.session({ target: null });
      actions.announce('Let Coppice place the next message.');
    },
  },
  {
    id: 'reply-settings',
    group: 'Chat',
    words: 'Reply settings…',
    also: 'system prompt temperature top-p',
    unless: (state) => inThePast(state) ?? (buttonThere(SETTINGS) ? null : 'Show the chat first.'),
    run: () => pressButton(SETTINGS),
  },
];

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
