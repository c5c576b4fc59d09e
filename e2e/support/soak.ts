import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type BrowserContext, expect, type Page } from '@playwright/test';
import type { Entry } from '../../src/domain/entry.ts';
import { randomFrom } from '../../src/domain/numbers.ts';
import { readLog } from '../../src/features/exchange/read/coppice-log.ts';
import { App } from './app.ts';
import { Edits } from './edits.ts';
import { noteFrames, takeFrames } from './frames.ts';

/** What can happen, in percent; the rest of the time a message is sent. */
const DEEDS = {
  undo: 6,
  redo: 4,
  pin: 3,
  hide: 3,
  delete: 3,
  newTopic: 3,
  reload: 2,
  kill: 8,
  otherTab: 2,
} as const;
type Deed = keyof typeof DEEDS | 'send';

const SUBJECTS = ['Lisbon', 'the pandas script', 'chickpeas', 'my bicycle', 'the piano', 'tomatoes', 'the tax return'];
const QUESTIONS = [
  'What should I know about',
  'How long does it take to deal with',
  'Back to',
  'Something else: who can help me with',
  'And what does it cost to go on with',
  'Why is it so hard to get right with',
];

/** Approximate milliseconds from showing a message to the end of its turn: a tab may be killed at any of them. */
const MOMENT = 800;

interface SoakOptions {
  /** Total number of messages, with those of `done`. */
  readonly turns: number;
  readonly seed: number;
  /** A new conversation starts after this many. */
  readonly perConversation?: number;
  /** What an earlier run reported last, in the same browser profile and with the same other options: continues there. */
  readonly done?: SoakReport;
  /** Called when a conversation is full. */
  readonly report?: (report: SoakReport) => void;
}

export interface SoakReport {
  /** Messages sent. */
  readonly said: number;
  /** What was done, how often, and the milliseconds it took in all. */
  readonly deeds: Readonly<Record<Deed, { count: number; ms: number }>>;
  /** Bytes of the JavaScript heap after a garbage collection, at the first message of each new conversation. */
  readonly heaps: readonly number[];
  /** Longest frame while each message was sent and answered. */
  readonly frames: readonly LongestFrame[];
}

interface LongestFrame {
  readonly ms: number;
  /** During the page's first message, with which models load and code runs for the first time. */
  readonly first: boolean;
}

/**
 * Long use of the page by a seeded script: messages, edits, undo, reloads, other tabs, and tabs that are killed while a
 * message is being placed and answered. After each kill, everything the page had stored must be an unchanged prefix of
 * the log, what it had shown must be there, and the log must make a valid forest (`readLog` proves it); throws
 * otherwise.
 */
