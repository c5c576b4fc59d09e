import type {
  ModelChoice,
  ModelControl,
  Offer,
  OwnModel,
  RecommendedSet,
  StoredModel,
} from '../../app/model-control.ts';
import { Role } from '../../domain/decision.ts';
import { ModelFailure, type ModelFailureKind } from '../../engine/model-failure.ts';
import type { ChatModel, MissingModel, Models, TokenCounter } from '../../engine/ports.ts';
import { isOnServer } from '../runtimes/model-spec.ts';
import type { ModelState } from '../runtimes/runtime.ts';
import { type LibraryParts, ModelLibrary, type SettingsStore } from './model-library.ts';
import {
  createRoleModels,
  type RoleAssignment,
  type RoleModel,
  type RoleModels,
  type RoleModelsParts,
} from './role-models.ts';

export interface ModelRolesParts extends RoleModelsParts, LibraryParts {
  /** Token counter for a chat model that is still loading. */
  readonly tokens: TokenCounter;
  /** Loads the shipped embedder. */
  loadShippedEmbedder(): Promise<void>;
  recommend(): Promise<RecommendedSet | null>;
  probe: ModelControl['probe'];
}

/** Assigns models to roles: stores the user's choices, loads the models and provides the active ones. */
export class ModelRoles implements ModelControl {
  readonly #parts: ModelRolesParts;
  readonly #roles: RoleModels;
  readonly #library: ModelLibrary;

  constructor(parts: ModelRolesParts) {
    this.#parts = parts;
    const library = new ModelLibrary(parts);
    this.#library = library;
    this.#roles = createRoleModels(parts, (key) => library.specOf(key));
  }

  /** The active model of each role. */
  get models(): Models {
    const { decide, summarise, embed, consult } = this.#roles;
    const asked = consult.model;
    // Not while the shipped decider only stands in: what the user chose may be meant to keep messages here.
    const isAsked = decide.wanted.key === null;
    const missing = (['decide', 'summarise', 'embed', ...(isAsked ? (['consult'] as const) : [])] as const).flatMap(
      (role) => this.#missing(role) ?? [],
    );
    return {
      chat: this.#chat,
      decide: decide.model,
      summarise: summarise.model,
      embed: embed.model,
      ...(asked === null || !isAsked ? {} : { consult: asked }),
      ...(missing.length > 0 && { missing }),
    };
  }

