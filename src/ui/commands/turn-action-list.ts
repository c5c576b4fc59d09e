import type { Actions } from '../../app/actions.ts';
import { refusalInWords, turnsInWords } from '../../app/edits.ts';
import type { DialogName } from '../../app/features.ts';
import { type AppState, shownForest } from '../../app/state.ts';
import { byNumber, type Forest, type Node, type NodeId } from '../../domain/forest.ts';
import { handle, type Intent } from '../../domain/handle.ts';
import {
  answerTo,
  childrenOf,
  familyOf,
  followingOnBranch,
  nodeOf,
  pendingTurn,
  subtree,
} from '../../domain/queries.ts';
import { counted } from '../parts/format.ts';

export type TurnActionId =
  | 'reply-from-here'
  | 'make-active'
  | 'refer'
  | 'copy'
  | 'move'
  | 'own-topic'
  | 'take-out'
  | 'end-branch'
  | 'pin'
  | 'hide'
  | 'note'
  | 'summary'
  | 'topic-title'
  | 'branch-title'
  | 'delete'
  | 'purge';

/** An action on one turn, or on several at once. */
export interface TurnAction {
  readonly id: TurnActionId;
  readonly words: string;
  /** What it does, if its name does not say it all. */
  readonly hint: string | null;
  /** Why it is unavailable now, in words; null if it is available. */
  readonly refusal: string | null;
  readonly run: () => void;
  /** The variants, if there is more than one; `run` does the first. */
  readonly choices: readonly TurnChoice[];
}

interface TurnChoice {
  readonly words: string;
  readonly refusal: string | null;
  readonly run: () => void;
}

/**
 * All actions for these turns of the forest on screen, in groups; those that only make sense for a single turn are left
 * out for several.
 */
export const turnActionList = (state: AppState, actions: Actions, given: readonly NodeId[]): TurnAction[][] => {
  const forest = shownForest(state);
  const ids = given.filter((id) => forest.nodes[id] !== undefined);
  const [first] = ids;
  if (first === undefined) return [];
  const shared = { forest, isPast: state.past !== null, actions, ids };
  return ids.length === 1 ? forOne(shared, first) : forSeveral(shared);
};

interface About {
  readonly forest: Forest;
  readonly isPast: boolean;
  readonly actions: Actions;
  readonly ids: readonly NodeId[];
}

const FRESH = { treeId: 'asked', branchId: 'asked' };

const forOne = (about: About, id: NodeId): TurnAction[][] => {
  const { forest, actions } = about;
  const node = nodeOf(forest, id);
  const branch = forest.branches[node.branchId];
  const asked = { nodeId: id, fresh: FRESH, at: 0, step: 'asked' };
  const following = followingOnBranch(forest, id);
  return [
    [
      act(about, 'reply-from-here', 'Reply from here', () => actions.forkFrom(id), {
        hint: childrenOf(forest, id).length > 0 ? 'Your next message begins a new branch' : null,
      }),
      act(about, 'make-active', 'Make active', () => void actions.activate(id), {
        refusal: forest.active?.nodeId === id ? 'It is the active turn.' : null,
      }),
      open(about, 'refer', 'Refer to another turn…', 'refer'),
      copy(about),
    ],
    [
      open(about, 'move', 'Move under…', 'move'),
      act(about, 'own-topic', 'Make it a topic of its own', () => void actions.moveTurns([id], { kind: 'new-topic' }), {
        hint: withAllUnder(forest, id),
        refusal: node.parentId === null ? 'It already begins a topic.' : null,
      }),
      act(about, 'take-out', 'Detach from path', () => void actions.extractTurn(id), {
        hint: childrenOf(forest, id).length > 0 ? 'The turns below move up' : null,
        refusal:
          node.parentId === null && childrenOf(forest, id).length === 0
            ? 'It is already alone in its topic.'
            : refusalOf(forest, { type: 'extract', ...asked }),
      }),
      act(about, 'end-branch', 'End the branch here', () => void actions.endBranch(id), {
        hint: `Hides ${counted(following.length, 'turn')} that ${following.length === 1 ? 'follows' : 'follow'}`,
        refusal: following.every(({ hidden }) => hidden) ? 'It is the end of its branch.' : null,
      }),
    ],
    [
      pin(about),
      hide(about),
      open(about, 'note', node.note === null ? 'Add a note…' : 'Edit the note…', 'note'),
      open(about, 'summary', 'Edit summary…', 'summary'),
      open(about, 'topic-title', 'Rename topic…', 'topic-title'),
      open(about, 'branch-title', 'Rename branch…', 'branch-title', {
        refusal:
          branch?.headId === forest.trees[node.treeId]?.rootId ? 'The first branch uses the topic’s title.' : null,
      }),
    ],
    [
      remove(about),
      open(about, 'purge', 'Purge…', 'purge', { hint: 'Deletes the text and the undo history permanently' }),
    ],
  ];
};

