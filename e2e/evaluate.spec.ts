import { mkdir, writeFile } from 'node:fs/promises';
import { BOTH_THEMES_AND_WIDTHS, DIALOG, expectNoViolationsIn } from './support/axe.ts';
import { EvaluateDialog } from './support/evaluate-dialog.ts';
import { brokenTiageFile, longSgdFile, rewritesFile, sgdFile, tiageFile } from './support/labelled-files.ts';
import { expect, test } from './support/test.ts';

test('dropped dialogues are measured, and a figure is followed down to its dialogues', async ({ app }) => {
  test.slow();
  await app.open();
  const dialog = new EvaluateDialog(app);
  await dialog.open();
  await dialog.drop({ name: 'talk.json', text: sgdFile }, { name: 'small.json', text: tiageFile });
  await expect(dialog.found('sgd')).toContainText('3');
  await expect(dialog.found('tiage')).toContainText('1');
  await dialog.measure();

  await test.step('figures with their intervals and meaning, the decider that ships first', async () => {
    await dialog.show('sgd');
    const table = dialog.root.getByRole('table', { name: 'sgd, decisions, teacher-forced' });
    await expect(table.getByRole('columnheader')).toHaveText([
      'metric',
      'n',
      'embedded decider',
      'the paper’s rule',
      'one threshold',
      'always continue',
      'context-agent-code',
    ]);
    const figures = dialog.figures('sgd, decisions, teacher-forced', 'continue-recall');
    await expect(figures.first()).toHaveText('6');
    await expect(figures.last()).toHaveText(/^1\.00\s*1\.00–1\.00$/);
    await table.getByRole('button', { name: 'switch-recall' }).focus();
    await expect(app.page.getByRole('tooltip')).toContainText('share of the turns labelled switch');
  });

  await test.step('a cell of a matrix, and a decision in it', async () => {
    await dialog.button('Confusions').click();
    await dialog.root.getByRole('group', { name: 'Decider' }).getByRole('button', { name: 'always continue' }).click();
    await dialog.button('switch-topic decided as continue-topic: 3 decisions').click();
    const decisions = dialog.root.getByRole('list', { name: 'Decisions' }).getByRole('listitem');
    await expect(decisions).toHaveCount(3);
    await expect(decisions.first()).toContainText('make it three people');
    await expect(decisions.first()).toContainText('decided continues turn 4');
    await decisions.first().getByRole('button').click();
    const turn = dialog.root.getByRole('list', { name: 'Turns' }).locator('[aria-current=true]');
    await expect(turn).toContainText('labelled back to the topic of turn 2');
    await dialog.button('Back to the list').click();
    await expect(decisions).toHaveCount(3);
  });

  await test.step('exports', async () => {
    const file = JSON.parse(await dialog.exported('Export JSON'));
    expect(file).toMatchObject({
      coppice: 'evaluation',
      madeBy: {
        commit: expect.stringMatching(/^([0-9a-f]{12}\+?|unknown)$/),
        deciderWeights: expect.stringMatching(/^[0-9a-f]{12}$/),
      },
      embedder: 'use-lite-en int8',
    });
    const rows = file.rows as { dataset: string; subject: string }[];
    expect(Object.keys(rows[0] ?? {}).sort()).toEqual([
      'dataset',
      'high',
      'low',
      'metric',
      'mode',
      'n',
      'subject',
      'value',
    ]);
    expect(new Set(rows.map(({ dataset }) => dataset))).toEqual(new Set(['sgd', 'tiage']));
    const report = await dialog.exported('Export report');
    expect(report).toContain('## sgd');
    expect(report).not.toContain('make it three people');
  });

  await test.step('closed and opened again, it is all there; a dialogue can be replayed', async () => {
    await dialog.button('Close').click();
    await app.openDialog('Evaluate');
    await dialog.show('sgd');
    await dialog.button('Confusions').click();
    await dialog.root
      .getByRole('button', { name: /^continue-topic decided as/ })
      .first()
      .click();
    await dialog.root.getByRole('list', { name: 'Decisions' }).getByRole('button').first().click();
    await dialog.button('Replay it in the chat').click();
    await expect(dialog.root).toBeHidden();
    await expect(app.turn(1)).toContainText('I need a table for two');
  });
});

test('how much of what is needed each policy sends is drawn by size, and told in a table', async ({ app }) => {
  test.slow();
  await app.open();
  const dialog = new EvaluateDialog(app);
  await dialog.open();
  await dialog.choose({ name: 'rewrites.jsonl', text: rewritesFile });
  await expect(dialog.found('rewrites-interleaved')).toContainText('1');
  await dialog.measure();
  await dialog.show('rewrites-interleaved');
  const sizes = dialog.root.getByRole('region', { name: 'By size' });
  await expect(sizes).toBeVisible();
  await expect(dialog.button('Confusions')).toBeHidden();
  await sizes.getByText('As a table').click();
  const table = sizes.getByRole('table', { name: /^Rewrites interleaved/ });
  await expect(table.getByRole('row', { name: /^full-history 100 % 1\.00/ })).toBeVisible();
});

