import type { NodeId } from '../../domain/forest.ts';
import { boxOf, cardOf } from './layout.ts';
import type { Scene } from './scene.ts';

/** How long cards take to move to their new places, in milliseconds. */
const GLIDE_MS = 180;
/** At most this much of the animation passes per frame, so that movement stays visible with long frames. */
const LONGEST_STEP_MS = 40;

interface Point {
  readonly x: number;
  readonly y: number;
}

/** The positions of cards moving from one layout to the next. */
export interface Glide {
  /** How far a card still is from its place; undefined once it is there. */
  readonly offsetOf: (id: NodeId) => Point | undefined;
}

/** Every card in its place. */
export const AT_REST: Glide = { offsetOf: () => undefined };

/** Moves cards gradually to their new places, and leaves those alone that need not move. */
export const createGlide = () => {
  let from = new Map<NodeId, Point>();
  /** Elapsed animation time in milliseconds, and the time of the last frame; null before the first. */
  let done = 0;
  let last: number | null = null;
  let rest = 0;

  const offsetOf = (id: NodeId): Point | undefined => {
    const away = from.get(id);
    return away === undefined ? undefined : { x: away.x * rest, y: away.y * rest };
  };

  return {
    offsetOf,
    /** Starts moving to the places of `after`, from wherever the cards `ids` are now. */
    begin: (before: Scene, after: Scene, ids: Iterable<NodeId>): void => {
      const next = new Map<NodeId, Point>();
      for (const id of ids) {
        const old = cardOf(before.layout, before.forest.nodes[id]);
        const now = cardOf(after.layout, after.forest.nodes[id]);
        if (old === null || now === null) continue;
        const [was, is, away] = [boxOf(old), boxOf(now), offsetOf(id)];
        const offset = { x: was.x + (away?.x ?? 0) - is.x, y: was.y + (away?.y ?? 0) - is.y };
        if (Math.abs(offset.x) + Math.abs(offset.y) >= 1) next.set(id, offset);
      }
      from = next;
      done = 0;
      last = null;
      rest = 1;
    },
    /** Puts every card in its place immediately. */
    end: (): void => {
      from = new Map();
    },
    /** Advances to a time; returns whether cards are still moving. */
    advance: (time: number): boolean => {
      if (from.size === 0) return false;
      // The animation starts with the first frame that shows it: before that, laying out a large forest takes a moment.
      done += last === null ? 0 : Math.min(LONGEST_STEP_MS, time - last);
      last = time;
      const share = Math.min(1, done / GLIDE_MS);
      rest = (1 - share) ** 3;
      if (share === 1) from = new Map();
      return share < 1;
    },
  };
};

/**
 * Puts mounted cards at their animated positions. React Flow moves an element to its new place a moment after the scene
 * has changed, so the offset is measured from where the element is.
 */
export const placeGliding = (root: HTMLElement, glide: Glide, scene: Scene): void => {
  for (const element of root.querySelectorAll<HTMLElement>('.react-flow__node')) {
    const id = element.dataset.id ?? '';
    const offset = glide.offsetOf(id);
    const card = offset === undefined ? null : cardOf(scene.layout, scene.forest.nodes[id]);
    if (offset === undefined || card === null) {
      if (element.style.translate !== '') element.style.translate = '';
      continue;
    }
    const box = boxOf(card);
    const at = /translate\(([-\d.]+)px, ?([-\d.]+)px\)/.exec(element.style.transform);
    const x = box.x + offset.x - Number(at?.[1] ?? box.x);
    const y = box.y + offset.y - Number(at?.[2] ?? box.y);
    element.style.translate = `${x}px ${y}px`;
  }
};

/** Changes closer together than this, in milliseconds, are too quick for the eye to follow a movement between them. */
const HASTE_MS = 400;
/** A jump in the past of more turns than this is not the same forest grown: there is no movement to follow. */
const LEAP_TURNS = 3;

/** How fast the scene changes: calmly, right after the previous change, or in a jump through time. */
type TransitionPace = 'calm' | 'hasty' | 'leap';

/**
 * Determines the pace of changes from the number of turns of each scene, and whether it is `past`. Only a calm one is
 * animated: scrubbing shows every moment as it was, and leaves nothing to catch up with afterwards.
 */
export const createPace = () => {
  let lastTime = -Infinity;
  let lastTurns = 0;
  return (turns: number, past: boolean, now: number): TransitionPace => {
    const leap = past && Math.abs(turns - lastTurns) > LEAP_TURNS;
    const hasty = now - lastTime < HASTE_MS;
    lastTime = now;
    lastTurns = turns;
    return leap ? 'leap' : hasty ? 'hasty' : 'calm';
  };
};
