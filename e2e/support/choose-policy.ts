import { expect } from '@playwright/test';
import type { App } from './app.ts';

/** Chooses a policy under Engine, then returns to the conversation. */
export const choosePolicy = async (app: App, name: string): Promise<void> => {
  const dialog = await app.openDialog('Engine');
  await dialog.getByRole('navigation').getByRole('button', { name: 'Policy' }).click();
  await dialog.getByRole('radio', { name: new RegExp(`^${name}( |default)`) }).check();
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(dialog.getByRole('status')).toContainText('applies from the next message');
  await app.page.keyboard.press('Escape');
};
