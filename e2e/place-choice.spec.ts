import type { Page } from '@playwright/test';
import type { App } from './support/app.ts';
import { expectNoViolations } from './support/axe.ts';
import { threeTopics } from './support/dialogues.ts';
import { ModelsDialog } from './support/models-dialog.ts';
import { expect, test } from './support/test.ts';

test.use({ sharesPage: true });
test.describe.configure({ mode: 'default' });

const SHORTCUT = 'Control+j';
/** A message that only the user's choice would place there. */
const anywhere = 'And how long does that take?';

const placeLine = (page: Page) => page.getByRole('button', { name: /^Next message: / });
const picker = (app: App) => {
  const root = app.dialog('Where the message goes');
  return {
    root,
    field: root.getByRole('combobox', { name: 'Search topics and turns' }),
    option: (name: RegExp) => root.getByRole('option', { name }),
  };
};

const talk = async (app: App): Promise<void> => {
  await app.open();
  for (const message of threeTopics.slice(0, 3)) await app.send(message);
};

// Goes first: the decider has learned from nothing else yet.
test('what was chosen is a label: the inspector says so, the export has it, the decider learns it, undo takes it back', async ({
  app,
  page,
}) => {
  await talk(app);
  const { field } = picker(app);
  await app.message.focus();
  await page.keyboard.press(SHORTCUT);
  await expect(field).toBeFocused();
  await page.keyboard.press('+');
  await app.send(anywhere);
  await app.turn(4).click();
  await app.inspector.getByRole('tab', { name: 'Decision' }).click();
  await expect(app.inspector).toContainText('Chosen by you');
  await expect(app.inspector).toContainText('You chose the place before the message was sent.');
  expect(await app.exported()).toContain('"beforehand":true');

  const models = new ModelsDialog(app);
  await models.open('decide');
  const learns = models.root.getByRole('region', { name: 'Learns from your corrections' });
  await expect(learns).toContainText(/1 correction\b|1 confirmation\b/);
  await models.close();
  await app.undo.click();
  await expect(app.turn(4)).toHaveCount(0);
  await models.open('decide');
  await expect(learns).toContainText('No lessons yet.');
});

test('two keys choose to go on here or to begin a topic; the choice stays while one types, and is used', async ({
  app,
  page,
}) => {
  await talk(app);
  const { root, field, option } = picker(app);
  await app.message.focus();
  await page.keyboard.press(SHORTCUT);
  await expect(field).toBeFocused();
  await expect(option(/^Continue here after turn 3$/)).toHaveAttribute('aria-selected', 'true');
  await expectNoViolations(page, { where: 'choosing a place' });
  await page.keyboard.press('+');
  await expect(root).toBeHidden();
  await expect(app.message).toBeFocused();
  await expect(app.message).toHaveAccessibleDescription('You chose where it goes: new topic');

  await app.message.fill(anywhere);
  await expect(placeLine(page)).toHaveAccessibleName('Next message: new topic');
  await page.keyboard.press('Enter');
  await expect(app.why(4)).toContainText('new topic, as you chose');
  await app.settled();
  // Applies to one message only.
  await expect(app.button('Let Coppice decide')).toHaveCount(0);

  await page.keyboard.press(SHORTCUT);
  await expect(field).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(root).toBeHidden();
  await expect(placeLine(page)).toHaveAccessibleName('Next message: continues from turn 4');
  await app.button('Let Coppice decide').click();
  await expect(app.message).toHaveAccessibleDescription('');
});

test('another topic and a turn are found by a few letters, by keyboard and by mouse', async ({ app, page }) => {
  await talk(app);
  const { root, field, option } = picker(app);
  await placeLine(page).click();
  await expect(field).toBeFocused();
  await field.fill('turn 1');
  await expect(option(/^Turn 1 /).first()).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await expect(field).toHaveAttribute(
    'aria-activedescendant',
    (await option(/^Turn 1 /)
      .first()
      .getAttribute('id')) ?? '',
  );
  await page.keyboard.press('Escape');
  await expect(root).toBeHidden();
  await expect(app.message).toBeFocused();
  await expect(app.button('Let Coppice decide')).toHaveCount(0);

  await page.keyboard.press(SHORTCUT);
  await field.fill('zzqx');
  await expect(root).toContainText('No matching topics or turns.');
  await field.fill(threeTopics[0].split(' ').slice(3, 6).join(' '));
  await option(/^Turn 1 /).click();
  await expect(root).toBeHidden();
  await expect(placeLine(page)).toHaveAccessibleName(/turn 1$/);
  await app.message.fill(anywhere);
  await app.button('Send').click();
  await expect(app.why(4)).toContainText('as you chose');
  await app.settled();

  // The topic nearest to the typed words comes first, not the latest one.
  await app.send(threeTopics[4]);
  await app.message.fill(threeTopics[3]);
  await expect(app.button('Preview: why it would go there')).toBeVisible();
  await page.keyboard.press(SHORTCUT);
  await expect(field).toBeFocused();
  await expect(root.getByRole('group', { name: 'Other topics' }).getByRole('option').first()).toContainText(
    'after turn 3',
  );
});

test('on a phone the place is chosen by touch, and by its command', async ({ app, page }) => {
  await app.resize({ width: 390, height: 844 });
  await talk(app);
  const { root, option } = picker(app);
  await placeLine(page).click();
  await expect(root).toBeInViewport({ ratio: 1 });
  await option(/^New topic/).click();
  await expect(placeLine(page)).toHaveAccessibleName('Next message: new topic');

  await page.getByRole('navigation', { name: 'Panes' }).getByRole('button', { name: 'Forest' }).click();
  await page.keyboard.press('Control+k');
  await app.dialog('Commands').getByRole('combobox').fill('choose where');
  await page.keyboard.press('Enter');
  await expect(root).toBeVisible();
  await option(/^Let Coppice decide/).click();
  await expect(app.button('Let Coppice decide')).toHaveCount(0);
});
