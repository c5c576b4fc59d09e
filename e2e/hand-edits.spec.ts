import { App } from './support/app.ts';
import { threeTopics } from './support/dialogues.ts';
import { Edits, expectHeld } from './support/edits.ts';
import { forestLog } from './support/forest-log.ts';
import { ImportDialog } from './support/import-dialog.ts';
import { expect, test } from './support/test.ts';

test.use({ sharesPage: true });
test.describe.configure({ mode: 'default' });

const [lisbon, second, third] = threeTopics;

/** A conversation of three turns on one path. */
const talk = async (app: App): Promise<Edits> => {
  await app.open();
  const dialog = new ImportDialog(app);
  await dialog.open();
  await dialog.giveFile('made-up.coppice.jsonl', forestLog({ [lisbon]: null, [second]: lisbon, [third]: second }));
  await dialog.openConversation();
  await expect(app.turn(3)).toBeVisible();
  await app.settled();
  return new Edits(app);
};

const holds = (app: App, before: string[], after: string[]) => expectHeld(app, () => app.shape(), before, after);

const changed = async (app: App, before: string[]): Promise<string[]> => {
  await expect.poll(() => app.shape()).not.toEqual(before);
  return app.titledShape();
};

test('a turn is moved under another, found by its words', async ({ app }) => {
  const edits = await talk(app);
  const before = await app.shape();
  await edits.choose(3, /^Move under/);
  const picker = app.dialog('Move turn 3');
  const search = picker.getByRole('combobox', { name: 'Search turns' });
  await expect(search).toBeFocused();
  await expect(picker.getByRole('option').first()).toContainText('New topic');
  // A place it cannot go to says why, and cannot be chosen.
  await search.fill('turn 2');
  await expect(picker.getByRole('option').first()).toContainText('already there');
  await expect(picker.getByRole('button', { name: 'Move' })).toBeDisabled();
  await search.fill(lisbon.split(' ').slice(0, 4).reverse().join(' '));
  await expect(picker).toContainText('The next message’s context');
  await picker.getByRole('option', { name: 'Turn 1' }).click();
  await expect(app.why(3)).toContainText('moved by you');
  await holds(app, before, await changed(app, before));
});

test('a turn is moved by keys alone, and the picker refuses what hangs from it', async ({ app }) => {
  const edits = await talk(app);
  const before = await app.shape();
  await edits.chooseByKeys(2, /^Move under/);
  const picker = app.dialog('Move turn 2');
  await expect(picker.getByRole('combobox')).toBeFocused();
  await app.page.keyboard.press('ArrowDown');
  await expect(picker.getByRole('option', { selected: true })).toContainText('under turn 2');
  await app.page.keyboard.press('Enter');
  await expect(picker).toBeVisible();
  await app.page.keyboard.press('ArrowUp');
  await expect(picker.getByRole('option', { selected: true })).toContainText('New topic');
  await expect(picker).toContainText('The next message’s context');
  await app.page.keyboard.press('Enter');
  await expect(picker).toBeHidden();
  // Focus returns to where the menu was opened.
  await expect(app.outlineTurn(2)).toBeFocused();
  await holds(app, before, await changed(app, before));
});

test('a turn is taken out of its path; those under it close the gap', async ({ app }) => {
  const edits = await talk(app);
  const before = await app.shape();
  await edits.chooseByKeys(2, /^Detach from path/);
  const after = await changed(app, before);
  expect(after.filter((row) => row.startsWith('1 '))).toHaveLength(2);
  await holds(app, before, after);
});

test('a turn is deleted alone or with all under it, and says that undo brings it back', async ({ app }) => {
  const edits = await talk(app);
  const before = await app.shape();
  await edits.choose(2, /^Delete/, /^This turn alone/);
  await expect(app.page.getByRole('status')).toContainText('Undo brings it back');
  await expect(app.outlineTurn(2)).toHaveCount(0);
  await expect(app.outlineTurn(3)).toHaveCount(1);
  await holds(app, before, await app.shape());
  await app.undo.click();
  await expect.poll(() => app.shape()).toEqual(before);

  await app.outlineTurn(2).click({ button: 'right' });
  await edits.item(/^Delete/).click();
  await edits.item(/^With the 1 turn under it/).click();
  await expect(app.outlineTurn(3)).toHaveCount(0);
  await holds(app, before, await app.shape());
});

test('a hidden turn is one quiet line that can be read and shown again', async ({ app }) => {
  const edits = await talk(app);
  await edits.chooseByKeys(2, /^Hide/);
  await edits.walkTo(edits.item(/^This turn alone/));
  await app.page.keyboard.press('Enter');
  const line = app.conversation.getByRole('button', { name: 'Turn 2 is hidden: no model sees it' });
  await expect(line).toBeVisible();
  await expect(app.turn(2)).toHaveCount(0);
  await expect(app.outlineTurn(2)).toHaveAccessibleName(/, hidden$/);
  await line.click();
  await expect(app.turn(2)).toContainText(second);
  await app.reload();
  await expect(line).toBeVisible();
  await app.undo.click();
  await expect(app.turn(2)).toBeVisible();
  await app.redo.click();
  await app.conversation.getByRole('button', { name: 'Show', exact: true }).click();
  await expect(app.turn(2)).toBeVisible();
});

