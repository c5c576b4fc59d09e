import type { Node as FlowNode, NodeProps } from '@xyflow/react';
import { EyeOff, Link2, type LucideIcon, Minus, Paperclip, Pin, StickyNote } from 'lucide-react';
import { type CSSProperties, memo } from 'react';
import { type Colouring, shownForest } from '../../app/state.ts';
import { wordOf } from '../../domain/decision.ts';
import type { Node, NodeId, PendingTurn, Reply } from '../../domain/forest.ts';
import { childrenOf, replyOf } from '../../domain/queries.ts';
import { useActions, useApp, useAppState } from '../app-context.ts';
import { count, counted, firstCharacters, similarity } from '../parts/format.ts';
import { Tooltip } from '../parts/tooltip.tsx';
import { toggleFolds } from './folding.ts';
import { CARD } from './geometry.ts';
import { boxOf, cardOf } from './layout.ts';
import { COLOURS, type ContextState, type DragPreview, type Scene, standingOf } from './scene.ts';
import styles from './turn-card.module.css';

/** A card's data; it reads the turn's own text from the store, so that a change to one turn renders one card. */
export type CardNode = FlowNode<
  {
    readonly standing: ContextState;
    readonly onPath: boolean;
    readonly active: boolean;
    /** `first` is the one in the inspector; `also` is another selected one. */
    readonly selected: 'first' | 'also' | null;
    /** The number of turns folded away below it. */
    readonly folded: number;
    /** Its role while turns are dragged: one of them, the card under the pointer, or a possible target. */
    readonly drag: 'carried' | 'target' | 'refused' | 'open' | null;
    /** Its similarity to the message whose decision is being looked at; null if it was not compared. */
    readonly near: number | null;
    /** It is the fork point that the gate of that decision looked at. */
    readonly point: boolean;
    readonly fresh: boolean;
    readonly colour: string;
    readonly by: Colouring;
  },
  'turn'
>;

/** A card shows less than this; no need to lay out the rest. */
const LONGEST = 96;

export const TurnCard = memo(({ id, data }: NodeProps<CardNode>) => {
  const node = useApp((state) => shownForest(state).nodes[id]);
  const canFold = useApp((state) => childrenOf(shownForest(state), id).length > 0);
  if (node === undefined) return null;
  const reply = replyOf(node);
  const mark = markOf(node);
  const trouble = troubleOf(reply);
  const tokens = reply?.context?.tokens;
  return (
    <>
      <div
        className={styles.card}
        style={{ '--c': data.colour } as CSSProperties}
        data-standing={data.standing}
        data-path={data.onPath || undefined}
        data-active={data.active || undefined}
        data-selected={data.selected ?? undefined}
        data-drag={data.drag ?? undefined}
        data-by={data.by}
        data-fresh={data.fresh || undefined}
        data-streaming={reply?.state === 'streaming' || undefined}
      >
        <div className={styles.head}>
          <span className={styles.start}>
            {node.number}
            {mark !== null && <span className={styles.mark}> · {mark}</span>}
          </span>
          <span className={styles.end}>
            {data.near !== null && <span className={styles.near}>≈ {similarity(data.near)}</span>}
            {trouble !== null && (
              <span className={styles.trouble} data-trouble={trouble}>
                {trouble}
              </span>
            )}
            {reply?.state === 'streaming' ? (
              <i className={styles.pulse} />
            ) : (
              trouble === null && tokens !== undefined && count(tokens)
            )}
            <CardMarks
              hidden={node.hidden}
              pinned={node.pinned}
              note={node.note}
              references={node.references}
              files={node.attachments?.length ?? 0}
            />
          </span>
        </div>
        <div className={styles.text} dir="auto">
          {firstCharacters(node.message, LONGEST)}
        </div>
      </div>
      {data.near !== null && (
        <i
          className={styles.lit}
          data-point={data.point || undefined}
          style={{ '--near': Math.max(0, data.near) } as CSSProperties}
        />
      )}
      {(data.folded > 0 || canFold) && <FoldChip id={id} number={node.number} folded={data.folded} />}
    </>
  );
});
TurnCard.displayName = 'TurnCard';

type TurnMarks = Pick<Node, 'hidden' | 'pinned' | 'note' | 'references'> & { readonly files: number };

/** The user's marks on a turn: icons, each with its words. */
const CardMarks = memo(({ hidden, pinned, note, references, files }: TurnMarks) => {
  if (!hidden && !pinned && note === null && references.length === 0 && files === 0) return null;
  return (
    <span className={styles.marks}>
      {hidden && <Mark icon={EyeOff} words="Hidden: not sent to any model" />}
      {pinned && (
        <Mark
          icon={Pin}
          words="Pinned: in every context of focused and of the context-agent policies, in full if there is room"
        />
      )}
      {references.length > 0 && <Mark icon={Link2} words={`Refers to ${counted(references.length, 'turn')}`} />}
      {files > 0 && <Mark icon={Paperclip} words={`Came with ${counted(files, 'file')}`} />}
      {note !== null && <Mark icon={StickyNote} words={note} />}
    </span>
  );
});
CardMarks.displayName = 'CardMarks';

