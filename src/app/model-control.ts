import type { Role } from '../domain/decision.ts';
import type { ModelFailureKind } from '../engine/model-failure.ts';

/* What the UI may know about models and ask of them. Implemented in models/roles; the state is part of AppState. */

/** A model for a role: the embedded one, the chat model, or another by its key in the offers. */
export type ModelChoice =
  | { readonly kind: 'embedded' }
  /** For decide and summarise: uses the chat model as well, on a separate engine if possible. */
  | { readonly kind: 'same-as-chat' }
  | { readonly kind: 'model'; readonly key: string };

/** Current state of a role's model. The chosen model differs from the one in use while it loads and after it failed. */
export interface RoleState {
  readonly choice: ModelChoice;
  /** Name of the chosen model. */
  readonly name: string;
  /** Name of the model in use. */
  readonly answering: string;
  /** A model that was chosen before and stays in use while the chosen one loads, or where it failed; null if there is none but the embedded one. */
  readonly previous: PreviousModel | null;
  /** The chosen model is awaited or failed, and only the embedded one is there: replies wait for it, and the embedded one does the other roles. */
  readonly missing: boolean;
  readonly state: 'idle' | 'loading' | 'ready' | 'busy' | 'failed';
  readonly progress: Progress | null;
  readonly failure: RoleFailure | null;
}

interface PreviousModel {
  readonly name: string;
  /** The address the conversation's text is sent to; null if it stays in the browser. */
  readonly leavesFor: string | null;
}

export interface Progress {
  readonly phase: 'downloading' | 'preparing' | 'embedding';
  /** Bytes, or turns while `embedding`. `total` is null if unknown. */
  readonly loaded: number;
  readonly total: number | null;
  /** Bytes per second over the last few seconds; null while unknown. */
  readonly speed: number | null;
  /** Seconds. */
  readonly timeLeft: number | null;
}

export interface RoleFailure {
  readonly kind: ModelFailureKind;
  /** What happened and what to do. */
  readonly message: string;
  /** HTTP status of a server's error response, e.g. 401. */
  readonly status?: number | undefined;
}

export type RuntimeName = 'webllm' | 'wllama' | 'transformers' | 'prompt-api' | 'server';

/** A model that can be chosen. */
export interface Offer {
  readonly key: string;
  readonly name: string;
  readonly runtime: RuntimeName;
  readonly roles: readonly Role[];
  /** One-line description for the user. */
  readonly about: string;
  /** Bytes; null if unknown. */
  readonly downloadBytes: number | null;
  readonly memoryBytes: number | null;
  /** How fast it runs on a typical machine of its kind; null if unknown. */
  readonly speed: 'fast' | 'medium' | 'slow' | null;
  /** SPDX id, or a name if there is none; null if unknown. */
  readonly licence: string | null;
  /** Why it does not fit this machine, and what would; null if it fits as far as can be determined. */
  readonly unfit: string | null;
  /** Added by the user; can be removed from the list. */
  readonly own: boolean;
  /** The address the conversation's text is sent to; null if it stays in the browser. */
  readonly leavesFor: string | null;
  /** Context window of a server's model in tokens, if set by the user. */
  readonly window?: number | undefined;
}

/** One model for every role, chosen for this machine. */
export interface RecommendedSet {
  readonly choices: Readonly<Record<Role, ModelChoice>>;
  readonly about: string;
  readonly downloadBytes: number;
}

/** Capabilities of this machine, tested and not only queried. */
export interface Machine {
  readonly webgpu:
    | {
        readonly state: 'works';
        readonly adapter: string;
        /** Runs on the CPU: much slower than a GPU. */
        readonly software: boolean;
        readonly shaderF16: boolean;
        /** Bytes. */
        readonly maxBuffer: number;
        /** 10⁹ floating-point operations per second, measured in a short run. */
        readonly gflops: number;
      }
    | { readonly state: 'missing' | 'broken'; readonly why: string };
  /** GB as reported (and rounded) by the browser; null if it does not report it. */
  readonly memory: number | null;
  /** Logical processors. */
  readonly threads: number;
  /** Threads that a model on the processor gets. */
  readonly modelThreads: number;
  /** Whether WASM may use several threads here (COOP and COEP). */
  readonly isolated: boolean;
  /** Whether WASM may use 64-bit addresses, without which no GGUF model runs. */
  readonly memory64: boolean;
  /** Bytes. */
  readonly storage: { readonly usage: number; readonly quota: number } | null;
  readonly promptApi: 'available' | 'downloadable' | 'downloading' | 'unavailable' | 'missing';
}

