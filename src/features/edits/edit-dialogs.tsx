import {
  type ComponentType,
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useMemo,
  useState,
} from 'react';
import { refusalInWords } from '../../app/edits.ts';
import type { AppState } from '../../app/state.ts';
import type { Entry } from '../../domain/entry.ts';
import { byNumber, type Forest, type Node, type NodeId, PERSON } from '../../domain/forest.ts';
import { handle } from '../../domain/handle.ts';
import { beginning, familyOf, nodeOf, pendingTurn } from '../../domain/queries.ts';
import { messageNotShown } from '../../domain/scrub.ts';
import { createYielder } from '../../engine/tasks.ts';
import { useActions, useApp, useAppState } from '../../ui/app-context.ts';
import { turnsMeant } from '../../ui/commands/command.ts';
import { Button } from '../../ui/parts/button.tsx';
import { isComposing } from '../../ui/parts/composing.ts';
import { ConfirmDialog, Dialog } from '../../ui/parts/dialog.tsx';
import { TextArea, TextField } from '../../ui/parts/fields.tsx';
import { counted } from '../../ui/parts/format.ts';
import { useKeeping } from '../../ui/parts/hooks.ts';
import { Ellipsis, Muted } from '../../ui/parts/text.tsx';
import { turnsNamed } from '../../ui/parts/turn-words.ts';
import styles from './edit-dialogs.module.css';
import { MoveDialog, ReferDialog } from './move-dialog.tsx';

/** The turns that a dialog is about: all selected ones in chronological order, or the active one if none is selected. */
export const selectedTurns = (state: AppState): readonly NodeId[] =>
  turnsMeant({ ...state, past: null })
    .map((id) => nodeOf(state.forest, id))
    .sort(byNumber)
    .map(({ id }) => id);

/** The one that a dialog about a single turn is about: the one shown in the inspector, if that is among them. */
export const inspectedTurn = (state: AppState): readonly NodeId[] => {
  const ids = selectedTurns(state);
  const inspected = ids.filter((id) => id === state.session.selectedId);
  return inspected.length > 0 ? inspected : ids.slice(0, 1);
};

/** A dialog about the turns found when it opens, as long as any of them exists. */
const aboutTurns =
  (Content: ComponentType<AboutTurns>, turnsOf = selectedTurns) =>
  ({ onClose }: { onClose: () => void }) => {
    const getState = useAppState();
    const forest = useApp((state) => state.forest);
    // Another tab may remove a turn: what was meant for that turn must not reach another one.
    const [ids] = useState(() => turnsOf(getState()));
    const nodes = useMemo(() => ids.flatMap((id) => forest.nodes[id] ?? []), [ids, forest]);
    const [node] = nodes;
    const gone = node === undefined;
    useEffect(() => {
      if (gone) onClose();
    }, [gone, onClose]);
    return gone ? null : <Content nodes={nodes} node={node} onClose={onClose} />;
  };

interface AboutTurns {
  readonly nodes: readonly Node[];
  readonly node: Node;
  readonly onClose: () => void;
}

interface TextDialogsProps {
  readonly node: Node;
  readonly onClose: () => void;
}

const NoteDialog = ({ node, onClose }: TextDialogsProps) => {
  const { noteTurn } = useActions();
  return (
    <TextDialog
      title={`Note on turn ${node.number}`}
      description="No model sees it. It is part of what you share, export or back up. Leave it empty to remove it."
      label="Note"
      text={node.note ?? ''}
      action="Save"
      onKeep={(text) => noteTurn(node.id, text)}
      onClose={onClose}
    />
  );
};

/** What a summary is used for: little of it is sent by default, which whoever corrects one should know. */
const OF_SUMMARY =
  'It stands for the turn where summaries are sent, and helps to find the topic of a message. The policy focused sends parts of the turn’s own words instead, unless you refer to the summary.';

const SummaryDialog = ({ node, onClose }: TextDialogsProps) => {
  const { rewordSummary } = useActions();
  const { summary } = node;
  const byPerson = summary?.by === PERSON;
  return (
    <TextDialog
      title={`Summary of turn ${node.number}`}
      description={byPerson ? `Written by you. ${OF_SUMMARY}` : `${OF_SUMMARY} No model overwrites what you write.`}
      label="Summary"
      text={summary?.text ?? ''}
      action="Save"
      onKeep={(text) => rewordSummary(node.id, text)}
      onClose={onClose}
      others={
        <Button
          look="quiet"
          onClick={() => {
            onClose();
            void rewordSummary(node.id, '');
          }}
        >
          Summarise again
        </Button>
      }
    />
  );
};

const TopicTitleDialog = ({ node, onClose }: TextDialogsProps) => {
  const { titleTopic } = useActions();
  const title = useApp(({ forest }) => forest.trees[node.treeId]?.title ?? '');
  return (
    <TextDialog
      title="Rename topic"
      description="Your title stays. No model will rename it."
      label="Topic title"
      line
      required
      text={title}
      action="Rename"
      onKeep={(text) => titleTopic(node.treeId, text)}
      onClose={onClose}
    />
  );
};