test('the branch ends at a turn, and the next message goes on from there', async ({ app }) => {
  const edits = await talk(app);
  const before = await app.shape();
  await edits.choose(1, /^End the branch here/);
  const after = await changed(app, before);
  expect(after.find((row) => row.includes('(active)'))).toContain('Turn 1');
  await holds(app, before, after);
});

test('pins, notes, references, titles and summaries are kept across undo, redo and reload', async ({ app }) => {
  const edits = await talk(app);
  await edits.choose(1, /^Pin/);
  await expect(app.turn(1)).toContainText('pinned');
  await edits.choose(2, /^Add a note/);
  await edits.write('Note on turn 2', 'Note', 'Ask Ana about it.', 'Save');
  await expect(app.turn(2)).toContainText('Ask Ana about it.');
  await edits.chooseByKeys(3, /^Rename topic/);
  await expect(app.page.getByRole('dialog').getByRole('textbox')).toBeFocused();
  await app.page.keyboard.type('Moving house');
  await app.page.keyboard.press('Enter');
  await expect(app.outline.getByRole('treeitem', { name: /^Moving house/ })).toBeVisible();
  await edits.choose(3, /^Edit summary/);
  await edits.write('Summary of turn 3', 'Summary', 'The person wants sourdough.', 'Save');
  await edits.choose(3, /^Make it a topic of its own/);
  await edits.choose(3, /^Refer to another turn/);
  const refer = app.dialog('Refer from turn 3');
  await refer.getByRole('combobox').fill('turn 2');
  await refer.getByRole('button', { name: 'Summary' }).click();
  await refer.getByRole('button', { name: 'Refer', exact: true }).click();
  await expect(app.turn(3)).toContainText('refers to turn 2, its summary');
  await app.reload();
  await expect(app.turn(3)).toContainText('refers to turn 2, its summary');
  await app.undo.click();
  await expect(app.turn(3)).not.toContainText('refers to');
  await app.redo.click();
  await expect(app.turn(3)).toContainText('refers to turn 2, its summary');
  await app.turn(3).getByRole('button', { name: 'Inspect turn 3' }).click();
  await app.inspector.getByRole('tab', { name: 'Turn' }).click();
  await expect(app.inspector).toContainText('written by you');
  await expect(app.inspector).toContainText('The person wants sourdough.');
  await expect(app.inspector.getByRole('list', { name: 'To other turns' })).toContainText('turn 2');
  await app.inspector.getByRole('button', { name: 'Remove the reference to turn 2' }).click();
  await expect(app.turn(3)).not.toContainText('refers to');
});

test('the inspector edits a turn in its place', async ({ app }) => {
  await talk(app);
  await app.turn(2).getByRole('button', { name: 'Inspect turn 2' }).click();
  const { inspector } = app;
  await inspector.getByRole('tab', { name: 'Turn' }).click();
  await inspector.getByRole('switch', { name: 'Pinned' }).click();
  await expect(app.turn(2)).toContainText('pinned');
  await inspector.getByRole('button', { name: 'Add a note' }).click();
  await expect(inspector.getByRole('textbox')).toBeFocused();
  await inspector.getByRole('textbox').pressSequentially('For later.');
  await app.page.keyboard.press('Control+Enter');
  await expect(app.turn(2)).toContainText('For later.');
  await inspector.getByRole('button', { name: 'Edit summary' }).click();
  await inspector.getByRole('textbox', { name: 'Summary' }).fill('My own words.');
  await inspector.getByRole('button', { name: 'Save' }).click();
  await expect(inspector).toContainText('written by you');
  await inspector.getByRole('button', { name: 'Summarise again' }).click();
  await expect(inspector).not.toContainText('My own words.');
  await app.undo.click();
  await expect(inspector).toContainText('My own words.');
  await inspector.getByRole('switch', { name: 'Hidden' }).click();
  await expect(app.turn(2)).toHaveCount(0);
});

