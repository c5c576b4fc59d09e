import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type axe from 'axe-core';
import { resize } from './app.ts';
import { expect } from './test.ts';

interface What {
  /** Names the place in a failure message. */
  readonly where?: string;
  /** A selector; the whole page if absent. */
  readonly within?: string;
  /** Rules to disable. */
  readonly except?: readonly string[];
}

/** A theme and width to check a page in. */
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

/** What is behind a dialog is checked separately. */
export const DIALOG = { within: '[role=dialog]' } as const;

/** The rules that depend on colours: all others give the same result in either theme. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

export const expectNoViolations = (page: Page, what: What = {}): Promise<void> =>
  expectNone(page, what, { rules: Object.fromEntries((what.except ?? []).map((rule) => [rule, { enabled: false }])) });

/**
 * Checks several looks, one after the other on the current page: every rule once per width, and only the colour rules
 * in the other theme. Leaves the page in the first look.
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

/** Through the system and window settings, without a reload. */
const showIn = async (page: Page, { theme, width }: Look): Promise<void> => {
  const { height = 900 } = page.viewportSize() ?? {};
  await resize(page, { width, height });
  await page.emulateMedia({ colorScheme: theme });
  await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
};

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

const expectNone = async (page: Page, { where = '', within }: What, options: axe.RunOptions): Promise<void> => {
  // Only once per page, because it is half a megabyte.
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
