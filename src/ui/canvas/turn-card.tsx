import type { Node as FlowNode, NodeProps } from '@xyflow/react';
import { type CSSProperties, memo } from 'react';
import { shownForest } from '../../app/state.ts';
import { replyOf } from '../../domain/queries.ts';
import { useApp } from '../app-context.ts';
import { markOf, troubleOf } from './card-mark.ts';
import type { Standing } from './standing.ts';
import styles from './turn-card.module.css';

/** What a card is told; the turn's own text it reads from the store, so that one turn's change renders one card. */
export type CardNode = FlowNode<
  {
    readonly standing: Standing;
    readonly active: boolean;
    readonly selected: boolean;
    readonly fresh: boolean;
    readonly colour: string;
  },
  'turn'
>;

/** A card holds less than this; the rest need not be laid out. */
const LONGEST = 96;

export const TurnCard = memo(({ id, data }: NodeProps<CardNode>) => {
  const node = useApp((state) => shownForest(state).nodes[id]);
  if (node === undefined) return null;
  const reply = replyOf(node);
  const mark = markOf(node);
  const trouble = troubleOf(reply);
  const tokens = reply?.context?.tokens;
  return (
    <div
      className={styles.card}
      style={{ '--c': data.colour } as CSSProperties}
      data-standing={data.standing}
      data-active={data.active || undefined}
      data-selected={data.selected || undefined}
      data-fresh={data.fresh || undefined}
      data-streaming={reply?.state === 'streaming' || undefined}
    >
      <div className={styles.head}>
        <span>
          {node.number}
          {mark !== null && <span className={styles.mark}> · {mark}</span>}
        </span>
        <span className={styles.end}>
          {trouble !== null && (
            <span className={styles.trouble} data-trouble={trouble}>
              {trouble}
            </span>
          )}
          {reply?.state === 'streaming' ? <i className={styles.pulse} /> : trouble === null && tokens?.toLocaleString()}
        </span>
      </div>
      <div className={styles.text}>{node.message.slice(0, LONGEST)}</div>
    </div>
  );
});
TurnCard.displayName = 'TurnCard';
