import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test } from 'vitest';
import { page } from 'vitest/browser';
import { plainApp, until } from '../../app/testing/plain-app.ts';
import { nodeOf, pendingTurn } from '../../domain/queries.ts';
import { countingChat, heldDecider, plainModels } from '../../engine/testing/plain-models.ts';
import { AppContext } from '../../ui/app-context.ts';
import { EDIT_DIALOGS } from './edit-dialogs.tsx';

type PlainApp = Awaited<ReturnType<typeof plainApp>>;

const show = (app: PlainApp, dialog: keyof typeof EDIT_DIALOGS) => {
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  const close = () => {
    root.unmount();
    place.remove();
  };
  onTestFinished(close);
  const Shown = EDIT_DIALOGS[dialog];
  root.render(
    <AppContext value={app}>
      <Shown onClose={() => undefined} />
    </AppContext>,
  );
  return close;
};

const activeTurn = ({ store }: PlainApp) => {
  const { forest } = store.getState();
  return nodeOf(forest, forest.active?.nodeId ?? '');
};

test.each([
  { dialog: 'topic-title', label: 'Topic title', canBeEmpty: false },
  { dialog: 'branch-title', label: 'Branch title', canBeEmpty: true },
] as const)('$dialog: whether the title can be emptied: $canBeEmpty', async ({ dialog, label, canBeEmpty }) => {
  const app = await plainApp(countingChat());
  await app.actions.send('#trip one');
  const { treeId, branchId } = activeTurn(app);
  await app.actions.titleTopic(treeId, 'Lisbon');
  await app.actions.titleBranch(branchId, 'By train');
  show(app, dialog);
  const field = page.getByRole('textbox', { name: label });
  const rename = page.getByRole('button', { name: 'Rename' });
  await field.fill('Porto');
  await expect.element(rename).toBeEnabled();
  await field.fill(' ');
  await (canBeEmpty ? expect.element(rename).toBeEnabled() : expect.element(rename).toBeDisabled());
});

test('a turn that reads from right to left is listed by its beginning, whatever stands before it', async () => {
  const app = await plainApp(countingChat());
  const message = 'שלום עולם';
  await app.actions.send(message);
  app.actions.session({ selection: [activeTurn(app).id] });
  show(app, 'move');
  await expect.element(page.getByRole('option', { name: `Turn 1 ${message}` })).toBeVisible();
  expect(page.getByText(message, { exact: true }).element().matches(':dir(rtl)')).toBe(true);
});

test('a note that is written while a message is being placed can be saved after it', async () => {
  const { decide, letGo } = heldDecider();
  const app = await plainApp(countingChat(), { models: () => plainModels({ decide }) });
  await app.actions.send('#trip one');
  const { id } = activeTurn(app);
  const sending = app.actions.send('two');
  await until(app.store, ({ forest }) => pendingTurn(forest) !== null);
  show(app, 'note');
  const field = page.getByRole('textbox', { name: 'Note' });
  const save = page.getByRole('button', { name: 'Save' });
  await field.fill('By train');
  await expect.element(save).toBeDisabled();
  letGo();
  await sending;
  await expect.element(field).toHaveValue('By train');
  await save.click();
  await expect.poll(() => app.store.getState().forest.nodes[id]?.note).toBe('By train');
});

test('what purging does with the turns below is told of one as of several', async () => {
  const app = await plainApp(countingChat());
  await app.actions.send('#trip one');
  const first = activeTurn(app).id;
  const choice = page.getByRole('checkbox', { name: 'under it' });
  for (const words of [
    'Also the 1 turn under it. Otherwise, it moves up.',
    'Also the 2 turns under it. Otherwise, they move up.',
  ]) {
    await app.actions.send('#trip more');
    app.actions.session({ selection: [first] });
    const close = show(app, 'purge');
    await expect.element(choice).toHaveAccessibleName(words);
    close();
  }
});

test('purging a first turn from which several branches begin takes them along, unless they are to become one', async () => {
  const app = await plainApp(countingChat());
  await app.actions.send('#trip one');
  const first = activeTurn(app).id;
  await app.actions.send('#trip two');
  await app.actions.activate(first);
  await app.actions.send('#trip another two');
  app.actions.session({ selection: [first] });
  show(app, 'purge');
  const choice = page.getByRole('checkbox', { name: 'under it' });
  await expect.element(choice).toBeChecked();
  await expect
    .element(choice)
    .toHaveAccessibleName(
      'Also the 2 turns under it. Otherwise, they move up, and the first of the branches that begin there takes the others under it.',
    );
});
