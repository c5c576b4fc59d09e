import { Play } from 'lucide-react';
import { useState } from 'react';
import { samples } from '../../app/samples.ts';
import { useActions } from '../app-context.ts';
import { Button } from '../parts/button.tsx';
import { SampleShape } from './sample-shape.tsx';
import styles from './welcome.module.css';

/** The first visit: what this is, and three dialogues that show it. */
export const Welcome = () => {
  const { session } = useActions();
  return (
    <div className={styles.welcome}>
      <h2 className={styles.title}>A conversation is a forest</h2>
      <p>
        Change the subject, come back, change your mind. Coppice finds each message its place among topics and branches,
        and sends the model only what belongs to it. Everything runs and stays in this browser, unless you choose a
        server of yours.
      </p>
      <h3>Watch one grow</h3>
      <ul className={styles.samples}>
        {samples.map((sample, index) => (
          <SampleCard key={sample.id} sample={sample} index={index} />
        ))}
      </ul>
      <p className={styles.own}>
        Or write below, or{' '}
        <button type="button" onClick={() => session({ dialog: 'import' })}>
          open a dialogue of your own
        </button>
        .
      </p>
    </div>
  );
};

const SampleCard = ({ sample, index }: { sample: (typeof samples)[number]; index: number }) => {
  const { replay, announce } = useActions();
  const [loading, setLoading] = useState(false);
  const play = async () => {
    setLoading(true);
    try {
      await replay(await sample.load(), { running: true });
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
