import type { Context } from '../../domain/context.ts';
import type { Trace } from '../../domain/decision.ts';
import type { Entry } from '../../domain/entry.ts';
import { ALL_POLICIES } from '../context/policies/policies.ts';
import type { Policy } from '../context/policy.ts';
import type { Lesson } from '../lessons.ts';
import { knownParameters } from '../parameters.ts';
import type { ChatModel, Decider, Embedder, Models, TokenCounter } from '../ports.ts';
import { type Prompts, type Settings, SHIPPED_SETTINGS } from '../settings.ts';
import type { Storage } from '../storage.ts';
import { contentHash, embeddingText } from '../vectors/node-vectors.ts';
import type { WhatIf, WhatIfDecider, WhatIfParts } from './what-if.ts';

/** Shared by the re-runs of one conversation, so that only the first has to embed, count and learn. */
export class RerunModels {
  readonly parts: WhatIfParts;
  /** Without the model asked where the decider is unsure, which only the chosen decider has. */
  readonly models: Models;
  readonly deciders: PastDeciders;
  readonly #chosen: ReturnType<typeof cachedEmbedder>;
  readonly #embedded: ReturnType<typeof cachedEmbedder>;

  constructor(parts: WhatIfParts) {
    this.parts = parts;
    const { embedded, vectors } = parts;
    // A re-run has what answers now under its own name, and not in the place of another.
    const { consult: _, missing: __, ...models } = parts.models;
    this.models = { ...models, chat: countingOnce(models.chat) };
    this.deciders = new PastDeciders(parts);
    this.#chosen = cachedEmbedder(models.embed, vectors);
    this.#embedded = models.embed === embedded.embed ? this.#chosen : cachedEmbedder(embedded.embed, vectors);
  }

  embedder({ embedder }: WhatIf): Embedder {
    return embedder === 'embedded' ? this.#embedded : this.#chosen;
  }

  settingsKnown(question: WhatIf): SettingsHistory {
    const { settings, settingsOf } = this.parts;
    return { now: settings, of: settingsOf, embedder: this.embedder(question) };
  }

  /** Looks up, all at once, the stored vectors of a conversation's messages. */
  async prepare(entries: readonly Entry[], { embedder }: WhatIf): Promise<void> {
    const messages = entries.flatMap(({ event }) => (event.type === 'message-sent' ? [event.message] : []));
    await (embedder === 'embedded' ? this.#embedded : this.#chosen).recall(messages);
  }
}

/** Counts the tokens of each text once, however many re-runs ask. */
const countingOnce = (chat: ChatModel): ChatModel => {
  const known = new Map<string, number>();
  const tokens: TokenCounter = {
    name: chat.tokens.name,
    count: async (texts) => {
      const missing = [...new Set(texts)].filter((text) => !known.has(text));
      const counts = missing.length === 0 ? [] : await chat.tokens.count(missing);
      missing.forEach((text, at) => {
        known.set(text, counts[at] as number);
      });
      return texts.map((text) => known.get(text) as number);
    },
  };
  return {
    name: chat.name,
    window: chat.window,
    sees: chat.sees === true,
    tokens,
    reply: (request, signal) => chat.reply(request, signal),
  };
};

/** The models asked about a turn, and the fallback decider. */
export interface DecidingModels {
  readonly models: Pick<Models, 'decide' | 'consult'>;
  readonly embedded: Decider;
}

/** The deciders of re-runs, as they would have answered at a given moment. Created once per state of the lessons. */
class PastDeciders {
  readonly #parts: Pick<WhatIfParts, 'models' | 'embedded' | 'deciders'>;
  /** Oldest first. */
  readonly #lessons: readonly Lesson[];
  readonly #taught = new Map<number, Promise<Decider>>();

  constructor({ lessons, ...parts }: Pick<WhatIfParts, 'models' | 'embedded' | 'deciders' | 'lessons'>) {
    this.#parts = parts;
    this.#lessons = [...lessons].sort((a, b) => a.at - b.at);
  }

  /** `at`: milliseconds since 1970. */
  async asked(who: WhatIfDecider, at: number): Promise<DecidingModels> {
    const { models, embedded, deciders } = this.#parts;
    const own = await this.#knowing(who === 'embedded-untaught' ? 0 : this.#knownAt(at));
    switch (who) {
      case 'chosen': {
        const { decide, consult } = models;
        const first = decide.name === embedded.decide.name ? own : decide;
        return { models: { decide: first, ...(consult && { consult }) }, embedded: own };
      }
      case 'embedded':
      case 'embedded-untaught':
        return { models: { decide: own }, embedded: own };
      case 'embedded-taught': {
        const all = await this.#knowing(this.#lessons.length);
        return { models: { decide: all }, embedded: all };
      }
      case 'paper-rule':
        return { models: { decide: deciders.paperRule }, embedded: own };
      case 'one-threshold':
        return { models: { decide: deciders.oneThreshold }, embedded: own };
    }
  }

  /** Number of lessons that existed at that moment. */
  #knownAt(at: number): number {
    const later = this.#lessons.findIndex((lesson) => lesson.at >= at);
    return later === -1 ? this.#lessons.length : later;
  }

