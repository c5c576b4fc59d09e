import { expect, type Locator } from '@playwright/test';
import type { App } from './app.ts';

/** Page object of the What if dialog, by its visible text. */
export class WhatIfDialog {
  readonly #app: App;
  readonly root: Locator;

  constructor(app: App) {
    this.#app = app;
    this.root = app.dialog('What if');
  }

  async open(): Promise<void> {
    await this.#app.openDialog('What if');
    await expect(this.button('Re-run')).toBeEnabled();
  }

  button(name: string): Locator {
    return this.root.getByRole('button', { name, exact: true });
  }

  async choose(label: string, option: string): Promise<void> {
    await this.root.getByLabel(label, { exact: true }).selectOption({ label: option });
  }

  async set(label: string, value: string): Promise<void> {
    await this.root.getByRole('textbox', { name: label, exact: true }).fill(value);
  }

  /** Runs the conversation again, and waits until it is done. */
  async run(): Promise<void> {
    await this.button('Re-run').click();
    await expect(this.root.getByRole('progressbar')).toBeHidden();
    await expect(this.heading).toBeVisible();
  }

  get heading(): Locator {
    return this.root.getByRole('heading', { name: /would have been decided differently/ });
  }

  /** Numbers of the turns in a group, in list order. */
  async turnsIn(group: string): Promise<number[]> {
    const rows = this.root.getByRole('list', { name: group, exact: true }).getByRole('button');
    const names = await rows.evaluateAll((buttons) => buttons.map((button) => button.textContent ?? ''));
    return names.map((name) => Number(/^Turn (\d+)/.exec(name)?.[1]));
  }
}
