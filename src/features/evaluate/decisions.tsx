import { ArrowLeft, Check, Play, X } from 'lucide-react';
import { type CSSProperties, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useActions } from '../../ui/app-context.ts';
import { Button, IconButton } from '../../ui/parts/button.tsx';
import { Segmented } from '../../ui/parts/fields.tsx';
import { count, counted } from '../../ui/parts/format.ts';
import { subjectName } from '../../ui/parts/policies.tsx';
import { Ellipsis, Heading, Muted, TopicDot } from '../../ui/parts/text.tsx';
import styles from './decisions.module.css';
import type {
  EvaluatedDecision,
  EvaluatedDialogue,
  EvaluatedPlace,
  Matrix,
  Measurements,
} from './in-page/evaluation-port.ts';

interface Cell {
  readonly kind: Matrix['kind'];
  readonly labelled: string;
  readonly decided: string;
}

/** Confusion matrices of one decider; a cell opens its decisions, and each decision opens its dialogue. */
export const Confusions = ({ measured, dataset, mode }: { measured: Measurements; dataset: string; mode: string }) => {
  const own = useMemo(
    () => measured.deciders.filter((subject) => measured.matrices({ dataset, mode, subject }).length > 0),
    [measured, dataset, mode],
  );
  const [asked, setAsked] = useState('');
  const subject = own.includes(asked) ? asked : (own[0] ?? '');
  const matrices = useMemo(() => measured.matrices({ dataset, mode, subject }), [measured, dataset, mode, subject]);
  const [cell, setCell] = useState<Cell | null>(null);
  const [opened, setOpened] = useState<{ decision: EvaluatedDecision; of: string } | null>(null);
  const run = `${mode} ${subject}`;
  const open = opened?.of === run ? opened.decision : null;

  const matrix = matrices.find(({ kind }) => kind === cell?.kind);
  const decisions =
    matrix?.cells[matrix.labelled.indexOf(cell?.labelled ?? '')]?.[matrix.decided.indexOf(cell?.decided ?? '')];
  const close = () => {
    setCell(null);
    setOpened(null);
  };
  const showsPanel = open !== null || (cell !== null && decisions !== undefined);
  return (
    <div className={styles.confusions} data-panel={showsPanel}>
      <div className={styles.matrices}>
        {own.length > 1 && (
          <div className={styles.deciders}>
            <Segmented
              label="Decider"
              options={own.map((value) => ({ value, label: subjectName(value) }))}
              value={subject}
              onChange={setAsked}
            />
          </div>
        )}
        {matrices.map((one) => (
          <HeatTable
            key={one.kind}
            matrix={one}
            chosen={cell?.kind === one.kind ? cell : null}
            onChoose={(labelled, decided) => {
              setCell({ kind: one.kind, labelled, decided });
              setOpened(null);
            }}
          />
        ))}
        {matrices.length === 0 && <Muted>No decisions in this set were measured.</Muted>}
        {matrices.length > 0 && <Muted>Choose a cell to see its decisions.</Muted>}
      </div>
      {open !== null ? (
        <DialogueView
          key={`${run} ${open.dialogue.id} ${open.turn}`}
          decision={open}
          decisions={measured.decisionsIn(open.dialogue, { dataset, mode, subject })}
          title={`${dataset} ${open.dialogue.id}`}
          mode={mode}
          onBack={() => setOpened(null)}
          onClose={close}
        />
      ) : (
        cell !== null &&
        decisions !== undefined && (
          <Examples
            key={`${run} ${cell.kind} ${cell.labelled} ${cell.decided}`}
            title={
              cell.labelled === cell.decided
                ? `${cell.labelled}, decided correctly`
                : `${cell.labelled}, decided as ${cell.decided}`
            }
            kind={cell.kind}
            decisions={decisions}
            onOpen={(decision) => setOpened({ decision, of: run })}
            onClose={close}
          />
        )
      )}
    </div>
  );
};

const TITLES: Readonly<Record<Matrix['kind'], string>> = {
  topic: 'Topic action',
  shift: 'Shift or not',
  branch: 'Branch action',
  relation: 'Relation to earlier turns',
};