const Mark = ({ icon: Icon, words }: { icon: LucideIcon; words: string }) => (
  <Tooltip text={words}>
    <span className={styles.personMark} role="img" aria-label={words}>
      <Icon size={13} strokeWidth={2} aria-hidden />
    </span>
  </Tooltip>
);

/** How a turn got to its place, in a word or two; null if it just continued. */
export const markOf = ({ decision, label, parentId }: Node): string | null => {
  if (label !== null && wordOf(label) === 'corrected') return 'moved by you';
  if (decision.topic === 'switch-topic')
    return decision.branch === 'create-branch' ? 'back, new branch' : 'back to topic';
  if (decision.branch === 'create-branch') return 'new branch';
  if (decision.branch === 'switch-branch') return 'other branch';
  return parentId === null ? 'new topic' : null;
};

/** The state of a reply that did not complete normally; null otherwise. */
export const troubleOf = (reply: Reply | null): 'stopped' | 'interrupted' | 'failed' | null =>
  reply === null || reply.state === 'done' || reply.state === 'streaming' ? null : reply.state;

/**
 * Under a card: how many turns are folded away there, or a button to fold them. Pointer only: the canvas is a single
 * tab stop, and there is a key for this.
 */
const FoldChip = ({ id, number, folded }: { id: NodeId; number: number; folded: number }) => {
  const actions = useActions();
  const state = useAppState();
  const toggle = () => actions.session(toggleFolds(state().session, [id], folded > 0));
  const label =
    folded > 0 ? `Unfold ${counted(folded, 'turn')} below turn ${number}` : `Fold what is below turn ${number}`;
  return (
    <button
      type="button"
      tabIndex={-1}
      className={`${styles.chip} nopan`}
      data-folded={folded > 0 || undefined}
      aria-label={label}
      title={label}
      onClick={toggle}
    >
      {folded > 0 ? `+${count(folded)}` : <Minus size={12} aria-hidden />}
    </button>
  );
};

type GhostNode = FlowNode<{ readonly number: number; readonly message: string }, 'ghost'>;

/** A turn that is stored but has no place yet. */
export const GhostCard = memo(({ data }: NodeProps<GhostNode>) => (
  <div className={styles.ghost}>
    <div className={styles.ghostHead}>{data.number} · placing…</div>
    <div className={styles.ghostText} dir="auto">
      {data.message}
    </div>
  </div>
));
GhostCard.displayName = 'GhostCard';

const FIXED = {
  ...CARD,
  measured: CARD,
  // Set explicitly, or each card would be measured for handles that it does not have.
  handles: [],
  // The canvas is a single element to screen readers; the outline is its equivalent.
  domAttributes: { 'aria-roledescription': undefined, 'aria-describedby': undefined } as object,
};

/** Creates the nodes for React Flow, reusing the object of every card that looks the same, and the list if all do. */
export const createFlowNodes = () => {
  let cache = new Map<NodeId, { node: CardNode; look: string }>();
  let shown: readonly CardNode[] = [];

  return (scene: Scene, mounted: ReadonlySet<NodeId>, fresh: ReadonlySet<NodeId>): readonly CardNode[] => {
    const { forest, layout, standings, colours, folds, selectedId, selection, carry, lit } = scene;
    const next: typeof cache = new Map();
    for (const id of mounted) {
      const card = cardOf(layout, forest.nodes[id]);
      if (card === null) continue;
      const { x, y } = boxOf(card);
      const looks = {
        colour: COLOURS[colours.of(id, card.placed.order)] as string,
        by: colours.by,
        standing: standingOf(forest, standings, id),
        onPath: standings.path.has(id),
        active: forest.active?.nodeId === id,
        selected: selectedId === id ? ('first' as const) : selection.has(id) ? ('also' as const) : null,
        folded: folds.get(id) ?? 0,
        drag: dragOf(carry, id),
        near: lit?.near.get(id) ?? null,
        point: lit?.point === id,
      };
      const look = `${x} ${y} ${Object.values(looks).join(' ')}`;
      const known = cache.get(id);
      if (known?.look === look) {
        next.set(id, known);
        continue;
      }
      const data = { ...looks, fresh: known?.node.data.fresh ?? fresh.has(id) };
      next.set(id, { node: { ...FIXED, id, type: 'turn', position: { x, y }, data }, look });
    }
    cache = next;
    const cards = [...next.values()].map(({ node }) => node);
    if (cards.length !== shown.length || cards.some((card, at) => card !== shown[at])) shown = cards;
    return shown;
  };
};

const dragOf = (carry: DragPreview | null, id: NodeId): 'carried' | 'target' | 'refused' | 'open' | null => {
  if (carry === null) return null;
  if (carry.over === id) return carry.refused ? 'refused' : 'target';
  return carry.family.has(id) ? 'carried' : 'open';
};

export const ghostNode = ({ number, message }: PendingTurn, { x, y }: { x: number; y: number }): GhostNode => ({
  ...FIXED,
  id: 'pending',
  type: 'ghost',
  position: { x, y },
  data: { number, message: message.slice(0, 160) },
});