export const soak = async (context: BrowserContext, options: SoakOptions): Promise<SoakReport> => {
  const { turns, seed, perConversation = 40, done, report = () => undefined } = options;
  let random = randomFrom(seed);
  const oneOf = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const none = [...Object.keys(DEEDS), 'send'].map((deed) => [deed, { count: 0, ms: 0 }]);
  const deeds = done?.deeds ?? (Object.fromEntries(none) as SoakReport['deeds']);
  const heaps = [...(done?.heaps ?? [])];
  const frames = [...(done?.frames ?? [])];
  let said = done?.said ?? 0;
  let app = await openIn(context);
  let first = true;

  const words = (): string => `${oneOf(QUESTIONS)} ${oneOf(SUBJECTS)}? (${++said})`;
  const send = async (): Promise<void> => {
    await takeFrames(app.page);
    await app.send(words());
    frames.push({ ms: Math.max(0, ...(await takeFrames(app.page))), first });
    first = false;
  };
  /** The previous step may be taking away what there is to undo or redo: then does nothing. */
  const pressed = (button: typeof app.undo): Promise<void> =>
    expect(async () => {
      if (await button.isEnabled()) await button.click({ timeout: 2_000 });
    }).toPass({ timeout: 60_000 });
  const last = async (): Promise<number | null> => {
    const label = (await app.turns.count()) === 0 ? null : await app.turns.last().getAttribute('aria-label');
    return label === null ? null : Number(/\d+/.exec(label)?.[0]);
  };
  /**
   * Acts through a menu of the last turn, if its number is at least `from`. A preceding undo may be removing that turn
   * together with its menu: then retries with the turn that is last now.
   */
  const byMenu = (button: (turn: number) => string, act: () => Promise<void>, from = 1): Promise<void> =>
    expect(async () => {
      const menu = app.page.getByRole('menu').first();
      if (await menu.isVisible()) await app.page.keyboard.press('Escape');
      const turn = await last();
      if (turn === null || turn < from) return;
      const own = app.page.getByRole('article', { name: `Turn ${turn}`, exact: true });
      await own.getByRole('button', { name: button(turn) }).click({ timeout: 2_000 });
      await act();
      await expect(menu).toBeHidden({ timeout: 5_000 });
    }).toPass({ timeout: 60_000 });
  const edited = (item: RegExp): Promise<void> =>
    byMenu(
      (turn) => `More for turn ${turn}`,
      async () => {
        const edits = new Edits(app);
        await edits.item(item).click({ timeout: 2_000 });
        // With turns under it there are two variants, of which the last is always there.
        const ways = edits.item(/^With the \d+ turns? under it/);
        if (await edits.menu.isVisible()) await ways.last().click({ timeout: 2_000 });
      },
    );
  const expectKept = async (before: readonly Entry[], shown: string | null): Promise<void> => {
    await app.settled();
    const now = await logOf(app);
    // Entry by entry: a whole log is too long for a failure message.
    const lost = before.find((entry, at) => !isDeepStrictEqual(entry, now[at]));
    expect(lost, 'an entry that the page had').toBeUndefined();
    const messages = now.map(({ event }) => (event.type === 'message-sent' ? event.message : null));
    if (shown !== null) expect(messages, 'what the page had shown').toContain(shown);
  };

  const doing: Record<Deed, () => Promise<void>> = {
    send,
    undo: () => pressed(app.undo),
    redo: () => pressed(app.redo),
    pin: () => edited(/^(Pin|Unpin)/),
    hide: () => edited(/^(Hide|Show)/),
    delete: () => edited(/^Delete/),
    newTopic: () =>
      byMenu(
        () => 'Change',
        async () => {
          const item = app.page.getByRole('menuitem', { name: 'New topic' });
          // Disabled if it opens a topic already.
          if (await item.isEnabled({ timeout: 2_000 })) await item.click({ timeout: 2_000 });
          else await app.page.keyboard.press('Escape');
        },
        2,
      ),
    reload: async () => {
      const before = await logOf(app);
      await app.reload();
      first = true;
      await expectKept(before, null);
    },
    kill: async () => {
      const before = await logOf(app);
      const message = words();
      await app.message.fill(message);
      await app.button('Send').click();
      await expect(app.turns.filter({ hasText: message })).toBeVisible();
      await wait(random() * MOMENT);
      await crash(app.page);
      app = await openIn(context);
      first = true;
      await expectKept(before, message);
    },
    otherTab: async () => {
      const other = await openIn(context);
      const message = words();
      await other.send(message);
      await other.page.close();
      await expect(app.turns.filter({ hasText: message })).toBeVisible();
    },
  };

  while (said < turns) {
    if (said > 0 && said % perConversation === 0) {
      report({ said, deeds, heaps, frames });
      // The same from here on, whether continued or not.
      random = randomFrom(seed + said * 7919);
      await app.button('New conversation').first().click();
      await send();
      heaps.push(await heapOf(app.page));
      continue;
    }
    const deed = chosen(random() * 100);
    const begun = performance.now();
    await doing[deed]();
    await app.settled();
    deeds[deed].count += 1;
    deeds[deed].ms += performance.now() - begun;
    if (await app.problem.count()) throw new Error(`After ${deed}: ${await app.problem.first().innerText()}`);
  }
  const before = await logOf(app);
  await app.reload();
  await expectKept(before, null);
  return { said, deeds, heaps, frames };
};

const chosen = (at: number): Deed => {
  let left = at;
  for (const [deed, share] of Object.entries(DEEDS)) {
    left -= share;
    if (left < 0) return deed as Deed;
  }
  return 'send';
};

const openIn = async (context: BrowserContext): Promise<App> => {
  const page = await context.newPage();
  await noteFrames(page);
  const app = new App(page);
  await app.open();
  await app.settled();
  return app;
};

/** The entries of the open conversation as exported; none if it is empty. */
const logOf = async (app: App): Promise<readonly Entry[]> => {
  const empty = app.page.getByRole('heading', { name: 'A conversation is a forest' });
  // A hidden path only shows that it is hidden.
  const hidden = app.page.getByRole('log', { name: 'Conversation' }).getByRole('button', { name: /hidden: no model/ });
  await expect(app.turns.or(hidden).or(empty).first()).toBeVisible();
  if (await empty.isVisible()) return [];
  const text = await app.exported();
  await app.page.keyboard.press('Escape');
  await expect(app.dialog('Export')).toBeHidden();
  const read = readLog(text);
  if (!read.ok) throw new Error(`The exported log is not valid: ${JSON.stringify(read)}`);
  return read.value.entries;
};

/** Kills the tab at once, like its process: nothing in it runs on. */
const crash = async (page: Page): Promise<void> => {
  const session = await page.context().newCDPSession(page);
  const crashed = page.waitForEvent('crash');
  // The command never responds.
  session.send('Page.crash').catch(() => undefined);
  await crashed;
  await page.close();
};

const heapOf = async (page: Page): Promise<number> => {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize;
};
