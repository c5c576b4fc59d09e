import { readFile } from 'node:fs/promises';
import { expect, type Locator, type Page } from '@playwright/test';
import type { App } from './app.ts';

/** Three short dialogues, as files of messages with role and content. */
const STUDY_FILES = [
  ['How long do I boil an egg?', 'Six minutes.', 'And for a hard one?', 'Ten.'],
  [
    'Which train goes to Porto?',
    'The 9:30.',
    'What is 15 % of 84.50?',
    '12.68.',
    'How long does the 9:30 take?',
    'An hour.',
  ],
  ['Find me a flat in Lisbon.', 'Here are two.', 'The second one, is it quiet?', 'Yes.', 'And the first?', 'No.'],
].map((said, at) => ({
  name: `dialogue-${at + 1}.json`,
  mimeType: 'application/json',
  buffer: Buffer.from(
    JSON.stringify(said.map((content, turn) => ({ role: turn % 2 === 0 ? 'user' : 'assistant', content }))),
  ),
}));

/** Page object of the Studies dialog: stored studies, authoring and labelling. */
export class StudiesDialog {
  readonly root: Locator;
  readonly page: Page;
  readonly #app: App;

  constructor(app: App) {
    this.#app = app;
    this.page = app.page;
    this.root = app.dialog('Studies');
  }

  async open(): Promise<void> {
    await this.#app.openDialog('Studies');
    await expect(this.button('New study')).toBeVisible();
  }

  button(name: string | RegExp): Locator {
    return this.root.getByRole('button', { name });
  }

  /** Gives the dialog a study package, as a user would choose it. */
  async giveStudy(buffer: Buffer, name = 'kitchen.study.zip'): Promise<void> {
    await this.root.getByLabel('Study file').setInputFiles({ name, mimeType: 'application/zip', buffer });
  }

  async begin(name: string): Promise<void> {
    await this.root.getByRole('textbox').fill(name);
    await this.page.keyboard.press('Enter');
    await expect(this.question).toBeVisible();
    // Keys pressed before it has drawn itself are heard, but it would not yet open a field for what is typed next.
    await expect(this.root.locator('[role="listbox"], [data-takes-keys]')).toBeFocused();
  }

  get turns(): Locator {
    return this.root.getByRole('listbox', { name: 'Turns so far' });
  }

  get question(): Locator {
    return this.root.getByRole('region', { name: 'The turn to label' });
  }

  /** Expects a turn to be the one asked about. */
  async expectTurn(number: number, text: string): Promise<void> {
    await expect(this.question.getByRole('heading', { name: `Turn ${number}` })).toBeVisible();
    await expect(this.question).toContainText(text);
  }

  /** Presses keys one after the other, each once the page has handled the last. */
  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  /** The file that an action downloads. */
  async saved(act: () => Promise<void>): Promise<{ readonly name: string; readonly bytes: Buffer }> {
    const downloading = this.page.waitForEvent('download');
    await act();
    const file = await downloading;
    return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
  }

  /** Labels everything left by keyboard, each turn as continuing from the one before, or with another key. */
  async labelTheRest(key = 'ArrowUp'): Promise<void> {
    const all = this.root.getByRole('heading', { name: /^Everything is labelled/ });
    while (!(await all.isVisible())) {
      await this.press(key, 'Enter');
    }
  }

  /** Drops label files on the coordinator's page. */
  async dropLabels(...files: readonly { readonly name: string; readonly text: string }[]): Promise<void> {
    await this.root.getByRole('region', { name: /^Coordinate / }).evaluate((page, dropped) => {
      const dataTransfer = new DataTransfer();
      for (const { name, text } of dropped) dataTransfer.items.add(new File([text], name));
      page.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    }, files);
  }

  /** Opens a tab of the coordinator. */
  async turnTo(tab: string): Promise<Locator> {
    await this.root.getByRole('tab', { name: tab }).click();
    return this.root.getByRole('tabpanel', { name: tab });
  }
}

/** Authors a study of the three dialogues, the first as training with gold labels; returns the package for annotators. */
export const authorStudy = async (studies: StudiesDialog): Promise<Buffer> => {
  const { root } = studies;
  await studies.button('New study').click();
  await root.getByRole('textbox', { name: 'Name of the study' }).fill('Kitchen');
  await root.getByLabel('Dialogue files').setInputFiles(STUDY_FILES);
  const dialogues = root.getByRole('list', { name: 'Dialogues of the study' }).getByRole('listitem');
  await expect(dialogues).toHaveCount(3);
  const training = dialogues.filter({ hasText: '2 turns' });
  await training.getByRole('button', { name: 'Training' }).click();
  await expect(training).toContainText('Without gold');
  await training.getByRole('button', { name: 'Label gold' }).click();
  await studies.expectTurn(1, 'How long do I boil an egg?');
  await studies.press('Enter', 'ArrowUp', 'Enter');
  await expect(root.getByRole('heading', { name: 'Every turn has a gold label.' })).toBeVisible();
  await root.getByRole('button', { name: 'Back to the study' }).last().click();
  await expect(dialogues.getByRole('button', { name: 'Gold 2 of 2' })).toBeVisible();
  return (await studies.saved(() => studies.button('Save for annotators').click())).bytes;
};
