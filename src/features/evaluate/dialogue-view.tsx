import { Check, Play } from 'lucide-react';
import { useEffect, useMemo, useRef } from 'react';
import { useActions } from '../../ui/app-context.ts';
import { Button } from '../../ui/parts/button.tsx';
import { TopicDot } from '../../ui/parts/text.tsx';
import { BothPlaces, confidenceWords } from './both-places.tsx';
import { topicNumbers } from './dialogue-topics.ts';
import type { EvaluatedDecision } from './evaluation-port.ts';
import { placeWords, samePlace } from './figure-words.ts';
import styles from './panel.module.css';
import { Panel } from './panel.tsx';

/** A whole dialogue with where each turn was labelled and decided to go, at the turn that was chosen. */
export const DialogueView = ({
  decision: { dialogue, turn: chosen },
  decisions,
  title,
  mode,
  onBack,
  onClose,
}: {
  decision: EvaluatedDecision;
  decisions: readonly EvaluatedDecision[];
  title: string;
  mode: string;
  onBack: () => void;
  onClose: () => void;
}) => {
  const { replay } = useActions();
  const topics = useMemo(() => topicNumbers(dialogue, decisions, mode), [dialogue, decisions, mode]);
  const here = useRef<HTMLLIElement>(null);
  useEffect(() => {
    here.current?.scrollIntoView({ block: 'center' });
  }, []);
  return (
    <Panel
      label="Dialogue"
      title={title}
      facts={`Turn ${chosen + 1} of ${dialogue.turns.length}${trainedWords(dialogue.trained)}`}
      onBack={onBack}
      onClose={onClose}
    >
      <div className={styles.replay}>
        <Button size="small" onClick={() => void replay({ title, turns: dialogue.turns }, { running: true })}>
          <Play size={12} fill="currentColor" aria-hidden />
          Replay it in the chat
        </Button>
      </div>
      <ol aria-label="Turns" className={styles.turns}>
        {dialogue.turns.map(({ message, reply }, turn) => {
          const decision = decisions.find((one) => one.turn === turn);
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a turn is its index
            <li key={turn} ref={turn === chosen ? here : null} {...(turn === chosen ? { 'aria-current': true } : {})}>
              <span className={styles.number}>{turn + 1}</span>
              <span className={styles.dots}>
                <TopicDot order={topics.labelled[turn] ?? 0} />
                <TopicDot order={topics.decided[turn] ?? 0} />
              </span>
              <div className={styles.said}>
                <p className={styles.message}>{message}</p>
                {reply !== null && <p className={styles.reply}>{reply}</p>}
                {decision !== undefined && <Places decision={decision} />}
              </div>
            </li>
          );
        })}
      </ol>
    </Panel>
  );
};

const Places = ({ decision }: { decision: EvaluatedDecision }) => {
  const { gold, predicted, confidence } = decision;
  if (samePlace(gold, predicted)) {
    return (
      <p className={styles.right}>
        <Check size={12} aria-hidden />
        {placeWords(gold)}, as labelled{confidenceWords(confidence)}
      </p>
    );
  }
  return (
    <p className={styles.places}>
      <BothPlaces decision={decision} confidence={confidence} />
    </p>
  );
};

const trainedWords = (trained: boolean): string =>
  trained ? ' · in the decider’s training: measured with other weights' : ' · not in the decider’s training';
