import type { NodeId } from '../../../domain/forest.ts';
import type { Scene } from '../scene.ts';

/**
 * How a card stands for the turn that is looked at: what was recalled or is sent in full stands forward; what was passed
 * over, or left out of a context, steps back.
 */
export type Strength = 'forward' | 'quiet' | 'back';

/** A piece of what a policy keeps, as a card shows it. */
export interface PictureCard {
  readonly id: string;
  /** What it is called: “slot 2”, “Turn 4”. */
  readonly name: string;
  /** Its turn's number, of several how many they are; for where there is no room for words. */
  readonly number: string;
  readonly words: string;
  /** How it was rated, or what became of it; empty where there is nothing to say. */
  readonly note: string;
  readonly strength: Strength;
  /** Of the topic that most of its turns are from, which gives it its colour. */
  readonly order: number;
  /** The turns that it was made of. */
  readonly from: readonly NodeId[];
  /** Why it stands so, in words for the person. */
  readonly why: string;
}

/** A policy's own structure, ready to be drawn. */
export interface Picture {
  /** Its forest holds titles alone: what is on a card is in `cards`. */
  readonly scene: Scene;
  readonly cards: ReadonlyMap<string, PictureCard>;
  /** What stands forward, in the order in which it is sent. */
  readonly forward: readonly string[];
}