  /** The model wanted for a role in which the shipped one stands in for it; null if none does. */
  #missing(role: MissingModel['role']): MissingModel | null {
    const model = this.#roles[role];
    if (!model.isMissing) return null;
    return {
      role,
      name: model.wanted.name,
      why: model.failure?.message ?? 'it is still loading',
      reload: () => {
        if (model.mayReturn) void this.#bringBack(model, false).catch(() => undefined);
      },
    };
  }

  /** Reads the stored choices and starts loading them. Replies requested meanwhile wait. */
  async open(store: SettingsStore): Promise<void> {
    await this.#library.open(store);
    const { choices, consult } = this.#library.settings;
    const left = await this.#parts.marks.left();
    for (const role of Role.options) {
      // Failures are shown in the role's state.
      if (choices[role].kind !== 'embedded') void this.#load(role, choices[role], left).catch(() => undefined);
    }
    if (consult === null) return;
    if (this.#roles.decide.wanted.key === null) void this.#loadConsult(consult, left).catch(() => undefined);
    else void this.#library.keep(() => ({ consult: null })).catch(() => undefined);
  }

  keyFor = (baseUrl: string): string => this.#library.keyFor(baseUrl);

  get hub(): string {
    return this.#library.settings.hub;
  }

  probe: ModelControl['probe'] = (fresh) => this.#parts.probe(fresh);

  async offers(): Promise<readonly Offer[]> {
    await this.#library.refresh();
    return (await this.#library.models()).map(({ offer }) => offer);
  }

  recommended(): Promise<RecommendedSet | null> {
    return this.#parts.recommend();
  }

  async choose(role: Role, choice: ModelChoice): Promise<void> {
    await all([
      this.#load(role, choice),
      ...(role === 'chat' ? this.#followers.map((one) => this.#loadSame(one)) : []),
      this.#library.keep(({ choices }) => ({ choices: { ...choices, [role]: choice } })),
    ]);
  }

  async chooseAll(choices: Readonly<Record<Role, ModelChoice>>): Promise<void> {
    const onlyShipped = Role.options.every((role) => choices[role].kind === 'embedded');
    await all([
      // The chat model first, since the others may be the same.
      ...Role.options.map((role) => this.#load(role, choices[role])),
      ...(onlyShipped ? [this.#loadConsult(null)] : []),
      ...(!onlyShipped && this.#followers.includes('consult') ? [this.#loadSame('consult')] : []),
      this.#library.keep(() => (onlyShipped ? { choices, consult: null } : { choices })),
    ]);
  }

  cancel(role: Role | 'consult'): void {
    const model = this.#roles[role];
    const followers = role === 'chat' ? this.#followers : [];
    model.cancel();
    this.#keepWanted(role);
    for (const one of followers) {
      this.#roles[one].cancel();
      const { key, choice } = this.#roles[one].wanted;
      const isSame = choice.kind === 'same-as-chat';
      if (isSame && key === model.wanted.key) continue;
      // What the chat is left without is not loaded for others instead: they keep what they had, or are left without it too.
      if (model.isMissing && model.failure !== null) {
        if (isSame) this.#roles[one].withhold({ ...model.wanted, choice }, model.failure);
        else this.#keepWanted(one);
        continue;
      }
      // Failures are shown in the role's state.
      this.#loadSame(one).catch(() => undefined);
    }
  }

  /** Stores what is wanted for a role as its choice. */
  #keepWanted(role: Role | 'consult'): void {
    const { choice } = this.#roles[role].wanted;
    void this.#library.keep(({ choices }) =>
      role === 'consult'
        ? { consult: choice.kind === 'embedded' ? null : choice }
        : { choices: { ...choices, [role]: choice } },
    );
  }

  async retry(role: Role): Promise<void> {
    const model = this.#roles[role];
    if (role === 'embed' && model.wanted.key === null) await this.#parts.loadShippedEmbedder();
    else await this.#bringBack(model, true);
  }

  /** Updates the shipped embedder's state; shown while it is the chosen one. */
  shippedEmbedder({ state, failure }: ModelState): void {
    const { choice, name, key } = this.#roles.embed.wanted;
    if (key !== null) return;
    const failed = failure === null ? null : { kind: 'worker-died' as const, message: failure };
    const isUsed = { answering: name, previous: null, missing: false };
    this.#parts.show('embed', { choice, name, ...isUsed, state, progress: null, failure: failed });
  }

  async stored(): Promise<readonly StoredModel[]> {
    // WebLLM stores its own files; all others are in one place.
    const [files, webllm] = await Promise.all([this.#parts.files(), this.#parts.runtimes.webllm()]);
    return [...(await files.list()), ...((await webllm.stored?.()) ?? [])];
  }

  async remove(key: string): Promise<void> {
    await this.#letGo((used) => used === key);
    if (key.startsWith('webllm:')) await (await this.#parts.runtimes.webllm()).remove?.(key);
    else await (await this.#parts.files()).remove(key);
  }

  async addOwn(model: OwnModel): Promise<Offer> {
    const offer = await this.#library.add(model);
    // Roles already using the model reload it with its new settings.
    for (const role of Role.options) {
      const { key, choice } = this.#roles[role].wanted;
      if (key === offer.key && choice.kind === 'model') await this.choose(role, choice);
    }
    const { key, choice } = this.#roles.consult.wanted;
    if (key === offer.key && choice.kind === 'model') await this.#loadConsult(choice);
    return offer;
  }

  async removeOwn(key: string): Promise<void> {
    await this.remove(key);
    await this.#library.drop(key);
  }

  async connect(server: Parameters<ModelControl['connect']>[0]): ReturnType<ModelControl['connect']> {
    const found = await this.#library.connect(server);
    this.#retryOn(found.baseUrl);
    return found;
  }

  async serversWithKey(): Promise<readonly string[]> {
    await this.#library.refresh();
    return this.#library.withKey;
  }

  async disconnect(baseUrl: string): Promise<void> {
    await this.#letGo((key) => isOnServer(key, baseUrl));
    await this.#library.disconnect(baseUrl);
  }

  async settings() {
    await this.#library.refresh();
    const { hub, consult } = this.#library.settings;
    return { hub, consult };
  }

  async set(change: Parameters<ModelControl['set']>[0]): Promise<void> {
    // Addresses of files are made by adding paths to it.
    const hub = change.hub?.replace(/\/+$/, '');
    await all([
      ...(change.consult === undefined ? [] : [this.#loadConsult(change.consult)]),
      this.#library.keep(() => (hub === undefined ? change : { ...change, hub })),
    ]);
  }

  /** The model that answers messages; never silently a different one from the one chosen. */
  get #chat(): ChatModel {
    const role = this.#roles.chat;
    const { name } = role.wanted;
    // Just chosen and still loading: the one before answers until it is ready.
    if (!role.isMissing) return role.model;
    const failed = (): ModelFailure =>
      role.failure === null
        ? new ModelFailure('closed', `${name} was not loaded. Try again.`)
        : new ModelFailure(role.failure.kind, role.failure.message);
    return waitingChat(name, this.#parts.tokens, (asked) => this.#arrival(asked), failed);
  }

  /**
   * The load of a missing chat model, begun again if the user asks for it or if what kept it away may be over; otherwise null,
   * and it waits for the user. Never rejects.
   */
  #arrival(asked: boolean): Promise<void> | null {
    const { chat } = this.#roles;
    if (chat.awaited !== null) return chat.awaited;
    const { failure, wanted } = chat;
    if (failure === null) return null;
    const isAway = SERVER_AWAY.has(failure.kind) && wanted.key?.startsWith('server:');
    if (!asked && !chat.mayReturn && !isAway) return null;
    const loading = this.#bringBack(chat, asked).catch(() => undefined);
    // Another may be chosen in its place meanwhile.
    return loading.then(() => chat.awaited ?? undefined);
  }

  async #bringBack(role: RoleModels[keyof RoleModels], asked: boolean): Promise<void> {
    const { failure } = role;
    await role.retry(asked);
    const { key } = role.wanted;
    // One that was only refused has not been loaded, so nobody has answered.
    if (failure === null || role.standsIn || key === null) return;
    const spec = await this.#library.specOf(key);
    if (spec.runtime === 'server') this.#retryOn(spec.baseUrl);
    if (role !== this.#roles.chat) return;
    // What was lost along with it, as all that ran on the same GPU.
    this.#retryWhere(({ mayReturn }) => mayReturn, false);
    // What was to use the same has failed for the same reason, which is over.
    if (asked) this.#retryWhere(({ wanted }) => wanted.choice.kind === 'same-as-chat');
  }

  /** The server has just answered, so what failed or was refused there is tried again. */
  #retryOn(baseUrl: string): void {
    this.#retryWhere(({ wanted: { key } }) => key !== null && isOnServer(key, baseUrl));
  }

  /** Failures are shown in the role's state. */
  #retryWhere(isMeant: (role: RoleModels[keyof RoleModels]) => boolean, asked = true): void {
    for (const role of Object.values(this.#roles)) {
      if (isMeant(role)) void role.retry(asked).catch(() => undefined);
    }
  }

  /** `left`: with the page, see `RoleModel.open`. */
  async #load(role: Role, choice: ModelChoice, left?: ReadonlySet<string>): Promise<void> {
    await loaded(this.#roles[role] as RoleModel<unknown>, this.#wanted(choice, role), left);
    if (role === 'decide') await this.#leaveConsult();
  }

  async #loadConsult(choice: ModelChoice | null, left?: ReadonlySet<string>): Promise<void> {
    await loaded(this.#roles.consult, this.#wanted(choice ?? { kind: 'embedded' }, 'decide'), left);
  }

  /** Once a language model decides, no other is asked: nothing would show that one is, or where its messages go. */
  async #leaveConsult(): Promise<void> {
    const { decide, consult } = this.#roles;
    if (decide.standsIn || decide.wanted.key === null || consult.wanted.choice.kind === 'embedded') return;
    await all([this.#loadConsult(null), this.#library.keep(() => ({ consult: null }))]);
  }

  /** Those that are to use the same model as the chat. */
  get #followers(): readonly Follower[] {
    return FOLLOWERS.filter((one) => this.#roles[one].wanted.choice.kind === 'same-as-chat');
  }

  #loadSame(one: Follower): Promise<void> {
    const choice = { kind: 'same-as-chat' } as const;
    return one === 'consult' ? this.#loadConsult(choice) : this.#load(one, choice);
  }

  #wanted(choice: ModelChoice, role: Role): RoleAssignment {
    if (choice.kind === 'model') return { choice, name: this.#library.nameOf(choice.key), key: choice.key };
    const { name, key } = this.#roles.chat.wanted;
    if (choice.kind === 'same-as-chat' && key !== null) return { choice, name, key };
    return { choice, name: this.#parts.embedded[role].name, key: null };
  }

  /** Stops using removed models: whoever is to use one gets the shipped one. What is the same as the chat stays the same. */
  async #letGo(isGone: (key: string) => boolean): Promise<void> {
    const wants = ({ wanted: { key } }: RoleModels[keyof RoleModels]): boolean => key !== null && isGone(key);
    const next = ({ wanted: { choice } }: RoleModels[keyof RoleModels]): ModelChoice =>
      choice.kind === 'same-as-chat' ? choice : { kind: 'embedded' };
    const { consult } = this.#roles;
    // Dropping a model forgets what was chosen.
    const wanting = Role.options
      .filter((role) => wants(this.#roles[role]))
      .map((role) => [role, next(this.#roles[role])] as const);
    const consulted = wants(consult) ? next(consult) : null;
    for (const role of Object.values(this.#roles)) role.drop(isGone);
    // The chat model first, since the others may be the same.
    for (const [role, choice] of wanting) await this.choose(role, choice);
    if (consulted !== null) await this.set({ consult: consulted.kind === 'embedded' ? null : consulted });
  }
}

const loaded = <T>(model: RoleModel<T>, wanted: RoleAssignment, left?: ReadonlySet<string>): Promise<void> =>
  left === undefined ? model.choose(wanted) : model.open(wanted, left);

/** Those that may use the same model as the chat. */
const FOLLOWERS = ['decide', 'summarise', 'consult'] as const;
type Follower = (typeof FOLLOWERS)[number];

/** Failures of a server that may be over by the next message, which asks it again; that can take seconds. */
const SERVER_AWAY: ReadonlySet<ModelFailureKind> = new Set(['unreachable', 'timeout', 'server-error', 'unauthorised']);

/** Waits for all loads, then throws the first failure, so that one failure does not hold up the others. */
const all = async (loads: readonly Promise<void>[]): Promise<void> => {
  const failed = (await Promise.allSettled(loads)).find((load) => load.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
};

/** Window in tokens to plan with until the model's own is known. */
const ASSUMED_WINDOW = 4096;

/** Placeholder for a chat model that is missing; replies wait for it to arrive. `failed` says why it did not load. */
const waitingChat = (
  name: string,
  tokens: TokenCounter,
  arrival: (asked: boolean) => Promise<void> | null,
  failed: () => Error,
): ChatModel => ({
  name,
  window: ASSUMED_WINDOW,
  tokens,
  prepare: async (signal, asked) => {
    const loading = arrival(asked);
    if (loading === null) return;
    const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    await Promise.race([loading, stopped]);
  },
  reply: () => ({
    [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(failed()) }),
  }),
});
