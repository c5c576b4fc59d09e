import { expectNoViolations } from './support/axe.ts';
import { threeTopics } from './support/dialogues.ts';
import { expect, test } from './support/test.ts';

test.use({ sharesPage: true });
test.describe.configure({ mode: 'default' });

// Goes first: there is no other conversation yet.
test('the palette hands its words on to the search', async ({ app, page }) => {
  await app.open();
  await app.send(threeTopics[0]);
  await page.keyboard.press('Control+k');
  await app.dialog('Commands').getByRole('combobox').fill('neighbourhood');
  await app.dialog('Commands').getByRole('option', { name: 'Search all conversations for “neighbourhood”' }).click();
  await expect(app.dialog('Search').getByRole('combobox')).toHaveValue('neighbourhood');
  await expect(app.dialog('Search').getByRole('option')).toHaveCount(1);
});

test('what has other words but means the same comes after what has the words', async ({ app, page }) => {
  await app.open();
  for (const message of threeTopics.slice(0, 6)) await app.send(message);
  await page.keyboard.press('Control+Shift+f');
  const search = app.dialog('Search');
  await search.getByRole('combobox').fill('chickpeas');
  await expect(search.getByRole('option').first()).toContainText('chickpeas');
  await search.getByRole('combobox').fill('which district of Lisbon is good to stay in?');
  const near = search.getByRole('option').filter({ hasText: 'near in meaning' });
  await expect(near.first()).toContainText('neighbourhood');
});

test('Enter right after the words are changed opens what has the new ones', async ({ app, page }) => {
  await app.open();
  for (const message of threeTopics.slice(0, 4)) await app.send(message);
  await page.keyboard.press('Control+Shift+f');
  const search = app.dialog('Search');
  await search.getByRole('combobox').fill('"alfama in lisbon"');
  await expect(search.getByRole('option').first()).toContainText(/Alfama in Lisbon/i);
  await search.getByRole('combobox').fill('"a column is missing"');
  await page.keyboard.press('Enter');
  await expect(search).toBeHidden();
  await expect(app.turn(4)).toHaveAttribute('data-selected', 'true');
});

test('on a phone the search is under More; what is found there is landed on in the chat', async ({ app, page }) => {
  await app.resize({ width: 390, height: 844 });
  await app.open();
  for (const message of threeTopics.slice(0, 3)) await app.send(message);
  const search = await app.openDialog('Search');
  await search.getByRole('combobox').fill('alfama');
  await expectNoViolations(page);
  await search.getByRole('option').first().click();
  await expect(app.turn(2)).toBeInViewport();
});

test.describe('in a browser where nothing was said or sought yet', () => {
  test.use({ sharesPage: false });

  test('deleted and purged turns are not found, hidden ones are marked', async ({ app, page }) => {
    const { keyboard } = page;
    await app.open();
    for (const message of threeTopics.slice(0, 2)) await app.send(message);
    const search = app.dialog('Search');
    const find = async (words: string) => {
      await keyboard.press('Control+Shift+f');
      await search.getByRole('combobox').fill(words);
    };
    await app.forest.focus();
    await keyboard.press('h');
    await expect(app.turn(2)).toHaveCount(0);
    await find('alfama');
    await expect(search.getByRole('option')).toContainText('hidden');
    await keyboard.press('Escape');
    await expect(search).toBeHidden();
    await app.showOutline();
    await app.forest.focus();
    await keyboard.press('Delete');
    await expect(app.outlineTurn(2)).toHaveCount(0);
    await find('"alfama in lisbon"');
    await expect(search).toContainText('Nothing in 1 turn');
  });

  test('a turn of another conversation is found by its words and landed on, with the keyboard alone', async ({
    app,
    page,
  }) => {
    const { keyboard } = page;
    let letIn: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      letIn = resolve;
    });
    await page.route(/search-dialog-[^/]*\.js/, async (route) => {
      await held;
      await route.continue();
    });
    await app.open();
    for (const message of threeTopics) await app.send(message);
    await app.button('New conversation').click();
    await app.send('How do I prune an old apple tree?');

    // Exactly what is typed before the search has loaded is searched for.
    await app.message.focus();
    await keyboard.press('Control+Shift+f');
    await keyboard.type('"skipp');
    await keyboard.press('Backspace');
    await expect(app.message).toHaveValue('');
    letIn();
    const search = app.dialog('Search');
    const field = search.getByRole('combobox', { name: 'Search' });
    await expect(field).toBeFocused();
    await expect(field).toHaveValue('"skip');
    await field.pressSequentially(' broken lines" pandas');
    await expect(field).toHaveValue('"skip broken lines" pandas');
    const options = search.getByRole('option');
    await expect(options.first()).toContainText('Turn 9');
    await expect(options.first().locator('mark')).toHaveText(['skip broken lines', 'pandas']);
    await expect(field).toHaveAttribute('aria-activedescendant', (await options.first().getAttribute('id')) ?? '');
    await keyboard.press('Enter');

    await expect(search).toBeHidden();
    await expect(app.turn(9)).toBeInViewport();
    await expect(app.turn(9)).toHaveAttribute('data-selected', 'true');
    await app.showOutline();
    await expect(app.outlineTurn(9)).toHaveAttribute('aria-selected', 'true');
  });
});
