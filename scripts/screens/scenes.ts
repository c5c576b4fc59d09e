import { expect } from '@playwright/test';
import type { App } from '../../e2e/support/app.ts';
import { ImportDialog } from '../../e2e/support/import-dialog.ts';
import { code, failed, paced, repliedLog, thinking } from '../../e2e/support/replied-log.ts';

interface Logs {
  readonly sample: string;
  readonly large: string;
}

type Scene = (app: App, logs: Logs) => Promise<void>;

const adopt = async (app: App, log: string): Promise<void> => {
  await app.open();
  const dialog = new ImportDialog(app);
  await dialog.open();
  await dialog.giveFile('given.coppice.jsonl', log);
  await dialog.openConversation();
  await app.settled();
  await expect(app.turns.first()).toBeAttached();
};

/** Shows a pane: alone on a phone, beside the others elsewhere. */
const show = async (app: App, pane: 'Forest' | 'Inspector'): Promise<void> => {
  const tab = app.page.getByRole('navigation', { name: 'Panes' }).getByRole('button', { name: pane });
  if (await tab.isVisible()) await tab.click();
  else if (!(await app.page.getByRole('region', { name: pane }).isVisible())) {
    await app.page.getByRole('button', { name: `Show ${pane.toLowerCase()}` }).click();
  }
};

const inspector =
  (tab: string): Scene =>
  async (app, { sample }) => {
    await adopt(app, sample);
    await show(app, 'Inspector');
    await app.inspector.getByRole('tab', { name: tab, exact: true }).click();
    await expect(app.inspector.getByRole('tabpanel')).not.toBeEmpty();
  };

const dialog =
  (name: string): Scene =>
  async (app) => {
    await app.open();
    await app.openDialog(name);
  };

/** The states to capture, by file name. */
export const scenes: Readonly<Record<string, Scene>> = {
  'first-visit': async (app) => {
    await app.open();
    await expect(app.button('Send')).toBeVisible();
  },
  sample: (app, { sample }) => adopt(app, sample),
  'sample-forest': async (app, { sample }) => {
    await adopt(app, sample);
    await show(app, 'Forest');
    await app.button('Show the whole forest').click();
  },
  'sample-outline': async (app, { sample }) => {
    await adopt(app, sample);
    await show(app, 'Forest');
    await app.showOutline();
  },
  'large-forest': async (app, { large }) => {
    await adopt(app, large);
    await show(app, 'Forest');
    await app.button('Show the whole forest').click();
  },
  replies: async (app) => {
    const turns = [
      { message: 'How do I read a CSV file in Python?', reply: code, ...paced },
      { message: 'What is six times seven?', reply: thinking, ...paced },
      { message: 'How do I begin a letter?', ...failed },
    ];
    await adopt(app, repliedLog(turns));
    await app.turn(1).locator('[data-kind]').first().waitFor();
  },
  'dialog-reply-settings': async (app) => {
    await app.open();
    await app.button('Reply settings').click();
    await expect(app.dialog('Reply settings')).toBeVisible();
  },
  'inspector-decision': inspector('Decision'),
  'inspector-context': inspector('Context'),
  'inspector-turn': inspector('Turn'),
  'dialog-import': dialog('Import'),
  'dialog-export': dialog('Export'),
  'dialog-models': dialog('Models'),
  'dialog-engine': dialog('Engine'),
  analysis: async (app, { sample }) => {
    await adopt(app, sample);
    await app.openDialog('Analysis');
  },
  'analysis-charts': async (app, { sample }) => {
    await adopt(app, sample);
    const shown = await app.openDialog('Analysis');
    await shown.getByRole('tab', { name: 'Charts' }).click();
    await expect(shown.getByRole('row', { name: /^truncation \d/ })).toBeVisible();
  },
  'dialog-evaluate': dialog('Evaluate'),
  'dialog-settings': dialog('Settings'),
  'dialog-studies': dialog('Studies'),
  'what-if': async (app, { sample }) => {
    await adopt(app, sample);
    await app.openDialog('What if');
  },
  compare: async (app, { sample }) => {
    await adopt(app, sample);
    const shown = await app.openDialog('Compare');
    await expect(shown.getByRole('region', { name: 'Costs' })).toBeVisible();
  },
  search: async (app, { sample }) => {
    await adopt(app, sample);
    await app.page.keyboard.press('Control+Shift+f');
    await app.page.getByRole('combobox', { name: 'Search' }).fill('train');
    await expect(app.page.getByRole('option').first()).toBeVisible();
  },
  'dialog-shortcuts': dialog('Shortcuts'),
  'dialog-conversations': async (app, { sample }) => {
    await adopt(app, sample);
    await app.listConversations();
  },
  'recently-deleted': async (app, { sample }) => {
    await adopt(app, sample);
    const items = await app.listConversations();
    await items.getByRole('button', { name: /^Delete / }).click();
    await expect(items).toHaveCount(0);
    await app.listConversations();
    await app.button('Recently deleted (1)').click();
    await expect(app.dialog('Recently deleted').getByRole('listitem')).toBeVisible();
  },
  'bad-file': async (app) => {
    await app.open();
    const given = new ImportDialog(app);
    await given.open();
    await given.giveFile('dialogue.jsonl', '{"role": "user", "content": "Hello"}\n{"role": "user", "cont');
    await expect(given.refusal).toBeVisible();
  },
  'not-saved': async (app) => {
    await app.page.addInitScript(() => {
      IDBFactory.prototype.open = () => {
        throw new DOMException('blocked', 'SecurityError');
      };
    });
    await app.open();
    await expect(app.problem).toBeVisible();
  },
};
