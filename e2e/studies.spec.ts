import type { Browser, Page } from '@playwright/test';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { App, resize } from './support/app.ts';
import { expectNoViolations } from './support/axe.ts';
import { breakStorage } from './support/break-storage.ts';
import { EvaluateDialog } from './support/evaluate-dialog.ts';
import { authorStudy, StudiesDialog } from './support/studies-dialog.ts';
import { expect, test } from './support/test.ts';

/** Someone with a browser of their own. */
const person = async (browser: Browser, address: string) => {
  const context = await browser.newContext({ baseURL: address });
  const visit = async () => {
    const app = new App(await context.newPage());
    await app.open();
    const studies = new StudiesDialog(app);
    await studies.open();
    return studies;
  };
  return { context, visit };
};

/** Waits for labels that are still being written, and then where the person is: nobody closes a tab within a millisecond of a key. */
const labelsWritten = (page: Page, part: 'training' | 'work', turn: number): Promise<void> =>
  expect.poll(() => page.evaluate(positionsStored)).toContain(`${part}, turn ${turn}`);

/** Where each person is, in all studies: in the training or in a dialogue of their own. */
const positionsStored = (): Promise<string[]> =>
  new Promise((resolve, reject) => {
    const opening = indexedDB.open('coppice');
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const look = opening.result.transaction(['labelEvents', 'studies']);
      const studies = look.objectStore('studies').getAll();
      look.oncomplete = () => {
        opening.result.close();
        resolve(
          studies.result.flatMap(({ study, positions }) => {
            const dialogues = study.dialogues as { id: string; part: string }[];
            return Object.values(positions as Record<string, { dialogue: string; turn: number }>).map(
              ({ dialogue, turn }) => `${dialogues.find(({ id }) => id === dialogue)?.part}, turn ${turn + 1}`,
            );
          }),
        );
      };
    };
  });

