import { BOTH_THEMES_AND_WIDTHS, expectNoViolations, expectNoViolationsIn } from './support/axe.ts';
import { ModelsDialog } from './support/models-dialog.ts';
import { expect, test } from './support/test.ts';

test.use({ sharesPage: true });
test.describe.configure({ mode: 'default' });

const PAGES = ['overview', 'chat', 'decide', 'summarise', 'embed', 'add', 'server', 'kept'] as const;

test('Models tells what does each role, what this machine can do, and leads back to the page', async ({
  app,
  page,
}) => {
  await app.open();
  const models = new ModelsDialog(app);
  await models.open();

  await expect(models.root).toContainText('unless you choose a model on a server or allow an online voice');
  const machine = models.root.getByRole('list', { name: 'What it can do' });
  await expect(machine.getByRole('listitem').filter({ hasText: 'GPU' })).toHaveCount(1);
  await expect(machine).toContainText('Storage');
  await expect(machine).toContainText('Processor');
  await expect(models.button('Test again')).toBeEnabled();
  await models.button('Test again').click();
  await expect(models.button('Test again')).toBeEnabled();
  await models.root.getByText('Details').click();
  await expect(models.root.getByText('Cross-origin isolated')).toBeVisible();
  // No GPU here: the models that run without one are listed, each with a way to get it.
  const runHere = models.root.getByRole('list', { name: 'Language models that run here' }).getByRole('listitem');
  await expect(runHere).toHaveCount(3);
  await expect(runHere.first()).toContainText('to download');
  await expect(runHere.first().getByRole('button', { name: /^Use SmolLM2/ })).toBeEnabled();
  await expectNoViolations(page, { where: 'overview' });

  await expect(models.item('chat')).toContainText('recall');
  await expect(models.item('decide')).toContainText('embedded decider');
  await expect(await models.stateOf('chat')).toHaveText('ready');
  await expect(models.now).toContainText('No language model.');

  await page.keyboard.press('Escape');
  await expect(models.root).toHaveCount(0);
  await expect(app.button('Models')).toBeFocused();
});

test('the header’s pill tells a model’s state and leads to its role', async ({ app, page }) => {
  await app.open();
  await page.getByRole('button', { name: 'Decides: embedded decider, ready' }).click();
  const models = new ModelsDialog(app);
  await expect(models.root.getByRole('heading', { name: 'Decides' })).toBeVisible();
  await expect(models.root.getByRole('switch', { name: 'Learns from your corrections' })).toBeVisible();
});

test('where the chat has no language model, nothing can be the same as it, and the reason stands there', async ({
  app,
}) => {
  await app.open();
  const models = new ModelsDialog(app);
  await models.open('summarise');
  const same = models.offers.getByRole('listitem').filter({ hasText: 'Same as chat' });
  await expect(same).toContainText('The chat has no language model yet.');
  await expect(same.getByRole('button')).toBeDisabled();
});

test('every page of Models is reached by keyboard', async ({ app, page }) => {
  await app.open();
  await app.button('Models').focus();
  await page.keyboard.press('Enter');
  const models = new ModelsDialog(app);
  await expect(models.root).toBeFocused();
  for (const name of PAGES) {
    await models.item(name).focus();
    await page.keyboard.press('Enter');
    await expect(models.item(name)).toHaveAttribute('aria-current', 'page');
    await expect(models.item(name)).toBeFocused();
  }
  await models.item('server').press('Enter');
  await models.button('Ollama').press('Space');
  await expect(models.root.getByLabel('Address', { exact: true })).toHaveValue('http://localhost:11434/v1');
  await expect(models.root).toContainText(
    'Text of the conversation leaves this browser for http://localhost:11434/v1.',
  );
});

test('on a phone Models shows its list, then a page, and goes back to where the person was', async ({ app, page }) => {
  await app.resize({ width: 390, height: 844 });
  await app.open();
  await expect(page.getByRole('button', { name: /^Replies: recall, ready/ })).toBeVisible();
  const models = new ModelsDialog(app);
  await models.open();
  await models.item('embed').click();
  await expect(models.pages).toHaveCount(0);
  await expect(models.now).toContainText('use-lite-en');
  await models.button('All models').click();
  await expect(models.item('embed')).toBeFocused();
  await models.go('kept');
  await expect(models.root).toContainText('Nothing has been downloaded yet.');
});

test('axe finds no violation on any page of Models, in both themes, wide and narrow', async ({ app, page }) => {
  test.slow();
  await app.open();
  const models = new ModelsDialog(app);
  await models.open();
  for (const name of PAGES) {
    await models.go(name);
    // A button that becomes enabled while axe runs is half read in its old state.
    if (name === 'overview') await expect(models.button('Test again')).toBeEnabled();
    await expectNoViolationsIn(page, BOTH_THEMES_AND_WIDTHS, { where: name, within: '[role="dialog"]' });
  }
});

test.describe('in a browser whose model fails', () => {
  test.use({ sharesPage: false });

  test('a model that failed says why in the header and is tried again from there', async ({ app, page }) => {
    let broken = true;
    await page.route('**/models/use-lite-en/**', (route) => (broken ? route.abort() : route.continue()));
    await app.open();
    const pill = page.getByRole('button', { name: /^Embeds: .*, failed$/ });
    await pill.click();
    const why = page.getByRole('dialog', { name: /failed$/ });
    await expect(why).toContainText('The embedded sentence encoder failed');
    broken = false;
    await why.getByRole('button', { name: 'Try again' }).click();
    await expect(pill).toHaveCount(0);
    const models = new ModelsDialog(app);
    await expect(await models.stateOf('embed')).toHaveText('ready');
  });
});
