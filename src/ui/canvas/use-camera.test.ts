import { expect, test } from 'vitest';
import { CARD, isInView, type Rect, type View, type Viewport } from './geometry.ts';
import { createCamera, createFraming } from './use-camera.ts';

/** A camera whose gentle moves take until they are told to arrive. */
const slow = () => {
  let view: View = { x: 0, y: 0, zoom: 1, width: 800, height: 600 };
  let arrive = (): void => undefined;
  const camera = createCamera(
    () => view,
    (to: Viewport, pace) =>
      new Promise<void>((done) => {
        arrive = () => {
          view = { ...view, ...to };
          done();
        };
        if (pace === 'once') arrive();
      }),
  );
  const passes = (zoom: number) => {
    view = { ...view, zoom };
  };
  return { camera, passes, arrive: () => arrive() };
};

test('while the view moves, commands go on from where it leads', async () => {
  const { camera, passes, arrive } = slow();
  camera.move({ x: 5, y: 6, zoom: 1.3 });
  expect(camera.view().zoom).toBe(1);
  expect(camera.target()).toEqual({ x: 5, y: 6, zoom: 1.3, width: 800, height: 600 });
  passes(1.1);
  camera.move({ ...camera.target(), zoom: camera.target().zoom * 1.3 });
  expect(camera.target().zoom).toBeCloseTo(1.69);
  arrive();
  await Promise.resolve();
  passes(0.5);
  expect(camera.target().zoom).toBe(0.5);
});

test('a user who takes hold of the view ends its move', () => {
  const { camera, passes } = slow();
  camera.move({ x: 0, y: 0, zoom: 2 });
  passes(1.4);
  camera.interrupt();
  expect(camera.target().zoom).toBe(1.4);
});

/** A forest of thirty turns, one below the other: all of it is too large to be read. */
const placeOf = (turn: number): Rect => ({ x: 0, y: turn * 104, ...CARD });
const TURNS = 30;

type Drawn = ReturnType<Parameters<typeof createFraming>[1]>;
type Left = Parameters<typeof createFraming>[2];

/** A canvas that shows turn 30, the active one, until told otherwise. `left` is how another canvas was left. */
const opened = (change: Partial<Drawn> = {}, left: Left = { current: null }) => {
  let view: View = { x: 0, y: 0, zoom: 1, width: 800, height: 600 };
  const camera = createCamera(
    () => view,
    async (to) => {
      view = { ...view, ...to };
    },
  );
  let drawn: Drawn = {
    conversationId: 'one',
    past: false,
    layout: { width: CARD.width, height: (TURNS + 1) * 104, turns: TURNS },
    hasCardIn: () => true,
    activeId: '30',
    activeBox: placeOf(30),
    at: placeOf(30),
    selectedId: null,
    selectedBox: null,
    ...change,
  };
  const framing = createFraming(camera, () => drawn, left);
  /** As React does: what has changed is told, the place of the active turn first. */
  const draw = (next: Partial<Drawn>) => {
    const before = drawn;
    drawn = { ...drawn, ...next };
    if (drawn.at !== before.at || drawn.conversationId !== before.conversationId) framing.frame(0);
    if (drawn.selectedId !== before.selectedId || drawn.selectedBox !== before.selectedBox) framing.follow();
  };
  framing.frame(0);
  framing.follow();
  return {
    framing,
    draw,
    select: (turn: number | null) =>
      draw({ selectedId: turn === null ? null : `${turn}`, selectedBox: turn === null ? null : placeOf(turn) }),
    /** The pane becomes as wide, its left edge staying where it is. */
    resize: (width: number) => {
      view = { ...view, width };
      framing.frame(0);
    },
    activate: (turn: number) => draw({ activeId: `${turn}`, activeBox: placeOf(turn), at: placeOf(turn) }),
    pan: (y: number) => {
      camera.move({ ...view, y }, { at: 'once' });
      framing.moved();
    },
    view: () => view,
    sees: (turn: number) => isInView(view, placeOf(turn)),
  };
};

