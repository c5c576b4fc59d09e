import { clamp } from '../../domain/numbers.ts';
import { beginning } from '../../domain/queries.ts';
import { CARD } from '../canvas/geometry.ts';
import { shortened } from '../parts/format.ts';
import { topicColour } from '../topic-colour.ts';

const SVG = 'http://www.w3.org/2000/svg';
/** Margin around what is framed, in pixels of the drawing. */
const ROOM = 48;
/** How long the view takes to move somewhere, in milliseconds; instant if the user prefers reduced motion. */
const GLIDE = 420;

/** Width of a letter of a topic's title, in pixels. */
const LETTER = 9;

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A forest drawn as SVG: cards are reachable by keyboard, and the view can move to given turns. */
export interface DrawnForest {
  readonly element: SVGSVGElement;
  /** Marks a turn as the current one, with its path; null for none. */
  choose(id: string | null): void;
  /** Brings turns into view; all if none are given. `most`: the maximum scale of a card. */
  frame(ids: readonly string[], most?: number): void;
  /** Shows only the turns up to a number; the others are faded. */
  upTo(number: number): void;
  /** What is in view. */
  view(): Box;
}

/** Creates an SVG element with attributes. */
const drawn = (name: string, attributes: Readonly<Record<string, string | number>>): SVGElement => {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
};

/** `from`: what is in view at first; all if it is left out. */
export const drawStaticForest = (still: StaticCards, onChoose: (id: string) => void, from?: Box): DrawnForest => {
  const all: Box = { x: -ROOM, y: -ROOM, width: still.width + 2 * ROOM, height: still.height + 2 * ROOM };
  const svg = drawn('svg', { role: 'group', 'aria-label': 'Forest', class: 'still' }) as SVGSVGElement;
  const byId = new Map(still.turns.map((turn) => [turn.id, turn]));
  const [edges, titles, cards] = [drawn('g', {}), drawn('g', {}), drawn('g', {})];
  const cardOf = new Map<string, SVGElement>();
  const edgeOf = new Map<string, SVGElement>();
  for (const { title, x, y, order } of still.topics) {
    const text = drawn('text', { x, y: y + 5, class: 'topic', fill: topicColour(order) });
    const next = Math.min(...still.topics.filter((one) => one.y === y && one.x > x).map((one) => one.x));
    const most = Math.min(48, Math.floor((next - x) / LETTER));
    text.textContent = shortened(title, most);
    titles.append(text);
  }
  for (const turn of still.turns) {
    const parent = turn.parentId === null ? undefined : byId.get(turn.parentId);
    if (parent !== undefined) {
      const edge = drawn('path', { d: curve(parent, turn), class: 'edge', stroke: topicColour(turn.order) });
      edgeOf.set(turn.id, edge);
      edges.append(edge);
    }
    const card = cardFor(turn, onChoose);
    cardOf.set(turn.id, card);
    cards.append(card);
  }
  svg.append(edges, titles, cards);
  const view = movingView(svg, all);
  view.go(from ?? all, false);

  return {
    element: svg,
    view: view.now,
    choose: (id) => {
      const path = new Set<string>();
      for (let at = id; at !== null; at = byId.get(at)?.parentId ?? null) path.add(at);
      for (const [own, card] of cardOf) {
        card.toggleAttribute('data-path', path.has(own));
        card.toggleAttribute('data-chosen', own === id);
        card.setAttribute('aria-pressed', String(own === id));
        edgeOf.get(own)?.toggleAttribute('data-path', path.has(own));
      }
    },
    frame: (ids, most = 1.6) => {
      const boxes = ids.flatMap((id) => byId.get(id) ?? []);
      if (boxes.length === 0) return view.go(all, true);
      const [left, top] = [Math.min(...boxes.map(({ x }) => x)), Math.min(...boxes.map(({ y }) => y))];
      const right = Math.max(...boxes.map(({ x }) => x + CARD.width));
      const bottom = Math.max(...boxes.map(({ y }) => y + CARD.height));
      view.frame({ x: left, y: top, width: right - left, height: bottom - top }, most);
    },
    upTo: (number) => {
      for (const { id, number: own } of still.turns) {
        cardOf.get(id)?.toggleAttribute('data-later', own > number);
        edgeOf.get(id)?.toggleAttribute('data-later', own > number);
      }
    },
  };
};