  #knowing(count: number): Promise<Decider> {
    let decider = this.#taught.get(count);
    if (decider === undefined) {
      decider = this.#parts.deciders.taught(this.#lessons.slice(0, count));
      this.#taught.set(count, decider);
      // A later request tries again.
      decider.catch(() => this.#taught.delete(count));
    }
    return decider;
  }
}

/**
 * An embedder that caches its results and uses those stored earlier: a re-run embeds nothing twice. New texts are
 * embedded one at a time, as they were originally.
 */
const cachedEmbedder = (
  embedder: Embedder,
  cache: Pick<Storage, 'readVectors' | 'saveVectors'>,
): Embedder & { recall(messages: readonly string[]): Promise<void> } => {
  const known = new Map<string, Float32Array>();
  const made = async (text: string, signal?: AbortSignal): Promise<Float32Array> => {
    const [vector] = await embedder.embed([text], signal);
    if (vector === undefined) throw new Error(`${embedder.name} gave no vector`);
    known.set(text, vector);
    return vector;
  };
  return {
    name: embedder.name,
    dimensions: embedder.dimensions,
    theta: embedder.theta,
    languages: embedder.languages ?? null,
    embed: async (texts, signal) => {
      const vectors: Float32Array[] = [];
      for (const text of texts) vectors.push(known.get(text) ?? (await made(text, signal)));
      return vectors;
    },
    /** Looks up messages among the stored vectors, all at once. */
    recall: async (messages) => {
      const texts = [...new Set(messages.map((message) => embeddingText({ message })))].filter(
        (text) => !known.has(text),
      );
      const found = await cache.readVectors(embedder.name, texts.map(contentHash));
      texts.forEach((text, at) => {
        const vector = found[at];
        if (vector !== undefined) known.set(text, vector);
      });
    },
  };
};

/** What a re-run can know about the settings at a given moment. */
interface SettingsHistory {
  readonly now: Settings;
  of(version: number): Settings | null;
  readonly embedder: Pick<Embedder, 'name' | 'theta'>;
}

/** The settings that a turn is decided with: those of `base`, overridden by what the question changes. */
export const settingsFor = (trace: Trace | null, question: WhatIf, known: SettingsHistory): Settings => {
  const base = question.base === 'now' ? known.now : settingsThen(trace, known);
  return {
    version: base.version,
    policy: namedPolicy(question.policy) ?? base.policy,
    parameters: { ...base.parameters, ...question.parameters },
    prompts: { ...base.prompts, ...question.prompts },
  };
};

/**
 * The settings that a reply is sent with: as it was, those of that reply, which may be a later one than the turn was
 * decided for. `decided`: those for the turn, overridden by what the question changes.
 */
export const settingsForReply = (decided: Settings, sent: Context, question: WhatIf): Settings => {
  if (question.base === 'now') return decided;
  const { settings, policy, fallbacks = [] } = sent;
  // Where the embedder failed, another policy stood in for the chosen one.
  const isChosen = fallbacks.every(({ role }) => role !== 'embed');
  return {
    ...decided,
    policy: namedPolicy(question.policy) ?? (isChosen ? namedPolicy(policy) : null) ?? decided.policy,
    ...(settings && {
      version: settings.version,
      parameters: { ...knownParameters(settings), ...question.parameters },
    }),
  };
};

/** Above any decider's confidence. */
const NEVER = 2;

/** The settings named by a trace; the shipped ones without a trace. */
const settingsThen = (trace: Trace | null, { of, embedder }: SettingsHistory): Settings => {
  if (trace === null) return SHIPPED_SETTINGS;
  const { settings, fork } = trace;
  const policy = namedPolicy(trace.policy) ?? SHIPPED_SETTINGS.policy;
  const ownTheta = policy.theta ?? embedder.theta;
  // If the embedder's own θ has been recalibrated since, uses the one of that time.
  const other = trace.embedder === embedder.name && fork.theta !== null && fork.theta !== ownTheta;
  return {
    version: settings?.version ?? 0,
    policy,
    parameters: {
      ...(settings?.reconsiders !== true && { reconsiderFrom: NEVER }),
      ...knownParameters(settings),
      ...(other && { theta: fork.theta }),
    },
    prompts: promptsThen(trace, settings === undefined ? null : of(settings.version)),
  };
};

/**
 * The wording is stored with the settings version, and in what a language model was asked; the latter counts if they
 * differ, since a version number of another device means other settings here.
 */
const promptsThen = ({ settings, topic, branch }: Trace, version: Settings | null): Partial<Prompts> => {
  const names = settings?.prompts ?? [];
  const saved = version?.prompts ?? {};
  // A model may have been told more after it.
  const either = (asked: string | undefined, of: string | undefined): string | undefined =>
    asked === undefined || (of !== undefined && asked.startsWith(of)) ? of : asked;
  const words = {
    ...saved,
    // The prompt stored with a path is not one the user can set.
    topic: topic.rule === 'asked-by-path' ? saved.topic : either(topic.answer?.prompt?.[0]?.content, saved.topic),
    branch: either(branch.answer?.prompt?.[0]?.content, saved.branch),
  };
  return Object.fromEntries(
    Object.entries(words).filter(([name, text]) => names.includes(name) && text !== undefined),
  ) as Partial<Prompts>;
};

/** Null if no policy has that name. */
const namedPolicy = (name: string | null): Policy | null => ALL_POLICIES.find((one) => one.name === name) ?? null;
