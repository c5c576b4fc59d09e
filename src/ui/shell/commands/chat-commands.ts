import type { Actions } from '../../../app/actions.ts';
import { draftText } from '../../../app/attachments.ts';
import { type AppState, paneInView } from '../../../app/state.ts';
import { answerTo, brokeOff, familyOf, replyOf } from '../../../domain/queries.ts';
import { whyNotSent } from '../../chat/composer.tsx';
import { askAbout, selectedQuote } from '../../chat/quote.tsx';
import {
  buttonThere,
  type Command,
  type CommandContext,
  disabledInPast,
  NO_TURN,
  pressButton,
  turnsMeant,
} from '../../commands/command.ts';
import { type TurnAction, type TurnActionId, turnActionList } from '../../commands/turn-action-list.ts';

/** The turn that a single-turn command applies to; null if there is none, or several. */
const turnMeant = (state: AppState) => {
  const [id, more] = turnsMeant(state);
  return id === undefined || more !== undefined ? null : ((state.past?.forest ?? state.forest).nodes[id] ?? null);
};

const aboutOne = (state: AppState): string | null =>
  turnMeant(state) === null
    ? turnsMeant(state).length > 1
      ? 'Select one turn only.'
      : NO_TURN
    : disabledInPast(state);

const busy = ({ turn }: AppState): string | null =>
  turn === null ? null : 'A reply is being written. Stop it, or wait for it to finish.';

const anotherReply = (state: AppState, step: 1 | -1): string | null => {
  const node = turnMeant(state);
  if (node === null || node.replies.length < 2) return 'This turn has only one reply.';
  return replyBeside(state, step) === undefined ? 'There is no reply in that direction.' : disabledInPast(state);
};

const replyBeside = (state: AppState, step: 1 | -1) => {
  const node = turnMeant(state);
  return node?.replies[node.replies.findIndex(({ id }) => id === node.replyId) + step];
};

/** The line above the message field. */
const PLACE = '#choose-place';

export const chatCommands: readonly Command[] = [
  {
    id: 'compose',
    group: 'Chat',
    words: 'Write a message',
    unless: disabledInPast,
    run: ({ actions, state }) => {
      actions.session(paneInView('chat', state().session));
      requestAnimationFrame(() => document.querySelector<HTMLElement>('#message')?.focus());
    },
  },
  {
    id: 'send',
    group: 'Chat',
    words: 'Send the message',
    unless: whyNotSent,
    run: ({ actions, state }) => void actions.send(draftText(state().session)),
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
      if (node !== null) actions.editMessage(node.id);
    },
  },
  {
    id: 'ask-about',
    group: 'Chat',
    words: 'Ask about the selected words, or the turn’s reply',
    also: 'quote branch question',
    unless: (state) => (turnsMeant(state).length === 0 ? NO_TURN : disabledInPast(state)),
    run: (reach) => {
      const node = turnMeant(reach.state());
      const quote =
        selectedQuote() ?? (node === null ? null : { nodeId: node.id, words: answerTo(node) || node.message });
      if (quote === null) reach.actions.announce('Select words of a turn, or one turn only.');
      else askAbout(reach, quote);
    },
  },
  {
    id: 'choose-place',
    group: 'Chat',
    words: 'Choose where the next message goes…',
    also: 'place topic turn branch fork target here',
    unless: (state) => disabledInPast(state) ?? (state.forest.active === null ? NO_TURN : null),
    run: ({ actions, state }) => {
      const { session } = state();
      // Synchronously if possible: anything typed next is meant for the list.
      if (session.pane === 'chat' && !session.folded.includes('chat')) return pressButton(PLACE);
      actions.session(paneInView('chat', session));
      requestAnimationFrame(() => pressButton(PLACE));
    },
  },
  {
    id: 'next-new-topic',
    group: 'Chat',
    words: 'The next message begins a new topic',
    unless: disabledInPast,
    run: ({ actions, state }) => {
      actions.session({ target: { kind: 'new-topic', chosen: true }, ...paneInView('chat', state().session) });
      actions.announce('The next message begins a new topic.');
    },
  },
  {
    id: 'next-anywhere',
    group: 'Chat',
    words: 'Let Coppice place the next message',
    also: 'automatic engine decides',
    unless: (state) => disabledInPast(state) ?? (state.session.target === null ? 'Already selected.' : null),
    run: ({ actions }) => {
      actions.session({ target: null });
      actions.announce('Coppice places the next message.');
    },
  },
  {
    id: 'reply-settings',
    group: 'Chat',
    words: 'Reply settings…',
    also: 'system prompt temperature top-p',
    unless: disabledInPast,
    run: ({ actions }) => actions.session({ dialog: 'reply-settings' }),
  },
];

