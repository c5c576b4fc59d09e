import { readFile } from 'node:fs/promises';
import { terseTopics } from './support/dialogues.ts';
import { expect, test } from './support/test.ts';
import { WhatIfDialog } from './support/what-if-dialog.ts';

test('a surprising placement: why, correct it, what if the threshold were lower, the difference, the traces', async ({
  app,
}) => {
  test.slow();
  await app.open();
  for (const message of terseTopics) await app.send(message);
  const tabs = app.inspector.getByRole('tab');
  const last = terseTopics.at(-1) ?? '';

  await test.step('why it is where it is', async () => {
    const analysis = await app.openDialog('Analysis');
    await analysis.getByRole('row').filter({ hasText: last }).click();
    await expect(analysis).toBeHidden();
    await tabs.filter({ hasText: 'Decision' }).click();
    await expect(app.inspector.getByText(/confidence 0\.\d\d/).first()).toBeVisible();
    await expect(app.inspector.getByRole('button', { name: 'Copy as JSON' })).toBeVisible();
  });

  await test.step('what was sent for it', async () => {
    await tabs.filter({ hasText: 'Context' }).click();
    await expect(app.inspector.getByText(/tokens/).first()).toBeVisible();
  });

  await app.correctToNewTopic(terseTopics.length);
  await expect(app.why(terseTopics.length)).toContainText('moved by you');

  const moved = await test.step('what if the threshold were lower, by a decider that heeds it', async () => {
    const dialog = new WhatIfDialog(app);
    await dialog.open();
    await dialog.choose('Decider', 'The paper’s rule');
    await dialog.set('θ, the fork threshold', '0.1');
    await dialog.run();
    await expect(dialog.heading).not.toContainText('No turn');
    const turns = await dialog.turnsIn('Decided differently');
    const first = dialog.root.getByRole('list', { name: 'Decided differently' }).getByRole('button').first();
    await first.click();
    await expect(first).toHaveAttribute('aria-expanded', 'true');
    await dialog.button('Discard').click();
    await dialog.button('Close').click();
    return turns;
  });
  expect(moved.length).toBeGreaterThan(0);

  await test.step('the traces go out, the correction with them', async () => {
    const analysis = await app.openDialog('Analysis');
    const downloading = app.page.waitForEvent('download');
    await analysis.getByRole('button', { name: 'Traces as JSONL' }).click();
    const text = await readFile(await (await downloading).path(), 'utf8');
    const traces = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(traces).toHaveLength(terseTopics.length);
    const corrected = traces.filter(({ label }) => label !== null);
    expect(corrected.map(({ turn }) => turn)).toEqual([terseTopics.length]);
    expect(traces.every(({ trace }) => trace.decider === 'embedded decider')).toBe(true);
  });
});
