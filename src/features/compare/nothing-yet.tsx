import { samples } from '../../app/samples.ts';
import { useActions, useApp } from '../../ui/app-context.ts';
import { SampleCard } from '../../ui/chat/welcome.tsx';
import { Button } from '../../ui/parts/button.tsx';
import styles from './nothing-yet.module.css';

/** Before the first turn: what there is to do, right here. */
export const NothingYet = () => {
  const { session } = useActions();
  const coming = useApp(({ replay, turn }) => replay !== null || turn !== null);
  if (coming) return <p className={styles.coming}>The first turn is on its way…</p>;
  return (
    <div className={styles.nothing}>
      <h3>Nothing has been said here yet</h3>
      <p>
        A model can read only so much. The policies here differ in what of a long conversation they give it: everything,
        the last turns, the path through a tree, or what a memory recalls. Play a sample and watch them part: it runs
        under all of them at once, while you look.
      </p>
      <ul className={styles.samples}>
        {samples.map((sample, index) => (
          <SampleCard key={sample.id} sample={sample} index={index} within="compare" />
        ))}
      </ul>
      <p className={styles.own}>
        <Button onClick={() => session({ dialog: 'import', backTo: 'compare' })}>Import a dialogue</Button>
        <span>or close this and write a message.</span>
      </p>
    </div>
  );
};
