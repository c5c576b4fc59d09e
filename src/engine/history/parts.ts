import type { EngineParts } from '../core.ts';
import type { Lesson } from '../place/lessons.ts';
import type { Decider, Embedder, Models } from '../ports.ts';
import type { Settings } from '../settings.ts';

/** Deciders of which a re-run has its own: those that answer in the open conversation are never touched. */
export interface WhatIfDeciders {
  /** The embedded decider with what it makes of these lessons, oldest first. */
  taught(lessons: readonly Lesson[]): Promise<Decider>;
  readonly paperRule: Decider;
  readonly oneThreshold: Decider;
}

/** What re-runs of one conversation work with. */
export interface WhatIfParts {
  /** As they are chosen now. */
  readonly models: Models;
  readonly embedded: EngineParts['embedded'] & { readonly embed: Embedder };
  readonly deciders: WhatIfDeciders;
  /** All that there are; none where the decider may not learn. */
  readonly lessons: readonly Lesson[];
  /** As they are now. */
  readonly settings: Settings;
  /** Those of a version; null for one that is not known. */
  settingsOf(version: number): Settings | null;
  readonly vectors: EngineParts['vectors'];
  now(): number;
  newId(): string;
}

/** How a re-run gets on, and lets others in between. It rejects as soon as it sees that the signal has fired. */
export interface Going {
  /** Turns decided anew, of how many. */
  progress(done: number, of: number): void;
  /** Resolves when the page has had time for itself; at once where it needs none yet. */
  breathe(): Promise<void>;
  readonly signal: AbortSignal;
}
