import { readFile } from 'node:fs/promises';
import type { Locator } from '@playwright/test';
import { printLog } from '../src/app/testing/conversation-files.ts';
import type { Trace } from '../src/domain/decision.ts';
import type { Entry } from '../src/domain/entry.ts';
import { syntheticLog } from '../src/domain/testing/synthetic-forest.ts';
import type { App } from './support/app.ts';
import { BOTH_THEMES, expectNoViolationsIn } from './support/axe.ts';
import { threeTopics } from './support/dialogues.ts';
import { ImportDialog } from './support/import-dialog.ts';
import { expect, test } from './support/test.ts';

test.use({ sharesPage: true });
test.describe.configure({ mode: 'default' });

/** A number between 0 and 1, deterministic per turn. */
const told = (number: number, salt: number): number => {
  const mixed = Math.imul(number ^ (salt << 16), 0x45d9f3b);
  return (Math.imul(mixed ^ (mixed >>> 15), 0x45d9f3b) >>> 8) / 2 ** 24;
};

const traceOf = (number: number): Trace => {
  const confidence = 0.3 + 0.7 * told(number, 1);
  return {
    policy: 'context-agent',
    embedder: 'made up',
    decider: 'made up',
    topic: {
      rule: 'asked',
      answer: {
        action: 'continue-topic',
        confidence,
        reasons: [],
        raw: '',
        decider: 'made up',
        alternatives: [{ action: 'create-topic', target: null, confidence: (1 - confidence) / 2 }],
      },
      target: null,
      candidates: [],
    },
    fork: { theta: 0.45, candidates: [{ nodeId: 'n1', similarity: told(number, 2) }], point: 'n1' },
    branch: { rule: 'below-threshold', answer: null, settled: null },
    settings: { version: 0, parameters: {}, prompts: [] },
    fallbacks:
      number % 50 === 0 ? [{ role: 'decide', from: 'made up', to: 'embedded decider', why: 'it took too long' }] : [],
    timings: [
      { step: 'embed', start: 0, ms: 3 + 4 * told(number, 3) },
      { step: 'topic', start: 8, ms: 1 + told(number, 4) },
    ],
  };
};

/** A synthetic conversation with synthetic traces, as a Coppice export. */
const tracedLog = (turns: number, seed = 3): string => {
  let number = 0;
  const entries = syntheticLog(turns, seed).map((entry): Entry => {
    const { event } = entry;
    if (event.type !== 'turn-placed') return entry;
    number++;
    return { ...entry, event: { ...event, decision: { ...event.decision, trace: traceOf(number) } } };
  });
  return printLog('Made up', entries);
};

const adopt = async (app: App, log: string): Promise<void> => {
  const dialog = new ImportDialog(app);
  await dialog.open();
  await dialog.giveFile('given.coppice.jsonl', log);
  await dialog.openConversation();
  await app.settled();
};

const rowsOf = (dialog: Locator) => dialog.getByRole('grid', { name: 'Decisions' }).getByRole('row');

const downloaded = async (app: App, button: Locator): Promise<string> => {
  const downloading = app.page.waitForEvent('download');
  await button.click();
  return readFile(await (await downloading).path(), 'utf8');
};

test('without a turn it says what will stand there', async ({ app }) => {
  await app.open();
  const dialog = await app.openDialog('Analysis');
  await expect(dialog.getByText('No decision has been made here yet.')).toBeVisible();
});

test('a wrong turn is found, gone to and corrected, and its trace exported', async ({ app }) => {
  await app.open();
  for (const message of threeTopics.slice(0, 2)) await app.send(message);
  await app.correctToNewTopic(2);
  await expect(app.why(2)).toContainText('moved by you');

  const dialog = await app.openDialog('Analysis');
  await expect(dialog.getByRole('status')).toContainText('2 decisions');
  await dialog.getByRole('combobox', { name: 'You said' }).selectOption('corrected');
  await expect(rowsOf(dialog)).toHaveCount(2);
  const traces = await downloaded(app, dialog.getByRole('button', { name: 'Traces as JSONL' }));
  const lines = traces
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({
    coppice: 'decision',
    turn: 2,
    message: threeTopics[1],
    placement: { parentId: null },
    trace: { policy: 'focused', settings: { version: 0 } },
    label: { person: { parentId: null } },
    versions: { settings: 0 },
    madeBy: {
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      commit: expect.stringMatching(/^([0-9a-f]{12}\+?|unknown)$/),
      deciderWeights: expect.stringMatching(/^[0-9a-f]{12}$/),
    },
  });
  await dialog.getByRole('button', { name: 'Show all' }).click();
  const table = await downloaded(app, dialog.getByRole('button', { name: 'Table as CSV' }));
  expect(table.trim().split('\r\n')).toHaveLength(3);

  await rowsOf(dialog).filter({ hasText: threeTopics[0] }).click();
  await expect(dialog).toBeHidden();
  await expect(app.inspector.getByText(threeTopics[0]).first()).toBeVisible();
});

