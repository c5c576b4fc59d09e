import { expectNoViolations } from './support/axe.ts';
import { ImportDialog } from './support/import-dialog.ts';
import { repliedLog } from './support/replied-log.ts';
import { expect, test } from './support/test.ts';

test.use({ sharesPage: true });
test.describe.configure({ mode: 'default' });

const maths = `The area is $A = \\pi r^2$, or \\(A_r\\) for short:

\\[
\\int_0^r 2\\pi t \\, dt = \\pi r^2
\\]

and $$\\sum_{k=1}^{n} k = \\frac{n(n+1)}{2}$$ It costs $5 and $10; \`$HOME$\` is code, and $\\nonsense{$ is none.

| name of the quantity | formula | a long explanation of what it stands for |
| --- | --- | --- |
| area | $\\pi r^2$ | grows with the square of the radius, whatever the unit |

\`\`\`mermaid
graph TD; A-->B
\`\`\`
`;

test('formulas are set, with MathML; prices and code stay as they are; KaTeX comes when it is first needed', async ({
  app,
  page,
}) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await app.open();
  await app.send('How much is $5 and $10?');
  expect(asked.filter((url) => /katex/i.test(url))).toEqual([]);

  const dialog = new ImportDialog(app);
  await dialog.open();
  await dialog.giveFile('made-up.jsonl', repliedLog([{ message: 'How large is a circle?', reply: maths }]));
  await dialog.openConversation();
  const turn = app.turn(1);
  await expect(turn.getByRole('math')).toHaveCount(5);
  await expect(turn.locator('math[display="block"]')).toHaveCount(2);
  await expect(turn).toContainText('It costs $5 and $10;');
  await expect(turn.locator('code', { hasText: '$HOME$' })).toBeVisible();
  await expect(turn).toContainText('$\\nonsense{$ is none');
  await expect(turn).toContainText('graph TD; A-->B');
  await expect.poll(() => asked.filter((url) => /KaTeX_.*\.woff2/.test(url)).length).toBeGreaterThan(0);
  await expectNoViolations(page, { within: '[data-pane="chat"]' });

  await app.resize({ width: 390, height: 844 });
  // The pane is rebuilt for a narrow page, so the scroll target may be on its way out.
  await expect(() => turn.getByRole('table').scrollIntoViewIfNeeded({ timeout: 2000 })).toPass();
  const cell = await turn.getByRole('cell', { name: 'area' }).boundingBox();
  expect(cell?.width).toBeGreaterThan(40);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
});
