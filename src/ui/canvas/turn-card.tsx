import type { Node as FlowNode, NodeProps } from '@xyflow/react';
import { type CSSProperties, memo } from 'react';
import { type Colouring, shownForest } from '../../app/state.ts';
import { childrenOf, replyOf } from '../../domain/queries.ts';
import { useApp } from '../app-context.ts';
import { similarity } from '../parts/format.ts';
import { markOf, troubleOf } from './card-mark.ts';
import { CardMarks } from './card-marks.tsx';
import { FoldChip } from './fold-chip.tsx';
import litCss from './lit-card.module.css';
import type { Standing } from './standing.ts';
import styles from './turn-card.module.css';

/** What a card is told; the turn's own text it reads from the store, so that one turn's change renders one card. */
export type CardNode = FlowNode<
  {
    readonly standing: Standing;
    readonly onPath: boolean;
    readonly active: boolean;
    /** The one in the inspector, or another that is selected with it. */
    readonly selected: 'first' | 'also' | null;
    /** How many turns are folded away below it. */
    readonly folded: number;
    /** What it is while turns are dragged: one of them, under the pointer, or a place to let go. */
    readonly drag: 'carried' | 'target' | 'refused' | 'open' | null;
    /** The similarity of the message whose decision is looked at; null where it was not compared. */
    readonly near: number | null;
    /** It is the fork point that the gate of that decision looked at. */
    readonly point: boolean;
    readonly fresh: boolean;
    readonly colour: string;
    readonly by: Colouring;
  },
  'turn'
>;

/** A card holds less than this; the rest need not be laid out. */
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
            {data.near !== null && <span className={litCss.near}>≈ {similarity(data.near)}</span>}
            {trouble !== null && (
              <span className={styles.trouble} data-trouble={trouble}>
                {trouble}
              </span>
            )}
            {reply?.state === 'streaming' ? (
              <i className={styles.pulse} />
            ) : (
              trouble === null && tokens?.toLocaleString()
            )}
            <CardMarks hidden={node.hidden} pinned={node.pinned} note={node.note} references={node.references} />
          </span>
        </div>
        <div className={styles.text}>{node.message.slice(0, LONGEST)}</div>
      </div>
      {data.near !== null && (
        <i
          className={litCss.lit}
          data-point={data.point || undefined}
          style={{ '--near': Math.max(0, data.near) } as CSSProperties}
        />
      )}
      {(data.folded > 0 || canFold) && <FoldChip id={id} number={node.number} folded={data.folded} />}
    </>
  );
});
TurnCard.displayName = 'TurnCard';
