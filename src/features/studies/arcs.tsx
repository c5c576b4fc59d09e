import { type KeyboardEvent, useEffect, useRef } from 'react';
import { clamp } from '../../domain/numbers.ts';
import { topicColour } from '../../ui/topic-colour.ts';
import styles from './arcs.module.css';
import { labelWords } from './label-words.ts';
import {
  type LanePosition,
  messageWithSpeaker,
  type Parent,
  placesOf,
  plainReply,
  type StudyLabel,
  type StudyTurn,
} from './study.ts';

/** In pixels: all rows have the same height, so arcs can be drawn without measuring. */
const ROW = 46;
const LANE = 9;
/** Maximum width of an arc. */
const WIDEST = 150;

/** A person whose arcs are drawn: their name, and one label per turn. */
interface ArcSource {
  readonly name: string;
  readonly labels: readonly (StudyLabel | null)[];
}

/** The message, with its speaker if there are several. */
export const SpokenTurn = ({ turn: { speaker, user } }: { turn: StudyTurn }) => (
  <>
    {speaker !== undefined && (
      <b dir="auto" className={styles.speaker}>
        {speaker}
      </b>
    )}{' '}
    {user}
  </>
);

/** A dialogue with everybody's arcs from turns to their parents, on one canvas. */
export const Arcs = ({
  turns,
  sources,
  chosen,
  onChoose,
}: {
  turns: readonly StudyTurn[];
  sources: readonly ArcSource[];
  /** The selected turn, the only one drawn in full colour. */
  chosen: number | null;
  onChoose: (turn: number) => void;
}) => {
  const list = useRef<HTMLOListElement>(null);
  const width = Math.min(WIDEST, 34 + LANE * sources.length + 8 * Math.sqrt(turns.length));
  useEffect(() => {
    if (chosen !== null) list.current?.children[chosen]?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  const step = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const next = clamp((chosen ?? (by > 0 ? -1 : turns.length)) + by, 0, turns.length - 1);
    onChoose(next);
    list.current?.children[next]?.querySelector('button')?.focus();
  };
  return (
    <div className={styles.canvas}>
      <svg className={styles.arcs} width={width} height={turns.length * ROW} aria-hidden>
        {sources.map(({ name, labels }, lane) => (
          <g key={name} style={{ color: topicColour(lane) }}>
            {turns.map((_, turn) => {
              const label = labels[turn];
              return label == null ? null : (
                <Arc
                  // biome-ignore lint/suspicious/noArrayIndexKey: a turn is its index
                  key={turn}
                  turn={turn}
                  label={label}
                  lane={lane}
                  of={sources.length}
                  width={width}
                  strong={chosen === null || chosen === turn}
                />
              );
            })}
          </g>
        ))}
      </svg>
      <ol ref={list} className={styles.turns} aria-label="Turns" onKeyDown={step}>
        {turns.map((turn, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a turn is its index
          <li key={at} style={{ height: ROW }}>
            <button
              type="button"
              className={styles.turn}
              aria-current={at === chosen ? 'true' : undefined}
              tabIndex={at === (chosen ?? 0) ? 0 : -1}
              aria-label={turnName(turn, at, sources)}
              onClick={() => onChoose(at)}
            >
              <b>{at + 1}</b>
              <span className={styles.words}>
                <span dir="auto">
                  <SpokenTurn turn={turn} />
                </span>
                {turn.assistant !== '' && <small dir="auto">{plainReply(turn)}</small>}
              </span>
            </button>
          </li>
        ))}
      </ol>
    </div>
  );
};

const turnName = (turn: StudyTurn, at: number, sources: readonly ArcSource[]): string => {
  const said = sources.flatMap(({ name, labels }) => {
    const label = labels[at];
    return label == null ? [] : [`${name}: ${labelWords(label)}`];
  });
  return [`Turn ${at + 1}. ${messageWithSpeaker(turn)}`, ...said].join('. ');
};

const Arc = ({
  turn,
  label: { parent, furtherParents, unsure },
  lane,
  of,
  width,
  strong,
}: {
  turn: number;
  label: StudyLabel;
  lane: number;
  of: number;
  width: number;
  strong: boolean;
}) => {
  // Offset each person's arcs slightly; otherwise identical arcs would overlap.
  const offset = (lane - (of - 1) / 2) * Math.min(5, 28 / of);
  const y = turn * ROW + ROW / 2 + offset;
  const look = {
    opacity: strong ? 1 : 0.28,
    strokeWidth: strong ? 2 : 1.25,
    ...(unsure && { strokeDasharray: '3 3' }),
  };
  const right = width - 6;
  if (parent === 'new-topic') return <circle cx={right - 4 - lane * 2} cy={y} r={4} fill="currentColor" style={look} />;
  return (
    <g fill="none" stroke="currentColor" style={look}>
      {parent === 'elsewhere' && <path d={`M${right} ${y} h-16 m0 -4 v8`} />}
      {typeof parent === 'number' && <path d={curve(turn, parent, y, offset, right, lane)} />}
      {furtherParents.map((further) => (
        <path
          key={further}
          d={curve(turn, further, y, offset, right, lane)}
          strokeDasharray="1 4"
          strokeLinecap="round"
        />
      ))}
    </g>
  );
};

const curve = (turn: number, parent: number, y: number, offset: number, right: number, lane: number): string => {
  const to = parent * ROW + ROW / 2 + offset;
  const reach = Math.min(right - 8, 14 + lane * LANE * 0.6 + 16 * Math.sqrt(turn - parent));
  return `M${right} ${y} C${right - reach * 1.3} ${y} ${right - reach * 1.3} ${to} ${right} ${to}`;
};

/** The colour legend of the arcs. */
export const ArcKey = ({ sources }: { sources: readonly ArcSource[] }) => (
  <ul className={styles.key} aria-label="Whose arcs">
    {sources.map(({ name }, lane) => (
      <li key={name}>
        <i style={{ background: topicColour(lane) }} aria-hidden />
        {name}
      </li>
    ))}
  </ul>
);

/** Distances in pixels: between turns, between lanes, and from the edge. */
const [LANE_ROW, LANE_WIDTH, EDGE] = [26, 18, 14];
const xOf = (lane: number): number => EDGE + lane * LANE_WIDTH;
const yOf = (turn: number): number => LANE_ROW / 2 + turn * LANE_ROW;

interface LaneArc {
  readonly from: Parent;
  readonly to: number;
}

/** The turns of a dialogue from top to bottom, with arcs between them; branches are side by side in the colours of their topics. */
export const ArcCanvas = ({
  turns,
  labels,
  asked,
  proposed = [],
  onPick,
}: {
  turns: readonly StudyTurn[];
  labels: readonly (StudyLabel | null)[];
  /** The current turn. */
  asked?: number;
  /** Dashed arcs: not labels yet, or not the person's own. */
  proposed?: readonly LaneArc[];
  onPick?: (turn: number) => void;
}) => {
  const newest = useRef<HTMLLIElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each turn that comes into it
  useEffect(() => {
    // It returns a promise in newer browsers, which must not become the clean-up.
    newest.current?.scrollIntoView({ block: 'nearest' });
  }, [turns.length]);
  const places = placesOf(turns.map((_, turn) => labels[turn] ?? null));
  // Turns without a label are placed at the edge of the drawing.
  const lanes = places.reduce((most, place) => Math.max(most, place?.lane ?? -1), -1) + 1;
  const laneOf = (turn: number): number => places[turn]?.lane ?? lanes;
  const width = xOf(lanes) + EDGE;
  return (
    <div className={styles.lanes} style={{ height: turns.length * LANE_ROW }}>
      <svg width={width} height={turns.length * LANE_ROW} aria-hidden>
        {labels.map((label, to) => {
          if (label === null || to >= turns.length) return null;
          const colour = colourOf(places[to]);
          return [label.parent, ...label.furtherParents].map((from, at) =>
            typeof from === 'number' ? (
              <path
                // biome-ignore lint/suspicious/noArrayIndexKey: a turn is its place in the dialogue
                key={`${from}-${to}`}
                className={styles.arc}
                data-further={at > 0}
                style={{ stroke: colour }}
                d={laneCurve(laneOf(from), from, laneOf(to), to)}
              />
            ) : null,
          );
        })}
        {proposed.map(({ from, to }) =>
          typeof from === 'number' ? (
            <path
              key={`p${from}-${to}`}
              className={styles.proposed}
              d={laneCurve(laneOf(from), from, laneOf(to), to)}
            />
          ) : null,
        )}
        {turns.map((_, turn) => (
          <circle
            // biome-ignore lint/suspicious/noArrayIndexKey: a turn is its place in the dialogue
            key={turn}
            className={styles.dot}
            data-asked={turn === asked}
            cx={xOf(laneOf(turn))}
            cy={yOf(turn)}
            r={turn === asked ? 6 : 5}
            data-placed={places[turn] !== null}
            style={places[turn] == null ? undefined : { fill: colourOf(places[turn]) }}
          />
        ))}
      </svg>
      <ol className={styles.laneTexts} aria-label="Turns in the drawing">
        {turns.map((said, turn) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a turn is its place in the dialogue
          <li key={turn} ref={turn === turns.length - 1 ? newest : null} data-asked={turn === asked}>
            {onPick === undefined || turn === asked ? (
              <span dir="auto">
                <i>{turn + 1}</i> <SpokenTurn turn={said} />
              </span>
            ) : (
              <button type="button" dir="auto" tabIndex={-1} onClick={() => onPick(turn)}>
                <i>{turn + 1}</i> <SpokenTurn turn={said} />
              </button>
            )}
          </li>
        ))}
      </ol>
    </div>
  );
};

const colourOf = (place: LanePosition | null | undefined): string =>
  place == null ? 'var(--ink-3)' : topicColour(place.topic);

/** Down the parent's lane, then over to the child's. */
const laneCurve = (fromLane: number, from: number, toLane: number, to: number): string => {
  const [x1, y1, x2, y2] = [xOf(fromLane), yOf(from), xOf(toLane), yOf(to)];
  if (x1 === x2 && to === from + 1) return `M${x1} ${y1}V${y2}`;
  // Within its own lane it swings out past other turns, so that it is not mistaken for theirs.
  if (x1 === x2)
    return `M${x1} ${y1}C${x1 - LANE_WIDTH} ${y1 + LANE_ROW / 2} ${x1 - LANE_WIDTH} ${y2 - LANE_ROW / 2} ${x2} ${y2}`;
  const bend = Math.max(y1, y2 - LANE_ROW);
  return `M${x1} ${y1}V${bend}C${x1} ${bend + LANE_ROW * 0.7} ${x2} ${y2 - LANE_ROW * 0.7} ${x2} ${y2}`;
};
