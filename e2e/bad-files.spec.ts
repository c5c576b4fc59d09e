import { ImportDialog } from './support/import-dialog.ts';
import { expect, test } from './support/test.ts';

const message = (content: string) => JSON.stringify({ role: 'user', content });
const header = (version: number, entries = 0) =>
  JSON.stringify({ coppice: 'conversation', version, title: 'x', exportedAt: 0, entries });

const files = [
  { kind: 'empty', text: '  \n', says: /nothing in it/i },
  { kind: 'not JSON', text: 'once upon a time', says: /line 1.*expected/is },
  { kind: 'JSON of no known form', text: '{"weather": "fine"}', says: /not in a known format/i },
  {
    kind: 'broken in the middle',
    text: [message('one'), message('two'), '{"role": "user", "cont'].join('\n'),
    says: /line 3/i,
  },
  {
    kind: 'wrong in the middle',
    text: [message('one'), '{"role": "user", "content": 7}'].join('\n'),
    says: /line 2.*expected/is,
  },
  { kind: 'without a user', text: '[{"role": "assistant", "content": "hello"}]', says: /user/i },
  { kind: 'of a newer Coppice', text: header(999), says: /newer/i },
  { kind: 'an export that lost its end', text: header(1, 3), says: /expected 3 entries/i },
];

const TOO_LARGE = 21 * 1024 * 1024;

test('each kind of bad file is refused in words, and nothing is changed', async ({ app }) => {
  await app.open();
  const dialog = new ImportDialog(app);
  await dialog.open();
  for (const { kind, text, says } of files) {
    await test.step(kind, async () => {
      const name = `${kind}.jsonl`;
      await dialog.giveFile(name, text);
      await expect(dialog.refusal).toContainText(name);
      await expect(dialog.refusal).toContainText(says);
      await expect(dialog.refusal).toContainText('Nothing has been changed');
    });
  }
  await dialog.giveHugeFile('large.json', TOO_LARGE);
  await expect(dialog.refusal).toContainText('not a known export');

  await dialog.close();
  await expect(app.turns).toHaveCount(0);
  await expect(app.message).toBeEditable();
});
