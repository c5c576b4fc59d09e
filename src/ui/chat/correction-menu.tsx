import { CornerDownRight, GitBranch, Shuffle, Sprout } from 'lucide-react';
import { type ReactNode, useDeferredValue, useMemo, useState } from 'react';
import { textFilter } from '../../app/search-words.ts';
import { shownForest } from '../../app/state.ts';
import type { Target } from '../../domain/decision.ts';
import type { Forest, Node, Tree } from '../../domain/forest.ts';
import { nodesOf, subtree, treesOf } from '../../domain/queries.ts';
import { recordsOf } from '../../domain/table.ts';
import { useActions, useAppState } from '../app-context.ts';
import { Dialog } from '../parts/dialog.tsx';
import { SearchField } from '../parts/fields.tsx';
import { similarity } from '../parts/format.ts';
import { afterMenu, Menu, MenuHeading, MenuItem, MenuSeparator, Submenu } from '../parts/menu.tsx';
import { Ellipsis, Muted, TopicDot } from '../parts/text.tsx';
import styles from './correction-menu.module.css';

/** Rows of a submenu; the rest is left to the picker with its search. */
const ROWS = 10;

interface Props {
  readonly node: Node;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  /** The button that opens it. */
  readonly trigger: ReactNode;
}

/** The user's corrections of where a turn went. */
export const CorrectionMenu = ({ node, trigger, ...state }: Props) => {
  const [picking, setPicking] = useState<'turn' | 'topic' | null>(null);
  return (
    <>
      <Menu trigger={trigger} align="end" {...state}>
        <Corrections node={node} onPick={setPicking} />
      </Menu>
      {picking !== null && <Picker node={node} what={picking} onClose={() => setPicking(null)} />}
    </>
  );
};

const useCorrections = (node: Node) => {
  const { correct } = useActions();
  const forest = shownForest(useAppState()());
  const to = (target: Target) => () => void correct(node.id, target);
  return {
    ...correctionTargets(forest, node),
    under: (id: string) => to({ kind: 'under', nodeId: id }),
    anew: to({ kind: 'new-topic' }),
  };
};

const Corrections = ({ node, onPick }: { node: Node; onPick: (what: 'turn' | 'topic') => void }) => {
  const { here, forks, newTopic, topics, under, anew } = useCorrections(node);
  return (
    <>
      <MenuHeading>Turn {node.number} belongs elsewhere</MenuHeading>
      <MenuItem
        icon={<CornerDownRight size={14} />}
        disabled={here === null}
        onSelect={here === null ? undefined : under(here.id)}
        {...(here === null ? {} : { detail: <span aria-hidden>after turn {here.number}</span> })}
      >
        Continue here
      </MenuItem>
      <Submenu icon={<GitBranch size={14} />} label="New branch from…" disabled={forks.length === 0}>
        {forks.slice(0, ROWS).map((fork) => (
          <MenuItem
            key={fork.node.id}
            onSelect={under(fork.node.id)}
            icon={<span>{fork.node.number}</span>}
            aria-label={`Turn ${fork.node.number}: ${fork.node.message}`}
            {...(fork.similarity === null ? {} : { detail: similarity(fork.similarity) })}
          >
            {fork.node.message}
          </MenuItem>
        ))}
        {forks.length > ROWS && (
          <>
            <MenuSeparator />
            <MenuItem onSelect={() => afterMenu(() => onPick('turn'))}>Another turn…</MenuItem>
          </>
        )}
      </Submenu>
      <MenuItem icon={<Sprout size={14} />} disabled={!newTopic} onSelect={anew}>
        New topic
      </MenuItem>
      <Submenu icon={<Shuffle size={14} />} label="Other topic…" disabled={topics.length === 0}>
        {topics.slice(0, ROWS).map((tree) => (
          <MenuItem key={tree.id} icon={<TopicDot order={tree.order} />} onSelect={under(tree.activeId)}>
            {tree.title}
          </MenuItem>
        ))}
        {topics.length > ROWS && (
          <>
            <MenuSeparator />
            <MenuItem onSelect={() => afterMenu(() => onPick('topic'))}>Another topic…</MenuItem>
          </>
        )}
      </Submenu>
    </>
  );
};

const Picker = ({ node, what, onClose }: { node: Node; what: 'turn' | 'topic'; onClose: () => void }) => {
  const { forks, topics, under } = useCorrections(node);
  const items: PickerItem[] =
    what === 'turn'
      ? forks.map((fork) => ({ id: fork.node.id, lead: `Turn ${fork.node.number}`, text: fork.node.message }))
      : topics.map((tree) => ({ id: tree.activeId, lead: null, text: tree.title }));
  return (
    <TargetPicker
      title={what === 'turn' ? 'New branch from' : 'Other topic'}
      items={items}
      onChoose={(id) => {
        onClose();
        under(id)();
      }}
      onClose={onClose}
    />
  );
};