const curve = (from: StaticCard, to: StaticCard): string => {
  const [x1, y1] = [from.x + CARD.width / 2, from.y + CARD.height];
  const [x2, y2] = [to.x + CARD.width / 2, to.y];
  const middle = (y1 + y2) / 2;
  return `M${x1} ${y1}C${x1} ${middle} ${x2} ${middle} ${x2} ${y2}`;
};

const cardFor = (turn: StaticCard, onChoose: (id: string) => void): SVGElement => {
  const { x, y, number, message, order, hidden } = turn;
  const card = drawn('g', {
    class: 'card',
    role: 'button',
    tabindex: 0,
    'aria-label': `Turn ${number}: ${beginning(message, 120)}`,
    transform: `translate(${x} ${y})`,
  });
  card.toggleAttribute('data-hidden', hidden);
  const words = document.createElementNS(SVG, 'foreignObject');
  for (const [key, value] of Object.entries({ x: 14, y: 6, width: CARD.width - 24, height: CARD.height - 12 })) {
    words.setAttribute(key, String(value));
  }
  const text = document.createElement('div');
  text.className = 'words';
  const small = document.createElement('small');
  small.textContent = String(number);
  const said = document.createElement('div');
  said.dir = 'auto';
  said.textContent = beginning(message, 240);
  text.append(small, said);
  words.append(text);
  card.append(
    drawn('rect', { width: CARD.width, height: CARD.height, rx: 8, class: 'ground', stroke: topicColour(order) }),
    drawn('rect', { y: 8, width: 4, height: CARD.height - 16, rx: 2, fill: topicColour(order) }),
    words,
  );
  card.addEventListener('click', () => onChoose(turn.id));
  card.addEventListener('keydown', (event) => {
    if (!(event instanceof KeyboardEvent) || (event.key !== 'Enter' && event.key !== ' ')) return;
    event.preventDefault();
    onChoose(turn.id);
  });
  return card;
};

/** In pixels. */
interface WindowPoint {
  readonly x: number;
  readonly y: number;
}
const pointOf = ({ clientX, clientY }: MouseEvent): WindowPoint => ({ x: clientX, y: clientY });
/** At least 1, so that it can be divided by. */
const distance = (a: WindowPoint, b: WindowPoint): number => Math.max(1, Math.hypot(a.x - b.x, a.y - b.y));
/** A press that moves less than this is a click, in pixels. */
const SLACK = 4;

/** A view that can be dragged, zoomed with the wheel or two fingers, and moved by code. */
const movingView = (svg: SVGSVGElement, all: Box) => {
  let at: Box = all;
  let run = 0;
  const show = (box: Box): void => {
    at = box;
    svg.setAttribute('viewBox', `${box.x} ${box.y} ${box.width} ${box.height}`);
  };
  const go = (to: Box, glides: boolean): void => {
    const own = ++run;
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    if (!glides || still || !svg.isConnected) return show(to);
    const from = at;
    const begun = performance.now();
    const frame = (now: number): void => {
      if (own !== run) return;
      const share = clamp((now - begun) / GLIDE, 0, 1);
      const eased = 1 - (1 - share) ** 3;
      const between = (a: number, b: number): number => a + (b - a) * eased;
      show({
        x: between(from.x, to.x),
        y: between(from.y, to.y),
        width: between(from.width, to.width),
        height: between(from.height, to.height),
      });
      if (share < 1) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  };
  const scale = (): number => Math.max(at.width / (svg.clientWidth || 1), at.height / (svg.clientHeight || 1));

  const byHand = (box: Box): void => {
    run++;
    show(box);
  };
  /** Shows so many times as much, about a point of the window. */
  const zoom = (times: number, point: WindowPoint): void => {
    const pane = svg.getBoundingClientRect();
    const width = clamp(at.width * times, CARD.width, all.width * 2);
    const by = width / at.width;
    const x = at.x + at.width / 2 + (point.x - pane.left - pane.width / 2) * scale();
    const y = at.y + at.height / 2 + (point.y - pane.top - pane.height / 2) * scale();
    byHand({ x: x - (x - at.x) * by, y: y - (y - at.y) * by, width, height: at.height * by });
  };

  svg.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      zoom(clamp(Math.exp(event.deltaY * 0.0015), 0.67, 1.5), pointOf(event));
    },
    { passive: false },
  );
  const held = new Map<number, WindowPoint>();
  let isDrag = false;
  svg.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    if (event.isPrimary) {
      held.clear();
      isDrag = false;
    }
    held.set(event.pointerId, pointOf(event));
  });
  svg.addEventListener('pointermove', (event) => {
    const from = held.get(event.pointerId);
    const to = pointOf(event);
    if (from === undefined || event.buttons === 0 || (!isDrag && distance(from, to) < SLACK)) return;
    // Not before: a click would miss the card.
    if (!isDrag) svg.setPointerCapture(event.pointerId);
    isDrag = true;
    held.set(event.pointerId, to);
    const other = [...held].find(([id]) => id !== event.pointerId)?.[1];
    if (other !== undefined) return zoom(distance(from, other) / distance(to, other), other);
    byHand({ ...at, x: at.x - (to.x - from.x) * scale(), y: at.y - (to.y - from.y) * scale() });
  });
  const release = ({ pointerId }: PointerEvent) => void held.delete(pointerId);
  svg.addEventListener('pointerup', release);
  svg.addEventListener('pointercancel', release);
  svg.addEventListener(
    'click',
    (event) => {
      // A drag chooses nothing. A click without a pointer, as screen readers make it, is none.
      if (isDrag && event.detail > 0) event.stopPropagation();
    },
    { capture: true },
  );

  return {
    go,
    now: () => at,
    frame: (box: Box, most: number): void => {
      const least = { width: (svg.clientWidth || 800) / most, height: (svg.clientHeight || 600) / most };
      const width = Math.max(box.width + 2 * ROOM, least.width);
      const height = Math.max(box.height + 2 * ROOM, least.height);
      go({ x: box.x + (box.width - width) / 2, y: box.y + (box.height - height) / 2, width, height }, true);
    },
  };
};

