import { ArrowUpRight, Crosshair, Maximize, Minus, Plus } from 'lucide-react';
import { type PointerEvent, type Ref, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Forest, Node, NodeId } from '../../../domain/forest.ts';
import { answerTo } from '../../../domain/queries.ts';
import type { PastMemory } from '../../../engine/history/past-contexts.ts';
import { IconButton } from '../../parts/button.tsx';
import { count, counted } from '../../parts/format.ts';
import { TopicDot } from '../../parts/text.tsx';
import { turnRanges } from '../../parts/turn-words.ts';
import { ZOOM_STEP } from '../canvas-keys.ts';
import { DrawnScene } from '../drawn-scene.tsx';
import { OVERVIEW_ZOOM, toCanvas, type View, visibleRect } from '../geometry.ts';
import { type Palette, readPalette, watchTheme } from '../palette.ts';
import { drawCards } from './draw-picture.ts';
import type { Picture, PictureCard, PictureSource, Strength } from './picture.ts';
import styles from './policy-picture.module.css';
import { usePicture } from './use-picture.ts';

interface Props {
  readonly shown: PictureSource;
  /** A cell, or a turn if the policy keeps no memory of its own. */
  readonly selected: string | null;
  readonly onSelect: (id: string | null) => void;
  /** Goes to a turn, where that is possible. */
  readonly onTurn?: (nodeId: NodeId) => void;
}

/** A policy's own structure for a turn, drawn with the canvas's cards, colours and keys, with details of the selected one. Fills its parent. */
export const PolicyPicture = ({ shown, selected, onSelect, onTurn }: Props) => {
  const pane = useRef<HTMLDivElement>(null);
  const details = useRef<HTMLDivElement>(null);
  const says = useId();
  const { picture, view, onPick, zoom, fit, goToForward, goTo, handlers } = usePicture(pane, shown, {
    selected,
    onSelect,
    onOpen: () => details.current?.focus(),
  });
  const body = useMemo(() => (picture === null ? undefined : drawCards(picture, selected)), [picture, selected]);
  const card = picture?.cards.get(selected ?? '') ?? null;
  const select = (id: string | null) => {
    onSelect(id);
    pane.current?.focus({ preventScroll: true });
  };
  return (
    <div className={styles.whole}>
      <div
        ref={pane}
        className={styles.pane}
        role="group"
        aria-label={`Picture of ${shown.policy}`}
        aria-describedby={says}
        aria-roledescription="picture"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what can be panned must be reachable with the keys
        tabIndex={0}
        data-own-escape={selected === null ? undefined : true}
        {...handlers}
      >
        {picture !== null && body !== undefined && (
          <DrawnScene scene={picture.scene} view={view} body={body} onPick={onPick} />
        )}
        {picture !== null && picture.cards.size > 0 && (
          <>
            <ul className={styles.legend} aria-hidden>
              {legendOf(picture, shown.memory !== null).map(({ strength, words }) => (
                <li key={strength} data-strength={strength}>
                  {words}
                </li>
              ))}
            </ul>
            <PictureMap picture={picture} view={view} onGo={goTo} />
            <div className={styles.tools}>
              <IconButton size="small" label="Zoom out" keys="−" icon={Minus} onClick={() => zoom(1 / ZOOM_STEP)} />
              <IconButton size="small" label="Zoom in" keys="+" icon={Plus} onClick={() => zoom(ZOOM_STEP)} />
              <IconButton size="small" label="Show all" keys="f" icon={Maximize} onClick={fit} />
              {picture.forward.length > 0 && (
                <IconButton
                  size="small"
                  label={shown.memory === null ? 'Go to what is sent' : 'Go to what was recalled'}
                  keys="r"
                  icon={Crosshair}
                  onClick={goToForward}
                />
              )}
            </div>
          </>
        )}
        <p id={says} className="visually-hidden" aria-live="polite">
          {card === null
            ? 'Nothing is selected. Arrow keys select, Enter opens what is selected, plus and minus zoom, r goes to what was recalled.'
            : spokenCard(card, shown)}
        </p>
      </div>
      <PictureDetails
        ref={details}
        shown={shown}
        picture={picture}
        card={card}
        onSelect={select}
        onLeave={() => pane.current?.focus({ preventScroll: true })}
        {...(onTurn !== undefined && { onTurn })}
      />
    </div>
  );
};

/** Up to this many turns of a cell are named; the rest are counted. */
const MOST_TURNS = 8;
/** Up to this many recalled cards are offered. */
const MOST_FORWARD = 6;

interface DetailsProps {
  readonly ref: Ref<HTMLDivElement>;
  readonly shown: PictureSource;
  readonly picture: Picture | null;
  readonly card: PictureCard | null;
  readonly onSelect: (id: string | null) => void;
  readonly onLeave: () => void;
  readonly onTurn?: (nodeId: NodeId) => void;
}