/** A model's files on this machine. */
export interface StoredModel {
  /** That of its offer, if there is one. */
  readonly key: string;
  readonly name: string;
  /** Bytes on this machine, and of the whole model; `total` is null while unknown. */
  readonly bytes: number;
  readonly total: number | null;
}

/** Whether all of a model is on this machine. Its total is not known before its download is over. */
export const isWhole = ({ bytes, total }: StoredModel): boolean => total !== null && bytes >= total;

/** Share of an offer's size, which may be an estimate, from which it may be whole: a total is only of the files begun. */
const NEARLY = 0.95;

/** Whether a model's files are all here. */
export const isKept = ({ key, downloadBytes }: Offer, stored: readonly StoredModel[]): boolean =>
  stored.some((one) => one.key === key && isWhole(one) && one.bytes >= NEARLY * (downloadBytes ?? 0));

/** Whether choosing a model downloads nothing. The browser downloads its own model when that is first used. */
export const needsNoDownload = (offer: Offer, stored: readonly StoredModel[]): boolean =>
  offer.runtime === 'server' || (offer.runtime === 'prompt-api' ? offer.downloadBytes === 0 : isKept(offer, stored));

/** What runs a model: `auto` uses a hardware GPU if there is one, `webgpu` accepts a software adapter as well. */
export type DeviceChoice = 'auto' | 'webgpu' | 'wasm';

/** A model added by the user. */
export type OwnModel =
  | { readonly runtime: 'webllm'; readonly modelId: string; readonly weights: string; readonly library: string }
  | { readonly runtime: 'wllama'; readonly hub: string; readonly embeds: boolean } // `owner/name/path/file.gguf`, or an address
  | { readonly runtime: 'wllama'; readonly file: File; readonly embeds: boolean }
  | ({ readonly runtime: 'transformers'; readonly task: 'embed' | 'generate'; readonly device: DeviceChoice } & (
      | { readonly hub: string } // `owner/name`
      | { readonly folder: readonly File[] }
    ))
  | {
      readonly runtime: 'server';
      readonly baseUrl: string;
      readonly model: string;
      readonly window?: number | undefined;
    }; // tokens; defaults to what the server reports

/** Where models come from, and which model is consulted. */
export interface ModelSettings {
  /** Address of the model hub, with the layout of Hugging Face's. */
  readonly hub: string;
  /** Language model to ask when the embedded decider is unsure; null for none. */
  readonly consult: ModelChoice | null;
}

/** May be called at any time; every call rejects with a ModelFailure whose message is meant for the user. */
export interface ModelControl {
  /** Tests the machine; the result is cached until called with `fresh`, except for the storage, which is as of now. */
  probe(fresh?: boolean): Promise<Machine>;
  offers(): Promise<readonly Offer[]>;
  recommended(): Promise<RecommendedSet | null>;
  /**
   * Loads a role's model and uses it from the next message on. The previous model answers until it is ready. Once a
   * language model decides, no model is consulted any more.
   */
  choose(role: Role, choice: ModelChoice): Promise<void>;
  /** If all are embedded, no model is consulted any more either. */
  chooseAll(choices: Readonly<Record<Role, ModelChoice>>): Promise<void>;
  /**
   * Stops loading, keeps what has been downloaded, and leaves the role with its previous model; where only the embedded one is
   * there, with the previous choice, which then counts as failed. `consult`: that of the consulted model.
   */
  cancel(role: Role | 'consult'): void;
  /** Retries loading after a failure. */
  retry(role: Role): Promise<void>;
  stored(): Promise<readonly StoredModel[]>;
  /** Deletes a model's files. A role that uses it falls back to the embedded model. */
  remove(key: string): Promise<void>;
  /** Adding the same model again replaces its earlier entry. */
  addOwn(model: OwnModel): Promise<Offer>;
  removeOwn(key: string): Promise<void>;
  /**
   * Returns the models of an OpenAI-compatible server, and its address in full. The key is kept for this session, or on this machine if `remember`
   * is set; an empty one stands for the key it already has.
   */
  connect(server: {
    readonly baseUrl: string;
    readonly key: string;
    readonly remember: boolean;
  }): Promise<{ readonly baseUrl: string; readonly models: readonly string[] }>;
  /** The addresses of the servers whose key is kept on this machine. */
  serversWithKey(): Promise<readonly string[]>;
  /** Forgets a server, its key and its models. */
  disconnect(baseUrl: string): Promise<void>;
  settings(): Promise<ModelSettings>;
  /** Setting the consulted model loads it, also if it is the same and has failed. */
  set(change: Partial<ModelSettings>): Promise<void>;
}
