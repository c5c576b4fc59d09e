import { Sprout } from 'lucide-react';
import { TopicDot } from '../../ui/parts/text.tsx';
import styles from './turn-picker.module.css';
import type { Pick } from './turn-picker.tsx';

interface Props {
  readonly id: string;
  readonly at: number;
  readonly pick: Pick;
  readonly refusal: string | null;
  readonly current: boolean;
  readonly onPoint: () => void;
  readonly onChoose: () => void;
}

/** The list's keys are on its search field; a row hears the pointer. */
export const PickerRow = ({ id, at, pick, refusal, current, onPoint, onChoose }: Props) => (
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
          <span className={styles.number}>Turn {pick.node.number}</span> {pick.node.message.slice(0, 240)}
        </>
      )}
    </span>
    <span className={styles.crumbs}>{refusal ?? pick?.crumbs.join(' › ') ?? 'It begins a topic of its own.'}</span>
  </div>
);