/** A confusion matrix: rows are labels, columns are answers, and each row is shaded by its own shares. */
const HeatTable = ({
  matrix: { kind, labelled, decided, cells },
  chosen,
  onChoose,
}: {
  matrix: Matrix;
  chosen: { readonly labelled: string; readonly decided: string } | null;
  onChoose: (labelled: string, decided: string) => void;
}) => (
  <figure className={styles.matrix}>
    <table className={styles.heat}>
      <caption>{TITLES[kind]}</caption>
      <thead>
        <tr>
          <td>
            <span>labelled ↓</span> <span>decided →</span>
          </td>
          {decided.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {labelled.map((gold, row) => {
          const all = cells[row]?.reduce((sum, cell) => sum + cell.length, 0) ?? 0;
          return (
            <tr key={gold}>
              <th scope="row">
                {gold}
                <small className={styles.total}>{count(all)}</small>
              </th>
              {decided.map((answer, column) => {
                const own = cells[row]?.[column]?.length ?? 0;
                const share = all === 0 ? 0 : own / all;
                return (
                  <td key={answer}>
                    {own === 0 ? (
                      <span className={styles.none}>0</span>
                    ) : (
                      <button
                        type="button"
                        className={styles.cell}
                        aria-label={`${gold} decided as ${answer}: ${counted(own, 'decision')}`}
                        aria-pressed={chosen?.labelled === gold && chosen.decided === answer}
                        data-right={gold === answer}
                        style={{ '--share': share } as CSSProperties}
                        onClick={() => onChoose(gold, answer)}
                      >
                        <b>{count(own)}</b>
                        <small>{Math.round(100 * share)} %</small>
                      </button>
                    )}
                  </td>
                );
              })}
            </tr>
          );
        })}
      </tbody>
    </table>
  </figure>
);

/** Decisions rendered per page. */
const PAGE = 20;

/** The decisions in a cell, least confident first. */
const Examples = ({
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
      <Ellipsis fit className={styles.around}>
        <i>{turn}</i> {before?.message}
      </Ellipsis>
      <span dir="auto" className={styles.message}>
        <i>{turn + 1}</i> {dialogue.turns[turn]?.message}
      </span>
      {after !== undefined && (
        <Ellipsis fit className={styles.around}>
          <i>{turn + 2}</i> {after.message}
        </Ellipsis>
      )}
      <span className={styles.places}>
        <BothPlaces decision={decision} confidence={confidenceOf(decision, kind)} />
      </span>
    </button>
  );
};

const confidenceOf = ({ confidence, branchConfidence }: EvaluatedDecision, kind: Matrix['kind']): number | null =>
  kind === 'branch' || kind === 'relation' ? (branchConfidence ?? confidence) : confidence;

/** A whole dialogue with the labelled and decided place of each turn, scrolled to the chosen turn. */
const DialogueView = ({
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
      facts={`Turn ${chosen + 1} of ${dialogue.turns.length}${trainingWords(dialogue.trained)}`}
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
                <p dir="auto" className={styles.message}>
                  {message}
                </p>
                {reply !== null && (
                  <p dir="auto" className={styles.reply}>
                    {reply}
                  </p>
                )}
                {decision !== undefined && <Places decision={decision} mode={mode} />}
              </div>
            </li>
          );
        })}
      </ol>
    </Panel>
  );
};

export const Places = ({ decision, mode }: { decision: Omit<EvaluatedDecision, 'dialogue'>; mode: string }) => {
  const { gold, predicted, settledParent, labelled, confidence } = decision;
  // Elsewhere the next turns build on its label all the same.
  const moved = mode === FREE_RUNNING && settledParent !== predicted.parent;
  const then = settledParent === null ? 'to a new topic' : `under turn ${settledParent + 1}`;
  if (samePlace(gold, predicted)) {
    return (
      <p className={styles.right}>
        {labelled && <Check size={12} aria-hidden />}
        <span>
          {evaluatedPlaceWords(gold)}, {labelled ? 'as labelled' : 'as in the file (not labelled)'}
          {confidenceWords(confidence)}
          {moved && ` · moved ${then} once replied to`}
        </span>
      </p>
    );
  }
  return (
    <p className={styles.places} data-labelled={labelled}>
      <BothPlaces decision={decision} confidence={confidence} />
      {moved && <span>moved {then} once replied to</span>}
    </p>
  );
};

const trainingWords = (trained: boolean): string =>
  trained ? ' · in the decider’s training: measured with other weights' : ' · not in the decider’s training';

