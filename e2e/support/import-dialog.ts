import { expect, type Locator } from '@playwright/test';
import type { App } from './app.ts';

/** Page object of the Import dialog: a file or pasted text, then what was found in it. */
export class ImportDialog {
  readonly #app: App;
  readonly root: Locator;
  readonly refusal: Locator;

  constructor(app: App) {
    this.#app = app;
    this.root = app.dialog('Import');
    this.refusal = this.root.getByRole('alert');
  }

  async open(): Promise<void> {
    await this.#app.openDialog('Import');
  }

  async giveFile(name: string, text: string): Promise<void> {
    const buffer = Buffer.from(text);
    await this.root.getByLabel('File', { exact: true }).setInputFiles({ name, mimeType: 'application/json', buffer });
  }

  /** Creates a file in the browser that is too large to send there. */
  async giveHugeFile(name: string, bytes: number): Promise<void> {
    await this.root.getByLabel('File', { exact: true }).evaluate(
      (input: HTMLInputElement, file) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File(['x'.repeat(file.bytes)], file.name));
        input.files = transfer.files;
        input.dispatchEvent(new Event('change', { bubbles: true }));
      },
      { name, bytes },
    );
  }

  async paste(text: string): Promise<void> {
    await this.root.getByRole('textbox', { name: 'Or paste text' }).fill(text);
    await this.root.getByRole('button', { name: 'Read it' }).click();
  }

  /** Plays the only dialogue found, or the one with a title. */
  async replay(title?: string): Promise<void> {
    const name = title === undefined ? 'Replay' : `Replay ${title}`;
    await this.root.getByRole('button', { name, exact: true }).click();
    await expect(this.root).toBeHidden();
  }

  /** Opens a conversation from a Coppice export. */
  async openConversation(): Promise<void> {
    await this.root.getByRole('button', { name: 'Open', exact: true }).click();
    await expect(this.root).toBeHidden();
  }

  async close(): Promise<void> {
    await this.root.getByRole('button', { name: 'Close' }).click();
    await expect(this.root).toBeHidden();
  }
}