test('a run is cancelled at once, and can be started again', async ({ app }) => {
  await app.open();
  const dialog = new EvaluateDialog(app);
  await dialog.open();
  await dialog.choose({ name: 'sgd.json', text: longSgdFile });
  await dialog.button('Measure').click();
  await expect(dialog.root.getByRole('progressbar', { name: 'Measuring' })).toBeVisible();
  await dialog.button('Cancel').click();
  await expect(dialog.button('Measure')).toBeEnabled();
  await expect(dialog.found('sgd')).toContainText('200');
  await expect(dialog.alert).toBeHidden();
  await dialog.button('Measure').click();
  await expect(dialog.root.getByRole('progressbar', { name: 'Measuring' })).toBeVisible();
  await dialog.button('Cancel').click();
  await expect(dialog.button('Measure')).toBeEnabled();
});

test('a broken file is named with its line, and what was there stays', async ({ app }) => {
  await app.open();
  const dialog = new EvaluateDialog(app);
  await dialog.open();
  await dialog.choose({ name: 'talk.json', text: sgdFile });
  await expect(dialog.found('sgd')).toBeVisible();
  await dialog.choose({ name: 'tiage.json', text: brokenTiageFile }, { name: 'more.json', text: tiageFile });
  await expect(dialog.alert).toContainText('tiage.json was not understood, line 2');
  await expect(dialog.alert).toContainText('expected');
  await expect(dialog.found('sgd')).toBeVisible();
  await expect(dialog.found('tiage')).toBeHidden();
});

test('a folder keeps its paths; what nobody knows is asked about or left out with why', async ({ app }, info) => {
  const folder = info.outputPath('data');
  await mkdir(`${folder}/sgd`, { recursive: true });
  await writeFile(`${folder}/sgd/dialogues_001.json`, sgdFile);
  await writeFile(`${folder}/notes.md`, '# Notes');
  await writeFile(`${folder}/mine.json`, '[]');
  await app.open();
  const dialog = new EvaluateDialog(app);
  await dialog.open();
  await dialog.chooseFolder(folder);
  await expect(dialog.found('sgd')).toContainText('3');
  await expect(dialog.leftOut).toContainText('data/notes.md: not a .json or .jsonl file');
  await dialog.root.getByRole('combobox', { name: /What is data\/mine\.json/ }).selectOption('Skip this file');
  await expect(dialog.leftOut).toContainText('data/mine.json: you skipped it');
});

test('a conversation that Coppice exported is measured against the corrections in it; a set can be left out', async ({
  app,
}) => {
  test.slow();
  await app.open();
  await app.send('How do I prune a hazel?');
  await app.send('By the way, which port is open for ssh?');
  await app.send('And which port does ssh use by default?');
  const unlabelled = await app.exported();
  await app.page.keyboard.press('Escape');
  await app.turn(2).getByRole('button', { name: 'Confirm' }).click();
  await app.correctToNewTopic(3);
  await app.settled();
  const labelled = await app.exported();
  await app.page.keyboard.press('Escape');

  const dialog = new EvaluateDialog(app);
  await dialog.open();
  await dialog.choose(
    { name: 'first.coppice.jsonl', text: unlabelled },
    { name: 'mine.coppice.jsonl', text: labelled },
    { name: 'small.json', text: tiageFile },
  );
  await expect(dialog.leftOut).toContainText('first.coppice.jsonl: you have confirmed or corrected none of its turns');
  await expect(dialog.found('coppice')).toContainText('1');
  await dialog.root.getByRole('checkbox', { name: 'Measure tiage' }).uncheck();
  await dialog.measure();
  const placed = dialog.figures('coppice, decisions, teacher-forced', 'parent-accuracy');
  await expect(placed.first()).toHaveText('2');
  const file = JSON.parse(await dialog.exported('Export JSON'));
  expect(file.sets).toMatchObject([{ name: 'coppice', dialogues: 1, turns: 3 }]);
  expect(new Set((file.rows as { dataset: string }[]).map(({ dataset }) => dataset))).toEqual(new Set(['coppice']));
});

test('axe finds no violation in Evaluate, in both themes, wide and narrow', async ({ app, page }) => {
  test.slow();
  const check = (where: string) => expectNoViolationsIn(page, BOTH_THEMES_AND_WIDTHS, { where, ...DIALOG });
  await app.open();
  const dialog = new EvaluateDialog(app);
  await dialog.open();
  await check('empty');
  await dialog.choose({ name: 'tiage.json', text: brokenTiageFile });
  await expect(dialog.alert).toBeVisible();
  await check('a broken file');
  await dialog.choose(
    { name: 'talk.json', text: sgdFile },
    { name: 'tiage.json', text: tiageFile },
    { name: 'what.json', text: '[]' },
    { name: 'x.md', text: '' },
  );
  await expect(dialog.found('sgd')).toBeVisible();
  await check('files');
  await dialog.measure();
  await check('figures');
  await dialog.root.getByText('What the figures mean').click();
  await check('legend');
  await dialog.button('Confusions').click();
  await dialog.root
    .getByRole('button', { name: /decided as/ })
    .first()
    .click();
  await check('examples');
  await dialog.root.getByRole('list', { name: 'Decisions' }).getByRole('button').first().click();
  await check('dialogue');
});
