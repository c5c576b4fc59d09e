import { readFile } from 'node:fs/promises';
import { expect, type Locator, type Page } from '@playwright/test';

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Page object of the app as a user finds it: everything by role and accessible name. */
export class App {
  readonly page: Page;
  readonly message: Locator;
  readonly conversation: Locator;
  readonly turns: Locator;
  readonly forest: Locator;
  readonly outline: Locator;
  readonly inspector: Locator;
  readonly timeline: Locator;
  readonly undo: Locator;
  readonly redo: Locator;
  readonly problem: Locator;
  readonly #sharesPage: boolean;

  /** `sharesPage`: shared with other tests, so that what is already loaded is not loaded again. */
  constructor(page: Page, sharesPage = false) {
    this.page = page;
    this.#sharesPage = sharesPage;
    this.message = page.getByRole('textbox', { name: 'Message', exact: true });
    this.conversation = page.getByRole('log', { name: 'Conversation' });
    this.turns = this.conversation.getByRole('article');
    this.forest = page.getByRole('region', { name: 'Forest' });
    this.outline = page.getByRole('tree', { name: 'Outline' });
    this.inspector = page.getByRole('region', { name: 'Inspector' });
    this.timeline = page.getByRole('slider', { name: 'Timeline' });
    this.undo = page.getByRole('button', { name: 'Undo', exact: true });
    this.redo = page.getByRole('button', { name: 'Redo', exact: true });
    this.problem = page.getByRole('alert');
  }

  /** Loads the page; if tests share a loaded one, starts a new conversation in it. */
  async open(): Promise<void> {
    if (this.#sharesPage && this.page.url() !== 'about:blank') await this.#beginAnew();
    else await this.page.goto('./');
    await this.#ready();
  }

  async #ready(): Promise<void> {
    await soonVisible(this.message);
    await expect(this.message).toBeEditable();
  }

