import type { Locator } from '@playwright/test';
import type { App } from './support/app.ts';
import { ModelsDialog } from './support/models-dialog.ts';
import { expect, test } from './support/test.ts';

test.use({ sharesPage: true });
test.describe.configure({ mode: 'default' });

/** A user who opens topics with a fixed phrase, on subjects too close to tell apart otherwise. */
const habit = [
  'Fresh page: is Alfama in Lisbon quiet at night?',
  'Fresh page: which day trips from Lisbon can we do in a week?',
  'Fresh page: where in Lisbon can we hear fado at night?',
  'Fresh page: which neighbourhood of Lisbon has the best bakeries?',
  'Fresh page: how do we get around Lisbon with a pram?',
] as const;
const later = 'Fresh page: are they open on Mondays?';

/** Marks each turn as opening a topic, by moving it or by confirming it. */
const teach = async (app: App): Promise<void> => {
  await app.send('I want to spend a week in Lisbon in May. Which neighbourhood should we stay in?');
  for (const [at, message] of habit.entries()) {
    const number = at + 2;
    await app.send(message);
    const opened = (await app.why(number).textContent())?.startsWith('new topic') ?? false;
    if (opened) await app.turn(number).getByRole('button', { name: 'Confirm' }).click();
    else await app.correctToNewTopic(number);
    await expect(app.why(number)).toContainText(opened ? 'confirmed by you' : 'moved by you');
    await app.settled();
  }
};

const learning = async (app: App): Promise<Locator> => {
  const models = new ModelsDialog(app);
  await models.open('decide');
  return models.root.getByRole('region', { name: 'Learns from your corrections' });
};
const close = (app: App) => new ModelsDialog(app).close();

/** Replaces the last turn by sending the message again; returns where it went. */
const again = async (app: App, number: number): Promise<string> => {
  await app.undo.click();
  await expect(app.turn(number)).toHaveCount(0);
  await app.send(later);
  return (await app.why(number).textContent()) ?? '';
};

test('the decider learns a person’s words from corrections, says so, and stops when it is told to', async ({ app }) => {
  test.slow();
  await app.open();
  await teach(app);
  const number = habit.length + 2;

  await app.send(later);
  await expect(app.why(number)).toContainText('new topic');
  await expect(app.inspector).toContainText('Your corrections changed this: without them it would have');
  await expect(app.inspector).toContainText('“fresh page” opens a topic');

  let section = await learning(app);
  await expect(section).toContainText('correction');
  await expect(section).toContainText('“fresh page” opens a topic');
  await section.getByRole('checkbox', { name: 'Pause learning' }).check();
  await expect(section).toContainText('Labels are saved, but nothing is learned.');
  await section.getByRole('checkbox', { name: 'Pause learning' }).uncheck();
  await expect(section).not.toContainText('Labels are saved');
  await section.getByRole('switch').click();
  await expect(section.getByRole('switch')).not.toBeChecked();
  await expect(section).toContainText('apply when it is on again');
  await close(app);
  expect(await again(app, number)).not.toContain('new topic');
  await expect(app.inspector).not.toContainText('our corrections');

  section = await learning(app);
  await section.getByRole('switch').click();
  await expect(section).toContainText('“fresh page” opens a topic');
  await close(app);
  expect(await again(app, number)).toContain('new topic');

  await app.reload();
  await expect(app.turn(number)).toBeVisible();
  expect(await again(app, number)).toContain('new topic');

  section = await learning(app);
  await section.getByRole('button', { name: 'Reset' }).click();
  await expect(section).toContainText('No lessons yet.');
  await close(app);
  expect(await again(app, number)).not.toContain('new topic');
  await app.reload();
  await expect(await learning(app)).toContainText('No lessons yet.');
});

test('a confirmation is a label that undo takes back, and lessons can be exported', async ({ app }) => {
  await app.open();
  await app.send('I want to spend a week in Lisbon in May. Which neighbourhood should we stay in?');
  await expect(app.turn(1).getByRole('button', { name: 'Confirm' })).toHaveCount(0);
  await app.send('Is Alfama in Lisbon quiet at night?');

  await app.inspector.getByRole('button', { name: 'Confirm' }).click();
  await expect(app.why(2)).toContainText('confirmed by you');
  await expect(app.inspector).toContainText('You agree with where the engine put this turn.');
  expect(await app.exported()).toContain('"turn-confirmed"');

  const section = await learning(app);
  await expect(section).toContainText('0 corrections and 1 confirmation');
  const downloading = app.page.waitForEvent('download');
  await section.getByRole('button', { name: 'Export lessons' }).click();
  expect((await downloading).suggestedFilename()).toBe('coppice-lessons.json');
  await close(app);

  await app.undo.click();
  await expect(app.turn(2).getByRole('button', { name: 'Confirm' })).toBeVisible();
  await expect(await learning(app)).toContainText('No lessons yet.');
});
