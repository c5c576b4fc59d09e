import { readFile } from 'node:fs/promises';
import { type Download, expect, type Locator } from '@playwright/test';
import type { App } from './app.ts';

/** Page object of the Compare dialog, by its visible text. */
export class CompareDialog {
  readonly #app: App;
  readonly root: Locator;
  /** The result, as a sentence. */
  readonly result: Locator;
  readonly turn: Locator;
  readonly costs: Locator;

  constructor(app: App) {
    this.#app = app;
    this.root = app.dialog('Compare');
    this.result = this.root.getByRole('status').getByRole('heading');
    this.turn = this.root.getByRole('slider', { name: 'Turn', exact: true });
    this.costs = this.root.getByRole('region', { name: 'Costs' });
  }

  async open(): Promise<void> {
    await this.#app.openDialog('Compare');
  }

  button(name: string): Locator {
    return this.root.getByRole('button', { name, exact: true });
  }

  /** Waits until that many turns are compared, for as long as the test may take. */
  async compared(turns: number): Promise<void> {
    await expect(this.turn).toHaveAttribute('max', String(turns - 1), { timeout: 90_000 });
    await expect(this.root.getByRole('progressbar', { name: 'Comparing policies' })).toBeHidden({ timeout: 90_000 });
  }

  /** The row of a policy in the cost table. */
  row(policy: string): Locator {
    return this.costs
      .getByRole('row')
      .filter({ has: this.#app.page.getByRole('rowheader', { name: new RegExp(`^${policy}( sent)?$`) }) });
  }

  pane(policy: string): Locator {
    return this.root.getByRole('region', { name: `${policy}, its memory` });
  }

  /** Unchecks some policies and checks others. */
  async choose({ without, and }: { without: readonly string[]; and: readonly string[] }): Promise<void> {
    await this.root.getByRole('button', { name: /^Choose policies/ }).click();
    const choice = this.#app.page.getByRole('dialog', { name: 'Policies to compare' });
    for (const name of without) await choice.getByRole('checkbox', { name, exact: true }).uncheck();
    for (const name of and) await choice.getByRole('checkbox', { name, exact: true }).check();
    await this.#app.page.keyboard.press('Escape');
    await expect(choice).toBeHidden();
  }

  /** Exports in one of the formats. */
  async export(form: 'CSV' | 'JSON' | 'SVG' | 'PNG'): Promise<{ name: string; bytes: Buffer }> {
    await this.button('Export the comparison').click();
    const downloading = this.#app.page.waitForEvent('download');
    await this.#app.page.getByRole('menuitem', { name: new RegExp(`${form}$`) }).click();
    const download: Download = await downloading;
    return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
  }

  async close(): Promise<void> {
    await this.button('Close').click();
    await expect(this.root).toBeHidden();
  }
}