/** Details of the selected card, or of the whole if none is selected. */
const PictureDetails = ({ ref, shown, picture, card, onSelect, onLeave, onTurn }: DetailsProps) => {
  const forest = forestOf(shown);
  return (
    <div
      ref={ref}
      role="group"
      aria-label={card === null ? `About ${shown.policy}` : `About ${card.name}`}
      tabIndex={-1}
      className={styles.details}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onLeave();
      }}
      data-own-escape
    >
      {card === null || forest === null ? (
        <Whole shown={shown} picture={picture} onSelect={onSelect} />
      ) : (
        <Selected key={card.id} card={card} forest={forest} {...(onTurn !== undefined && { onTurn })} />
      )}
    </div>
  );
};

const Whole = ({ shown, picture, onSelect }: Pick<DetailsProps, 'shown' | 'picture' | 'onSelect'>) => (
  <>
    <p className={styles.found}>{wholeWords(shown, picture).join(' · ')}</p>
    {shown.memory !== null && picture !== null && picture.forward.length > 0 && (
      <p className={styles.chips}>
        <span className={styles.label}>Recalled</span>
        {picture.forward.slice(0, MOST_FORWARD).map((id) => {
          const card = picture.cards.get(id);
          if (card === undefined) return null;
          return (
            <button key={id} type="button" className={styles.chip} onClick={() => onSelect(id)}>
              <TopicDot order={card.order} />
              {card.name}
              <small>{card.note}</small>
            </button>
          );
        })}
        {picture.forward.length > MOST_FORWARD && <span>and {picture.forward.length - MOST_FORWARD} more</span>}
      </p>
    )}
  </>
);

const Selected = ({
  card,
  forest,
  onTurn,
}: {
  card: PictureCard;
  forest: Forest;
  onTurn?: (nodeId: NodeId) => void;
}) => {
  const [open, setOpen] = useState<NodeId | null>(null);
  const turns = card.from.flatMap((id) => forest.nodes[id] ?? []);
  const single = turns.length === 1 && card.name === `Turn ${turns[0]?.number}`;
  const read = turns.find(({ id }) => id === open);
  return (
    <>
      <p className={styles.head}>
        <b>{card.name}</b>
        <span data-strength={card.strength}>{card.why}.</span>
      </p>
      <p className={styles.chips}>
        <span className={styles.label}>{single ? 'It is' : 'Made of'}</span>
        {turns.slice(0, MOST_TURNS).map((node) => (
          <TurnChip
            key={node.id}
            node={node}
            forest={forest}
            open={node.id === open}
            onOpen={() => setOpen(node.id === open ? null : node.id)}
            {...(onTurn !== undefined && { onTurn })}
          />
        ))}
        {turns.length > MOST_TURNS && (
          <span>
            and {turns.length - MOST_TURNS} more: {turnRanges(forest, card.from.slice(MOST_TURNS))}
          </span>
        )}
        {turns.length === 0 && <span>deleted turns</span>}
      </p>
      {read !== undefined && <VerbatimTurn node={read} />}
      {!(single && read !== undefined) && <p className={styles.words}>{card.words}</p>}
    </>
  );
};

const TurnChip = ({
  node,
  forest,
  open,
  onOpen,
  onTurn,
}: {
  node: Node;
  forest: Forest;
  open: boolean;
  onOpen: () => void;
  onTurn?: (nodeId: NodeId) => void;
}) => (
  <span className={styles.turn}>
    <button type="button" className={styles.chip} aria-expanded={open} onClick={onOpen}>
      <TopicDot order={forest.trees[node.treeId]?.order ?? 0} />
      Turn {node.number}
    </button>
    {onTurn !== undefined && (
      <IconButton
        size="small"
        label={`Go to turn ${node.number}`}
        icon={ArrowUpRight}
        onClick={() => onTurn(node.id)}
      />
    )}
  </span>
);

/** A turn verbatim. */
const VerbatimTurn = ({ node }: { node: Node }) => {
  const reply = answerTo(node);
  return (
    <div className={styles.said}>
      <p>{node.message}</p>
      {reply !== '' && <p>{reply}</p>}
    </div>
  );
};

const SIZE = { width: 148, height: 100 };
const PADDING = 8;