test('by keys alone: sorted, gone through and gone to', async ({ app, page }) => {
  await app.open();
  for (const message of threeTopics.slice(0, 3)) await app.send(message);
  const dialog = await app.openDialog('Analysis');
  await dialog.getByRole('button', { name: 'Turn', exact: true }).focus();
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('columnheader', { name: 'Turn' })).toHaveAttribute('aria-sort', 'ascending');
  const row = (index: number) => rowsOf(dialog).and(dialog.locator(`[aria-rowindex="${index}"]`));
  await row(2).focus();
  await page.keyboard.press('End');
  await expect(row(4)).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(row(3)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(app.inspector.getByText(threeTopics[1]).first()).toBeVisible();
});

test('charts tell every turn to those who hear them, and have a table behind', async ({ app, page }) => {
  await app.open();
  for (const message of threeTopics.slice(0, 3)) await app.send(message);
  const dialog = await app.openDialog('Analysis');
  await dialog.getByRole('tab', { name: 'Charts' }).click();
  const tokens = dialog.getByRole('region', { name: 'Context tokens' });
  await expect(tokens.getByRole('row', { name: /^truncation \d/ })).toBeVisible();
  const slider = tokens.getByRole('slider', { name: 'Turn, context tokens' });
  await slider.focus();
  await expect(slider).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(slider).toHaveAttribute(
    'aria-valuetext',
    /^Turn 2: Sent \(focused\) \d+ · context-agent \d+ · full-history \d+/,
  );
  const certainty = dialog.getByRole('region', { name: 'Similarity and confidence' });
  await expect(certainty.getByText(/^Turn 2: /)).toBeVisible();
  await tokens.getByRole('button', { name: 'full-history' }).click();
  await expect(slider).not.toHaveAttribute('aria-valuetext', /full-history/);
  await tokens.getByRole('button', { name: 'Context tokens as a table' }).click();
  await expect(tokens.getByRole('grid').getByRole('row')).toHaveCount(4);
  await expect(tokens.getByRole('columnheader', { name: 'truncation' })).toBeVisible();
  await dialog.getByRole('slider', { name: 'Turn, similarity' }).focus();
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
});

test('three thousand turns: few rows on the page, found and gone to', async ({ app }) => {
  await app.open();
  await adopt(app, tracedLog(3_000));
  const dialog = await app.openDialog('Analysis');
  await expect(dialog.getByRole('status')).toContainText('3,000 decisions');
  expect(await rowsOf(dialog).count()).toBeLessThan(80);
  await dialog.getByRole('checkbox', { name: 'With a fallback' }).check();
  await expect(dialog.getByRole('status')).toContainText('60 of 3,000 decisions');
  await dialog.getByRole('tab', { name: 'Charts' }).click();
  const tokens = dialog.getByRole('region', { name: 'Context tokens' });
  await expect(tokens.getByRole('row', { name: /^Plain chat/ })).toBeVisible();
  // Comparing this many turns only starts on request, and can be stopped.
  await tokens.getByRole('button', { name: 'Compare policies' }).click();
  await expect(tokens.getByRole('progressbar', { name: 'Comparing policies' })).toBeVisible();
  await tokens.getByRole('button', { name: 'Stop' }).click();
  await expect(tokens.getByRole('button', { name: 'Compare policies' })).toBeVisible();
});

test('in both themes axe finds no violation in the table or the charts', async ({ app }) => {
  await app.open();
  await adopt(app, tracedLog(40));
  const dialog = await app.openDialog('Analysis');
  const check = (where: string) => expectNoViolationsIn(app.page, BOTH_THEMES, { where, within: '[role=dialog]' });
  await check('table');
  await dialog.getByRole('tab', { name: 'Charts' }).click();
  await expect(dialog.getByRole('row', { name: /^truncation \d/ })).toBeVisible();
  await check('charts');
  await dialog.getByRole('button', { name: 'Time as a table' }).click();
  await check('a table behind');
});