/** Details of the current choice, beside the matrices or on top of them on narrow screens. Takes focus when it opens. */
const Panel = ({
  label,
  title,
  facts,
  onBack,
  onClose,
  children,
}: {
  label: string;
  title: ReactNode;
  facts: ReactNode;
  onBack?: () => void;
  onClose: () => void;
  children: ReactNode;
}) => {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    panel.current?.focus({ preventScroll: true });
  }, []);
  return (
    <section ref={panel} aria-label={label} tabIndex={-1} className={styles.panel}>
      <header className={styles.head}>
        {onBack !== undefined && <IconButton label="Back to the list" icon={ArrowLeft} onClick={onBack} />}
        <div>
          <Heading level={4}>{title}</Heading>
          <Muted>{facts}</Muted>
        </div>
        <IconButton label="Close the examples" icon={X} onClick={onClose} />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keys */}
      <div className={styles.body} tabIndex={0} role="group" aria-label={`${label}, content`}>
        {children}
      </div>
    </section>
  );
};

/** The labelled and the decided place of a turn; without a label, where the file has it. `confidence`: of the displayed decision; null if none. */
const BothPlaces = ({
  decision: { gold, predicted, labelled, disputed },
  confidence,
}: {
  decision: Omit<EvaluatedDecision, 'dialogue'>;
  confidence: number | null;
}) => (
  <>
    <span>
      {labelled ? 'labelled' : 'in the file'} <b>{evaluatedPlaceWords(gold)}</b>
      {!labelled && ' (not labelled)'}
      {disputed && ' (disputed)'}
    </span>
    <span>
      decided <b>{evaluatedPlaceWords(predicted)}</b>
      {confidenceWords(confidence)}
    </span>
  </>
);

/** Where a turn goes, e.g. `new branch from turn 3`. */
export const evaluatedPlaceWords = ({ topic, branch, parent }: EvaluatedPlace): string => {
  if (parent === null) return 'new topic';
  const turn = `turn ${parent + 1}`;
  const where = {
    'continue-branch': `continues ${turn}`,
    'create-branch': `new branch from ${turn}`,
    'switch-branch': `switches to the branch of ${turn}`,
  }[branch ?? 'continue-branch'];
  return topic === 'switch-topic' ? `back to the topic of ${turn}, ${where.replace(` ${turn}`, ' it')}` : where;
};

export const samePlace = (gold: EvaluatedPlace, predicted: EvaluatedPlace): boolean =>
  gold.topic === predicted.topic && gold.parent === predicted.parent;

/** Suffix for a decided place; empty if the decider gave no confidence. */
const confidenceWords = (confidence: number | null): string =>
  confidence === null ? '' : ` · confidence ${confidence.toFixed(2)}`;

/** The evaluation mode in which each turn builds on where the engine put those before it. */
const FREE_RUNNING = 'free-running';

/**
 * The topic number of each turn in order of creation, from 0: as labelled, and as decided. In free-running the latter is
 * where the turn was once replied to, since the decisions after it build on that.
 */
export const topicNumbers = (
  { turns }: Pick<EvaluatedDialogue, 'turns'>,
  decisions: readonly Pick<EvaluatedDecision, 'turn' | 'predicted' | 'settledParent'>[],
  mode: string,
): { readonly labelled: readonly number[]; readonly decided: readonly number[] } => {
  const labelled = numbered(turns.map(({ parent }) => parent));
  const made = turns.map((_, turn) => decisions.find((one) => one.turn === turn));
  if (mode === FREE_RUNNING) {
    return { labelled, decided: numbered(made.map((decision) => decision?.settledParent ?? null)) };
  }
  const parents = made.map((decision) => decision?.predicted.parent ?? null);
  // Every earlier turn is in its labelled place; a wrongly created topic gets a number that no label uses.
  const topics = Math.max(-1, ...labelled) + 1;
  const decided = parents.map((parent, turn) => {
    if (parent !== null) return labelled[parent] ?? topics;
    return turns[turn]?.parent === null ? (labelled[turn] ?? topics) : topics;
  });
  return { labelled, decided };
};

const numbered = (parents: readonly (number | null)[]): number[] => {
  const numbers: number[] = [];
  let next = 0;
  for (const parent of parents) numbers.push(parent === null ? next++ : (numbers[parent] ?? 0));
  return numbers;
};