const BranchTitleDialog = ({ node, onClose }: TextDialogsProps) => {
  const { titleBranch } = useActions();
  const title = useApp(({ forest }) => forest.branches[node.branchId]?.title ?? '');
  const head = useApp(({ forest }) => headOf(forest, node).number);
  return (
    <TextDialog
      title="Rename branch"
      description={`The branch that starts at turn ${head}. Without a title, it is named after that turn.`}
      label="Branch title"
      line
      text={title}
      action="Rename"
      onKeep={(text) => titleBranch(node.branchId, text)}
      onClose={onClose}
    />
  );
};

const headOf = (forest: Forest, node: Node): Node => nodeOf(forest, forest.branches[node.branchId]?.headId ?? node.id);

interface TextDialogProps {
  readonly title: string;
  readonly description: string;
  /** The field's accessible name. */
  readonly label: string;
  readonly text: string;
  /** A single line, as for a title. */
  readonly line?: boolean;
  /** Whether it cannot be emptied; elsewhere, that removes it. */
  readonly required?: boolean;
  /** The button's label. */
  readonly action: string;
  /** Resolves to whether it was kept. */
  readonly onKeep: (text: string) => Promise<boolean>;
  readonly onClose: () => void;
  /** Further actions, in the footer. */
  readonly others?: ReactNode;
}

/** Maximum length of a title in UTF-16 units, as elsewhere in the interface. */
const TITLE = 120;

/** Edits a text: a note, a summary, a title. Enter saves a single line, Ctrl Enter a longer text. What is refused stays in its field. */
const TextDialog = ({ title, description, label, text, line = false, action, ...rest }: TextDialogProps) => {
  const { onKeep, onClose, others, required = false } = rest;
  const [now, setNow] = useState(text);
  const id = useId();
  const changed = now.trim() !== text.trim();
  const pending = useApp(({ forest }) => pendingTurn(forest) !== null);
  const { keeping, keep } = useKeeping(onKeep, onClose);
  const submitted = (event: FormEvent) => {
    event.preventDefault();
    void keep(now, text);
  };
  const pressed = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || isComposing(event.nativeEvent) || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    if (!pending) void keep(now, text);
  };
  const field = {
    'aria-label': label,
    'data-write-here': true,
    value: now,
    readOnly: keeping,
    onChange: (event: { target: { value: string } }) => setNow(event.target.value),
  };
  return (
    <Dialog
      title={title}
      description={description}
      onClose={onClose}
      size="small"
      unsaved={changed}
      actions={
        <>
          {others}
          <span className={styles.space} />
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look="primary"
            type="submit"
            form={id}
            disabled={!changed || pending || (required && now.trim() === '')}
          >
            {action}
          </Button>
        </>
      }
    >
      <form id={id} onSubmit={submitted}>
        {line ? (
          <TextField {...field} maxLength={TITLE} onFocus={(event) => event.target.select()} />
        ) : (
          <TextArea {...field} rows={5} onKeyDown={pressed} />
        )}
        {pending && <Muted className={styles.note}>{refusalInWords('turn-pending')}</Muted>}
      </form>
    </Dialog>
  );
};

/** Number of turns shown by their first words; the rest is only counted. */
const SHOWN = 4;

/** Asks for confirmation before words are permanently removed, and says which. */
const PurgeDialog = ({ nodes, onClose }: { nodes: readonly Node[]; onClose: () => void }) => {
  const forest = useApp((state) => state.forest);
  const ids = nodes.map(({ id }) => id);
  const deletion = handle(forest, { type: 'delete', nodeIds: ids, alone: true, step: '' });
  // Deleting them alone is refused then. Words that have to go need not wait for that, but cannot be put back either.
  const joinsBranches = !deletion.ok && deletion.refusal === 'several-branches';
  const [alone, setAlone] = useState(!joinsBranches);
  const deleted = useDeletedTurns() ?? [];
  const [deletedToo, setDeletedToo] = useState(false);
  const family = familyOf(forest, ids).map((id) => nodeOf(forest, id));
  const purged = (alone ? nodes : family).map(({ id, number, message }) => ({ id, number, message }));
  const under = family.length - nodes.length;
  return (
    <ConfirmPurge
      title={`Purge ${turnsNamed(forest, ids)} for good?`}
      advice="If you might change your mind, delete or hide instead."
      turns={deletedToo ? [...purged, ...deleted] : purged}
      onClose={onClose}
    >
      {under > 0 && (
        <label className={styles.choice}>
          <input type="checkbox" checked={!alone} onChange={(event) => setAlone(!event.target.checked)} />
          Also the {counted(under, 'turn')} under {nodes.length === 1 ? 'it' : 'them'}. Otherwise,{' '}
          {under === 1 ? 'it moves' : 'they move'} up
          {joinsBranches && ', and the first of the branches that begin there takes the others under it'}.
        </label>
      )}
      {deleted.length > 0 && (
        <label className={styles.choice}>
          <input type="checkbox" checked={deletedToo} onChange={(event) => setDeletedToo(event.target.checked)} />
          Also {counted(deleted.length, 'turn')} deleted or undone earlier. Otherwise,{' '}
          {deleted.length === 1 ? 'its' : 'their'} text stays on the disk.
        </label>
      )}
    </ConfirmPurge>
  );
};

