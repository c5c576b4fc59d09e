import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type axe from 'axe-core';
import { expect } from './test.ts';

interface What {
  /** Names the place in a failure. */
  readonly where?: string;
  /** A selector; left out, the whole page. */
  readonly within?: string;
  /** Rules that do not hold there. */
  readonly except?: readonly string[];
}

/** How a page is looked at. */
interface Look {
  readonly theme: 'light' | 'dark';
  readonly width: number;
}

const wide: Look = { theme: 'light', width: 1440 };
const narrow: Look = { theme: 'light', width: 390 };
const dark = (look: Look): Look => ({ ...look, theme: 'dark' });

export const BOTH_THEMES = [wide, dark(wide)] as const;
export const BOTH_THEMES_NARROW = [narrow, dark(narrow)] as const;
export const BOTH_THEMES_AND_WIDTHS = [...BOTH_THEMES, ...BOTH_THEMES_NARROW] as const;
export const WIDE_THEN_NARROW_IN_THE_DARK = [wide, dark(narrow)] as const;

/** What stands behind a dialog is looked at by itself. */
export const DIALOG = { within: '[role=dialog]' } as const;

/** Of all rules those whose answer is in the colours: the others see the same page in either theme. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

export const expectNoViolations = (page: Page, what: What = {}): Promise<void> =>
  expectNone(page, what, { rules: Object.fromEntries((what.except ?? []).map((rule) => [rule, { enabled: false }])) });

/**
 * The same in several looks, one after the other on the page as it stands: every rule at each width, and in its other theme those of
 * colours. Leaves the page in the first look.
 */
export const expectNoViolationsIn = async (page: Page, looks: readonly Look[], what: What = {}): Promise<void> => {
  const [first] = looks;
  const seen = new Set<number>();
  for (const look of looks) {
    await showIn(page, look);
    const where = `${what.where ?? 'the page'}, ${look.theme}, ${look.width} wide`;
    if (seen.has(look.width)) await expectNone(page, { ...what, where }, { runOnly: OF_COLOURS });
    else await expectNoViolations(page, { ...what, where });
    seen.add(look.width);
  }
  if (first !== undefined) await showIn(page, first);
};

/** As the system and the window say: nothing is loaded again. */
const showIn = async (page: Page, { theme, width }: Look): Promise<void> => {
  const { width: now, height = 900 } = page.viewportSize() ?? {};
  if (now !== width) await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme: theme });
  await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
};

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

const expectNone = async (page: Page, { where = '', within }: What, options: axe.RunOptions): Promise<void> => {
  // Once for a page that is looked at often: it is half a megabyte.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(await readFile(AXE, 'utf8'));
  const found = await page.evaluate(
    async ([scope, how]) => {
      const { axe: inPage } = window as unknown as { axe: typeof axe };
      const { violations } = await inPage.run(scope ?? document, { ...how, resultTypes: ['violations'] });
      return violations.flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}\n  ${html}`));
    },
    [within, options] as const,
  );
  expect(found, where).toEqual([]);
};
