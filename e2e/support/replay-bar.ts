import { expect, type Locator, test } from '@playwright/test';
import type { App } from './app.ts';

/** The controls of a dialogue being played. */
export class ReplayBar {
  readonly root: Locator;
  readonly #app: App;

  constructor(app: App) {
    this.#app = app;
    this.root = app.page.getByRole('group', { name: 'Replay' });
  }

  async withoutPause(): Promise<void> {
    await this.root.getByRole('button', { name: /^Speed/ }).click();
    await this.#app.page.getByRole('menuitemradio', { name: 'No pause' }).click();
  }

  button(name: string): Locator {
    return this.root.getByRole('button', { name });
  }

  /** Waits until every turn has been played: for as long as the test may take, or the given milliseconds. */
  async ended(timeout = test.info().timeout): Promise<void> {
    await expect(this.root).toBeHidden({ timeout });
    await this.#app.settled();
  }
}
