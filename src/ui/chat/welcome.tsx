import { Play } from 'lucide-react';
import { useState } from 'react';
import type { DialogName } from '../../app/features.ts';
import { type Sample, samples } from '../../app/samples.ts';
import { useActions, useApp } from '../app-context.ts';
import { Button } from '../parts/button.tsx';
import { Heading } from '../parts/text.tsx';
import { topicColour } from '../topic-colour.ts';
import styles from './welcome.module.css';

/** The first visit: what this is, and three sample dialogues. */
export const Welcome = () => {
  const { session } = useActions();
  return (
    <div className={styles.welcome}>
      <h2 className={styles.title}>A conversation is a forest</h2>
      <p>
        Change the subject, come back, change your mind. Coppice finds the right topic and branch for each message, and
        sends the model only what is relevant. Nothing you write leaves this browser, unless you choose a model on a
        server or allow an online voice.
      </p>
      <TourOffer />
      <Heading size="small">Watch one grow</Heading>
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
        Curious what other memory systems would send?{' '}
        <button type="button" onClick={() => session({ dialog: 'compare' })}>
          Compare them side by side
        </button>
        .
      </p>
    </div>
  );
};

/** Offers the tour once, to first-time visitors; it never starts by itself, as they may have come to write. */
const TourOffer = () => {
  const { session } = useActions();
  const toured = useApp((state) => state.session.toured);
  if (toured) return null;
  return (
    <div className={styles.tour}>
      <span>New here? Take a look around in six steps.</span>
      <Button size="small" onClick={() => session({ dialog: 'tour' })}>
        Take the tour
      </Button>
      <Button size="small" look="quiet" onClick={() => session({ toured: true })}>
        No, thanks
      </Button>
    </div>
  );
};

interface Props {
  readonly sample: Sample;
  /** Its index in the list. */
  readonly index: number;
  /** The dialog that stays open while it plays; none if absent. */
  readonly within?: DialogName;
}

/** A sample dialogue, with the button that plays it. */
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
        <Heading level={4}>{sample.title}</Heading>
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

interface Stem {
  readonly order: number;
  readonly path: string;
}

/** A small drawing per sample: topics as coloured stems, with forks where minds are changed. */
const SHAPES: readonly (readonly Stem[])[] = [
  [
    { order: 0, path: 'M8 46V12' },
    { order: 1, path: 'M22 46V10M22 30C22 22 32 24 32 14' },
    { order: 2, path: 'M42 46V26' },
  ],
  [
    { order: 0, path: 'M18 46V10M18 36C18 28 8 30 8 18M18 26C18 18 29 20 29 10' },
    { order: 3, path: 'M42 46V28' },
  ],
  [
    { order: 0, path: 'M7 46V22' },
    { order: 1, path: 'M19 46V12' },
    { order: 2, path: 'M31 46V26' },
    { order: 4, path: 'M43 46V16' },
  ],
];

const SampleShape = ({ index }: { index: number }) => (
  <svg
    className={styles.shape}
    viewBox="0 0 50 50"
    width="44"
    height="44"
    fill="none"
    strokeWidth="3"
    strokeLinecap="round"
    aria-hidden
  >
    {SHAPES[index % SHAPES.length]?.map(({ order, path }) => (
      <path key={order} d={path} stroke={topicColour(order)} />
    ))}
  </svg>
);
