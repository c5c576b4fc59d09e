import { ChevronRight, Info, Maximize, Minus, Plus, TriangleAlert } from 'lucide-react';
import { type KeyboardEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { Forest, NodeId } from '../../domain/forest.ts';
import { sizeOf } from '../../domain/table.ts';
import type { ChangeCause, PlacementDifference, TurnPosition } from '../../engine/history/what-if.ts';
import { asSentence } from '../../engine/model-failure.ts';
import { DrawnScene, usePaneSize, usePress, useWheel } from '../../ui/canvas/drawn-scene.tsx';
import type { Rect, Size, View } from '../../ui/canvas/geometry.ts';
import { boxOf, cardOf } from '../../ui/canvas/layout.ts';
import type { Body } from '../../ui/canvas/painter.ts';
import { bareScene, type Scene } from '../../ui/canvas/scene.ts';
import { IconButton } from '../../ui/parts/button.tsx';
import { count, counted } from '../../ui/parts/format.ts';
import { subjectName } from '../../ui/parts/policies.tsx';
import { Muted } from '../../ui/parts/text.tsx';
import styles from './outcome-view.module.css';
import { movedIn, shapeOf, tokensOf } from './sweep.ts';
import {
  alignedTo,
  drawTurns,
  fitBoth,
  goneTo,
  inOrderOf,
  panned,
  type TwinView,
  viewIn,
  zoomed,
} from './twin-view.ts';
import { KIND_WORDS, type WhatIfRun } from './what-if-run.ts';
import {
  changedSettingsWords,
  evidenceWords,
  leftOutWords,
  movedWords,
  notesOn,
  type Outcome,
  otherDifferencesWords,
  placeWords,
  sureWords,
  unchangedWords,
} from './what-if-words.ts';

/** The conversation as it is and as it would have been, with the differences. */
export const OutcomeView = ({ run }: { run: WhatIfRun }) => {
  const outcome = useStore(run.store, (state) => state.outcome);
  const swept = useStore(run.store, (state) => state.swept);
  const failure = useStore(run.store, (state) => state.failure);
  const task = useStore(run.store, (state) => state.task);
  const [picked, setPicked] = useState<{ readonly of: unknown; readonly nodeId: NodeId } | null>(null);
  const selected = picked !== null && picked.of === outcome ? picked.nodeId : null;
  const select = (nodeId: NodeId | null) => setPicked(nodeId === null ? null : { of: outcome, nodeId });

  // A sweep that came to a value says so itself.
  const failed = failure !== null && (failure.kind === 'rerun' || swept === null) && (
    <div role="alert" className={styles.failure}>
      <b>The {KIND_WORDS[failure.kind]} failed.</b>
      <p>
        {asSentence(failure.why)} {outcome !== null && 'The previous result is kept. '}Change something or try again.
      </p>
    </div>
  );
  if (outcome === null) {
    return (
      <div className={styles.empty}>
        {failed || (task === null ? <Introduction run={run} /> : <p>Each turn is being decided again, in order.</p>)}
      </div>
    );
  }
  return (
    <div className={styles.outcome} data-old={task?.kind === 'rerun'}>
      {failed}
      <Summary outcome={outcome} />
      <Notes outcome={outcome} />
      <Twins key={outcome.origin.conversationId} outcome={outcome} selected={selected} onSelect={select} />
      <DifferenceList outcome={outcome} selected={selected} onSelect={select} />
    </div>
  );
};

const Introduction = ({ run }: { run: WhatIfRun }) => {
  const forest = useStore(run.store, ({ origin }) => origin.forest);
  const { embedded, embeddedEmbedder } = run.choices();
  return (
    <div>
      <b>How would this conversation have turned out?</b>
      <p>
        Choose what to change, then re-run. The engine decides every message it placed once more. Replies, summaries and
        your manual edits stay as they were.
      </p>
      <p>{unchangedWords(forest, embedded && embeddedEmbedder === null)}</p>
    </div>
  );
};

/** Number of turns decided differently, and the totals of the forest and its contexts: as is, and as it would have been. */
const Summary = ({ outcome }: { outcome: Outcome }) => {
  const { origin, rerun, differences } = outcome;
  const [before, after] = useMemo(() => [shapeOf(origin.forest), shapeOf(rerun.forest)], [origin, rerun]);
  const decided = movedIn(differences);
  return (
    <header className={styles.summary}>
      <div className={styles.headline}>
        <h3>
          {decided === 0 ? 'No turn' : counted(decided, 'turn')} would have been decided differently
          <span> of {counted(rerun.decided.size, 'turn')} run again</span>
        </h3>
        <Muted>
          {[`Changed: ${changedSettingsWords(rerun.question)}`, ...otherDifferencesWords(differences)].join(' · ')}
        </Muted>
      </div>
      <dl className={styles.figures}>
        <Figure name="topics" before={before.topics} after={after.topics} />
        <Figure name="branches" before={before.branches} after={after.branches} />
        <Figure name="forks" before={before.forks} after={after.forks} />
        <Figure name="tokens" before={before.tokens} after={after.tokens} />
        <Figure name="tokens per turn" before={before.tokensPerTurn} after={after.tokensPerTurn} />
      </dl>
    </header>
  );
};

const figureWords = (figure: number | null): string => (figure === null ? '–' : count(figure));

const Figure = ({ name, before, after }: { name: string; before: number | null; after: number | null }) => (
  <div className={styles.figure} data-same={before === after}>
    <dt>{name}</dt>
    <dd>
      {before === after ? (
        figureWords(after)
      ) : (
        <>
          <span>{figureWords(before)}</span>
          <span aria-hidden> → </span>
          <span className="visually-hidden"> would have been </span>
          <b>{figureWords(after)}</b>
        </>
      )}
    </dd>
  </div>
);

const Notes = ({ outcome }: { outcome: Outcome }) => {
  const notes = useMemo(() => notesOn(outcome), [outcome]);
  const { leftOut } = outcome.rerun;
  if (notes.length === 0 && leftOut.length === 0) return null;
  return (
    <div className={styles.notes}>
      {notes.map(({ text, alert }) => (
        <p key={text} data-alert={alert}>
          {alert ? <TriangleAlert size={14} aria-hidden /> : <Info size={14} aria-hidden />}
          {text}
        </p>
      ))}
      {leftOut.length > 0 && (
        <details>
          <summary>
            <ChevronRight size={14} aria-hidden />
            {counted(leftOut.length, 'manual edit was', 'manual edits were')} ignored
          </summary>
          <ul>
            {leftOut.map((one) => (
              <li key={`${one.seq} ${one.what}`}>{leftOutWords(outcome.origin.forest, one)}</li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
};

const GROUPS: readonly { readonly change: ChangeCause; readonly title: string; readonly open: boolean }[] = [
  { change: 'moved', title: 'Decided differently', open: true },
  { change: 'by-hand', title: 'Moved by manual edits', open: true },
  { change: 'same-place', title: 'In the same place, by another action', open: false },
  { change: 'carried', title: 'Moved along with others', open: false },
];

/** The turns placed differently, decided ones first. */
const DifferenceList = ({
  outcome,
  selected,
  onSelect,
}: {
  outcome: Outcome;
  selected: NodeId | null;
  onSelect: (nodeId: NodeId | null) => void;
}) => {
  const groups = GROUPS.map((group) => ({
    ...group,
    turns: outcome.differences.filter(({ change }) => change === group.change),
  })).filter(({ turns }) => turns.length > 0);
  if (groups.length === 0) {
    return (
      <p className={styles.none}>Every turn is where it is, by the same action: the change made no difference here.</p>
    );
  }
  return (
    <section className={styles.differences} aria-label="Differences">
      {groups.map(({ change, title, open, turns }) => (
        <Group key={change} title={title} turns={turns} open={open || turns.some(({ nodeId }) => nodeId === selected)}>
          {turns.map((difference) => (
            <DifferenceRow
              key={difference.nodeId}
              outcome={outcome}
              difference={difference}
              selected={difference.nodeId === selected}
              onSelect={onSelect}
            />
          ))}
        </Group>
      ))}
    </section>
  );
};

const Group = ({
  title,
  turns,
  open,
  children,
}: {
  title: string;
  turns: readonly PlacementDifference[];
  open: boolean;
  children: React.ReactNode;
}) => (
  <details className={styles.group} open={open}>
    <summary>
      <ChevronRight size={14} aria-hidden />
      {title}
      <i>{turns.length}</i>
    </summary>
    <ul aria-label={title}>{children}</ul>
  </details>
);

/** A turn with both of its places and, when selected, both of its reasons. */
const DifferenceRow = ({
  outcome: { origin, rerun },
  difference: { nodeId, number, before, after },
  selected,
  onSelect,
}: {
  outcome: Outcome;
  difference: PlacementDifference;
  selected: boolean;
  onSelect: (nodeId: NodeId | null) => void;
}) => {
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (selected) row.current?.scrollIntoView({ block: 'nearest' });
  }, [selected]);
  const message = (rerun.forest.nodes[nodeId] ?? origin.forest.nodes[nodeId])?.message ?? '';
  return (
    <li ref={row} className={styles.row} data-selected={selected}>
      <button type="button" aria-expanded={selected} onClick={() => onSelect(selected ? null : nodeId)}>
        <i>
          <span className="visually-hidden">Turn </span>
          {number}
        </i>
        <span className={styles.message}>{message}</span>
        <span className={styles.places}>
          <Line word="before" forest={origin.forest} place={before} />
          <Line word="after" forest={rerun.forest} place={after} />
        </span>
      </button>
      {selected && (
        <div className={styles.reasons}>
          <Why title="Before" forest={origin.forest} place={before} tokens={tokensOf(origin.forest, nodeId)} />
          <Why title="After" forest={rerun.forest} place={after} tokens={tokensOf(rerun.forest, nodeId)} />
        </div>
      )}
    </li>
  );
};

const Line = ({ word, forest, place }: { word: string; forest: Forest; place: TurnPosition | null }) => (
  <span data-word={word}>
    <em>{word}</em>{' '}
    {place === null
      ? 'not there'
      : [placeWords(forest, place), movedWords(forest, place)].filter((part) => part !== null).join('; ')}
  </span>
);

const Why = ({
  title,
  forest,
  place,
  tokens,
}: {
  title: string;
  forest: Forest;
  place: TurnPosition | null;
  tokens: number | null;
}) => {
  const facts = [
    place?.decision.trace == null ? null : subjectName(place.decision.trace.decider),
    place === null ? null : sureWords(place),
    tokens === null ? null : `${count(tokens)} tokens`,
  ].filter((fact) => fact != null);
  return (
    <div>
      <h4>{title}</h4>
      <p className={styles.facts}>{facts.join(' · ')}</p>
      <ul>{place !== null && evidenceWords(forest, place).map((words) => <li key={words}>{words}</li>)}</ul>
    </div>
  );
};

/** Distance that an arrow key pans, in screen pixels, and the factor of a zoom step. */
const STEP = 60;
const FACTOR = 1.25;

const KEYS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [STEP, 0],
  ArrowRight: [-STEP, 0],
  ArrowUp: [0, STEP],
  ArrowDown: [0, -STEP],
};

/** Both forests side by side, panned and zoomed together. For screen readers, the list of differences is the equivalent. */
const Twins = ({
  outcome: { origin, rerun, differences },
  selected,
  onSelect,
}: {
  outcome: Outcome;
  selected: NodeId | null;
  onSelect: (nodeId: NodeId | null) => void;
}) => {
  const before = useMemo(() => bareScene(origin.forest), [origin]);
  const after = useMemo(
    () => bareScene(inOrderOf(rerun.forest, origin.forest), before.layout),
    [rerun, origin, before],
  );
  const changes = useMemo(() => new Map(differences.map(({ nodeId, change }) => [nodeId, change])), [differences]);
  const root = useRef<HTMLDivElement>(null);
  const pane = useRef<HTMLDivElement>(null);
  const size = usePaneSize(pane);
  const [moved, setMoved] = useState<TwinView | null>(null);
  const view = moved ?? fitBoth(before.layout, after.layout, size);
  const pickedHere = useRef<NodeId | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: it goes to what is newly selected, from wherever it looks then
  useEffect(() => {
    if (selected === null || selected === pickedHere.current) return;
    setMoved(goneTo(view, boxIn(before, selected), boxIn(after, selected), size));
  }, [selected]);

  const zoom = (factor: number, at = middleOf(size)) => setMoved((now) => zoomed(now ?? view, factor, at));
  useWheel(root, zoom);
  const press = usePress((dx, dy) => setMoved((now) => panned(now ?? view, dx, dy)), zoom);
  const pick = (side: 'before' | 'after') => (nodeId: NodeId | null) => {
    if (press.dragged()) return;
    pickedHere.current = nodeId;
    onSelect(nodeId === selected ? null : nodeId);
    if (nodeId === null) return;
    const [own, other] = side === 'before' ? [before, after] : [after, before];
    const box = boxIn(own, nodeId);
    if (box !== null) setMoved(alignedTo(view, side, box, boxIn(other, nodeId)));
  };

  const key = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return;
    const pan = KEYS[event.key];
    if (pan !== undefined) setMoved(panned(view, ...pan));
    else if (event.key === '+' || event.key === '=') zoom(FACTOR);
    else if (event.key === '-') zoom(1 / FACTOR);
    else if (event.key === '0') setMoved(null);
    else return;
    event.preventDefault();
  };

  return (
    <div
      ref={root}
      className={styles.twins}
      role="group"
      aria-label="Both forests"
      aria-description="Arrow keys pan both, plus and minus zoom, 0 shows all. The list of differences says the same in words."
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what can be panned must be reachable with the keys
      tabIndex={0}
      onKeyDown={key}
      {...press.handlers}
    >
      <figure>
        <figcaption>
          Before <span>{counted(sizeOf(origin.forest.trees), 'topic')}</span>
        </figcaption>
        <div ref={pane} className={styles.pane}>
          <ForestPicture
            scene={before}
            view={viewIn(view, view.before, size)}
            changes={changes}
            selected={selected}
            onPick={pick('before')}
          />
        </div>
      </figure>
      <figure data-simulated>
        <figcaption>
          After <span>{counted(sizeOf(rerun.forest.trees), 'topic')} · simulated</span>
        </figcaption>
        <div className={styles.pane}>
          <ForestPicture
            scene={after}
            view={viewIn(view, view.after, size)}
            changes={changes}
            selected={selected}
            onPick={pick('after')}
          />
        </div>
      </figure>
      <div className={styles.tools}>
        <IconButton size="small" label="Zoom out" icon={Minus} onClick={() => zoom(1 / FACTOR)} />
        <IconButton size="small" label="Zoom in" icon={Plus} onClick={() => zoom(FACTOR)} />
        <IconButton size="small" label="Show all of both" icon={Maximize} onClick={() => setMoved(null)} />
      </div>
      <p className={styles.legend}>
        <span data-mark="moved">decided differently</span>
        <span data-mark="by-hand">moved by manual edits</span>
        <span data-mark="carried">moved along with others, or by another action</span>
      </p>
    </div>
  );
};

const boxIn = ({ forest, layout }: Scene, nodeId: NodeId): Rect | null => {
  const card = cardOf(layout, forest.nodes[nodeId]);
  return card === null ? null : boxOf(card);
};

const middleOf = ({ width, height }: Size) => ({ x: width / 2, y: height / 2 });

/** One forest, drawn as on the canvas, with differently placed turns marked. */
const ForestPicture = ({
  scene,
  view,
  changes,
  selected,
  onPick,
}: {
  scene: Scene;
  view: View;
  changes: ReadonlyMap<NodeId, ChangeCause>;
  selected: NodeId | null;
  onPick: (nodeId: NodeId | null) => void;
}) => {
  const over = useCallback<Body>(
    (pen, drawn, seen, palette) => drawTurns(pen, drawn, seen, palette, { changes, selected }),
    [changes, selected],
  );
  return <DrawnScene scene={scene} view={view} over={over} onPick={onPick} />;
};
