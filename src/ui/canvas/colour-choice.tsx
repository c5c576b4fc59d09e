import type { Colouring } from '../../app/state.ts';
import { useActions, useApp } from '../app-context.ts';
import { count } from '../parts/format.ts';
import styles from './colour-choice.module.css';
import { SCALE_STEPS, scaleColour, standingColour } from './colours.ts';
import type { Scene } from './scene.ts';

const CHOICES: Readonly<Record<Colouring, string>> = {
  topic: 'Topic',
  branch: 'Branch',
  age: 'Age',
  tokens: 'Tokens sent',
  context: 'In context',
};

/** What the colours on the canvas stand for, and what each means. */
export const ColourChoice = ({ scene }: { scene: Scene }) => {
  const { session } = useActions();
  const by = useApp((state) => state.session.colouring);
  return (
    <div className={styles.box}>
      <label className={styles.choice}>
        <span>Colour</span>
        <select value={by} onChange={(event) => session({ colouring: event.target.value as Colouring })}>
          {Object.entries(CHOICES).map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
      </label>
      <Legend scene={scene} />
    </div>
  );
};

const Legend = ({ scene: { colours } }: { scene: Scene }) => {
  switch (colours.by) {
    case 'topic':
    case 'branch':
      return null;
    case 'age':
      return <Scale from="oldest" to="newest" />;
    case 'tokens':
      return <Scale from="0" to={count(colours.most ?? 0)} />;
    case 'context':
      return (
        <ul className={styles.legend} aria-label="Legend">
          <Meaning colour={standingColour('full')} words="in full" />
          <Meaning colour={standingColour('summary')} words="summary" />
          <Meaning colour={standingColour('left-out')} words="not sent" />
          <Meaning colour={standingColour('hidden')} words="hidden" />
        </ul>
      );
  }
};

const Scale = ({ from, to }: { from: string; to: string }) => (
  <div className={styles.legend} role="img" aria-label={`Legend: from ${from} to ${to}`}>
    {from}
    <span className={styles.scale}>
      {Array.from({ length: SCALE_STEPS }, (_, step) => (
        <i key={scaleColour(step)} style={{ background: scaleColour(step) }} />
      ))}
    </span>
    {to}
  </div>
);

const Meaning = ({ colour, words }: { colour: string; words: string }) => (
  <li>
    <i style={{ background: colour }} />
    {words}
  </li>
);
