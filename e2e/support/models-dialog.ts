import { expect, type Locator } from '@playwright/test';
import type { DeviceChoice, OwnModel } from '../../src/app/model-control.ts';
import { ROLE_WORDS } from '../../src/ui/parts/model-words.ts';
import type { App } from './app.ts';
import type { Hub } from './hub.ts';

type Role = keyof typeof ROLE_WORDS;
const PAGES = { overview: 'Overview', add: 'Add a model', server: 'Server', kept: 'Downloaded models' };
const STATE = /^(not loaded|(loading|preparing|comparing)( \d+ %)?|ready|busy|failed|refused \(\d+\))$/;

type PageName = Role | keyof typeof PAGES;

/** A user-supplied model, by address; `file` and `folder` are paths on this machine. */
type Own =
  | Extract<OwnModel, { runtime: 'webllm' }>
  | { readonly runtime: 'wllama'; readonly hub: string; readonly embeds?: boolean }
  | { readonly runtime: 'wllama'; readonly file: string; readonly embeds?: boolean }
  | ({ readonly runtime: 'transformers'; readonly task: 'embed' | 'generate'; readonly device?: DeviceChoice } & (
      | { readonly hub: string }
      | { readonly folder: string }
    ));

/** Page object for choosing models and watching their state. */
export class ModelsDialog {
  readonly #app: App;
  readonly root: Locator;
  /** The content of the open page. */
  readonly page: Locator;
  readonly pages: Locator;
  /** The role's model and its state, on a role's page. */
  readonly now: Locator;
  readonly offers: Locator;
  readonly unfit: Locator;

  constructor(app: App) {
    this.#app = app;
    this.root = app.dialog('Models');
    this.page = this.root.getByRole('region').first();
    this.pages = this.root.getByRole('navigation', { name: 'Pages' });
    this.now = this.root.getByRole('region', { name: 'Now' });
    this.offers = this.root.getByRole('list', { name: 'Models that fit' });
    this.unfit = this.root.getByRole('group', { name: 'Models that do not fit' });
  }

  /** Opens the dialog, if it is not open yet, at a page. */
  async open(page?: PageName): Promise<void> {
    if (!(await this.root.isVisible())) await this.#app.openDialog('Models');
    if (page !== undefined) await this.go(page);
  }

  async close(): Promise<void> {
    await this.button('Close').click();
    await expect(this.root).toHaveCount(0);
  }

  async go(page: PageName): Promise<void> {
    // On a phone the list and the page are not shown together.
    await expect(this.pages.or(this.button('All models')).first()).toBeVisible();
    if (!(await this.pages.isVisible())) await this.button('All models').click();
    await this.item(page).click();
    await expect(this.root.getByRole('region', { name: titleOf(page), exact: true })).toBeVisible();
  }

  /** A page's entry in the list; a role's entry shows its model and state. */
  item(page: PageName): Locator {
    return this.pages.getByRole('button', { name: new RegExp(`^${titleOf(page)}\\b`) });
  }

  button(name: string): Locator {
    return this.root.getByRole('button', { name, exact: true });
  }

  /** Chooses the model offered under a name for a role, even if it does not fit. */
  async choose(role: Role, offerName: string): Promise<void> {
    await this.open(role);
    await this.button(`Use ${offerName}`)
      .or(this.button(`Try ${offerName} anyway`))
      .click();
  }

  /** The state of a role's model, e.g. `loading 43 %` or `ready`, wherever the dialog is open. */
  async stateOf(role: Role): Promise<Locator> {
    await this.open(role);
    return this.now.getByText(STATE);
  }

  async cancel(role: Role): Promise<void> {
    await this.open(role);
    await this.now.getByRole('button', { name: 'Cancel' }).click();
  }

  /** Deletes a model's stored files. */
  async delete(name: string): Promise<void> {
    await this.open('kept');
    await this.button(`Delete ${name}`).click();
    await expect(this.kept.filter({ hasText: name })).toHaveCount(0);
  }

  /** The models stored on this machine, on their page. */
  get kept(): Locator {
    return this.root.getByRole('list', { name: 'Downloaded models' }).getByRole('listitem');
  }

  /** Connects to a server. The page then lists its models, or says why it failed. */
  async connect(server: { address: string; key?: string; remember?: boolean }): Promise<void> {
    await this.open('server');
    await this.root.getByLabel('Address', { exact: true }).fill(server.address);
    await this.root.getByLabel('Key', { exact: true }).fill(server.key ?? '');
    if (server.remember === true) await this.root.getByLabel('Keep the key on this machine').check();
    await this.button('Connect').click();
  }

  /** Connects to a server and adds one of its models to the lists. */
  async addServer(server: { address: string; key?: string; remember?: boolean; model: string }): Promise<void> {
    await this.connect(server);
    await this.button(`Add ${server.model}`).click();
    await expect(this.root.getByRole('group', { name: `Use ${server.model} for` })).toBeVisible();
  }

  /** Adds a user-supplied model to the lists. */
  async addOwn(model: Own): Promise<void> {
    await this.open('add');
    const forms = { wllama: 'GGUF', transformers: 'Transformers.js', webllm: 'WebLLM' };
    await this.button(forms[model.runtime]).click();
    if (model.runtime === 'webllm') {
      await this.root.getByLabel('Name', { exact: true }).fill(model.modelId);
      await this.root.getByLabel('Address of the weights').fill(model.weights);
      await this.root.getByLabel('Address of the library').fill(model.library);
    } else if ('hub' in model) await this.root.getByLabel(/^Hub id/).fill(model.hub);
    else if ('file' in model) await this.root.getByLabel('File', { exact: true }).setInputFiles(model.file);
    else await this.root.getByLabel('Folder', { exact: true }).setInputFiles(model.folder);
    if (model.runtime === 'wllama') await this.root.getByLabel(/embedding model/).setChecked(model.embeds ?? false);
    if (model.runtime === 'transformers') {
      await this.button(model.task === 'embed' ? 'Embeds' : 'Writes text').click();
      if (model.device === 'webgpu') await this.button('WebGPU').click();
    }
    await this.button('Add').click();
    await expect(this.root.getByRole('group', { name: /^Use .* for$/ })).toBeVisible();
  }

  /** Adds a model from a hub and uses it for a role, whose page is then open. */
  async useFromHub(hub: Hub, own: Own, role: Role): Promise<void> {
    await this.setHub(hub.address);
    await this.addOwn(own);
    await this.useAdded(role);
  }

  /** Uses the model just added for a role, whose page is then open. */
  async useAdded(role: Role): Promise<void> {
    const group = this.root.getByRole('group', { name: /^Use .* for$/ });
    await group.getByRole('button', { name: ROLE_WORDS[role].toLowerCase(), exact: true }).click();
    await expect(this.now).toBeVisible();
  }

  /** Uses a server's model for a role, and waits until it is ready. */
  async useServer(server: Parameters<ModelsDialog['addServer']>[0], role: Role): Promise<void> {
    await this.addServer(server);
    await this.useAdded(role);
    await expect(await this.stateOf(role)).toHaveText('ready');
  }

  /** Sets where models are downloaded from. */
  async setHub(address: string): Promise<void> {
    await this.open('add');
    const field = this.root.getByLabel('Address that models are downloaded from');
    await field.fill(address);
    await this.button('Save').click();
    await expect(this.button('Save')).toBeDisabled();
  }
}

const titleOf = (page: PageName): string =>
  page in PAGES ? PAGES[page as keyof typeof PAGES] : ROLE_WORDS[page as Role];
