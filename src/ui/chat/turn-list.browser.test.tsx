import { flushSync } from 'react-dom';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Reading } from '../../app/state.ts';
import { plainApp } from '../../app/testing/plain-app.ts';
import { fold, frozen } from '../../domain/apply.ts';
import type { Forest, Reply } from '../../domain/forest.ts';
import { activePath } from '../../domain/queries.ts';
import { recordsOf, withRecord } from '../../domain/table.ts';
import { reopened } from '../../domain/testing/plain-forest.ts';
import { syntheticLog } from '../../domain/testing/synthetic-forest.ts';
import { countingChat } from '../../engine/testing/plain-models.ts';
import { type App, AppContext, ShownMoment } from '../app-context.ts';
import { TurnList } from './turn-list.tsx';

let root: Root;
let page: HTMLDivElement;
beforeEach(() => {
  page = document.body.appendChild(document.createElement('div'));
  page.style.height = '400px';
  page.style.overflow = 'auto';
  root = createRoot(page);
});
afterEach(() => {
  root.unmount();
  page.remove();
});

const show = (app: App, forest: Forest, reading: Reading = 'everything') => {
  const nothing = () => undefined;
  const stick = { away: false, toEnd: nothing, release: nothing, recheck: nothing, isStuck: () => true };
  const scroller = { current: page };
  app.store.setState({ forest });
  flushSync(() =>
    root.render(
      <AppContext value={app}>
        <ShownMoment>
          <TurnList forest={forest} reading={reading} text="1" readOnly={false} scroller={scroller} stick={stick} />
        </ShownMoment>
      </AppContext>,
    ),
  );
};

test('a reply that says more is shown, and its rows are not made again', async () => {
  const app = await plainApp(countingChat());
  await app.actions.send('#trip one');
  const { forest } = app.store.getState();
  const turn = activePath(forest)[0];
  if (turn === undefined) throw new Error('no turn');
  let listed = 0;
  // Only rows in order of time list the topics.
  const trees = new Proxy(forest.trees, {
    ownKeys: (table) => {
      listed += 1;
      return Reflect.ownKeys(table);
    },
  });
  const saying = (text: string): Forest => {
    const replies = turn.replies.map((reply): Reply => ({ ...reply, text }));
    return { ...forest, trees, nodes: withRecord(forest.nodes, turn.id, { ...turn, replies }) };
  };

  show(app, saying('It is'));
  await expect.poll(() => page.textContent).toContain('It is');
  const before = listed;
  expect(before).toBeGreaterThan(0);
  show(app, saying('It is a long way'));
  await expect.poll(() => page.textContent).toContain('It is a long way');
  expect(listed).toBe(before);
  show(app, { ...saying('It is a long way'), active: null });
  expect(listed).toBeGreaterThan(before);
});

test('inspecting a turn opens an inspector that is folded, also for a turn that is selected already', async () => {
  const app = await plainApp(countingChat());
  await app.actions.send('#trip one');
  app.actions.session({ folded: ['inspector'], selectedId: activePath(app.store.getState().forest)[0]?.id ?? null });
  show(app, app.store.getState().forest);
  const number = () => page.querySelector<HTMLElement>('[aria-label="Inspect turn 1"]');
  await expect.poll(number).not.toBeNull();
  const session = () => app.store.getState().session;
  const { selectedId } = session();
  number()?.click();
  expect(session()).toMatchObject({ selectedId, folded: [], pane: 'inspector' });
});

test('a turn in a closed gap that is selected is shown where there is no forest beside the chat to show it', async () => {
  const app = await plainApp(countingChat());
  await app.actions.send('#trip one');
  await app.actions.send('#code two');
  const { forest } = app.store.getState();
  const [first] = recordsOf(forest.nodes);
  const turn = (number: number) => page.querySelector(`[aria-label="Turn ${number}"]`);
  // On a phone the forest is another pane.
  app.actions.session({ pane: 'forest' });
  show(app, forest, 'path');
  await expect.poll(() => turn(2)).not.toBeNull();
  app.actions.select(first?.id ?? null);
  await new Promise((resolve) => requestAnimationFrame(resolve));
  expect(turn(1)).toBeNull();
  app.actions.session({ pane: 'chat', folded: ['forest'] });
  app.actions.select(null);
  await new Promise((resolve) => requestAnimationFrame(resolve));
  expect(turn(1)).toBeNull();
  app.actions.select(first?.id ?? null);
  await expect.poll(() => turn(1)).not.toBeNull();
});

test('of a long conversation, only the turns in view are read', async () => {
  const app = await plainApp(countingChat());
  const { forest, textsRead } = reopened(frozen(fold(syntheticLog(600, 3))));
  show(app, forest);
  expect(textsRead.size).toBeLessThan(150);
  await expect.poll(() => page.querySelectorAll('article').length).toBeGreaterThan(1);
  expect(page.querySelectorAll('[data-row]').length).toBeLessThan(100);
});
