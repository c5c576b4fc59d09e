import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { press } from '../../ui/commands/testing/press.ts';
import { isButtonClicked, keyAction, labelKeys } from './label-keys.ts';
import { createLabelling, createWorkClock } from './labelling.ts';

/** An element inside others, each given as a selector that it matches. */
class Inside {
  readonly others: readonly string[];
  readonly clientHeight = 100;
  scrollHeight = 100;
  constructor(...others: readonly string[]) {
    this.others = others;
  }
  matches() {
    return false;
  }
  closest(selectors: string) {
    return this.others.some((other) => selectors.split(', ').includes(other)) ? this : null;
  }
}

const inside = (...others: readonly string[]) => new Inside(...others) as unknown as HTMLElement;

beforeEach(() => {
  vi.stubGlobal('Element', Inside);
  vi.stubGlobal('HTMLElement', Inside);
});
afterEach(() => vi.unstubAllGlobals());

/** What a key does while two turns are labelled, pressed in an element. */
const actionOf = (
  event: ReturnType<typeof press>,
  target: EventTarget = inside('[role="listbox"]'),
  sent: { readonly save: (() => void) | null; readonly flag: (() => void) | null } = { save: null, flag: null },
) => {
  const turns = ['one', 'two'].map((user) => ({ user, assistant: '' }));
  const labelling = createLabelling({
    study: 's',
    mode: 'blind',
    person: 'Ada',
    dialogues: [{ id: 'a', name: 'a', turns, part: 'work' }],
    events: [],
    position: null,
    clock: createWorkClock(() => 0),
    now: () => 0,
    newId: () => 'e',
    save: async () => undefined,
    moved: async () => undefined,
    draft: { read: () => '', save: () => undefined },
  });
  return keyAction({ ...event, target } as unknown as KeyboardEvent, {
    labelling,
    tags: [],
    help: () => undefined,
    ...sent,
  });
};

describe('a button that was clicked', () => {
  test('does not keep the keys, wherever it is; one pressed by keyboard does', () => {
    expect(isButtonClicked({ detail: 1, target: inside('button') })).toBe(true);
    expect(isButtonClicked({ detail: 0, target: inside('button') })).toBe(false);
    expect(isButtonClicked({ detail: 1, target: inside('section') })).toBe(false);
  });
});

test('turns are flagged, and labels saved, only where a coordinator gets them', () => {
  const [save, flag] = [vi.fn(), vi.fn()];
  actionOf(press('f'), undefined, { save, flag })?.();
  actionOf(press('s'), undefined, { save, flag })?.();
  expect([save, flag].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
  expect([actionOf(press('f')), actionOf(press('s'))]).toEqual([null, null]);
  const listed = (sent: boolean) => labelKeys({ assisted: false, tags: false, sent }).map(({ keys }) => keys);
  expect(listed(true)).toEqual(expect.arrayContaining(['F', 'S']));
  expect(listed(false)).not.toContain('F');
  expect(listed(false)).not.toContain('S');
});

test('the arrows scroll a text that has the focus, if it is too long, and otherwise choose a turn', () => {
  const keys = ['ArrowUp', 'ArrowDown', 'Home', 'End'];
  const text = new Inside('[data-scrolls]');
  const chooses = () => keys.map((key) => actionOf(press(key), text as unknown as EventTarget) !== null);
  expect(chooses()).toEqual([true, true, true, true]);
  text.scrollHeight = 500;
  expect(chooses()).toEqual([false, false, false, false]);
  expect(actionOf(press('Enter'), text as unknown as EventTarget)).not.toBeNull();
});