/** A turn that another could be attached to. `similarity` if the engine had retrieved it. */
interface TurnTarget {
  readonly node: Node;
  readonly similarity: number | null;
}

/** The possible corrections of a turn's place; null or empty if there are none. */
interface CorrectionTargets {
  /** The turn that was active when this one was sent, to continue there. */
  readonly here: Node | null;
  /** Fork points in its topic: those the engine retrieved first, then the newest. */
  readonly forks: readonly TurnTarget[];
  /** Whether it can become a topic of its own. */
  readonly newTopic: boolean;
  /** Topics it could continue in, most recent first. */
  readonly topics: readonly Tree[];
}

export const correctionTargets = (forest: Forest, node: Node): CorrectionTargets => {
  const family = new Set(subtree(forest, node.id).map(({ id }) => id));
  const possible = (target: Node | undefined): target is Node =>
    target !== undefined && target.id !== node.parentId && !family.has(target.id);
  const before = turnBefore(forest, node);
  const retrieved = (node.decision.trace?.fork.candidates ?? []).flatMap(({ nodeId, similarity }): TurnTarget[] => {
    const target = forest.nodes[nodeId];
    return possible(target) ? [{ node: target, similarity }] : [];
  });
  const seen = new Set(retrieved.map((target) => target.node.id));
  const topicId = before?.treeId ?? node.treeId;
  const others = nodesOf(forest, topicId)
    .filter((target) => possible(target) && !seen.has(target.id))
    .reverse();
  return {
    here: possible(before) ? before : null,
    forks: [...retrieved, ...others.map((target) => ({ node: target, similarity: null }))],
    newTopic: node.parentId !== null,
    topics: treesOf(forest)
      .filter((tree) => tree.id !== node.treeId)
      .sort((a, b) => (forest.nodes[b.activeId]?.number ?? 0) - (forest.nodes[a.activeId]?.number ?? 0)),
  };
};

/**
 * The turn that was active when this one was sent. The log does not record it, but the trace names the topic; without a
 * trace it is the turn sent just before.
 */
const turnBefore = (forest: Forest, node: Node): Node | undefined => {
  const activeTopic = node.decision.trace?.topic.candidates.find((candidate) => candidate.active)?.treeId;
  let newest: Node | undefined;
  let newestOfTopic: Node | undefined;
  for (const other of recordsOf(forest.nodes)) {
    if (other.number >= node.number) continue;
    if (newest === undefined || other.number > newest.number) newest = other;
    if (other.treeId !== activeTopic) continue;
    if (newestOfTopic === undefined || other.number > newestOfTopic.number) newestOfTopic = other;
  }
  return newestOfTopic ?? newest;
};

interface PickerItem {
  readonly id: string;
  /** Precedes the text, e.g. `Turn 3`. */
  readonly lead: string | null;
  readonly text: string;
}

/** Maximum number of rows drawn; searching narrows further. */
const PICKER_ROWS = 100;

/** Picks one of many turns or topics by searching. */
const TargetPicker = ({
  title,
  items,
  onChoose,
  onClose,
}: {
  title: string;
  items: readonly PickerItem[];
  onChoose: (id: string) => void;
  onClose: () => void;
}) => {
  const [sought, setSought] = useState('');
  const filter = useDeferredValue(sought);
  const found = useMemo(() => {
    const isFound = textFilter(filter);
    return items.filter(({ lead, text }) => isFound(`${lead ?? ''} ${text}`));
  }, [items, filter]);
  return (
    <Dialog title={title} onClose={onClose} size="small">
      <SearchField label="Search" value={sought} onChange={setSought} />
      <ul className={styles.list}>
        {found.slice(0, PICKER_ROWS).map(({ id, lead, text }) => (
          <li key={id}>
            <button type="button" className={styles.row} onClick={() => onChoose(id)}>
              {lead !== null && <span className={styles.lead}>{lead}</span>}
              <Ellipsis fit>{text}</Ellipsis>
            </button>
          </li>
        ))}
      </ul>
      <Muted className={styles.note} role="status">
        {found.length === 0
          ? 'Nothing matches these words.'
          : found.length > PICKER_ROWS && `Showing ${PICKER_ROWS} of ${found.length}. Type to find the others.`}
      </Muted>
    </Dialog>
  );
};