/** Styles of the drawing, for a shadow root or a file; its colours are those of theme.css. */
export const STATIC_FOREST_STYLE = `
svg.still{display:block;width:100%;height:100%;touch-action:none;cursor:grab;user-select:none}
svg.still .topic{font:600 15px var(--font,system-ui)}
svg.still .edge{fill:none;stroke-width:1.5;opacity:.45}
svg.still .edge[data-path]{stroke-width:3;opacity:1}
svg.still .card{cursor:pointer;outline:none}
svg.still .ground{fill:var(--panel);stroke-width:1;stroke-opacity:.35}
svg.still .card[data-path] .ground{stroke-width:2;stroke-opacity:1}
svg.still .card[data-chosen] .ground{stroke-width:3.5;stroke-opacity:1}
svg.still .card:focus-visible .ground{stroke:var(--focus);stroke-width:3;stroke-opacity:1}
svg.still .card[data-hidden] .ground{stroke-dasharray:4 3}
svg.still [data-later]{opacity:.13}
svg.still .words{height:100%;overflow:hidden;font:12px/1.35 var(--font,system-ui);color:var(--ink);overflow-wrap:anywhere}
svg.still .words small{display:block;font-size:10px;color:var(--ink-2)}
`;

/* A snapshot of a forest, with everything shown of it as plain data: it is drawn without the app, in a file as well as on the page. */

/** Where the cards of a forest are, and what is on them. */
export interface StaticCards<Turn extends StaticCard = StaticCard> {
  readonly width: number;
  readonly height: number;
  readonly topics: readonly StillTopic[];
  /** Oldest first. */
  readonly turns: readonly Turn[];
}

export interface StaticForest extends StaticCards<StaticTurn> {
  readonly title: string;
  /** Id of the active turn; null if there is none. */
  readonly activeId: string | null;
}

interface StillTopic {
  readonly title: string;
  /** The topic's index in creation order; picks the colour. */
  readonly order: number;
  readonly x: number;
  readonly y: number;
}

export interface StaticCard {
  readonly id: string;
  readonly number: number;
  readonly parentId: string | null;
  readonly order: number;
  readonly x: number;
  readonly y: number;
  readonly hidden: boolean;
  readonly message: string;
}

export interface StaticTurn extends StaticCard {
  /** Names of the files that were sent with it. */
  readonly files: readonly string[];
  /** Names of the files that were made with its reply. */
  readonly made: readonly string[];
  readonly note: string | null;
  /** Safe markup rendered from Markdown: nothing in it runs or is fetched. Empty if there is no reply. */
  readonly reply: string;
  readonly model: string | null;
  /** Where it went and why, in one line. */
  readonly why: string;
  /** How it was decided, step by step. */
  readonly decision: readonly { readonly head: string; readonly lines: readonly string[] }[];
  /** What was sent for its reply, in order, or would have been. */
  readonly context: readonly { readonly head: string; readonly text: string }[];
  readonly tokens: number | null;
  /** Whether that was sent: not if the reply was imported or a what-if built the context. */
  readonly sent: boolean;
}