/** Purges what was deleted or undone earlier: its text is still on the disk, for undo and for the timeline. */
export const PurgeDeletedDialog = ({ onClose }: { onClose: () => void }) => {
  const deleted = useDeletedTurns();
  if (deleted === null || deleted.length === 0) {
    return (
      <Dialog
        title={deleted === null ? 'Looking for deleted turns' : 'Nothing to purge'}
        onClose={onClose}
        size="small"
      >
        <p>
          {deleted === null
            ? 'The whole conversation is being read.'
            : 'No text of a deleted or undone turn is left in this conversation.'}
        </p>
      </Dialog>
    );
  }
  return (
    <ConfirmPurge
      title={`Purge ${counted(deleted.length, 'deleted turn')} for good?`}
      advice={`Until now, undo or the timeline could bring ${deleted.length === 1 ? 'it' : 'them'} back.`}
      turns={deleted}
      onClose={onClose}
    />
  );
};

interface PurgedTurn {
  readonly id: NodeId;
  /** null: it has none any more. */
  readonly number: number | null;
  readonly message: string;
}

/** `turn 3`, `12 turns`; a turn that is deleted may have no number any more. */
export const purgedInWords = (turns: readonly PurgedTurn[]): string => {
  const [first] = turns;
  if (first === undefined || turns.length > 1) return counted(turns.length, 'turn');
  return first.number === null ? 'this turn' : `turn ${first.number}`;
};

interface ConfirmPurgeProps {
  readonly title: string;
  readonly advice: string;
  readonly turns: readonly PurgedTurn[];
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

const ConfirmPurge = ({ title, advice, turns, onClose, children }: ConfirmPurgeProps) => {
  const { purgeTurns } = useActions();
  const { past, future } = useApp((state) => state.forest.history);
  const isNamed = useApp((state) => state.forest.title !== null);
  const them = turns.length === 1 ? 'it' : 'them';
  const what = purgedInWords(turns);
  return (
    <ConfirmDialog
      title={title}
      description={`You can’t get ${them} back with undo, the timeline or a reload. ${advice}`}
      action={`Purge ${what}`}
      onConfirm={() => void purgeTurns(turns.map(({ id }) => id))}
      onClose={onClose}
    >
      <ul className={styles.turns} aria-label="What will be removed">
        {turns.slice(0, SHOWN).map(({ id, number, message }) => (
          <li key={id}>
            {number !== null && <span className={styles.number}>{number}</span>}{' '}
            <Ellipsis>{beginning(message, 160)}</Ellipsis>
          </li>
        ))}
        {turns.length > SHOWN && <li>and {counted(turns.length - SHOWN, 'more turn')}</li>}
      </ul>
      <ul className={styles.losses}>
        <li>The text of {what}, including replies, summaries and notes, is removed from this browser’s disk.</li>
        <li>
          The undo history of this conversation is deleted with {them}: {counted(past.length + future.length, 'step')},
          whatever they were about.
        </li>
        <li>Exact quotes in other turns are removed where found. Check those turns yourself.</li>
        {isNamed && <li>A name that you gave the conversation stays.</li>}
        <li>
          Copies in studies and in conversations that were started from this one stay. Remove or purge them there.
        </li>
        <li>Files you exported and anything sent to your own server are not affected.</li>
      </ul>
      {children}
    </ConfirmDialog>
  );
};

/** null while they are being looked for, which takes seconds in a very long log. */
const useDeletedTurns = (): readonly PurgedTurn[] | null => {
  const { reportFailure } = useActions();
  const getState = useAppState();
  const history = useApp((state) => state.forest.history);
  const [found, setFound] = useState<readonly PurgedTurn[] | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a streaming reply changes the forest, but not what was deleted
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const { forest, entries } = getState();
    const breathe = createYielder(() => performance.now(), signal);
    const look = async () => {
      const turns: PurgedTurn[] = [];
      for (let at = 0; at < entries.length; at++) {
        const gone = messageNotShown(forest, entries[at] as Entry);
        if (gone !== null) turns.push({ id: gone.nodeId, number: null, message: gone.message });
        await breathe();
      }
      if (!signal.aborted) setFound(turns);
    };
    look().catch((error: unknown) => {
      if (!signal.aborted) reportFailure('Looking for deleted turns', error);
    });
    return () => controller.abort();
  }, [getState, history, reportFailure]);
  return found;
};

export const EDIT_DIALOGS = {
  move: aboutTurns(MoveDialog),
  refer: aboutTurns(ReferDialog, inspectedTurn),
  note: aboutTurns(NoteDialog, inspectedTurn),
  summary: aboutTurns(SummaryDialog, inspectedTurn),
  'topic-title': aboutTurns(TopicTitleDialog, inspectedTurn),
  'branch-title': aboutTurns(BranchTitleDialog, inspectedTurn),
  purge: aboutTurns(PurgeDialog),
};