test('a note and a summary being written outlast a look elsewhere, each with its turn, until saved or cancelled', async ({
  app,
}) => {
  await talk(app);
  const { inspector } = app;
  const inspect = (turn: number) =>
    app
      .turn(turn)
      .getByRole('button', { name: `Inspect turn ${turn}` })
      .click();
  const note = inspector.getByRole('textbox', { name: 'Note' });
  const summary = inspector.getByRole('textbox', { name: 'Summary' });
  await inspect(2);
  await inspector.getByRole('tab', { name: 'Turn' }).click();
  await inspector.getByRole('button', { name: 'Add a note' }).click();
  await note.pressSequentially('Half a thought');
  await inspector.getByRole('button', { name: 'Edit summary' }).click();
  await summary.fill('In my words');

  await inspector.getByRole('tab', { name: 'Decision' }).click();
  await expect(note).toHaveCount(0);
  await inspector.getByRole('tab', { name: 'Turn' }).click();
  await expect(note).toHaveValue('Half a thought');
  await expect(summary).toHaveValue('In my words');

  await inspect(3);
  await expect(inspector.getByRole('heading', { name: 'Turn 3' })).toBeVisible();
  await expect(inspector.getByRole('textbox')).toHaveCount(0);
  // Sending clears the selection.
  await app.send('And how long does it bake?');
  await inspect(2);
  await expect(note).toHaveValue('Half a thought');
  await expect(note).not.toBeFocused();

  await inspector.getByRole('button', { name: 'Save' }).first().click();
  await expect(app.turn(2)).toContainText('Half a thought');
  await inspector.getByRole('button', { name: 'Cancel' }).click();
  await inspect(3);
  await inspect(2);
  await expect(inspector.getByRole('heading', { name: 'Turn 2' })).toBeVisible();
  await expect(inspector.getByRole('textbox')).toHaveCount(0);
  await expect(inspector).not.toContainText('In my words');
});

test('several turns are selected in the outline, by mouse and by keys, and edited as one', async ({ app }) => {
  const edits = await talk(app);
  await app.showOutline();
  const before = await app.shape();
  await app.outlineTurn(2).click();
  await app.outlineTurn(3).click({ modifiers: ['Shift'] });
  await expect(app.outline.getByRole('treeitem', { selected: true })).toHaveCount(2);
  await app.outlineTurn(3).click({ button: 'right' });
  await edits.item(/^Hide/).click();
  await expect(
    app.conversation.getByRole('button', { name: 'Turns 2–3 are hidden: no model sees them' }),
  ).toBeVisible();
  await app.undo.click();
  await expect.poll(() => app.shape()).toEqual(before);

  await app.outlineTurn(2).focus();
  await app.page.keyboard.press('Space');
  await app.page.keyboard.press('Shift+ArrowDown');
  await expect(app.outline.getByRole('treeitem', { selected: true })).toHaveCount(2);
  await app.page.keyboard.press('Control+Space');
  await expect(app.outline.getByRole('treeitem', { selected: true })).toHaveCount(1);
});

test('purging asks first, says what is lost, and leaves no word and no history', async ({ app }) => {
  const edits = await talk(app);
  await edits.choose(2, /^Purge/);
  const warning = app.page.getByRole('alertdialog', { name: 'Purge turn 2 for good?' });
  await expect(warning).toContainText('You can’t get it back');
  await expect(warning).toContainText('undo history of this conversation is deleted');
  await expect(warning.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await app.page.keyboard.press('Escape');
  await expect(warning).toBeHidden();
  await expect(app.turn(2)).toBeVisible();

  await edits.choose(2, /^Purge/);
  await warning.getByRole('button', { name: 'Purge turn 2' }).click();
  await expect(app.outlineTurn(2)).toHaveCount(0);
  await expect(app.outlineTurn(3)).toHaveCount(1);
  await expect(app.undo).toBeDisabled();
  expect(await app.exported()).not.toContain(second);
  await app.page.keyboard.press('Escape');
  await app.reload();
  await expect(app.outlineTurn(2)).toHaveCount(0);
  expect(await app.exported()).not.toContain(second);
});

test('what was deleted can be purged later', async ({ app }) => {
  const edits = await talk(app);
  await edits.choose(3, /^Delete/);
  await expect(app.outlineTurn(3)).toHaveCount(0);
  expect(await app.exported()).toContain(third);
  const purgeDeleted = async () => {
    await app.page.keyboard.press('ControlOrMeta+k');
    await app.dialog('Commands').getByRole('combobox').fill('Purge deleted turns');
    await app.page.keyboard.press('Enter');
  };
  await purgeDeleted();
  const warning = app.page.getByRole('alertdialog', { name: 'Purge 1 deleted turn for good?' });
  await expect(warning.getByRole('list', { name: 'What will be removed' })).toContainText(third);
  await warning.getByRole('button', { name: 'Purge this turn' }).click();
  await expect(app.undo).toBeDisabled();
  expect(await app.exported()).not.toContain(third);
  await purgeDeleted();
  await expect(app.page.getByRole('dialog', { name: 'Nothing to purge' })).toBeVisible();
});

test('what an edit does in one tab appears in the other', async ({ app, context }) => {
  const edits = await talk(app);
  const other = new App(await context.newPage());
  await other.open();
  await expect(other.turn(3)).toContainText(third);
  await edits.choose(2, /^Add a note/);
  await edits.write('Note on turn 2', 'Note', 'From the other tab.', 'Save');
  await expect(other.turn(2)).toContainText('From the other tab.');
  await new Edits(other).choose(3, /^Make it a topic of its own/);
  await expect(app.why(3)).toContainText('moved by you');
  await other.sameAs(app);
  await edits.choose(3, /^Delete/);
  await expect(other.outlineTurn(3)).toHaveCount(0);
});
