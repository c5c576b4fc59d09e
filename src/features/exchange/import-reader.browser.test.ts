import { expect, test } from 'vitest';
import { printLog } from '../../app/testing/conversation-files.ts';
import { Life } from '../../domain/testing/random-life.ts';
import { readDialogues } from './import-reader.ts';

test('dialogues are read beside conversations exported by Coppice, and what is damaged or cannot be read is named', async () => {
  const life = new Life();
  life.say(null, 'How long do I boil an egg?');
  const log = printLog('Eggs', life.entries);
  const { dialogues, logs, refused } = await readDialogues(
    [
      new File([log], 'eggs.coppice.jsonl'),
      new File([JSON.stringify([{ role: 'user', content: 'Which train goes to Porto?' }])], 'train.json'),
      new File([log.slice(0, -20)], 'cut.coppice.jsonl'),
      Object.assign(new File([], 'gone.json'), {
        slice: () => ({ text: () => Promise.reject(new DOMException('It is gone.', 'NotFoundError')) }),
      }),
    ],
    new AbortController().signal,
  );
  expect(dialogues.map(({ turns }) => turns[0]?.message)).toEqual(['Which train goes to Porto?']);
  expect(logs).toMatchObject([{ title: 'Eggs', entries: life.entries }]);
  expect(refused).toEqual([
    { name: 'cut.coppice.jsonl', why: expect.stringContaining('Line') },
    { name: 'gone.json', why: expect.stringContaining('The browser could not read it.') },
  ]);
});