const RENAME = 'header [aria-label="Rename"]';
const saved = (state: AppState): string | null =>
  state.conversations.some(({ id }) => id === state.conversationId) ? null : 'This conversation is empty.';

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

/** For the list of shortcuts, which has no particular turn. */
const WORDS: Readonly<Record<TurnActionId, string>> = {
  'reply-from-here': 'Reply from here',
  'make-active': 'Make active',
  refer: 'Refer to another turn…',
  copy: 'Copy',
  move: 'Move under…',
  'own-topic': 'Make it a topic of its own',
  'take-out': 'Detach from path',
  'end-branch': 'End the branch here',
  pin: 'Pin or unpin',
  hide: 'Hide or show',
  note: 'Note…',
  summary: 'Edit summary…',
  'topic-title': 'Rename topic…',
  'branch-title': 'Rename branch…',
  delete: 'Delete',
  purge: 'Purge…',
};

const ALSO: Partial<Record<TurnActionId, string>> = {
  'reply-from-here': 'fork branch continue',
  'make-active': 'switch activate',
  refer: 'reference link',
  move: 're-parent merge',
  'own-topic': 'split',
  'take-out': 'extract',
  'end-branch': 'move tip back',
  delete: 'remove',
  purge: 'erase privacy for good',
};

/** Never runs anything: only used to list which actions are possible. */
const nobody = new Proxy({} as Actions, { get: () => () => undefined });

let last: { state: AppState; list: readonly TurnAction[] } | null = null;
const listed = (state: AppState): readonly TurnAction[] => {
  if (last?.state !== state) last = { state, list: turnActionList(state, nobody, turnsMeant(state)).flat() };
  return last.list;
};

const whyNot = (state: AppState, id: TurnActionId): string | null => {
  if (turnsMeant(state).length === 0) return NO_TURN;
  const action = listed(state).find((one) => one.id === id);
  return action === undefined ? 'Select one turn only.' : action.refusal;
};

const meant = (state: AppState): string => {
  const ids = turnsMeant(state);
  const node = turnMeant(state);
  return ids.length > 1 ? `${ids.length} turns` : node === null ? 'no turn' : `turn ${node.number}`;
};

const runOne = ({ actions, state }: CommandContext, id: TurnActionId): void =>
  turnActionList(state(), actions, turnsMeant(state()))
    .flat()
    .find((one) => one.id === id)
    ?.run();

const byAction = (id: TurnActionId): Command => ({
  id,
  group: 'Turn',
  words: WORDS[id],
  wordsNow: (state) => `${listed(state).find((one) => one.id === id)?.words ?? WORDS[id]} · ${meant(state)}`,
  ...(ALSO[id] === undefined ? {} : { also: ALSO[id] }),
  unless: (state) => whyNot(state, id),
  run: (reach) => runOne(reach, id),
});

/** A command on turns together with everything under them. */
const withAllUnder = (id: 'hide-all' | 'delete-all', like: 'hide' | 'delete', words: string): Command => ({
  id,
  group: 'Turn',
  words,
  wordsNow: (state) => `${words} · ${meant(state)}`,
  unless: (state) => whyNot(state, like),
  run: ({ actions, state }) => {
    const ids = turnsMeant(state());
    const { forest } = state();
    if (id === 'delete-all') return void actions.deleteTurns(ids, false);
    void actions.hideTurns(
      familyOf(forest, ids),
      ids.some((one) => forest.nodes[one]?.hidden === false),
    );
  },
});

export const turnCommands: readonly Command[] = [
  ...(Object.keys(WORDS) as TurnActionId[]).map(byAction),
  withAllUnder('hide-all', 'hide', 'Hide or show with all under it'),
  withAllUnder('delete-all', 'delete', 'Delete with all under it'),
  {
    id: 'confirm',
    group: 'Turn',
    words: 'Confirm that it is in the right place',
    also: 'confirm annotate label',
    wordsNow: (state) => `Confirm that it is in the right place · ${meant(state)}`,
    unless: (state) => {
      const node = turnMeant(state);
      if (node === null) return turnsMeant(state).length > 1 ? 'Select one turn only.' : NO_TURN;
      return (
        disabledInPast(state) ?? (node.label === null ? null : 'You have already confirmed or corrected this turn.')
      );
    },
    run: ({ actions, state }) => {
      const node = turnMeant(state());
      if (node !== null) void actions.confirm(node.id);
    },
  },
];
