import type { App } from './support/app.ts';
import { threeTopics } from './support/dialogues.ts';
import { Edits } from './support/edits.ts';
import { expect, test } from './support/test.ts';

test.use({ sharesPage: true });
test.describe.configure({ mode: 'default' });

/** Three turns: the second pinned, the third made a topic of its own by hand. */
const lived = async (app: App): Promise<Edits> => {
  await app.open();
  for (const message of threeTopics.slice(0, 3)) await app.send(message);
  const edits = new Edits(app);
  await app.showOutline();
  await app.outlineTurn(1).click({ button: 'right' });
  await edits.item(/^Pin/).click();
  await app.outlineTurn(2).click({ button: 'right' });
  await edits.item(/^Add a note/).click();
  await edits.write('Note on turn 2', 'Note', 'Remember this.', 'Save');
  await expect(app.outlineTurn(2)).toHaveAccessibleName(/has a note/);
  return edits;
};

/** Travels to the moment of a turn, as by dragging the timeline. */
const travelTo = async (app: App, turn: number): Promise<void> => {
  await app.timeline.fill(String(turn));
  await expect(app.page.getByText(`The forest as it was at turn ${turn}.`)).toBeVisible();
};

/** Presses Play and, once the film shows the past, another button: by itself, so that the film cannot end before. */
const playUntil = (app: App, button?: string): Promise<void> =>
  app.page.evaluate(async (name) => {
    const find = (wanted?: string) =>
      [...document.querySelectorAll('button')].find((one) => (one.ariaLabel ?? one.textContent).trim() === wanted);
    find('Timeline: play')?.click();
    while (find('Back to now') === undefined) await new Promise(requestAnimationFrame);
    find(name)?.click();
  }, button);

/** Whether the past is shown at some time while several scenes of a film would pass. */
const showsPastSoon = (app: App): Promise<boolean> =>
  app.page.evaluate(async () => {
    const end = performance.now() + 1_200;
    let shown = false;
    while (performance.now() < end) {
      await new Promise(requestAnimationFrame);
      shown ||= document.querySelector<HTMLTextAreaElement>('#message')?.disabled === true;
    }
    return shown;
  });

test('the history says what was done and goes there, by mouse and by keys, across a reload', async ({ app }) => {
  const edits = await lived(app);
  const steps = await edits.openHistory();
  await expect(steps.first()).toHaveAccessibleName('Note on turn 2: “Remember this.”, current');
  await expect(steps.nth(1)).toHaveAccessibleName('Turn 1 pinned');
  await expect(steps.last()).toHaveAccessibleName('The beginning');

  await steps.filter({ hasText: /^Turn 2 sent/ }).click();
  await expect(steps.filter({ hasText: /^Turn 1 pinned/ })).toHaveAccessibleName('Turn 1 pinned, undone');
  await expect(steps.filter({ hasText: 'you are here' })).toContainText('Turn 2 sent');
  await app.page.keyboard.press('Escape');
  await expect(app.outlineTurn(3)).toHaveCount(0);
  await expect(app.outlineTurn(1)).not.toHaveAccessibleName(/pinned/);

  await app.reload();
  await edits.openHistory();
  await expect(steps.first()).toHaveAccessibleName('Note on turn 2: “Remember this.”, undone');
  await app.page.keyboard.press('Home');
  await app.page.keyboard.press('Enter');
  await expect(steps.first()).toHaveAccessibleName(/current$/);
  await app.page.keyboard.press('Escape');
  await expect(app.outlineTurn(3)).toHaveCount(1);
  await expect(app.outlineTurn(2)).toHaveAccessibleName(/has a note/);
});

test('a moment of the timeline is restored, and what came later can be brought back', async ({ app }) => {
  await lived(app);
  const before = await app.shape();
  await travelTo(app, 2);
  await app.button('Restore this').click();
  await expect(app.outlineTurn(3)).toHaveCount(0);
  await expect(app.outlineTurn(2)).toHaveCount(1);
  await expect(app.button('Back to now')).toHaveCount(0);
  await app.reload();
  await expect(app.outlineTurn(3)).toHaveCount(0);
  for (let steps = 0; steps < 3; steps++) {
    await expect(app.redo).toBeEnabled();
    await app.redo.click();
  }
  await expect.poll(() => app.shape()).toEqual(before);
});

