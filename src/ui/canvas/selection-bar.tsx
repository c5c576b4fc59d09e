import { Download, EyeOff, FolderInput, type LucideIcon, Pin, Trash2, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { shownForest } from '../../app/state.ts';
import { byNumber, type Forest, type Node, type NodeId } from '../../domain/forest.ts';
import { answerTo } from '../../domain/queries.ts';
import { useActions, useApp, useAppState } from '../app-context.ts';
import { type TurnAction, turnActionList } from '../commands/turn-action-list.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { download } from '../parts/download.ts';
import { asQuote, counted, lowered, withoutHtml } from '../parts/format.ts';
import { afterMenu, Menu, MenuItem } from '../parts/menu.tsx';
import { Tooltip } from '../parts/tooltip.tsx';
import type { Scene } from './scene.ts';
import styles from './selection-bar.module.css';

interface Props {
  readonly scene: Scene;
  /** Clicks add to the selection until the user is done. */
  readonly several: boolean;
  readonly onDone: () => void;
}

/** Actions on several selected turns; shown while several are selected or being chosen. */
export const SelectionBar = ({ scene, several, onDone }: Props) => {
  const actions = useActions();
  const state = useAppState();
  // What is possible depends on the moment shown.
  useApp(({ past }) => past);
  const { forest, selection } = scene;
  const ids = [...selection].filter((id) => forest.nodes[id] !== undefined);
  if (ids.length < 2 && !several) return null;
  const topics = new Set(ids.map((id) => forest.nodes[id]?.treeId)).size;
  const all = turnActionList(state(), actions, ids).flat();
  const action = (id: TurnAction['id']) => all.find((one) => one.id === id);
  return (
    <div className={styles.bar} role="toolbar" aria-label="Selected turns">
      {ids.length === 0 ? (
        <span className={styles.ask}>Choose turns</span>
      ) : (
        <span className={styles.count}>
          {counted(ids.length, 'turn')}
          <span className={styles.topics}> of {counted(topics, 'topic')}</span>
        </span>
      )}
      <ActionButton icon={FolderInput} action={action('move')} />
      <ActionButton icon={Pin} action={action('pin')} />
      <ActionButton icon={EyeOff} action={action('hide')} />
      <ActionButton icon={Trash2} action={action('delete')} />
      {ids.length > 0 && <ExportButton ids={ids} />}
      {several && (
        <Button look="quiet" size="small" onClick={onDone}>
          Done
        </Button>
      )}
      <IconButton
        label="Clear the selection"
        keys="Esc"
        icon={X}
        size="small"
        onClick={() => {
          actions.select(null);
          if (several) onDone();
        }}
      />
    </div>
  );
};

const face = (Icon: LucideIcon, words: string): ReactNode => (
  <>
    <Icon size={14} aria-hidden />
    <span className={styles.words}>{words}</span>
  </>
);

/** One action, as a menu if there are several variants. A disabled one says why. */
const ActionButton = ({ icon, action }: { icon: LucideIcon; action: TurnAction | undefined }) => {
  const { announce } = useActions();
  if (action === undefined) return null;
  const { words, refusal, choices, run } = action;
  const look = { look: 'quiet', size: 'small', 'aria-label': words } as const;
  if (refusal !== null) {
    return (
      <Tooltip text={refusal}>
        <Button {...look} aria-disabled onClick={() => announce(refusal)}>
          {face(icon, words)}
        </Button>
      </Tooltip>
    );
  }
  if (choices.length === 0) {
    return (
      <Button {...look} onClick={run}>
        {face(icon, words)}
      </Button>
    );
  }
  return (
    <Menu label={words} trigger={<Button {...look}>{face(icon, words)}</Button>}>
      {choices.map((choice) => (
        <MenuItem
          key={choice.words}
          disabled={choice.refusal !== null}
          onSelect={() => afterMenu(choice.run)}
          {...(choice.refusal === null ? {} : { title: choice.refusal })}
        >
          {choice.words}
        </MenuItem>
      ))}
    </Menu>
  );
};

const ExportButton = ({ ids }: { ids: readonly NodeId[] }) => {
  const state = useAppState();
  const save = (form: ExportForm) => () => {
    const { name, text, type } = exportedTurns(shownForest(state()), ids, form);
    download(name, text, type);
  };
  return (
    <Menu
      label="Export the selected turns"
      trigger={
        <Button look="quiet" size="small" aria-label="Export the selected turns">
          {face(Download, 'Export')}
        </Button>
      }
    >
      <MenuItem onSelect={save('jsonl')}>JSON lines</MenuItem>
      <MenuItem onSelect={save('markdown')}>Markdown</MenuItem>
    </Menu>
  );
};

type ExportForm = 'jsonl' | 'markdown';

/** Selected turns as a file, oldest first. The JSON Lines form is a dialogue that Import can read, with more about each turn. */
export const exportedTurns = (
  forest: Forest,
  ids: Iterable<NodeId>,
  form: ExportForm,
): { name: string; text: string; type: string } => {
  const nodes = [...ids].flatMap((id) => forest.nodes[id] ?? []).sort(byNumber);
  return form === 'jsonl'
    ? { name: 'turns.jsonl', text: asLines(forest, nodes), type: 'application/x-ndjson' }
    : { name: 'turns.md', text: asMarkdown(forest, nodes), type: 'text/markdown' };
};

const topicOf = ({ trees }: Forest, { treeId }: Node): string => trees[treeId]?.title ?? '';

const asLines = (forest: Forest, nodes: readonly Node[]): string =>
  nodes
    .flatMap((node) => {
      const parent = node.parentId === null ? null : (forest.nodes[node.parentId]?.number ?? null);
      const about = { turn: node.number, after: parent, topic: topicOf(forest, node) };
      const note = node.note === null ? {} : { note: node.note };
      const answer = answerTo(node);
      return [
        { role: 'user', content: node.message, ...about, ...note },
        ...(answer === '' ? [] : [{ role: 'assistant', content: answer, turn: node.number }]),
      ];
    })
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');

const asMarkdown = (forest: Forest, nodes: readonly Node[]): string => {
  let topic: string | null = null;
  const parts = nodes.flatMap((node) => {
    const heading = topicOf(forest, node) === topic ? [] : [`# ${withoutHtml(topicOf(forest, node))}`];
    topic = topicOf(forest, node);
    const answer = answerTo(node);
    return [
      ...heading,
      `## Turn ${node.number}`,
      asQuote(withoutHtml(node.message)),
      ...(node.note === null ? [] : [`**Note:** ${lowered(node.note)}`]),
      ...(answer === '' ? [] : [lowered(answer)]),
    ];
  });
  return `${parts.join('\n\n')}\n`;
};
