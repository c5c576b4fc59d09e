import { Flag } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { Button } from '../../ui/parts/button.tsx';
import { isComposing } from '../../ui/parts/composing.ts';
import { TextField } from '../../ui/parts/fields.tsx';
import { counted } from '../../ui/parts/format.ts';
import { Heading, Row } from '../../ui/parts/text.tsx';
import styles from './annotate-question.module.css';
import { SpokenTurn } from './arcs.tsx';
import type { LabelEvent } from './label-events.ts';
import { comparedWithGold, labelWords, PLACEMENT_WORDS, saysTheSame } from './label-words.ts';
import type { Labelling } from './labelling.ts';
import { placements, type StudyDialogue, type StudyLabel } from './study.ts';

/** The current turn, and the controls to label it. */
export const AnnotateQuestion = ({
  labelling,
  tags,
  dialogue,
  label,
  held,
  gold,
  isSent,
  offer,
}: {
  labelling: Labelling;
  tags: readonly string[];
  dialogue: StudyDialogue;
  /** The label that the choice results in. */
  label: StudyLabel | null;
  held: LabelEvent | undefined;
  /** The author's label, shown after the person has labelled; null if there is nothing to show. */
  gold: StudyLabel | null;
  /** Whether the labels go to a coordinator, who reads what turns are flagged with. */
  isSent: boolean;
  /** Offers to save after many labels that are in no file yet. */
  offer: { readonly unsaved: number; readonly save: () => void } | null;
}) => {
  const { turn, choice, comment, remark } = useStore(labelling.store);
  const said = dialogue.turns[turn];
  const question = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each turn is read from its beginning
  useEffect(() => void question.current?.scrollTo(0, 0), [turn, dialogue]);
  if (said === undefined) return null;
  const engine = labelling.mode === 'assisted' ? (dialogue.engine?.[turn] ?? null) : null;
  const isHeld = held?.label != null && JSON.stringify(held.label) === JSON.stringify(label);
  return (
    <section ref={question} className={styles.question} aria-label="The turn to label">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long message scrolls, by keyboard too */}
      <div className={styles.said} tabIndex={0} role="group" aria-label="Message" data-scrolls>
        <Heading size="small">
          Turn {turn + 1}
          {held?.comment !== undefined && comment === null && (
            <span className={styles.flagged}>
              <Flag size={12} aria-hidden /> {held.comment}
            </span>
          )}
        </Heading>
        <p dir="auto" className={styles.text}>
          <SpokenTurn turn={said} />
        </p>
      </div>
      {gold !== null && label !== null && <Feedback label={label} gold={gold} />}
      {engine !== null && (
        <p className={styles.engine}>
          <span>
            {engine.by} says: {labelWords({ ...engine, furtherParents: [], tags: [], unsure: false })}
          </span>
          <Choose keys="A" on={false} onPress={labelling.takeEngine}>
            Accept
          </Choose>
        </p>
      )}
      <div className={styles.choices}>
        <div role="group" aria-label="Placement" className={styles.group}>
          {placements.map((placement, at) => (
            <Choose
              key={placement}
              keys={String(at + 1)}
              on={label?.placement === placement}
              onPress={() => labelling.place(placement)}
            >
              {PLACEMENT_WORDS[placement]}
            </Choose>
          ))}
        </div>
        <div role="group" aria-label="More" className={styles.group}>
          <Choose keys="E" on={choice.cursor === 'elsewhere'} onPress={() => labelling.pick('elsewhere')}>
            Not in this dialogue
          </Choose>
          <Choose keys="M" on={choice.fixed.length > 0} onPress={labelling.another}>
            Another parent
          </Choose>
          <Choose keys="X" on={choice.unsure} onPress={labelling.toggleUnsure}>
            Unsure
          </Choose>
          {tags.map((tag, at) => (
            <Choose
              key={tag}
              keys={at < 4 ? String(at + 6) : ''}
              on={choice.tags.includes(tag)}
              onPress={() => labelling.toggleTag(tag)}
            >
              {tag}
            </Choose>
          ))}
          {isSent && comment === null && (
            <Choose keys="F" on={held?.comment !== undefined} onPress={labelling.startComment}>
              Flag
            </Choose>
          )}
        </div>
      </div>
      {comment !== null && (
        <FlagForm
          key={`${dialogue.id} ${turn}`}
          comment={comment}
          isFlagged={held?.comment !== undefined}
          labelling={labelling}
        />
      )}
      <Row className={styles.foot}>
        <p role="status" className={styles.status}>
          {remark !== '' ? remark : label === null ? 'Which turn does it continue?' : labelWords(label)}
        </p>
        {offer !== null && (
          <Button size="small" onClick={offer.save}>
            Save {counted(offer.unsaved, 'label')} <Key>S</Key>
          </Button>
        )}
        <Button look="primary" disabled={label === null} onClick={labelling.link}>
          {gold !== null && isHeld ? 'Next turn' : 'Link and next'} <Key>Enter</Key>
        </Button>
      </Row>
    </section>
  );
};

const Key = ({ children }: { children: ReactNode }) => (
  <kbd aria-hidden className={styles.key}>
    {children}
  </kbd>
);

const Choose = ({
  keys,
  on,
  onPress,
  children,
}: {
  keys: string;
  on: boolean;
  onPress: () => void;
  children: ReactNode;
}) => (
  <button type="button" className={styles.choose} aria-pressed={on} onClick={onPress}>
    {keys !== '' && <Key>{keys}</Key>}
    {children}
  </button>
);

/** The author's label, shown after the person has labelled. */
const Feedback = ({ label, gold }: { label: StudyLabel; gold: StudyLabel }) => (
  <p role="status" className={styles.feedback} data-right={saysTheSame(label, gold)}>
    <b>{comparedWithGold(label, gold)}</b> {labelWords(gold)}
  </p>
);

const FlagForm = ({ comment, isFlagged, labelling }: { comment: string; isFlagged: boolean; labelling: Labelling }) => (
  <form
    className={styles.flag}
    data-own-escape
    onSubmit={(event) => {
      event.preventDefault();
      labelling.flag(comment);
    }}
  >
    <TextField
      aria-label="Comment"
      placeholder="What is wrong with this turn? Only the coordinator will read this."
      autoFocus
      value={comment}
      onChange={({ target }) => labelling.writeComment(target.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !isComposing(event.nativeEvent)) labelling.writeComment(null);
      }}
    />
    <Button type="submit">{comment.trim() === '' && isFlagged ? 'Remove flag' : 'Flag it'}</Button>
  </form>
);