test('a conversation opens at its active turn, or at the one that was selected before', () => {
  expect(opened().sees(30)).toBe(true);
  const { sees } = opened({ selectedId: '3', selectedBox: placeOf(3) });
  expect([sees(3), sees(30)]).toEqual([true, false]);
});

test('a selected turn whose card comes later is brought into view then; one that only comes back with its moment is not', () => {
  const { draw, select, sees, pan } = opened();
  draw({ selectedId: '3', selectedBox: null });
  expect(sees(3)).toBe(false);
  select(3);
  expect(sees(3)).toBe(true);
  draw({ selectedBox: null });
  pan(-2_000);
  select(3);
  expect(sees(3)).toBe(false);
});

/** How a canvas was left on which turn 3 is selected and the user has panned, and its view. */
const panned = () => {
  const left: Left = { current: null };
  const { select, pan, view, framing } = opened({}, left);
  select(3);
  pan(-1_000);
  framing.leave();
  return { left, view: view() };
};

test('whoever comes back to the canvas finds the view as it was, and what was selected meanwhile', () => {
  const { view } = panned();
  const back = (change: Partial<Drawn>) => opened(change, panned().left);
  expect(back({ selectedId: '3', selectedBox: placeOf(3) }).view()).toEqual(view);
  const another = back({ selectedId: '25', selectedBox: placeOf(25) });
  expect([another.sees(25), another.view().zoom]).toEqual([true, view.zoom]);
  expect(back({ activeId: '29', activeBox: placeOf(29), at: placeOf(29) }).sees(29)).toBe(true);
  expect(back({ conversationId: 'two' }).sees(30)).toBe(true);
});

test('a conversation to which one comes back once more, or of which nothing is where one looked, opens at its active turn', () => {
  const { left, view } = panned();
  const { draw, view: now, sees } = opened({}, left);
  expect(now()).toEqual(view);
  draw({ conversationId: 'two' });
  draw({ conversationId: 'one' });
  expect(sees(30)).toBe(true);
  expect(opened({ hasCardIn: () => false }, panned().left).sees(30)).toBe(true);
});

test('the view stays with a selected turn that it went to, and follows the active one once nothing is selected', () => {
  const { select, draw, activate, sees } = opened();
  select(3);
  select(4);
  draw({ at: null, activeBox: null });
  activate(30);
  expect([sees(4), sees(30)]).toEqual([true, false]);
  select(null);
  activate(29);
  expect(sees(29)).toBe(true);
});

test('a selected turn that the view went to is kept in view while the pane becomes narrower', () => {
  const wide = { layout: { width: 1_000, height: (TURNS + 1) * 104, turns: TURNS } };
  const { draw, resize, sees, view } = opened(wide);
  draw({ selectedId: '3', selectedBox: { ...placeOf(3), x: 800 } });
  const seesSelected = () => isInView(view(), { ...placeOf(3), x: 800 });
  expect([seesSelected(), sees(30)]).toEqual([true, false]);
  resize(500);
  expect([seesSelected(), sees(30)]).toEqual([true, false]);
});

test('going once more to a selected turn, from which no key leads on, takes the view back to it and leads nobody away', () => {
  const { framing, select, activate, pan, sees, view } = opened();
  select(3);
  const { y } = view();
  framing.goBack();
  expect(view().y).toBeCloseTo(y);
  select(null);
  activate(29);
  expect(sees(29)).toBe(true);
  select(3);
  pan(-1_500);
  framing.goBack();
  expect(sees(3)).toBe(true);
});

test('a turn that was dragged far is selected without going back to where it was', () => {
  const { framing, select, sees, pan } = opened();
  pan(-100);
  framing.holds('25');
  select(25);
  expect(sees(25)).toBe(false);
});