// Counts the conversations, so it needs a page without any others.
test.describe(() => {
  test.use({ sharesPage: false });

  test('a conversation of its own begins at a moment, and the first stays as it was', async ({ app }) => {
    await lived(app);
    const before = await app.shape();
    await app.timeline.focus();
    await app.page.keyboard.press('Home');
    await expect(app.page.getByText('The forest as it was at turn 1.')).toBeVisible();
    await app.button('Start a new conversation from here').focus();
    await app.page.keyboard.press('Enter');
    await expect(app.outlineTurn(2)).toHaveCount(0);
    await expect(app.turn(1)).toContainText(threeTopics[0]);
    await app.send('Something else');
    const listed = await app.listConversations();
    await expect(listed).toHaveCount(2);
    await listed.nth(1).getByRole('button').first().click();
    await expect.poll(() => app.shape()).toEqual(before);
  });
});

test('with the chat folded away the timeline itself offers what can be done with a moment', async ({ app }) => {
  await lived(app);
  await app.timeline.focus();
  await app.page.keyboard.press('Home');
  await app.button('Actions for this moment').focus();
  await app.page.keyboard.press('Enter');
  await app.page.getByRole('menuitem', { name: 'Restore this' }).press('Enter');
  await expect(app.outlineTurn(2)).toHaveCount(0);
  await expect(app.outlineTurn(1)).toHaveCount(1);
});

test('the timeline stops at what was done between two turns, too, and says so', async ({ app }) => {
  await lived(app);
  const { keyboard } = app.page;
  await app.timeline.focus();
  // First before the note, then before the pin.
  await keyboard.press('Alt+,');
  await expect(app.timeline).toHaveAttribute('aria-valuetext', 'turn 3 of 3, 1 change later');
  await expect(app.outlineTurn(2)).not.toHaveAccessibleName(/has a note/);
  await expect(app.outlineTurn(1)).toHaveAccessibleName(/pinned/);
  await keyboard.press('Alt+,');
  await expect(app.timeline).toHaveAttribute('aria-valuetext', 'turn 3 of 3');
  await expect(app.outlineTurn(1)).not.toHaveAccessibleName(/pinned/);
  await keyboard.press('Alt+.');
  await expect(app.outlineTurn(1)).toHaveAccessibleName(/pinned/);
  await keyboard.press('Alt+.');
  await expect(app.outlineTurn(2)).toHaveAccessibleName(/has a note/);
  await expect(app.button('Back to now')).toHaveCount(0);
});

test('a film ends where somebody goes back to now', async ({ app }) => {
  await lived(app);
  await playUntil(app, 'Back to now');
  await expect(app.message).toBeEnabled();
  expect(await showsPastSoon(app)).toBe(false);
  await expect(app.button('Timeline: play')).toBeVisible();
  // Left alone, it goes on to the end.
  await playUntil(app);
  await expect(app.button('Back to now')).toHaveCount(0);
  await expect(app.button('Timeline: play')).toBeVisible();
});

test('a film ends where its moment is restored', async ({ app }) => {
  await lived(app);
  await playUntil(app, 'Restore this');
  await expect(app.outlineTurn(3)).toHaveCount(0);
  await expect(app.message).toBeEnabled();
  expect(await showsPastSoon(app)).toBe(false);
});

test('a film ends with its conversation, and does not go on when that is opened again', async ({ app }) => {
  await lived(app);
  await playUntil(app, 'New conversation');
  await expect(app.turns).toHaveCount(0);
  await expect(app.message).toBeEnabled();
  const listed = await app.listConversations();
  await listed.getByRole('button', { name: /turns/ }).first().click();
  await expect(app.turn(3)).toBeVisible();
  expect(await showsPastSoon(app)).toBe(false);
  await expect(app.button('Timeline: play')).toBeVisible();
});
