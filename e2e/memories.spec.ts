import { readFile } from 'node:fs/promises';
import type { Locator } from '@playwright/test';
import type { App } from './support/app.ts';
import { expectNoViolations, expectNoViolationsIn, WIDE_THEN_NARROW_IN_THE_DARK } from './support/axe.ts';
import { choosePolicy } from './support/choose-policy.ts';
import { threeTopics } from './support/dialogues.ts';
import { expect, test } from './support/test.ts';

test.use({ sharesPage: true });
test.describe.configure({ mode: 'default' });

const showContext = async (app: App, turn: number): Promise<void> => {
  await app.showOutline();
  await app.outlineTurn(turn).click();
  await app.inspector.getByRole('tab', { name: 'Context' }).click();
  await expect(app.inspector.getByRole('heading', { name: 'Messages' })).toBeVisible();
};

test('a conversation goes on by another memory, and what it recalled is seen with how it was rated', async ({
  app,
}) => {
  await app.open();
  await choosePolicy(app, 'memtree');
  for (const message of threeTopics.slice(0, 3)) await app.send(message);
  await showContext(app, 3);
  await expect(app.inspector.getByText(/^memtree · /)).toBeVisible();
  const recalled = app.inspector.locator('summary').filter({ hasText: /depth \d.* · rated \d\.\d\d/ });
  await expect(recalled.first()).toBeVisible();
  await recalled.first().click();
  await expect(app.inspector.locator('details[open] pre').first()).toContainText('From earlier in this conversation:');

  await app.reload();
  await app.send(threeTopics[3]);
  await showContext(app, 4);
  await expect(app.inspector.getByText(/^memtree · /)).toBeVisible();
});

test('the memories are offered beside the baselines, each with what it is', async ({ app, page }) => {
  await app.open();
  const dialog = await app.openDialog('Engine');
  await dialog.getByRole('navigation').getByRole('button', { name: 'Policy' }).click();
  const memories = dialog.getByRole('group', { name: 'Memories of other papers' });
  await expect(memories.getByRole('radio')).toHaveCount(9);
  await expect(dialog.getByRole('group', { name: 'Context-Agent and its baselines' }).getByRole('radio')).toHaveCount(
    8,
  );
  await expect(memories.getByRole('radio', { name: 'memtree' })).toHaveAccessibleDescription(/MemTree/);
  await expectNoViolations(page, { where: 'policies' });
});

const drawMemory = async (app: App, policy: string): Promise<Locator> => {
  await app.forest.getByRole('group', { name: 'Drawn' }).getByRole('button', { name: 'Memory' }).click();
  const picture = app.forest.getByRole('group', { name: `Picture of ${policy}` });
  await expect(picture).toBeVisible();
  return picture;
};

test('a memory is walked through with the keys: what a piece is, why it was recalled, the turns that it was made of', async ({
  app,
  page,
}) => {
  await app.open();
  await choosePolicy(app, 'memory-stream');
  for (const message of threeTopics.slice(0, 4)) await app.send(message);
  const picture = await drawMemory(app, 'memory-stream');
  await expect(picture).toHaveAccessibleDescription(/^Nothing is selected\. Arrow keys select/);
  await picture.focus();
  await picture.press('r');
  await expect(picture).toHaveAccessibleDescription(/, turn \d\. Recalled with a rating of \d\.\d\d\./);
  await picture.press('Home');
  await expect(picture).toHaveAccessibleDescription(/^importance \d+, turn 1\. /);
  await picture.press('ArrowRight');
  await expect(picture).toHaveAccessibleDescription(/^importance \d+, turn 2\. /);
  await picture.press('End');
  await expect(picture).toHaveAccessibleDescription(/^importance \d+, turn 3\. /);

  await picture.press('Enter');
  const about = app.forest.getByRole('group', { name: /^About importance \d+, turn 3$/ });
  await expect(about).toBeFocused();
  await expect(about).toContainText(threeTopics[2]);
  const turn = about.getByRole('button', { name: 'Turn 3', exact: true });
  await page.keyboard.press('Tab');
  await expect(turn).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(turn).toHaveAttribute('aria-expanded', 'true');
  await expectNoViolations(page, { where: 'a piece of a memory' });
  await page.keyboard.press('Escape');
  await expect(picture).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(picture).toHaveAccessibleDescription(/^Nothing is selected/);

  // Once centred, it can be clicked.
  await picture.press('r');
  await expect(picture).not.toHaveAccessibleDescription(/^Nothing is selected/);
  const described = await picture.evaluate(
    (element) => document.getElementById(element.getAttribute('aria-describedby') ?? '')?.textContent,
  );
  await picture.press('Escape');
  await expect(picture).toHaveAccessibleDescription(/^Nothing is selected/);
  await picture.click();
  await expect(picture).toHaveAccessibleDescription(described ?? '');

  // Going to a turn shows the memory as it was before that turn.
  await app.forest.getByRole('button', { name: /^Go to turn \d$/ }).click();
  await expect(app.forest.getByRole('heading', { name: /^memory-stream before turn [123]$/ })).toBeVisible();
});

