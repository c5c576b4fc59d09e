import type { Page } from '@playwright/test';
import {
  installStandInLanguageModel,
  type StandInControl,
  type StandInOptions,
} from '../src/models/runtimes/prompt-api/testing/stand-in-language-model.ts';
import { ModelsDialog } from './support/models-dialog.ts';
import { expect, test } from './support/test.ts';

declare global {
  interface Window {
    standInLanguageModel: StandInControl;
  }
}

const install = (page: Page, options: StandInOptions): Promise<unknown> =>
  page.addInitScript<StandInOptions>(installStandInLanguageModel, options);

const NAME = 'Browser’s own model';

test.describe('a stand-in for the browser’s own model', () => {
  test('is offered, comes with progress, replies, and says when the conversation is too long for it', async ({
    app,
    page,
  }) => {
    await install(page, {
      availability: 'downloadable',
      download: { steps: 20, delay: 500 },
      window: 400,
      sampling: true,
    });
    await app.open();
    const models = new ModelsDialog(app);
    await models.choose('chat', NAME);
    await expect(await models.stateOf('chat')).toHaveText(/^loading \d+ %$/);
    await expect(await models.stateOf('chat')).toHaveText('ready');
    await models.close();
    await app.send('How tall is the Eiffel Tower?');
    await expect(app.turn(1)).toContainText('You said: How tall is the Eiffel Tower?');

    await page.evaluate(() => window.standInLanguageModel.failures.push('QuotaExceededError'));
    await app.message.fill('And the Shard in London?');
    await app.button('Send').click();
    await expect(app.turn(2)).toContainText(/too long|longer than/);
    await expect(app.turn(2).getByRole('button', { name: 'Reply with the embedded model' })).toBeVisible();
    await app.turn(2).getByRole('button', { name: 'Try again' }).click();
    await expect(app.turn(2)).toContainText('You said: And the Shard in London?');
  });

  test('is not offered where the browser says that this machine cannot run it', async ({ app, page }) => {
    await install(page, { availability: 'unavailable' });
    await app.open();
    const models = new ModelsDialog(app);
    await models.open('chat');
    await expect(models.unfit).toContainText(NAME);
    await expect(models.offers).not.toContainText(NAME);
  });
});
