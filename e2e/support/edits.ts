import { expect, type Locator } from '@playwright/test';
import type { App } from './app.ts';

/** Expects a change, as `read` reports it, to be undone, redone, and still there after a reload. */
export const expectHeld = async (
  app: App,
  read: () => Promise<string[]>,
  before: readonly string[],
  after: readonly string[],
): Promise<void> => {
  expect(after).not.toEqual(before);
  await expect.poll(read).toEqual(after);
  await app.undo.click();
  await expect.poll(read).toEqual(before);
  await app.redo.click();
  await expect.poll(read).toEqual(after);
  await app.reload();
  await expect.poll(read).toEqual(after);
};

/** Manual edits as a user makes them: through a turn's menu, with the mouse or with keys. */
export class Edits {
  readonly #app: App;

  constructor(app: App) {
    this.#app = app;
  }

  get menu(): Locator {
    return this.#app.page.getByRole('menu').first();
  }

  item(name: string | RegExp): Locator {
    return this.#app.page.getByRole('menuitem', { name });
  }

  /** With the mouse, in the chat. */
  async choose(turn: number, ...items: (string | RegExp)[]): Promise<void> {
    await this.#app
      .turn(turn)
      .getByRole('button', { name: `More for turn ${turn}` })
      .click();
    for (const item of items) await this.item(item).click();
    await expect(this.menu).toBeHidden();
  }

  /** With keys only, in the outline: goes to the row, opens its menu and moves down to the item. */
  async chooseByKeys(turn: number, item: RegExp): Promise<void> {
    const { page } = this.#app;
    await this.#app.outlineTurn(turn).focus();
    await page.keyboard.press('Shift+F10');
    await expect(this.menu).toBeVisible();
    await expect(this.menu).toBeFocused();
    await this.walkTo(this.item(item));
    await page.keyboard.press('Enter');
  }

  /** Moves down a menu until an item has the focus. */
  async walkTo(item: Locator): Promise<void> {
    const { page } = this.#app;
    await expect(item).toBeVisible();
    while (!(await item.evaluate((element) => element === document.activeElement))) {
      const before = await page.evaluateHandle(() => document.activeElement);
      await page.keyboard.press('ArrowDown');
      // The menu moves the focus shortly after the key.
      await expect.poll(() => before.evaluate((element) => element === document.activeElement)).toBe(false);
    }
  }

  /** Fills the open dialog's field, and saves it. */
  async write(dialog: string, field: string, text: string, does: string): Promise<void> {
    const open = this.#app.dialog(dialog);
    await open.getByRole('textbox', { name: field }).fill(text);
    await open.getByRole('button', { name: does }).click();
    await expect(open).toBeHidden();
  }

  /** Opens the history and returns its steps, newest first. */
  async openHistory(): Promise<Locator> {
    await this.#app.button('History').click();
    await expect(this.#app.dialog('History').getByRole('listbox', { name: 'Steps' })).toBeFocused();
    return this.#app.dialog('History').getByRole('option');
  }
}
