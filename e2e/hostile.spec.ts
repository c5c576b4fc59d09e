import { deflateRawSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { printLog } from '../src/app/testing/conversation-files.ts';
import { Life } from '../src/domain/testing/random-life.ts';
import { startOpenAiServer } from '../src/models/runtimes/server/testing/open-ai-server.ts';
import { ImportDialog } from './support/import-dialog.ts';
import { ModelsDialog } from './support/models-dialog.ts';
import { expect, test } from './support/test.ts';

/*
 * What an attacker may send; docs/security.md says what stops it. After every test support/test.ts checks that nothing was requested from
 * another origin and that the page's own policy had nothing to refuse.
 */

const EVIL = [
  'payload <script>window.harmed = 1</script>',
  '<img src=x onerror="window.harmed = 2"><svg onload="window.harmed = 3"><iframe srcdoc="<script>parent.harmed = 4</script>"></iframe>',
  '![seen](https://tracker.example/pixel.png) [click](javascript:window.harmed=5) [data](data:text/html,<script>1</script>)',
  '[door](?share-text=harmed) [page](https:?share-text=harmed) [talk](irc://tracker.example) [chat](xmpp:a@tracker.example)',
  '<style>*{display:none}</style><form action="https://tracker.example"><button>Send</button></form> $\\href{javascript:window.harmed=6}{x}$',
  '$\\includegraphics{https://tracker.example/x.png}$ \u202Egnp.exe constructor __proto__',
].join('\n\n');

/** A conversation with the same text in every field. */
const evilLife = (): Life => {
  const life = new Life();
  const record = (event: (Parameters<typeof life.do>[0] & { type: 'record' })['event'], step: string | null = null) =>
    life.do({ type: 'record', step, event });
  const first = life.say(null, EVIL);
  const second = life.say(first, `${EVIL} again`);
  for (const nodeId of [first, second]) {
    const replyId = life.id();
    record({ type: 'reply-started', nodeId, replyId, model: EVIL, context: null });
    record({ type: 'reply-received', nodeId, replyId, text: `<think>${EVIL}</think>\n\n${EVIL}` });
    record({ type: 'reply-ended', nodeId, replyId, state: 'failed', failure: EVIL, timings: [] });
    record({ type: 'summarised', nodeId, text: EVIL, by: EVIL });
  }
  const treeId = life.forest.nodes[first]?.treeId ?? '';
  record({ type: 'topic-titled', treeId, title: EVIL, by: 'person' }, life.id());
  record({ type: 'turn-noted', nodeId: first, note: EVIL }, life.id());
  record({ type: 'conversation-titled', title: EVIL }, life.id());
  return life;
};
const evilLog = (): string => printLog(EVIL, evilLife().entries);

/** A link as an attacker would make it. */
const linkOf = (payload: unknown): string =>
  `#shared=${deflateRawSync(typeof payload === 'string' ? payload : JSON.stringify(payload)).toString('base64url')}`;

const expectHarmless = async (page: Page): Promise<void> => {
  expect(await page.evaluate(() => 'harmed' in globalThis)).toBe(false);
  const harmful = 'a[href^="javascript:"], a[href^="data:"], iframe, form[action], img[src^="http"]';
  await expect(page.locator(harmful)).toHaveCount(0);
  const leadsElsewhere = 'a[href*="harmed"], a[href^="irc:"], a[href^="xmpp:"]';
  await expect(page.locator(leadsElsewhere)).toHaveCount(0);
};

test('whatever stands in an imported conversation is shown as words, wherever it is shown', async ({ app, page }) => {
  await app.open();
  const dialog = new ImportDialog(app);
  await dialog.open();
  await dialog.giveFile('<img src=x onerror=alert(1)>.jsonl', evilLog());
  await dialog.openConversation();
  await expect(app.turn(2)).toContainText('<script>window.harmed = 1</script>');
  // The placeholders for formulas while Markdown is read are gone again, also in text that is not Markdown.
  await expect(app.turn(2)).not.toContainText(/[\uE000\uE001]/);
  await expectHarmless(page);
  await app.turn(1).getByRole('button', { name: 'Inspect turn 1' }).click();
  for (const tab of ['Decision', 'Context', 'Turn']) {
    await app.inspector.getByRole('tab', { name: tab }).click();
    await expectHarmless(page);
  }
  await expect(app.outline).toContainText('payload');
  await page.getByRole('radio', { name: 'Everything' }).click();
  await expect(app.turn(1)).toBeVisible();
  await expectHarmless(page);
  for (const name of ['History', 'Analysis', 'Export']) {
    const opened = await app.openDialog(name);
    await expectHarmless(page);
    await opened.getByRole('button', { name: 'Close' }).click();
    await expect(opened).toBeHidden();
  }
  await page.keyboard.press('ControlOrMeta+Shift+F');
  await app.dialog('Search').getByRole('combobox').fill('payload');
  await expect(app.dialog('Search')).toContainText('payload');
  await expectHarmless(page);
});

test('what a server’s model says is shown as words, and asks nothing of anybody', async ({
  app,
  page,
  chosenOrigins,
}) => {
  const server = await startOpenAiServer({ models: ['m'], answer: EVIL });
  chosenOrigins.add(new URL(server.address).origin);
  await app.open();
  const models = new ModelsDialog(app);
  await models.addServer({ address: server.address, model: 'm' });
  await models.useAdded('chat');
  await models.close();
  await app.send('Say something');
  await expect(app.turn(1)).toContainText('payload');
  await expectHarmless(page);
  await server.close();
});

test('a link may say what it likes: it is shown as words, in the page, kept, and in a frame', async ({ page }) => {
  const link = linkOf({ v: 1, title: EVIL, entries: evilLife().entries });
  await page.goto(`./${link}`);
  const shared = page.getByRole('dialog', { name: 'Shared conversation' });
  const chat = shared.getByRole('list', { name: 'Conversation' });
  await expect(chat).toContainText('<script>window.harmed = 1</script>');
  await expectHarmless(page);
  for (const tab of ['Context', 'Decision']) {
    await shared.getByRole('tab', { name: tab }).click();
    await expectHarmless(page);
  }
  await shared.getByRole('button', { name: 'Keep a copy' }).click();
  await expect(page.getByRole('log', { name: 'Conversation' })).toContainText('payload');
  await expectHarmless(page);
  await page.goto('about:blank');
  await page.goto(`./?embed${link}`);
  await expect(page.getByRole('group', { name: 'Forest' }).getByRole('button')).toHaveCount(2);
  await expectHarmless(page);
});

test('a link that is no conversation is refused in words, whatever it holds, and leaves nothing behind', async ({
  page,
}) => {
  test.slow();
  const { entries } = evilLife();
  const [first] = entries;
  const text = JSON.stringify({ v: 1, title: 'x', entries });
  const nodeId = first !== undefined && 'nodeId' in first.event ? first.event.nodeId : '';
  const links = {
    'a script': '#shared=javascript:alert(1)',
    garbage: `#shared=${'A_-'.repeat(2000)}`,
    'names that objects have': linkOf(text.replaceAll(JSON.stringify(nodeId), '"__proto__"')),
    'huge numbers': linkOf({
      v: 1,
      title: 'x',
      entries: entries.map((entry) => ({ ...entry, at: 1e300, seq: 1e308 })),
    }),
    'deep nesting': linkOf(`{"v":1,"title":"x","entries":${'['.repeat(200_000)}${']'.repeat(200_000)}}`),
    'two hundred megabytes': linkOf(`{"v":1,"title":"${'x'.repeat(200 << 20)}","entries":[]}`),
  };
  const shared = page.getByRole('dialog', { name: 'Shared conversation' });
  for (const [what, link] of Object.entries(links)) {
    await page.goto('about:blank');
    await page.goto(`./${link}`);
    await expect(shared.getByRole('alert'), what).toContainText('damaged or was cut off');
    await expect(shared, what).not.toContainText('It came in');
    expect(await page.evaluate(() => 'harmed' in globalThis || 'polluted' in {})).toBe(false);
    await page.keyboard.press('Escape');
    await expect(shared).toBeHidden();
    expect(page.url(), what).not.toContain('#shared');
  }
  await expect(page.getByText('A conversation is a forest')).toBeVisible();
});
