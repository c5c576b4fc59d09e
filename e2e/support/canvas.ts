import { expect, type Locator, type Page } from '@playwright/test';
import { OVERVIEW_ZOOM } from '../../src/ui/canvas/geometry.ts';
import type { App } from './app.ts';
import { ImportDialog } from './import-dialog.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Page object of the canvas, by the text on its cards. */
export class Canvas {
  readonly #app: App;
  readonly page: Page;
  readonly root: Locator;
  /** Next to the pointer while something is dragged. */
  readonly note: Locator;
  readonly bar: Locator;

  constructor(app: App) {
    this.#app = app;
    this.page = app.page;
    this.root = app.forest.getByRole('application');
    this.note = app.forest.getByRole('note', { name: 'Drag' });
    this.bar = app.forest.getByRole('toolbar', { name: 'Selected turns' });
  }

  /** Opens a conversation from a Coppice export, and shows all of it. */
  async openLog(text: string): Promise<void> {
    await this.#app.open();
    const dialog = new ImportDialog(this.#app);
    await dialog.open();
    await dialog.giveFile('made-up.jsonl', text);
    await dialog.openConversation();
    const pane = this.page.getByRole('button', { name: 'Forest', exact: true });
    await expect(pane.or(this.root).first()).toBeVisible();
    if (await pane.isVisible()) await pane.click();
    await expect(this.cards.first()).toBeVisible();
  }

  get cards(): Locator {
    return this.root.locator('.react-flow__node-turn');
  }

  card(name: string): Locator {
    return this.cards.filter({ has: this.page.getByText(name, { exact: true }) });
  }

  /** Names of the selected turns, in card order. */
  async selected(): Promise<string[]> {
    return this.cards.locator('[data-selected] > :last-child').allInnerTexts();
  }

  async centre(name: string): Promise<Point> {
    // Wait until the view has stopped moving.
    await this.card(name).hover({ trial: true });
    const box = await this.card(name).boundingBox();
    if (box === null) throw new Error(`the card ${name} is not on the page`);
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }

  /** Zooms out about the centre until cards are only drawn; returns where the cards of some turns are then. */
  async zoomFar(...names: readonly string[]): Promise<Point[]> {
    const near: Point[] = [];
    for (const name of names) near.push(await this.centre(name));
    const [before, box] = [await this.#zoom(), await this.root.boundingBox()];
    if (box === null) throw new Error('there is no canvas');
    const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    await this.root.focus();
    // By the zoom, because what is drawn follows it a frame later: one press too many finds no less zoom to wait for.
    for (let zoom = before; zoom >= OVERVIEW_ZOOM; zoom = await this.#zoom()) {
      await this.page.keyboard.press('-');
      await expect.poll(() => this.#zoom()).toBeLessThan(zoom);
    }
    await expect(this.root).toHaveAttribute('data-detail', 'far');
    const by = (await this.#zoom()) / before;
    return near.map(({ x, y }) => ({ x: middle.x + (x - middle.x) * by, y: middle.y + (y - middle.y) * by }));
  }

  #zoom(): Promise<number> {
    return this.root
      .locator('.react-flow__viewport')
      .evaluate((element) => new DOMMatrix(getComputedStyle(element).transform).a);
  }

  /** A point on the background: near the right edge of the canvas, below the selection bar. */
  async ground(): Promise<Point> {
    const box = await this.root.boundingBox();
    if (box === null) throw new Error('there is no canvas');
    return { x: box.x + box.width - 60, y: box.y + box.height * 0.6 };
  }

  /** Picks up a card and drags it over a point; the button stays down. */
  async carry(name: string, to: Point): Promise<void> {
    const from = await this.centre(name);
    await this.page.mouse.move(from.x, from.y);
    await this.page.mouse.down();
    await this.page.mouse.move(from.x + 10, from.y + 10);
    await this.page.mouse.move(to.x, to.y, { steps: 4 });
  }

  async drag(name: string, to: Point): Promise<void> {
    await this.carry(name, to);
    await expect(this.note).toBeVisible();
    await this.page.mouse.up();
    await expect(this.note).toBeHidden();
  }

  async select(...names: readonly string[]): Promise<void> {
    for (const [at, name] of names.entries()) await this.card(name).click({ modifiers: at === 0 ? [] : ['Shift'] });
  }

  /** The tree as the outline shows it: a line per topic and turn, starting with its level. */
  async hangs(): Promise<string[]> {
    const rows = await this.#app.shape();
    await this.#app.showCanvas();
    return rows.map((row) => row.replace(/^(\d) (?:Turn \d+[^A-Z]*)?/, '$1 ').replace(/ \(active\)$/, ''));
  }
}
