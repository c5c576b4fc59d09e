import { samples } from '../../app/samples.ts';
import { useActions } from '../app-context.ts';
import { SampleCard } from './sample-card.tsx';
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
      <p className={styles.own}>
        Curious what other memories would send?{' '}
        <button type="button" onClick={() => session({ dialog: 'compare' })}>
          Compare them side by side
        </button>
        .
      </p>
    </div>
  );
};