  async #beginAnew(): Promise<void> {
    await this.page.mouse.move(0, 0);
    const dialogs = this.page.getByRole('dialog');
    await expect(async () => {
      if ((await dialogs.count()) > 0) await this.page.keyboard.press('Escape');
      await expect(dialogs).toHaveCount(0, { timeout: 2000 });
    }).toPass();
    await this.message.fill('');
    const files = this.page.getByRole('list', { name: 'Attached' }).getByRole('button', { name: /^Remove / });
    while ((await files.count()) > 0) await files.first().click();
    await this.button('New conversation').click();
    await expect(this.turns).toHaveCount(0);
    if (await this.outline.isVisible()) await this.showCanvas();
  }

  async reload(): Promise<void> {
    await this.page.reload();
    await this.#ready();
  }

  /** Changes the size of the window. */
  resize(size: Size): Promise<void> {
    return resize(this.page, size);
  }

  turn(number: number): Locator {
    return this.conversation.getByRole('article', { name: `Turn ${number}`, exact: true });
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  dialog(name: string): Locator {
    return this.page.getByRole('dialog', { name });
  }

  /** Opens a dialog by the button of the same name, which a narrow page keeps under "More". */
  async openDialog(name: string): Promise<Locator> {
    // Behind a dialog that is still closing, neither is there.
    await expect(this.button(name).or(this.button('More')).first()).toBeVisible();
    if (!(await this.button(name).isVisible())) await this.button('More').click();
    await this.button(name).click();
    await soonVisible(this.dialog(name));
    return this.dialog(name);
  }

  /** Exports the conversation and returns the file's text. */
  async exported(): Promise<string> {
    const dialog = await this.openDialog('Export');
    const downloading = this.page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Download' }).click();
    return readFile(await (await downloading).path(), 'utf8');
  }

  /** The items of the list of conversations, which is opened if necessary. */
  async listConversations(): Promise<Locator> {
    const opener = this.button('Conversations');
    if ((await opener.getAttribute('aria-expanded')) !== 'true') await opener.click();
    await expect(opener).toHaveAttribute('aria-expanded', 'true');
    return this.page.getByRole('list', { name: 'Conversations' }).getByRole('listitem');
  }

  /** Sends a message and waits until its turn is done, including the summary. */
  async send(text: string): Promise<void> {
    await this.message.fill(text);
    await this.button('Send').click();
    // A long message is folded, but its first line always shows.
    await this.settled(text.trim().split('\n')[0]);
  }

  /** Saves reply settings by field name. */
  async setReplies(fields: Readonly<Record<string, string>>): Promise<void> {
    await this.page.getByRole('button', { name: /^Reply settings/ }).click();
    const dialog = this.dialog('Reply settings');
    for (const [name, value] of Object.entries(fields)) await dialog.getByRole('textbox', { name }).fill(value);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog).toBeHidden();
  }

  /** Waits until nothing is being decided, replied or summarised, and a turn shows the text, if one is given. */
  async settled(text = ''): Promise<void> {
    // Polls often, and asks little: Playwright's `expect` polls ever less often, and each time it describes the page's
    // roles and names, which takes the page longer than a message.
    await this.page.waitForFunction(
      ([name, shown = '']) => {
        const log = document.querySelector(`[role="log"][aria-label="${name}"]`);
        if (log?.getAttribute('aria-busy') !== 'false') return false;
        const turns = [...log.querySelectorAll('article')].filter((turn) => turn.checkVisibility());
        return shown === '' || turns.some(({ textContent }) => textContent.replaceAll(/\s+/g, ' ').includes(shown));
      },
      ['Conversation', text.replaceAll(/\s+/g, ' ').trim()],
      { polling: 40 },
    );
  }

  /** An Escape of an input method, which discards what is being composed in the focused field. */
  async escapeComposing(): Promise<void> {
    await this.page.evaluate(() => {
      const event = new KeyboardEvent('keydown', { key: 'Escape', isComposing: true, bubbles: true, cancelable: true });
      document.activeElement?.dispatchEvent(event);
    });
  }

  async showOutline(): Promise<void> {
    await this.forest.getByRole('button', { name: 'Outline' }).click();
    await expect(this.outline).toBeVisible();
  }

  async showCanvas(): Promise<void> {
    await this.forest.getByRole('button', { name: 'Canvas' }).click();
  }

  outlineTurn(number: number): Locator {
    return this.outline.getByRole('treeitem', { name: new RegExp(`^Turn ${number}\\b`) });
  }

  /** The shape of the forest as the outline shows it, row by row; independent of ids. */
  async shape(): Promise<string[]> {
    await this.showOutline();
    const rows = this.outline.getByRole('treeitem');
    await expect(rows.first()).toBeVisible();
    return rows.evaluateAll((all) =>
      all
        .sort((a, b) => Number(a.dataset.index) - Number(b.dataset.index))
        .map((row) => `${row.ariaLevel} ${row.ariaLabel}${row.ariaCurrent === 'true' ? ' (active)' : ''}`),
    );
  }

  /** Like `shape`, once every topic has its title, which arrives shortly after the topic: until then its first message stands in. */
  async titledShape(): Promise<string[]> {
    let shape: string[] = [];
    const untitled = async () => {
      shape = await this.shape();
      return shape.filter((row, at) => {
        const title = /^1 (.+), \d+ turns?\b/.exec(row)?.[1];
        const message = /^2 Turn \d+: (.*?)(?: \(active\))?$/.exec(shape[at + 1] ?? '')?.[1] ?? '';
        // A title may be the first words of the message, but not all of it.
        return title !== undefined && message.startsWith(title) && !/^[\s?.!]/.test(message.slice(title.length));
      });
    };
    await expect.poll(untitled).toEqual([]);
    return shape;
  }

  /** Waits until another tab shows the same forest. */
  async sameAs(other: App): Promise<void> {
    await expect(async () => expect(await this.shape()).toEqual(await other.shape())).toPass();
  }

  /** Opens the correction menu of a turn. */
  async startCorrecting(number: number): Promise<void> {
    await this.turn(number).getByRole('button', { name: 'Change' }).click();
    await expect(this.page.getByRole('menu')).toBeVisible();
  }

  async correctToNewTopic(number: number): Promise<void> {
    await this.startCorrecting(number);
    await this.page.getByRole('menuitem', { name: 'New topic' }).click();
  }

  /** Moves a turn under another as a new branch. */
  async correctToBranchFrom(number: number, from: number): Promise<void> {
    await this.startCorrecting(number);
    await this.page.getByRole('menuitem', { name: 'New branch from…' }).click();
    await this.page.getByRole('menuitem', { name: new RegExp(`^Turn ${from}:`) }).click();
  }

  /** The quiet line under a turn's message. */
  why(number: number): Locator {
    return this.turn(number).getByRole('button', { name: 'Change' }).locator('..');
  }
}

/** Like `toBeVisible`, which polls ever less often, but notices within 40 ms: every test waits here. */
const soonVisible = (locator: Locator): Promise<void> =>
  expect.poll(() => locator.isVisible(), { intervals: [40] }).toBe(true);

/**
 * Changes the size of the window, and waits until the page is laid out for it. `setViewportSize` alone does not: what is
 * found or pressed right after it may still belong to the other layout.
 */
export const resize = async (page: Page, size: Size): Promise<void> => {
  const { width, height } = page.viewportSize() ?? {};
  if (width === size.width && height === size.height) return;
  await page.setViewportSize(size);
  await page.evaluate(async (expected) => {
    const frame = () => new Promise(requestAnimationFrame);
    while (innerWidth !== expected.width || innerHeight !== expected.height) await frame();
    // Changes of media queries are reported before the callbacks of a frame, those of elements' sizes after them.
    await frame();
    await frame();
  }, size);
};