test('a study is made, and two people label it: one by the keyboard alone, one who is interrupted', async ({
  app,
  browser,
  address,
}) => {
  await app.open();
  const author = new StudiesDialog(app);
  await author.open();
  const study = await authorStudy(author);
  await expectNoViolations(app.page, { where: 'author' });

  // Blind: nothing from any engine, and gold for training only.
  const files = Object.entries(unzipSync(study)).map(([name, bytes]) => [name, strFromU8(bytes)] as const);
  for (const [name, text] of files) expect(text, name).not.toMatch(/"engine"|decider|confidence/);
  const manifest = JSON.parse(files.find(([name]) => name === 'study.json')?.[1] ?? '');
  expect(manifest.dialogues.map(({ part, gold }: { part: string; gold?: unknown[] }) => [part, gold?.length])).toEqual([
    ['training', 2],
    ['work', undefined],
    ['work', undefined],
  ]);

  // By keyboard only, from the dialog on.
  const adasBrowser = await person(browser, address);
  const ada = await adasBrowser.visit();
  await ada.giveStudy(study);
  await ada.begin('Ada');
  await ada.expectTurn(1, 'How long do I boil an egg?');
  await ada.press('Enter');
  await expect(ada.question).toContainText('Matches the gold label.');
  await ada.press('Enter', 'n', 'Enter');
  await expect(ada.question).toContainText('Differs from the gold label.');
  await expect(ada.question).toContainText('Continue branch: continues turn 1');
  await expectNoViolations(ada.page, { where: 'labelling' });
  await ada.press('Enter');
  await ada.expectTurn(1, '');
  await expect(ada.root).toContainText('Dialogue 2 of 3');
  // Everything later is hidden, including the turn's own reply.
  await expect(ada.root).not.toContainText('The 9:30.');
  await expect(ada.root).not.toContainText('Here are two.');
  await ada.press('Enter', 'n', 'Enter', 'ArrowUp', 'm', 'ArrowUp', 'x', 'f');
  await ada.page.keyboard.type('which one?');
  await ada.press('Enter', 'Enter');
  await expect(ada.root).toContainText('Dialogue 3 of 3');
  await ada.press('Control+z', 'Control+z');
  await expect(ada.root).toContainText('Dialogue 2 of 3');
  await ada.press('Control+Shift+z', 'Control+Shift+z', 'u', '?');
  await expect(ada.page.getByRole('dialog', { name: 'Keys' })).toBeVisible();
  await ada.press('Escape', 'Enter');
  // On the smallest phones, too, there is a way on.
  await ada.page.setViewportSize({ width: 375, height: 553 });
  await expect(ada.button('Link and next')).toBeInViewport({ ratio: 1 });
  // Labelling keeps the keys when the page is laid out anew around the focused element.
  await resize(ada.page, { width: 390, height: 844 });
  await ada.button('Drawing').click();
  await resize(ada.page, { width: 1440, height: 900 });
  await ada.press('x');
  await expect(ada.button('Unsure')).toHaveAttribute('aria-pressed', 'true');
  await ada.press('Escape');
  await expect(ada.button('Unsure')).toHaveAttribute('aria-pressed', 'false');
  await ada.labelTheRest();
  const adas = await ada.saved(() => ada.press('s'));
  expect(adas.name).toBe('kitchen.ada.jsonl');
  const events = adas.bytes
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(events[0]).toMatchObject({ format: 'coppice-labels', person: 'Ada', name: 'Kitchen' });
  const both = events.filter(({ label }) => label?.furtherParents?.length > 0);
  expect(both[0]).toMatchObject({ comment: 'which one?', label: { parent: 1, furtherParents: [0], unsure: true } });
  await adasBrowser.context.close();

  // Interrupted by a reload, then by a closed tab.
  const bosBrowser = await person(browser, address);
  const first = await bosBrowser.visit();
  await first.giveStudy(study);
  await first.begin('Bo');
  await first.press('Enter', 'Enter', '1', 'Enter', 'Enter', 'Enter', 'f');
  await first.page.keyboard.type('Bo was here');
  await first.press('Enter');
  await expect(first.question).toContainText('Bo was here');
  await labelsWritten(first.page, 'work', 2);
  await first.page.reload();
  const second = new StudiesDialog(new App(first.page));
  await second.open();
  await second.button('Continue as Bo').click();
  await expect(second.question.getByRole('heading', { name: /^Turn 2/ })).toBeVisible();
  await expect(second.question).toContainText('Bo was here');
  await second.press('ArrowUp', 'Enter');
  await expect(second.question.getByRole('heading', { name: /^Turn 3/ })).toBeVisible();
  // A button that was clicked does not keep Enter for itself.
  await second.button('Undo').click();
  await expect(second.question.getByRole('heading', { name: /^Turn 2/ })).toBeVisible();
  await second.press('ArrowUp', 'Enter');
  await expect(second.question.getByRole('heading', { name: /^Turn 3/ })).toBeVisible();
  await labelsWritten(second.page, 'work', 3);
  await second.page.close();
  const third = await bosBrowser.visit();
  await third.button('Continue as Bo').click();
  await expect(third.question.getByRole('heading', { name: /^Turn 3/ })).toBeVisible();
  await third.labelTheRest();
  const bos = await third.saved(() => third.button('Save the labels').last().click());
  expect(bos.bytes.toString()).toContain('Bo was here');

  // The next person on the same machine starts over and sees nothing of it.
  await third.button('All studies').click();
  await third.button('Someone else').click();
  await third.begin('Cy');
  await third.expectTurn(1, 'How long do I boil an egg?');
  await expect(third.root).not.toContainText('Bo was here');
  await expect(third.root).toContainText('0 of 8');
  await bosBrowser.context.close();
});

