import { gardenMessages, ntmLines } from './support/dialogues.ts';
import { ImportDialog } from './support/import-dialog.ts';
import { ReplayBar } from './support/replay-bar.ts';
import { expect, test } from './support/test.ts';

test.use({ sharesPage: true });
test.describe.configure({ mode: 'default' });

const forms = [
  { form: 'a list of messages', text: JSON.stringify(gardenMessages) },
  { form: 'messages, one a line', text: gardenMessages.map((message) => JSON.stringify(message)).join('\n') },
  { form: 'an object with messages', text: JSON.stringify({ model: 'any', messages: gardenMessages }) },
];

for (const { form, text } of forms) {
  test(`a dialogue given as ${form} is replayed to its end with its replies`, async ({ app }) => {
    await app.open();
    const dialog = new ImportDialog(app);
    await dialog.open();
    await dialog.giveFile('garden.json', text);
    await dialog.replay();
    await new ReplayBar(app).ended();

    await app.showOutline();
    for (const number of [1, 2, 3]) await expect(app.outlineTurn(number)).toBeVisible();
    await expect(app.turn(3)).toContainText('The first Railjet leaves shortly before six.');
  });
}

test('of several dialogues one is chosen, and the chat role answers it', async ({ app }) => {
  await app.open();
  const dialog = new ImportDialog(app);
  await dialog.open();
  await dialog.paste(ntmLines);
  await dialog.root.getByRole('row').filter({ hasText: 'bicycle' }).getByRole('button').click();
  await new ReplayBar(app).ended();

  await expect(app.turn(2)).toContainText('How do I measure whether the bicycle chain is worn?');
  await expect(app.turn(2)).toContainText('recall');
});

test('a replay is paused, stepped and ended, and what was played stays', async ({ app }) => {
  await app.open();
  const dialog = new ImportDialog(app);
  await dialog.open();
  await dialog.paste(JSON.stringify(Array(6).fill(gardenMessages).flat()));
  await dialog.replay();
  const bar = new ReplayBar(app);
  await bar.button('Pause').click();
  await app.settled();
  const played = Number(await bar.root.getByRole('progressbar').getAttribute('value'));
  expect(played).toBeLessThan(18);

  await bar.button('Play one turn').click();
  await expect(bar.root.getByRole('progressbar')).toHaveAttribute('value', String(played + 1));
  await app.settled();
  await bar.button('End the replay').click();
  await expect(bar.root).toBeHidden();
  await expect(app.turn(played + 1)).toBeVisible();
});