/** A small view of the whole picture, with the visible part marked; a click or drag moves the view there. Hidden while everything is in view. */
const PictureMap = ({
  picture,
  view,
  onGo,
}: {
  picture: Picture;
  view: View;
  /** Centres the view on a point of the picture. */
  onGo: (at: { readonly x: number; readonly y: number }) => void;
}) => {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { layout } = picture.scene;
  const whole = useMemo((): View => {
    const [width, height] = [Math.max(1, layout.width), Math.max(1, layout.height)];
    const zoom = Math.min(OVERVIEW_ZOOM / 4, (SIZE.width - 2 * PADDING) / width, (SIZE.height - 2 * PADDING) / height);
    return { ...SIZE, zoom, x: (SIZE.width - width * zoom) / 2, y: (SIZE.height - height * zoom) / 2 };
  }, [layout]);
  const seen = visibleRect(view);
  const allSeen =
    seen.x <= 0 && seen.y <= 0 && seen.x + seen.width >= layout.width && seen.y + seen.height >= layout.height;

  useLayoutEffect(() => {
    const element = canvas.current;
    const pen = element?.getContext('2d');
    if (element === null || !pen) return;
    const paint = (palette: Palette) => {
      const ratio = devicePixelRatio;
      element.width = SIZE.width * ratio;
      element.height = SIZE.height * ratio;
      pen.setTransform(ratio, 0, 0, ratio, 0, 0);
      drawCards(picture, null)(pen, picture.scene, whole, palette);
    };
    const read = () => paint(readPalette(element.parentElement as HTMLElement));
    read();
    return watchTheme(read);
  }, [picture, whole]);

  const go = (event: PointerEvent<HTMLElement>) => {
    const { left, top } = event.currentTarget.getBoundingClientRect();
    onGo(toCanvas(whole, event.clientX - left, event.clientY - top));
  };
  return (
    <div
      className={styles.map}
      hidden={allSeen}
      aria-hidden
      style={SIZE}
      onPointerDown={(event) => {
        event.stopPropagation();
        event.currentTarget.setPointerCapture(event.pointerId);
        go(event);
      }}
      onPointerMove={(event) => {
        event.stopPropagation();
        if (event.buttons !== 0) go(event);
      }}
    >
      <canvas ref={canvas} style={SIZE} />
      <i
        className={styles.frame}
        style={{
          left: seen.x * whole.zoom + whole.x,
          top: seen.y * whole.zoom + whole.y,
          width: seen.width * whole.zoom,
          height: seen.height * whole.zoom,
        }}
      />
    </div>
  );
};

/** The forest to look turns up in. */
const forestOf = ({ memory, context }: PictureSource): Forest | null => memory?.forest ?? context?.forest ?? null;

/** What the strengths in a picture stand for. */
const legendOf = (
  { cards }: Picture,
  memory: boolean,
): readonly { readonly strength: Strength; readonly words: string }[] => {
  const there = new Set([...cards.values()].map(({ strength }) => strength));
  const words: Readonly<Record<Strength, string>> = memory
    ? { forward: 'recalled', quiet: 'not recalled', back: 'skipped' }
    : { forward: 'sent in full', quiet: 'as a summary', back: 'not sent' };
  return (['forward', 'quiet', 'back'] as const)
    .filter((strength) => there.has(strength))
    .map((strength) => ({ strength, words: words[strength] }));
};

/** Describes a card for screen readers. */
const spokenCard = (card: PictureCard, shown: PictureSource): string => {
  const forest = forestOf(shown);
  const turns = forest === null ? '' : turnRanges(forest, card.from);
  const named = turns === '' || card.name.toLowerCase().endsWith(turns) ? card.name : `${card.name}, ${turns}`;
  return `${named}. ${card.why}. ${card.words.slice(0, 200)}`;
};

/** Describes the whole, part by part. */
export const wholeWords = (shown: PictureSource, picture: Picture | null): string[] => {
  const { memory, context } = shown;
  const tokens = context === null ? [] : [`${count(context.context.tokens)} tokens${context.sent ? ' sent' : ''}`];
  if (memory !== null) return [...recallWords(memory), ...(memory.cells.length === 0 ? [] : tokens)];
  if (picture === null || picture.cards.size === 0) return ['Nothing was said before this turn.'];
  const cards = [...picture.cards.values()].filter(({ isLater }) => isLater !== true);
  const of = (strength: Strength) => cards.filter((card) => card.strength === strength).length;
  const [full, summary, out] = [of('forward'), of('quiet'), of('back')];
  return [
    counted(cards.length, 'turn'),
    `${full} in full`,
    ...(summary === 0 ? [] : [`${summary} as a summary`]),
    ...(out === 0 ? [] : [`${out} not sent`]),
    ...tokens,
  ];
};

/** What was recalled for the message, and what the memory did to find it, part by part. */
export const recallWords = ({ cells, recall, cost }: PastMemory): string[] => {
  if (cells.length === 0) return ['It is empty: nothing was said before this turn.'];
  const { items, levels, skipped = [], read = [] } = recall;
  return [
    counted(cells.length, 'piece'),
    `${items.length} recalled for this message`,
    ...(levels === undefined ? [] : [`${counted(levels, 'level')} visited`]),
    ...(skipped.length === 0 ? [] : [`${skipped.length} skipped, with everything below`]),
    ...(read.length === 0 ? [] : [`${counted(read.length, 'text')} read on the way`]),
    ...(cost.calls === 0
      ? []
      : [`${counted(cost.calls, 'question')} to models, which read ${counted(cost.read, 'token')}`]),
  ];
};
