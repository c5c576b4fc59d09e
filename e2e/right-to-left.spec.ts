import type { Locator } from '@playwright/test';
import { ImportDialog } from './support/import-dialog.ts';
import { repliedLog } from './support/replied-log.ts';
import { StudiesDialog } from './support/studies-dialog.ts';
import { expect, test } from './support/test.ts';

const ARABIC = 'كم من الوقت أسلق البيض؟';
const REPLY = `عشر دقائق تكفي.

Ten minutes will do.

- الأول
- React ثم

> اقتباس قصير.

\`\`\`js
boil(10);
\`\`\``;

const expectDirection = (text: Locator, direction: 'ltr' | 'rtl') => expect(text).toHaveCSS('direction', direction);

/** The side on which a text begins, as drawn: which end of its box its first letter is nearer to. */
const sideOf = (text: Locator): Promise<'left' | 'right'> =>
  text.evaluate((element) => {
    const letters = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode();
    if (letters === null) throw new Error('There is no text.');
    const range = document.createRange();
    range.setStart(letters, 0);
    range.setEnd(letters, 1);
    const [first, box] = [range.getBoundingClientRect(), element.getBoundingClientRect()];
    return first.left - box.left < box.right - first.right ? 'left' : 'right';
  });

test('a message in Arabic runs from right to left where it is written and wherever it is shown', async ({ app }) => {
  await app.open();
  await expectDirection(app.message, 'ltr');
  await app.message.fill(ARABIC);
  await expectDirection(app.message, 'rtl');
  await app.send(ARABIC);
  await expectDirection(app.message, 'ltr');
  await expectDirection(app.turn(1).getByText(ARABIC).first(), 'rtl');
  await app.inspector.getByRole('tab', { name: 'Turn', exact: true }).click();
  expect(await sideOf(app.inspector.locator('p').filter({ hasText: /^كم/ }).last())).toBe('right');
  await app.inspector.getByRole('button', { name: 'Add a note' }).click();
  await app.inspector.getByRole('textbox', { name: 'Note' }).fill(ARABIC);
  await expectDirection(app.inspector.getByRole('textbox', { name: 'Note' }), 'rtl');
  await app.showOutline();
  await expectDirection(app.outlineTurn(1).getByText(ARABIC), 'rtl');
  await app.send('How long do I boil the eggs?');
  await expectDirection(app.turn(2).getByText('How long do I boil the eggs?').first(), 'ltr');
});

test('a title in Arabic reads from right to left at the head of its topic', async ({ app, page }) => {
  await app.open();
  await app.send(ARABIC);
  await page.getByRole('radio', { name: 'Everything' }).check();
  await expectDirection(app.conversation.getByRole('heading', { level: 2 }).locator('span'), 'rtl');
});

test('a reply in two scripts has each block in its own direction, and code from left to right', async ({ app }) => {
  await app.open();
  const dialog = new ImportDialog(app);
  await dialog.open();
  await dialog.giveFile('made-up.jsonl', repliedLog([{ message: ARABIC, reply: REPLY }]));
  await dialog.openConversation();
  const reply = app.turn(1);
  expect(await sideOf(reply.getByText('عشر دقائق تكفي.'))).toBe('right');
  expect(await sideOf(reply.getByText('Ten minutes will do.'))).toBe('left');
  await expectDirection(reply.getByRole('list').filter({ hasText: 'الأول' }), 'rtl');
  expect(await sideOf(reply.getByText('React ثم'))).toBe('right');
  await expectDirection(reply.getByRole('blockquote'), 'rtl');
  expect(await sideOf(reply.getByText('اقتباس قصير.'))).toBe('right');
  await expectDirection(reply.locator('pre'), 'ltr');
});

test('an annotator reads a message in Arabic from right to left, beside ones in English', async ({ app }) => {
  await app.open();
  const studies = new StudiesDialog(app);
  await studies.open();
  await studies.button('New study').click();
  const messages = [ARABIC, 'عشر دقائق تكفي.', 'And for a hard one?'];
  await studies.root.getByLabel('Dialogue files').setInputFiles({
    name: 'eggs.json',
    mimeType: 'application/json',
    buffer: Buffer.from(
      JSON.stringify(messages.map((content, at) => ({ role: at % 2 === 0 ? 'user' : 'assistant', content }))),
    ),
  });
  await studies.button('Label gold').click();
  await expectDirection(studies.question.getByText(ARABIC), 'rtl');
  await studies.press('Enter');
  await expectDirection(studies.question.getByText('And for a hard one?'), 'ltr');
  await expectDirection(studies.turns.getByText(ARABIC), 'rtl');
  expect(await sideOf(studies.turns.getByText('عشر دقائق تكفي.'))).toBe('right');
  expect(await sideOf(studies.root.getByRole('region', { name: 'Drawing' }).getByText(ARABIC))).toBe('right');
});
