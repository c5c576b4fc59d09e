import type { Role } from '../domain/decision.ts';
import type { ModelFailureKind } from '../engine/model-failure.ts';

/*
 * What the interface may know and ask of models. Implemented in models/roles; the state is part of AppState.
 */

/** A model for a role: what ships, the one that chats, or another by its key in the offers. */
export type Choice =
  | { readonly kind: 'embedded' }
  /** For decide and summarise: the chat model does it, too, on an engine of its own where it can. */
  | { readonly kind: 'same-as-chat' }
  | { readonly kind: 'model'; readonly key: string };

/** A role's model as it stands. What is chosen and what answers differ while it loads and after it failed. */
export interface RoleState {
  readonly choice: Choice;
  /** Name of the chosen model. */
  readonly name: string;
  readonly state: 'idle' | 'loading' | 'ready' | 'busy' | 'failed';
  readonly progress: Progress | null;
  readonly failure: RoleFailure | null;
}

export interface Progress {
  readonly phase: 'downloading' | 'preparing' | 'embedding';
  /** Bytes; while `embedding`, turns. `total` null: unknown. */
  readonly loaded: number;
  readonly total: number | null;
  /** Bytes a second over the last seconds; null while it is not known. */
  readonly speed: number | null;
  /** Seconds. */
  readonly timeLeft: number | null;
}

export interface RoleFailure {
  readonly kind: ModelFailureKind;
  /** What happened and what to do. */
  readonly message: string;
  /** What a server answered with in place of what it was asked for, e.g. 401. */
  readonly status?: number | undefined;
}

export type RuntimeName = 'webllm' | 'wllama' | 'transformers' | 'prompt-api' | 'server';

/** A model that can be chosen. */
export interface Offer {
  readonly key: string;
  readonly name: string;
  readonly runtime: RuntimeName;
  readonly roles: readonly Role[];
  /** One line for people who choose. */
  readonly about: string;
  /** Bytes; null where it is not known. */
  readonly downloadBytes: number | null;
  readonly memoryBytes: number | null;
  /** How fast a usual machine of its kind runs it; null where it is not known. */
  readonly speed: 'fast' | 'medium' | 'slow' | null;
  /** SPDX id, or a name where there is none; null where it is not known. */
  readonly licence: string | null;
  /** Why it does not fit this machine, and what would; null if it fits, as far as can be told. */
  readonly unfit: string | null;
  /** The person's own; it can be removed from the list. */
  readonly own: boolean;
  /** The address that the conversation's text leaves the browser for; null where it does not. */
  readonly leavesFor: string | null;
  /** Tokens of a server's model, where the person has set them. */
  readonly window?: number | undefined;
}

/** One model for every role, for a machine like this. */
export interface RecommendedSet {
  readonly choices: Readonly<Record<Role, Choice>>;
  readonly about: string;
  readonly downloadBytes: number;
}

/** What this machine can do, tried and not only asked. */
export interface Machine {
  readonly webgpu:
    | {
        readonly state: 'works';
        readonly adapter: string;
        /** Runs on the processor: much slower than a GPU. */
        readonly software: boolean;
        readonly shaderF16: boolean;
        /** Bytes. */
        readonly maxBuffer: number;
        /** 10⁹ floating-point operations a second in a small run. */
        readonly gflops: number;
      }
    | { readonly state: 'missing' | 'broken'; readonly why: string };
  /** GB as the browser tells, rounded by it; null where it does not. */
  readonly memory: number | null;
  readonly threads: number;
  /** Whether WASM may use several threads here (COOP and COEP). */
  readonly isolated: boolean;
  /** Bytes. */
  readonly storage: { readonly usage: number; readonly quota: number } | null;
  readonly promptApi: 'available' | 'downloadable' | 'downloading' | 'unavailable' | 'missing';
}

/** A model's files on this machine. `key` is that of the offer where there is one. */
export interface StoredModel {
  readonly key: string;
  readonly name: string;
  readonly bytes: number;
  readonly total: number | null;
}

/** What runs a model: `auto` is a real GPU where there is one, `webgpu` also one in software. */
export type Device = 'auto' | 'webgpu' | 'wasm';

/** A model of the person's own. */
export type OwnModel =
  | { readonly runtime: 'webllm'; readonly modelId: string; readonly weights: string; readonly library: string }
  | { readonly runtime: 'wllama'; readonly hub: string; readonly embeds: boolean } // `owner/name/path/file.gguf`, or an address
  | { readonly runtime: 'wllama'; readonly file: File; readonly embeds: boolean }
  | ({ readonly runtime: 'transformers'; readonly task: 'embed' | 'generate'; readonly device: Device } & (
      | { readonly hub: string } // `owner/name`
      | { readonly folder: readonly File[] }
    ))
  | {
      readonly runtime: 'server';
      readonly baseUrl: string;
      readonly model: string;
      readonly window?: number | undefined;
    }; // tokens; left out, what the server tells

/** Settings of where models come from. */
export interface ModelSettings {
  /** Address of the model hub, in the layout of Hugging Face's. */
  readonly hub: string;
  /** Ask a language model where the embedded decider is unsure; null for nobody. */
  readonly consult: Choice | null;
}

/** May be asked any time; every call rejects with a ModelFailure, whose message is for the person. */
export interface ModelControl {
  /** Tries the machine; the same answer until `again`. */
  probe(again?: boolean): Promise<Machine>;
  offers(): Promise<readonly Offer[]>;
  recommended(): Promise<RecommendedSet | null>;
  /** Loads a role's model and uses it from the next message on. Until it is ready the one before answers. */
  choose(role: Role, choice: Choice): Promise<void>;
  chooseAll(choices: Readonly<Record<Role, Choice>>): Promise<void>;
  /** Ends loading, keeps what came, and leaves the role with the model that it had. */
  cancel(role: Role): void;
  /** Loads again after a failure. */
  retry(role: Role): Promise<void>;
  stored(): Promise<readonly StoredModel[]>;
  /** Deletes a model's files. A role that uses it falls back to the embedded model. */
  remove(key: string): Promise<void>;
  /** The same model again takes the place of what was known of it. */
  addOwn(model: OwnModel): Promise<Offer>;
  removeOwn(key: string): Promise<void>;
  /** Models of an OpenAI-compatible server. The key is kept for this session, or on this machine if so asked. */
  connect(server: {
    readonly baseUrl: string;
    readonly key: string;
    readonly remember: boolean;
  }): Promise<readonly string[]>;
  /** Forgets a server, its key and its models. */
  disconnect(baseUrl: string): Promise<void>;
  settings(): Promise<ModelSettings>;
  set(change: Partial<ModelSettings>): Promise<void>;
}