const forSeveral = (about: About): TurnAction[][] => {
  const { actions, ids } = about;
  return [
    [
      open(about, 'move', 'Move under…', 'move'),
      act(about, 'own-topic', 'Make each a topic of its own', () => void actions.moveTurns(ids, { kind: 'new-topic' })),
      copy(about),
    ],
    [pin(about), hide(about)],
    [
      remove(about),
      open(about, 'purge', 'Purge…', 'purge', { hint: 'Deletes the text and the undo history permanently' }),
    ],
  ];
};

type Details = Partial<Pick<TurnAction, 'hint' | 'refusal' | 'choices'>>;

/** An edit: not available in the past, nor while a message is being placed. */
const act = (about: About, id: TurnActionId, words: string, run: () => void, details: Details = {}): TurnAction => {
  const { hint = null, refusal = null, choices = [] } = details;
  return { id, words, hint, refusal: whyNotNow(about) ?? refusal, run, choices };
};

/** Opens a dialog about the selected turns. */
const open = (about: About, id: TurnActionId, words: string, dialog: DialogName, details?: Details): TurnAction => {
  const { actions, ids } = about;
  const run = () => {
    actions.selectMany(ids, ids[0] ?? null);
    // The notice about an earlier action should not cover the dialog.
    actions.closeNotice();
    actions.session({ dialog });
  };
  return act(about, id, words, run, details);
};

const copy = (about: About): TurnAction => {
  const { forest, actions, ids } = about;
  const nodes = ids.map((id) => nodeOf(forest, id));
  // Copying only reads, so it is always available.
  return { ...act(about, 'copy', 'Copy', () => void copyTurns(nodes, actions.announce)), refusal: null };
};

const pin = (about: About): TurnAction => {
  const { forest, actions, ids } = about;
  const pins = ids.some((id) => !nodeOf(forest, id).pinned);
  return act(about, 'pin', pins ? 'Pin' : 'Unpin', () => void actions.pinTurns(ids, pins), {
    hint: pins
      ? 'In every context of focused and of the context-agent policies, in full if the model’s window has room'
      : null,
  });
};

const hide = (about: About): TurnAction => {
  const { forest, actions, ids } = about;
  const family = familyOf(forest, ids);
  const hides = ids.some((id) => !nodeOf(forest, id).hidden);
  const set = (nodeIds: readonly NodeId[]) => () => void actions.hideTurns(nodeIds, hides);
  return act(about, 'hide', hides ? 'Hide' : 'Show', set(ids), {
    hint: hides ? 'No model sees it' : null,
    choices: bothWays(ids, family, { alone: set(ids), all: set(family) }),
  });
};

const remove = (about: About): TurnAction => {
  const { forest, actions, ids } = about;
  const family = familyOf(forest, ids);
  const refusalAlone = refusalOf(forest, { type: 'delete', nodeIds: ids, alone: true, step: 'asked' });
  const [alone, all] = [true, false].map((only) => () => void actions.deleteTurns(ids, only)) as [
    () => void,
    () => void,
  ];
  const choices = bothWays(ids, family, { alone, all }, refusalAlone);
  return act(about, 'delete', 'Delete', alone, { hint: 'Undo brings it back', choices });
};

/** Variants for the turns alone or with everything under them; none if there is nothing under them. */
const bothWays = (
  ids: readonly NodeId[],
  family: readonly NodeId[],
  run: { readonly alone: () => void; readonly all: () => void },
  refusal: string | null = null,
): TurnChoice[] => {
  const under = family.length - ids.length;
  if (under === 0) return [];
  const alone = ids.length === 1 ? 'This turn alone' : `These ${ids.length} turns alone`;
  return [
    { words: alone, refusal, run: run.alone },
    {
      words: `With the ${counted(under, 'turn')} under ${ids.length === 1 ? 'it' : 'them'}`,
      refusal: null,
      run: run.all,
    },
  ];
};

const withAllUnder = (forest: Forest, id: NodeId): string | null => {
  const under = subtree(forest, id).length - 1;
  return under === 0 ? null : `With the ${counted(under, 'turn')} under it`;
};

const whyNotNow = ({ forest, isPast }: About): string | null => {
  if (isPast) return 'The past is read-only. Go back to now to make changes.';
  return pendingTurn(forest) === null ? null : refusalInWords('turn-pending');
};

const refusalOf = (forest: Forest, intent: Intent): string | null => {
  const handled = handle(forest, intent);
  return handled.ok ? null : refusalInWords(handled.refusal);
};

/** Turns as plain text, oldest first: each message followed by its answer. */
export const copiedText = (nodes: readonly Node[]): string =>
  [...nodes]
    .sort(byNumber)
    .map((node) => [node.message, answerTo(node)].filter((part) => part !== '').join('\n\n'))
    .join('\n\n---\n\n');

/** Copies turns to the clipboard, or announces why it could not. */
const copyTurns = async (nodes: readonly Node[], announce: (text: string) => void): Promise<void> => {
  try {
    await navigator.clipboard.writeText(copiedText(nodes));
    announce(`${turnsInWords(nodes)} copied.`);
  } catch {
    announce('Your browser blocked copying. Select the text and copy it manually.');
  }
};
