import { Play } from 'lucide-react';
import { useState } from 'react';
import type { Sample } from '../../app/samples.ts';
import type { DialogName } from '../../app/state.ts';
import { useActions } from '../app-context.ts';
import { Button } from '../parts/button.tsx';
import styles from './sample-card.module.css';
import { SampleShape } from './sample-shape.tsx';

interface Props {
  readonly sample: Sample;
  /** Its place in the list. */
  readonly index: number;
  /** The dialog that stays open while it plays; left out, none does. */
  readonly within?: DialogName;
}

/** A dialogue that shows what this is, and the button that plays it. */
export const SampleCard = ({ sample, index, within }: Props) => {
  const { replay, announce } = useActions();
  const [loading, setLoading] = useState(false);
  const play = async () => {
    setLoading(true);
    try {
      await replay(await sample.load(), { running: true, dialog: within ?? null });
    } catch {
      announce('The sample could not be loaded. Check that the page is still being served, then try again.');
    }
    setLoading(false);
  };
  return (
    <li className={styles.sample}>
      <SampleShape index={index} />
      <div className={styles.about}>
        <h4>{sample.title}</h4>
        <p>{sample.description}</p>
      </div>
      <Button
        size="small"
        className={styles.play ?? ''}
        disabled={loading}
        aria-label={`Play ${sample.title}`}
        onClick={() => void play()}
      >
        <Play size={12} fill="currentColor" aria-hidden />
        Play
      </Button>
      <span className={styles.turns}>{sample.turns} turns</span>
    </li>
  );
};