test('a drawn memory has no violation, wide, and narrow in the dark, nor has its list', async ({ app, page }) => {
  await app.open();
  await choosePolicy(app, 'memtree');
  for (const message of threeTopics.slice(0, 3)) await app.send(message);
  // On a narrow page the forest is the only pane shown.
  await app.resize({ width: 390, height: 844 });
  await page.getByRole('navigation', { name: 'Panes' }).getByRole('button', { name: 'Forest' }).click();
  await drawMemory(app, 'memtree');
  await expectNoViolationsIn(page, WIDE_THEN_NARROW_IN_THE_DARK, { where: 'picture' });
  await app.forest.getByRole('group', { name: 'Show the memory as' }).getByRole('button', { name: 'List' }).click();
  await expect(app.forest.getByRole('tree', { name: /of memtree$/ })).toBeVisible();
  await expectNoViolationsIn(page, WIDE_THEN_NARROW_IN_THE_DARK, { where: 'list' });

  // As at a zoom of 400 %.
  await app.resize({ width: 320, height: 700 });
  for (const name of ['Memory', 'Outline']) {
    await expect(app.forest.getByRole('button', { name, exact: true })).toBeInViewport({ ratio: 1 });
  }
});

test.describe('in a browser where no policy was ever chosen', () => {
  test.use({ sharesPage: false });

  test('contexts are compared with those of a chosen memory, which opens to what it recalled', async ({
    app,
    page,
  }) => {
    await app.open();
    for (const message of threeTopics.slice(0, 3)) await app.send(message);
    await showContext(app, 3);
    await app.inspector.getByRole('button', { name: 'Compare contexts' }).click();
    const dialog = app.dialog('Compare contexts');
    const chooser = dialog.getByRole('button', { name: /policies to compare$/ });
    const heads = dialog.getByRole('columnheader');
    await expect(heads.filter({ hasText: 'context-agent-without-rag' })).toBeVisible();
    await chooser.focus();
    await chooser.press('Enter');
    const menu = page.getByRole('menu', { name: 'Policies to compare' });
    await menu.getByRole('menuitemcheckbox', { name: 'context-agent-without-rag' }).click();
    await menu.getByRole('menuitemcheckbox', { name: 'flat-rag' }).click();
    await menu.getByRole('menuitemcheckbox', { name: 'thread-memory' }).click();
    await expect(menu.getByRole('menuitemcheckbox', { name: /^focused sent/ })).toHaveAttribute(
      'aria-disabled',
      'true',
    );
    await page.keyboard.press('Escape');
    await expect(menu).toBeHidden();
    await expect(heads.filter({ hasText: 'thread-memory' })).toBeVisible();
    await expect(heads.filter({ hasText: 'flat-rag' })).toBeHidden();
    await expectNoViolations(page, { where: 'compare with a memory' });

    await dialog.getByRole('button', { name: 'Its memory: thread-memory' }).click();
    await expect(dialog.getByRole('button', { name: 'All contexts' })).toBeFocused();
    await expect(dialog.getByRole('group', { name: 'Picture of thread-memory' })).toBeVisible();
    await expectNoViolations(page, { where: 'a memory as a picture' });
    await dialog.getByRole('button', { name: 'List' }).click();
    const memory = dialog.getByRole('tree', { name: 'List of thread-memory' });
    const recalled = memory.getByRole('treeitem', { name: /^slot \d+, turns? .*recalled, rated/ });
    await expect(recalled.first()).toBeVisible();
    await memory.getByRole('treeitem').first().focus();
    await page.keyboard.press('End');
    await expect(memory.getByRole('treeitem').last()).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(memory.locator('[data-read]')).toHaveCount(1);
    await expectNoViolations(page, { where: 'a memory' });
    await dialog.getByRole('button', { name: 'All contexts' }).click();
    await expect(dialog.getByRole('button', { name: 'Its memory: thread-memory' })).toBeFocused();

    // Kept while the page is open, also in Analysis.
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    const analysis = await app.openDialog('Analysis');
    await analysis.getByRole('tab', { name: 'Charts' }).click();
    await expect(analysis.getByRole('button', { name: 'thread-memory', exact: true })).toBeVisible();
    const downloading = page.waitForEvent('download');
    await analysis.getByRole('button', { name: 'Context tokens as CSV' }).click();
    const file = await readFile(await (await downloading).path(), 'utf8');
    expect(file.split('\r\n')[0]).toBe(
      '\uFEFFturn,message,policy,Sent (focused),context-agent,full-history,truncation,thread-memory,app',
    );
    expect(file.trim().split('\r\n')).toHaveLength(4);
    await expectNoViolations(page, { where: 'charts' });
  });

  test('the memory that a conversation goes on by is drawn where the forest is, and goes along with the turns', async ({
    app,
  }) => {
    await app.open();
    for (const message of threeTopics.slice(0, 2)) await app.send(message);
    await expect(app.forest.getByRole('group', { name: 'Drawn' })).toHaveCount(0);
    await choosePolicy(app, 'thread-memory');
    const picture = await drawMemory(app, 'thread-memory');
    const about = app.forest.getByRole('group', { name: 'About thread-memory' });
    await expect(app.forest.getByRole('heading', { name: 'thread-memory before turn 2' })).toBeVisible();
    await expect(about).toContainText('1 piece · ');

    await app.send(threeTopics[2]);
    await expect(app.forest.getByRole('heading', { name: 'thread-memory before turn 3' })).toBeVisible();
    await expect(about).toContainText(/1 piece · 1 recalled for this message · .* tokens sent/);

    await app.forest.getByRole('button', { name: 'Forest', exact: true }).click();
    await expect(picture).toBeHidden();
    await expect(app.forest.getByLabel('Canvas', { exact: true })).toBeVisible();
    await choosePolicy(app, 'context-agent');
    await expect(app.forest.getByRole('group', { name: 'Drawn' })).toHaveCount(0);
  });
});
