import { Sprout } from 'lucide-react';
import {
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useDeferredValue,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import { type MovePreview, refusalInWords } from '../../app/edits.ts';
import { textFilter } from '../../app/search-words.ts';
import type { Reference, Target } from '../../domain/decision.ts';
import type { Forest, Node, NodeId } from '../../domain/forest.ts';
import { latinDigits, plural } from '../../domain/numbers.ts';
import { nodeOf, outermost, pathTo, subtree } from '../../domain/queries.ts';
import { recordsOf } from '../../domain/table.ts';
import { withinSpell } from '../../engine/tasks.ts';
import { useActions, useApp, useAppState } from '../../ui/app-context.ts';
import { listMove } from '../../ui/commands/keystroke.ts';
import { Button } from '../../ui/parts/button.tsx';
import { isComposing } from '../../ui/parts/composing.ts';
import { Dialog } from '../../ui/parts/dialog.tsx';
import { SearchField, Segmented } from '../../ui/parts/fields.tsx';
import { counted } from '../../ui/parts/format.ts';
import { useInSteps, useOnceReady } from '../../ui/parts/hooks.ts';
import { Ellipsis, TopicDot } from '../../ui/parts/text.tsx';
import { previewWords, turnsNamed } from '../../ui/parts/turn-words.ts';
import styles from './edit-dialogs.module.css';

/** The forest from when a dialog opened: a reply streaming behind it must not have all turns listed again. */
const useForestAtFirst = (): Forest => {
  const state = useAppState();
  return useState(() => state().forest)[0];
};

/** Moves turns with their subtrees below a turn found by searching. */
export const MoveDialog = ({ nodes, onClose }: { nodes: readonly Node[]; onClose: () => void }) => {
  const actions = useActions();
  const forest = useForestAtFirst();
  const ids = JSON.stringify(nodes.map(({ id }) => id));
  const moving = useMemo(() => outermost(forest, JSON.parse(ids) as NodeId[]), [forest, ids]);
  const turns = useMemo(() => pickableTurns(forest, moveRefusals(forest, moving)), [forest, moving]);
  const onlyRoots = moving.every((id) => forest.nodes[id]?.parentId === null);
  const under = moving.reduce((sum, id) => sum + subtree(forest, id).length, 0) - moving.length;

  return (
    <TurnPicker
      title={`Move ${turnsNamed(forest, moving)}`}
      description={moveQuestion(moving.length, under)}
      turns={turns}
      newTopic={{ refusal: onlyRoots ? `${plural(moving.length, 'It', 'Each')} already begins a topic.` : null }}
      onClose={onClose}
      onPick={(pick) => {
        onClose();
        void actions.moveTurns(moving, targetOf(pick));
      }}
      about={(pick) => <Preview moving={moving} pick={pick} key="preview" />}
      picks={(pick, possible) => (
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" disabled={!possible} onClick={pick}>
            Move
          </Button>
        </>
      )}
    />
  );
};

/** What is asked of so many turns with so many others under them. */
export const moveQuestion = (moving: number, under: number): string => {
  const along = under === 0 ? '' : `With the ${counted(under, 'turn')} under ${plural(moving, 'it', 'them')}. `;
  return `${along}Under which turn?`;
};

const targetOf = (pick: Pick): Target =>
  pick === null ? { kind: 'new-topic' } : { kind: 'under', nodeId: pick.node.id };

const Preview = ({ moving, pick }: { moving: readonly string[]; pick: Pick | undefined }) => {
  const forest = useApp((state) => state.forest);
  // Turns already there stay; including them would cause the whole move to be refused.
  const parentId = pick?.node.id ?? null;
  const leaving = moving.filter((id) => forest.nodes[id]?.parentId !== parentId);
  const possible = pick !== undefined && (pick?.refusal ?? null) === null && leaving.length > 0;
  const preview = usePreview(leaving, possible ? targetOf(pick) : null);
  if (!possible) return <p>{pick?.refusal ?? ''}</p>;
  return <p>{preview === null ? 'Working out how the context would change…' : previewWords(forest, preview)}</p>;
};

/** How long a row must be highlighted before its preview is computed, in milliseconds. */
const PAUSE = 120;

/** What moving turns to a place would do to the context; null if not known yet, or if there is no such place. */
const usePreview = (nodeIds: readonly NodeId[], to: Target | null): MovePreview | 'failed' | null => {
  const { previewMove } = useActions();
  const [known, setKnown] = useState<{ key: string; preview: MovePreview | 'failed' } | null>(null);
  const key = JSON.stringify([nodeIds, to]);

  useEffect(() => {
    const [ids, target] = JSON.parse(key) as [NodeId[], Target | null];
    if (target === null) return;
    let wanted = true;
    const timer = setTimeout(() => {
      // The move itself reports what is wrong.
      previewMove(ids, target).then(
        (preview) => wanted && setKnown({ key, preview }),
        () => wanted && setKnown({ key, preview: 'failed' }),
      );
    }, PAUSE);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [key, previewMove]);

  return known?.key === key ? known.preview : null;
};

const WAYS = [
  { value: 'path' as const, label: 'In full' },
  { value: 'summary' as const, label: 'Summary' },
];

/** Adds a turn of any topic to the context of another. */
export const ReferDialog = ({ node, onClose }: { node: Node; onClose: () => void }) => {
  const actions = useActions();
  const forest = useForestAtFirst();
  const [as, setAs] = useState<Reference['as']>('path');
  const turns = useMemo(() => pickableTurns(forest, referRefusals(forest, node.id)), [forest, node.id]);

  const words = (pick: Pick | undefined): string => {
    if (pick === undefined || pick === null || pick.refusal !== null) return pick?.refusal ?? '';
    const above = pathTo(forest, pick.node.id).length - 1;
    const also = above === 0 ? '' : ` and ${counted(above, 'turn')} above it`;
    const now = node.references.find(({ to }) => to === pick.node.id);
    const before = now === undefined ? '' : ' It already refers to this turn; this changes how.';
    return as === 'path'
      ? `Sent in full, as far as it fits into half of the context: turn ${pick.node.number}${also}.${before}`
      : `Sent as a one-sentence summary of turn ${pick.node.number}.${before}`;
  };

  return (
    <TurnPicker
      title={`Refer from turn ${node.number}`}
      description="To which turn? The policy focused and the context-agent policies send it along wherever this one is on the path."
      turns={turns}
      onClose={onClose}
      onPick={(pick) => {
        onClose();
        if (pick !== null) void actions.addReference(node.id, pick.node.id, as);
      }}
      about={(pick) => (
        <div className={styles.ways}>
          <p>{words(pick)}</p>
          <Segmented label="What is sent of it" options={WAYS} value={as} onChange={setAs} />
        </div>
      )}
      picks={(pick, possible) => (
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" disabled={!possible} onClick={pick}>
            Refer
          </Button>
        </>
      )}
    />
  );
};

/** Rows rendered at once; searching narrows them down. */
const ROWS = 100;
/** Number of rows that Page Up and Page Down move by. */
const PAGE = 8;

/** The picked item: a turn, or (null) a new topic. */
type Pick = TurnRow | null;

interface TurnPickerProps {
  readonly title: string;
  readonly description: string;
  readonly turns: PickableTurns;
  /** Offers a new topic above all turns, with the reason if it is refused. */
  readonly newTopic?: { readonly refusal: string | null };
  readonly onPick: (pick: Pick) => void;
  readonly onClose: () => void;
  /** Details on the highlighted row, below the list. */
  readonly about: (pick: Pick | undefined) => ReactNode;
  /** The button that confirms the pick. */
  readonly picks: (pick: () => void, possible: boolean) => ReactNode;
}

/**
 * Picks one of many turns by typing: a combobox with a list (WAI-ARIA APG). The focus stays in the search field; arrow
 * keys move through the list, including rows that cannot be picked, which say why.
 */
const TurnPicker = ({ title, description, turns, newTopic, onPick, onClose, about, picks }: TurnPickerProps) => {
  const id = useId();
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const sought = useDeferredValue(query);
  const hasNew = newTopic !== undefined;
  const find = useCallback(() => matchingTurns(turns, sought), [turns, sought]);
  const { result: hits, isDone } = useInSteps(find);
  const options = useMemo(() => picksFor(turns, hits ?? [], sought, hasNew), [turns, hits, sought, hasNew]);
  const here = Math.min(at, options.length - 1);
  const current = options[here];
  const refusalOf = (pick: Pick | undefined) =>
    pick === undefined ? '' : pick === null ? (newTopic?.refusal ?? null) : pick.refusal;

  useEffect(() => {
    list.current?.querySelector(`[data-at="${here}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [here]);

  const choose = (pick: Pick | undefined) => {
    if (pick !== undefined && refusalOf(pick) === null) onPick(pick);
  };
  const enter = () => {
    // Right after typing, the list may still show what was sought before.
    if (sought === query && isDone) return choose(current);
    const now = withinSpell(matchingTurns(turns, query), () => performance.now());
    wait(now === null);
    if (now !== null) choose(picksFor(turns, now.result, query, hasNew)[here]);
  };
  const wait = useOnceReady(sought === query && isDone, enter);
  const pressed = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent)) return;
    const to = listMove(event.key, here, options.length, PAGE);
    if (to !== null) setAt(to);
    else if (event.key === 'Enter') enter();
    else return;
    event.preventDefault();
  };

  return (
    <Dialog
      title={title}
      description={description}
      onClose={onClose}
      actions={picks(() => choose(current), current !== undefined && refusalOf(current) === null)}
    >
      <div className={styles.search}>
        <SearchField
          label="Search turns"
          value={query}
          onChange={(value) => {
            setQuery(value);
            setAt(0);
            wait(false);
          }}
          data-write-here
          role="combobox"
          aria-expanded
          aria-autocomplete="list"
          aria-controls={`${id}list`}
          aria-activedescendant={current === undefined ? undefined : `${id}${here}`}
          onKeyDown={pressed}
        />
      </div>
      <div ref={list} id={`${id}list`} role="listbox" aria-label="Turns" className={styles.list}>
        {options.map((pick, index) => (
          <PickerRow
            key={pick?.node.id ?? 'new-topic'}
            id={`${id}${index}`}
            at={index}
            pick={pick}
            refusal={refusalOf(pick)}
            current={index === here}
            onPoint={() => setAt(index)}
            onChoose={() => choose(pick)}
          />
        ))}
      </div>
      {options.length === 0 && !isDone && <p className={styles.note}>Searching…</p>}
      <div role="status">
        {hits?.length === 0 && isDone && <p className={styles.note}>No turns match these words.</p>}
        {hits !== null && hits.length > ROWS && (
          <p className={styles.note}>{`Showing the newest ${ROWS} of ${hits.length}. Type to find the others.`}</p>
        )}
      </div>
      <div className={styles.about} aria-live="polite">
        {about(current)}
      </div>
    </Dialog>
  );
};

interface TurnPickerRowProps {
  readonly id: string;
  readonly at: number;
  readonly pick: Pick;
  readonly refusal: string | null;
  readonly current: boolean;
  readonly onPoint: () => void;
  readonly onChoose: () => void;
}

/** Keys are handled by the search field; a row handles only the pointer. */
const PickerRow = ({ id, at, pick, refusal, current, onPoint, onChoose }: TurnPickerRowProps) => (
  // biome-ignore lint/a11y: the search field has the focus and the keys, as the pattern of a combobox has it
  <div
    id={id}
    role="option"
    className={styles.row}
    aria-selected={current}
    aria-disabled={refusal !== null || undefined}
    data-at={at}
    onPointerMove={onPoint}
    onClick={onChoose}
  >
    <span className={styles.mark}>
      {pick === null ? <Sprout size={14} aria-hidden /> : <TopicDot order={pick.topic} />}
    </span>
    <span className={styles.words}>
      {pick === null ? (
        <b>New topic</b>
      ) : (
        <>
          <span className={styles.number}>Turn {pick.node.number}</span>{' '}
          <Ellipsis>{pick.node.message.slice(0, 240)}</Ellipsis>
        </>
      )}
    </span>
    <Ellipsis className={styles.crumbs}>
      {refusal ?? pick?.crumbs.join(' › ') ?? 'It begins a topic of its own.'}
    </Ellipsis>
  </div>
);

/** A turn that can be picked, or the reason why it cannot. */
interface TurnRow {
  readonly node: Node;
  /** The title of its topic, and of its branch unless it is the first of the topic. */
  readonly crumbs: readonly string[];
  /** The topic's position in order of creation, which determines its colour. */
  readonly topic: number;
  readonly refusal: string | null;
}

/** What can be picked, newest first. */
export interface PickableTurns {
  readonly nodes: readonly Node[];
  readonly rowOf: (node: Node) => TurnRow;
}

/** All turns, each with its place and the reason if it cannot be picked. Nothing of them is read for this. */
export const pickableTurns = (forest: Forest, refusals: ReadonlyMap<NodeId, string>): PickableTurns => ({
  nodes: recordsOf(forest.nodes).toSorted((a, b) => b.number - a.number),
  rowOf: (node) => ({
    node,
    crumbs: crumbsOf(forest, node),
    topic: forest.trees[node.treeId]?.order ?? 0,
    refusal: refusals.get(node.id) ?? null,
  }),
});

/** Turns compared in a step: as many as may have to be read for it in a few milliseconds. */
const PART = 128;

/** Turns that contain all the words, in any order, found in steps; a turn whose number is the whole query comes first. */
export function* matchingTurns({ nodes, rowOf }: PickableTurns, query: string): Generator<undefined, readonly Node[]> {
  if (query.trim() === '') return nodes;
  const isFound = textFilter(query);
  const number = /^(?:turn\s*)?(\d+)$/i.exec(latinDigits(query.trim()))?.[1];
  const hits: Node[] = [];
  for (const [at, node] of nodes.entries()) {
    if (at > 0 && at % PART === 0) yield;
    const { crumbs } = rowOf(node);
    if (isFound(`turn ${node.number} ${node.message} ${crumbs.join(' ')}`)) hits.push(node);
  }
  const exact = nodes.find((node) => `${node.number}` === number);
  return exact === undefined ? hits : [exact, ...hits.filter((node) => node !== exact)];
}

/** What is offered of the turns found: with `newTopic`, a new topic first as long as nothing is sought. */
export const picksFor = (
  { rowOf }: PickableTurns,
  hits: readonly Node[],
  query: string,
  newTopic: boolean,
): readonly Pick[] => [...(newTopic && query.trim() === '' ? [null] : []), ...hits.slice(0, ROWS).map(rowOf)];

const crumbsOf = (forest: Forest, { treeId, branchId }: Node): string[] => {
  const tree = forest.trees[treeId];
  const branch = forest.branches[branchId];
  if (tree === undefined) return [];
  const head = forest.nodes[branch?.headId ?? ''];
  if (branch === undefined || head === undefined || head.id === tree.rootId) return [tree.title];
  return [tree.title, branch.title ?? `branch from turn ${head.number}`];
};

/** The reasons why turns cannot be moved, by target turn. */
export const moveRefusals = (forest: Forest, moving: readonly NodeId[]): Map<NodeId, string> => {
  const refusals = new Map<NodeId, string>();
  const parents = new Set(moving.map((id) => nodeOf(forest, id).parentId));
  const [parent] = parents;
  if (parents.size === 1 && parent != null) refusals.set(parent, refusalInWords('already-there'));
  for (const id of moving) {
    const { number } = nodeOf(forest, id);
    for (const node of subtree(forest, id)) {
      const words = node.id === id ? 'This is the turn to move.' : `It is under turn ${number}, which you’re moving.`;
      refusals.set(node.id, words);
    }
  }
  return refusals;
};

/** The reasons why a turn cannot refer to another, by target turn. */
export const referRefusals = (forest: Forest, from: NodeId): Map<NodeId, string> => {
  const refusals = new Map<NodeId, string>();
  for (const { id } of pathTo(forest, from)) refusals.set(id, refusalInWords('on-its-path'));
  return refusals.set(from, 'This is the turn that refers.');
};
