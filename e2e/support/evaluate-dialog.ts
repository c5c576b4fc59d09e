import { readFile } from 'node:fs/promises';
import { expect, type Locator, test } from '@playwright/test';
import type { App } from './app.ts';

interface TestFile {
  readonly name: string;
  readonly text: string;
}

/** Page object for evaluating on labelled dialogues: files, subjects, the run and its results. */
export class EvaluateDialog {
  readonly #app: App;
  readonly root: Locator;
  readonly alert: Locator;
  readonly leftOut: Locator;

  constructor(app: App) {
    this.#app = app;
    this.root = app.dialog('Evaluate');
    this.alert = this.root.getByRole('alert');
    this.leftOut = this.root.getByRole('list', { name: 'Files left out' });
  }

  async open(): Promise<void> {
    await this.#app.openDialog('Evaluate');
    await expect(this.button('Choose a folder')).toBeVisible();
  }

  button(name: string): Locator {
    return this.root.getByRole('button', { name, exact: true });
  }

  async choose(...files: TestFile[]): Promise<void> {
    await this.root
      .getByLabel('Files', { exact: true })
      .setInputFiles(
        files.map(({ name, text }) => ({ name, mimeType: 'application/json', buffer: Buffer.from(text) })),
      );
  }

  async drop(...files: TestFile[]): Promise<void> {
    const transfer = await this.#app.page.evaluateHandle((given) => {
      const made = new DataTransfer();
      for (const { name, text } of given) made.items.add(new File([text], name));
      return made;
    }, files);
    await this.root
      .getByRole('group', { name: 'Drop files or a folder' })
      .dispatchEvent('drop', { dataTransfer: transfer });
  }

  async chooseFolder(path: string): Promise<void> {
    await this.root.getByLabel('Folder', { exact: true }).setInputFiles(path);
  }

  /** The row of a data set among those found. */
  found(dataset: string): Locator {
    return this.root.getByRole('table', { name: 'Data sets found' }).getByRole('row', { name: dataset });
  }

  /** Waits for the results, for as long as the test may take. */
  async measure(): Promise<void> {
    await this.button('Measure').click();
    await expect(this.button('Export JSON')).toBeVisible({ timeout: test.info().timeout });
  }

  async show(dataset: string): Promise<void> {
    await this.root.getByRole('navigation', { name: 'Data sets' }).getByRole('button', { name: dataset }).click();
  }

  /** The values of a metric, in column order. */
  figures(table: string, metric: string): Locator {
    return this.root.getByRole('table', { name: table }).getByRole('row', { name: metric }).getByRole('cell');
  }

  async exported(button: 'Export JSON' | 'Export report'): Promise<string> {
    const downloading = this.#app.page.waitForEvent('download');
    await this.button(button).click();
    return readFile(await (await downloading).path(), 'utf8');
  }
}
