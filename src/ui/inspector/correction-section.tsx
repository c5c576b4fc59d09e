import { isConfirmation, type Placement, wordOf } from '../../domain/decision.ts';
import type { Forest, Node } from '../../domain/forest.ts';
import { dateTime } from './date-time.ts';
import styles from './section.module.css';
import { Section } from './section.tsx';
import { TopicChip } from './topic-chip.tsx';
import { TurnLink } from './turn-link.tsx';

/** What the engine said and what the person did: a label to learn from. */
export const CorrectionSection = ({ forest, node }: { forest: Forest; node: Node }) => {
  const { label, decision } = node;
  if (label === null) return null;
  const aside = dateTime(label.at);
  switch (wordOf(label)) {
    case 'confirmed':
      return (
        <Section title="Right as you say" aside={aside}>
          <p className={styles.note}>You confirmed where the engine put this turn. That is kept as a label.</p>
        </Section>
      );
    case 'corrected':
      return (
        <Section title="Corrected by you" aside={aside}>
          <dl className={styles.pairs}>
            <dt>{decision.by === 'person' ? 'You said first' : 'The engine said'}</dt>
            <dd>
              <Place forest={forest} placement={label.engine} />
            </dd>
            <dt>You said</dt>
            <dd>
              <Place forest={forest} placement={label.person} />
            </dd>
          </dl>
        </Section>
      );
    case 'chosen':
      return (
        <Section title="Chosen by you" aside={aside}>
          <p className={styles.note}>
            {isConfirmation(label)
              ? 'You chose the place before the message was sent. The embedded decider would have put it there, too. That is kept as a label.'
              : 'You chose the place before the message was sent. That is kept as a label, beside what the embedded decider would have done.'}
          </p>
          {!isConfirmation(label) && (
            <dl className={styles.pairs}>
              <dt>Not chosen</dt>
              <dd>
                <Place forest={forest} placement={label.engine} />
              </dd>
              <dt>You chose</dt>
              <dd>
                <Place forest={forest} placement={label.person} />
              </dd>
            </dl>
          )}
        </Section>
      );
  }
};

const Place = ({ forest, placement }: { forest: Forest; placement: Placement }) =>
  placement.parentId === null ? (
    'a topic of its own'
  ) : (
    <>
      under <TurnLink forest={forest} nodeId={placement.parentId} /> in{' '}
      <TopicChip forest={forest} treeId={placement.treeId} />
    </>
  );
