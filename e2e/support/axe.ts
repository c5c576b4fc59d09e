import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect } from './test.ts';

interface What {
  /** Names the place in a failure. */
  readonly where?: string;
  /** A selector; left out, the whole page. */
  readonly within?: string;
  /** Rules that do not hold there. */
  readonly except?: readonly string[];
}

export const expectNoViolations = async (page: Page, { where = '', within, except = [] }: What = {}): Promise<void> => {
  const axe = new AxeBuilder({ page }).disableRules([...except]);
  const { violations } = await (within === undefined ? axe : axe.include(within)).analyze();
  const found = violations.flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}\n  ${html}`));
  expect(found, where).toEqual([]);
};
