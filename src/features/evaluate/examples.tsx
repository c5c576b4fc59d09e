import { useState } from 'react';
import { Button } from '../../ui/parts/button.tsx';
import { counted } from '../../ui/parts/format.ts';
import { BothPlaces } from './both-places.tsx';
import type { EvaluatedDecision, Matrix } from './evaluation-port.ts';
import styles from './panel.module.css';
import { Panel } from './panel.tsx';

/** Decisions drawn at a time. */
const PAGE = 20;

/** The decisions in a cell, least confident first. */
export const Examples = ({
  title,
  kind,
  decisions,
  onOpen,
  onClose,
}: {
  title: string;
  kind: Matrix['kind'];
  decisions: readonly EvaluatedDecision[];
  onOpen: (decision: EvaluatedDecision) => void;
  onClose: () => void;
}) => {
  const [shown, setShown] = useState(PAGE);
  const more = decisions.length - shown;
  const sure = decisions.some((decision) => confidenceOf(decision, kind) !== null);
  return (
    <Panel
      label="Examples"
      title={title}
      facts={`${counted(decisions.length, 'decision')}${sure && decisions.length > 1 ? ', least confident first' : ''}`}
      onClose={onClose}
    >
      <ul aria-label="Decisions" className={styles.examples}>
        {decisions.slice(0, shown).map((decision) => (
          <li key={`${decision.dialogue.id} ${decision.turn}`}>
            <Example decision={decision} kind={kind} onOpen={onOpen} />
          </li>
        ))}
      </ul>
      {more > 0 && (
        <Button look="quiet" size="small" onClick={() => setShown(shown + PAGE)}>
          Show {Math.min(PAGE, more)} more
        </Button>
      )}
    </Panel>
  );
};

const Example = ({
  decision,
  kind,
  onOpen,
}: {
  decision: EvaluatedDecision;
  kind: Matrix['kind'];
  onOpen: (decision: EvaluatedDecision) => void;
}) => {
  const { dialogue, turn } = decision;
  const before = dialogue.turns[turn - 1];
  const after = dialogue.turns[turn + 1];
  return (
    <button type="button" className={styles.example} onClick={() => onOpen(decision)}>
      <span className={styles.around}>
        <i>{turn}</i> {before?.message}
      </span>
      <span className={styles.message}>
        <i>{turn + 1}</i> {dialogue.turns[turn]?.message}
      </span>
      {after !== undefined && (
        <span className={styles.around}>
          <i>{turn + 2}</i> {after.message}
        </span>
      )}
      <span className={styles.places}>
        <BothPlaces decision={decision} confidence={confidenceOf(decision, kind)} />
      </span>
    </button>
  );
};

const confidenceOf = ({ confidence, branchConfidence }: EvaluatedDecision, kind: Matrix['kind']): number | null =>
  kind === 'branch' || kind === 'relation' ? (branchConfidence ?? confidence) : confidence;