test('what two people sent back is put together: agreement, what holds where they differ, and the gold goes on to Evaluate', async ({
  app,
  browser,
  address,
}) => {
  test.slow();
  await app.open();
  const studies = new StudiesDialog(app);
  await studies.open();
  const study = await authorStudy(studies);
  const labelled = async (name: string, key: string) => {
    const theirs = await person(browser, address);
    const labelling = await theirs.visit();
    await labelling.giveStudy(study);
    await labelling.begin(name);
    await labelling.labelTheRest(key);
    const { name: file, bytes } = await labelling.saved(() => labelling.press('s'));
    await theirs.context.close();
    return { name: file, text: bytes.toString() };
  };
  // One continues every turn from the previous one, the other opens a topic with each.
  const adas = await labelled('Ada', 'ArrowUp');
  const said = await labelled('Bo', 'n');
  // He flagged the second turn of the training.
  const bos = { ...said, text: said.text.replace(/("turn":1,.*"phase":"training")/, '$1,"comment":"a slip"') };

  await studies.button('Coordinate').click();
  const status = studies.root.getByRole('status');
  const refusal = studies.root.getByRole('alert');
  const done = studies.root.getByRole('table', { name: 'People and dialogues' }).getByRole('row', { name: /8 of 8/ });

  await test.step('files are taken once however often they come, and whole or not at all', async () => {
    await studies.dropLabels(adas, bos);
    await expect(status).toHaveText(/^Ada: \d+ new entries · Bo: \d+ new entries$/);
    await expect(done).toHaveCount(2);
    await studies.root.getByLabel('Label files').setInputFiles(
      [adas, bos].map(({ name, text }) => ({
        name,
        mimeType: 'application/x-ndjson',
        buffer: Buffer.from(text),
      })),
    );
    await expect(status).toHaveText('Ada: nothing new · Bo: nothing new');
    await expect(done).toHaveCount(2);
    const asGold = adas.text.replaceAll('"phase":"work"', '"phase":"gold"').replaceAll('"id":"', '"id":"again-');
    for (const [text, words] of [
      [
        adas.text.replaceAll(/"study":"[^"]+"/g, '"study":"other"').replace('Kitchen', 'Garden'),
        'another study, “Garden”',
      ],
      [bos.text.slice(0, -40), 'It is damaged in line'],
      [adas.text.replaceAll(/"itemHash":"[^"]+"/g, '"itemHash":"0"'), 'or has changed since'],
      [asGold, 'is not a person’s label'],
      ['hello', 'This is not a label file'],
    ] as const) {
      await studies.dropLabels({ name: 'sent.jsonl', text });
      await expect(refusal).toContainText('sent.jsonl was not added.');
      await expect(refusal).toContainText(words);
      await expect(done).toHaveCount(2);
    }
    await expectNoViolations(app.page, { where: 'coordinating' });
  });

  await test.step('how far they agree', async () => {
    const agreement = await studies.turnTo('Agreement');
    await expect(agreement.getByRole('row', { name: /^Exact/ })).toContainText('0.00');
    await expect(agreement).toContainText('4 turns in all');
    await agreement.getByRole('button', { name: /How long does the 9:30 take/ }).click();
    await expect(studies.root).toContainText('Most disputed turns');
  });

  await test.step('in a meeting the labels of the training are revealed and revised', async () => {
    const norming = await studies.turnTo('Norming');
    await expect(norming).not.toContainText('Create topic');
    await norming.getByRole('button', { name: 'Reveal the labels' }).click();
    await norming
      .getByRole('list', { name: 'Turns' })
      .getByRole('button', { name: /^Turn 2/ })
      .click();
    const turn = norming.getByRole('region', { name: 'Turn 2' });
    await expect(turn).toContainText(/Ada\s*Continue branch: continues turn 1/);
    await expect(turn).toContainText(/Bo\s*Create topic/);
    const table = norming.getByRole('table', { name: 'Agreement before and after' });
    const f1 = table.getByRole('row', { name: /^Link F1/ }).getByRole('cell');
    await expect(f1).toHaveText([/^0\.500/, /^0\.500/]);
    await turn.getByRole('button', { name: 'Revise Bo’s label' }).click();
    await turn.getByLabel('Continues').selectOption({ label: '1: How long do I boil an egg?' });
    await expect(turn).toContainText(/Bo\s*Continue branch: continues turn 1/);
    await expect(f1).toHaveText([/^0\.500/, /^1\.000/]);
    await expectNoViolations(app.page, { where: 'norming' });
  });

  await test.step('a decider joins as one more person, and is remembered with the study', async () => {
    const agreement = await studies.turnTo('Agreement');
    await agreement.getByLabel('Policy').selectOption('context-agent');
    await agreement.getByRole('button', { name: 'Add the engine as an annotator' }).click();
    // It goes on while another page is looked at.
    await studies.turnTo('People');
    await studies.turnTo('Agreement');
    const engine = 'embedded decider, as it ships, context-agent';
    const table = agreement.getByRole('table', { name: 'Agreement', exact: true });
    await expect(table.getByRole('columnheader')).toHaveText([
      'Measure',
      /^People with each other/,
      new RegExp(`^${engine}`),
    ]);
    await expect(table.getByRole('row', { name: /^Link F1/ }).getByRole('cell')).toHaveText([/^0\.\d{3}/, /^0\.\d{3}/]);
    await expect(agreement.getByRole('button', { name: `Ada and ${engine}: link F1` })).toBeVisible();
    await studies.turnTo('People');
    await expect((await studies.turnTo('Agreement')).getByLabel('Policy')).toHaveValue('context-agent');
  });

  await test.step('what holds where they differ: by the keys, then by the buttons', async () => {
    const adjudicate = await studies.turnTo('Adjudicate');
    await expect(adjudicate).toContainText('0 of 4 turns settled');
    await expect(adjudicate).not.toContainText(/Ada|Bo\b/);
    await expectNoViolations(app.page, { where: 'adjudicating' });
    await studies.press('a', '1', 'Enter');
    await expect(adjudicate).toContainText('1 of 4 turns settled');
    // A label that cannot be stored does not move on.
    const mend = await breakStorage(app.page);
    await studies.press('b', '3', 'Enter');
    await expect(studies.root.getByRole('alert')).toContainText('The labels could not be saved');
    await expect(adjudicate.getByRole('button', { name: /^B/, pressed: true })).toBeVisible();
    await expect(adjudicate).toContainText('1 of 4 turns settled');
    await mend();
    await studies.press('Enter');
    await expect(adjudicate).toContainText('2 of 4 turns settled');
    await expect(studies.root.getByRole('alert')).toBeHidden();
    const settle = adjudicate.getByRole('button', { name: 'Save and next' });
    await expect(settle).toBeDisabled();
    await adjudicate
      .getByRole('list', { name: 'Answers' })
      .getByRole('button', { name: /turn 1/ })
      .click();
    await adjudicate.getByRole('radio', { name: 'Ambiguous' }).check();
    await settle.click();
    await expect(adjudicate).toContainText('3 of 4 turns settled');
    // Neither label was right.
    const settleByHand = async () => {
      await adjudicate.getByLabel('Continues', { exact: true }).selectOption({ label: '1: Find me a flat in Lisbon.' });
      await adjudicate.getByLabel('Action').selectOption('Create branch');
      await adjudicate.getByRole('radio', { name: 'Guideline unclear' }).check();
      await settle.click();
      await expect(adjudicate).toContainText('All 4 turns are settled');
    };
    await settleByHand();
    await adjudicate.getByRole('button', { name: 'Reopen' }).click();
    await expect(adjudicate).toContainText('3 of 4 turns settled');
    await settleByHand();
  });

  const out = await studies.turnTo('Export');
  await expect(out).toContainText('Of 6 turns, 2 agreed, 4 settled');
  await test.step('labels and gold go out in every form', async () => {
    const saved = async (
      button: RegExp,
    ): Promise<readonly [name: string, text: string, files: Record<string, string>]> => {
      const { name, bytes } = await studies.saved(() => out.getByRole('button', { name: button }).click());
      const files = name.endsWith('.zip') ? Object.entries(unzipSync(bytes)) : [];
      return [name, bytes.toString(), Object.fromEntries(files.map(([file, text]) => [file, strFromU8(text)]))];
    };
    const rowsOf = (text: string) => text.trim().split(/\r?\n/);
    const linesOf = (text: string) => rowsOf(text).map((line) => JSON.parse(line));

    const [goldName, goldText] = await saved(/^JSON lines one dialogue/);
    expect(goldName).toBe('kitchen.gold.jsonl');
    const gold = linesOf(goldText);
    expect(gold).toHaveLength(2);
    expect(gold[1].turns.at(-1)).toMatchObject({ parent: 1, placement: 'create-branch', basis: 'settled' });
    const [, goldRows] = await saved(/^CSV one turn per line/);
    expect(rowsOf(goldRows)).toHaveLength(1 + 6);
    expect(rowsOf(goldRows).at(-1)).toMatch(/,3,1,,create-branch,,settled,yes,guideline-unclear,And the first\?$/);

    const [corpusName, , corpus] = await saved(/^ConvoKit/);
    expect(corpusName).toBe('kitchen.convokit.zip');
    const utterances = linesOf(corpus['kitchen/utterances.jsonl'] ?? '');
    expect(utterances).toHaveLength(12);
    const flats = utterances.filter(({ meta }) => meta.dialogue === gold[1].id);
    expect(flats.at(-1)).toMatchObject({ text: 'And the first?', reply_to: `${gold[1].id}-1-reply` });
    const [, , irc] = await saved(/^IRC disentanglement/);
    expect(irc[`${gold[1].id}.annotation.txt`]?.trim().split('\n').at(-1)).toBe('0 2 -');
    expect(irc[`${gold[1].id}.ascii.txt`]?.split('\n')[2]).toBe('[00:00] <user> And the first?');
    const [, , ntm] = await saved(/^NTM labels/);
    const [, ntmFlats] = JSON.parse(ntm['ntm/labels.json'] ?? '');
    expect(ntmFlats).toMatchObject({ conversation_id: gold[1].id, parent: [0, expect.any(Number), 1] });

    const raw = linesOf((await saved(/^JSON lines every entry/))[1]);
    expect(new Set(raw.map(({ phase }) => phase))).toEqual(new Set(['training', 'work', 'norming', 'engine', 'gold']));
    const [, rawRows] = await saved(/^CSV the newest label/);
    expect(rowsOf(rawRows).filter((row) => /^(Ada|Bo),/.test(row))).toHaveLength(2 * 8);
    // What is revised in the meeting stays flagged.
    expect(rowsOf(rawRows).filter((row) => /^Bo,.*,norming,.*,a slip,/.test(row))).toHaveLength(1);

    const [reportName, , report] = await saved(/^Save the report/);
    expect(reportName).toBe('kitchen.report.zip');
    expect(Object.keys(report).sort()).toEqual(['agreement.svg', 'agreement.tex', 'confusions.svg', 'report.md']);
    expect(report['report.md']).toMatch(/\| Link F1 \| 0\.\d{3} \[.*\], n \d+ \| 0\.\d{3} \[/);
    expect(report['report.md']).toContain('guideline unclear 2');
    expect(report['agreement.tex']).toContain('embedded decider, as it ships, context-agent');
  });

  await out.getByRole('button', { name: 'Evaluate on the gold' }).click();
  const evaluate = new EvaluateDialog(app);
  await expect(evaluate.found('study').getByRole('cell')).toHaveText(['2', '6', '0']);
  await evaluate.measure();
  await evaluate.show('study');
  const placed = evaluate.root.getByRole('table', { name: 'study, decisions, teacher-forced' });
  await expect(placed.getByRole('columnheader', { name: 'embedded decider' })).toBeVisible();
});

test('whoever is assisted sees what the engine says, once it has been asked', async ({ app }) => {
  await app.open();
  const studies = new StudiesDialog(app);
  await studies.open();
  await authorStudy(studies);
  await studies.button('Assisted').click();
  const save = studies.button('Save for annotators');
  await expect(studies.root).toContainText('3 dialogues have no answers yet');
  await expect(save).toBeDisabled();
  await studies.button('Ask the engine').click();
  await expect(studies.root).toContainText('The engine has answered 3 dialogues.');
  await expectNoViolations(app.page, { where: 'author, assisted' });
  const { bytes } = await studies.saved(() => save.click());
  await studies.button('All studies').click();
  await studies.giveStudy(bytes);
  await studies.begin('Ada');
  await expect(studies.question).toContainText('engine says: Create topic');
  await studies.press('a', 'Enter', 'Enter');
  await studies.expectTurn(2, 'And for a hard one?');
});

test('a damaged, foreign or newer file is refused in words, and one that is here already changes nothing', async ({
  app,
}) => {
  await app.open();
  const studies = new StudiesDialog(app);
  await studies.open();
  const study = await authorStudy(studies);
  await studies.button('All studies').click();
  const list = studies.root.getByRole('list', { name: 'Studies in this browser' }).getByRole('listitem');
  await expect(list).toHaveCount(1);

  const files = unzipSync(study);
  const changed = (name: string, change: (text: string) => string): Buffer =>
    Buffer.from(zipSync({ ...files, [name]: strToU8(change(strFromU8(files[name] ?? new Uint8Array()))) }));
  const refusal = studies.root.getByRole('alert');
  for (const [file, words] of [
    [study.subarray(0, study.length - 300), 'The file is damaged'],
    [changed('guidelines.md', () => 'Do as you like.'), 'guidelines.md does not match its checksum'],
    [changed('study.json', (text) => text.replace('"version":1', '"version":2')), 'made by a newer version of Coppice'],
    [Buffer.from(zipSync({ 'a.txt': strToU8('a') })), 'This is not a study file: it contains no study.json'],
    [Buffer.from('hello'), 'This is not a study file. Study files are zips'],
  ] as const) {
    await studies.giveStudy(file, 'given.zip');
    await expect(refusal).toContainText('given.zip was not opened.');
    await expect(refusal).toContainText(words);
    await expect(list).toHaveCount(1);
  }

  await studies.giveStudy(study);
  await studies.begin('Ada');
  await studies.press('Enter', 'Enter', 'n', 'Enter', 'f');
  // A comment that is being written is not lost, neither with the tab nor on the way back.
  await studies.page.keyboard.type('which egg?');
  await labelsWritten(studies.page, 'training', 2);
  await studies.page.reload();
  await studies.open();
  await studies.button('Continue as Ada').click();
  await expect(studies.root.getByRole('textbox', { name: 'Comment' })).toHaveValue('which egg?');
  await studies.button('All studies').click();
  await expect(list).toHaveCount(2);
  // The same file again: nothing is duplicated, nobody starts over.
  await studies.giveStudy(study);
  await studies.button('Continue as Ada').click();
  await expect(studies.question).toContainText('Differs from the gold label.');
  await expect(studies.question).toContainText('which egg?');
  await studies.button('All studies').click();
  await expect(list).toHaveCount(2);
});
