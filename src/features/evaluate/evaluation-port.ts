import type { BranchAction, TopicAction } from '../../domain/decision.ts';

/*
 * Measuring decisions and contexts on labelled dialogues that a person gives. Nothing of it is loaded before
 * they ask for it, and nothing of their files leaves the page.
 */

/** A file as it was given: with its path in the folder where it came in one, else its name. */
export interface GivenFile {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  text(): Promise<string>;
}

/** A kind of file that can be measured on. */
export interface FileKind {
  readonly name: string;
  /** What is in it, in a few words. */
  readonly about: string;
  /** Where it lies in a data folder, e.g. `sgd/*.json`. */
  readonly files: string;
}

/** Something that can be measured: a decider, a policy or a memory. */
export interface SubjectChoice {
  /** As files and figures have it. */
  readonly name: string;
  /** As the person reads it. */
  readonly title: string;
  readonly about: string;
}

export interface SubjectNames {
  readonly deciders: readonly string[];
  readonly policies: readonly string[];
}

/** Where a long task reports its progress, and what cancels it: it rejects as soon as it sees that the signal has fired. */
export interface TaskMonitor {
  progress(done: number, of: number, what: string): void;
  readonly signal: AbortSignal;
}

export interface FileFailure {
  readonly path: string;
  /** From 1; null where no line is to blame. */
  readonly line: number | null;
  readonly message: string;
}

/** Dialogues that will be, or were, measured together. */
export interface DataSetSummary {
  readonly name: string;
  readonly dialogues: number;
  readonly turns: number;
  /** How many of the dialogues the shipped decider was trained on, or on a part of. */
  readonly trained: number;
  /** Put together from the dialogues of another set of these. */
  readonly mixed: boolean;
}

/** What was found in the files. */
export interface EvaluationData {
  readonly sets: readonly DataSetSummary[];
  /** Dialogues without labels: only the length of their contexts can be measured. */
  readonly unlabelled: number;
  readonly leftOut: readonly { readonly path: string; readonly why: string }[];
  /** Files that could be of any kind: the person is asked. */
  readonly unknown: readonly string[];
  /** Rejects with words for the person, or because the signal fired. */
  measure(subjects: SubjectNames, monitor: TaskMonitor, skippedSets?: ReadonlySet<string>): Promise<Measurements>;
}

/** One figure with its 95 % interval; a row of `npm run eval -- --json`. */
export interface Figure {
  readonly dataset: string;
  readonly mode: string;
  readonly subject: string;
  readonly metric: string;
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly n: number;
}

/** Figures of one set, mode and kind: a metric a line, a subject a column. */
export interface FigureTable {
  readonly dataset: string;
  readonly mode: string;
  readonly kind: 'decisions' | 'contexts';
  readonly subjects: readonly string[];
  readonly metrics: readonly {
    readonly name: string;
    readonly definition: string;
    /** Shares lie between 0 and 1; tokens do not. */
    readonly unit: 'share' | 'tokens';
    /** One for each subject. */
    readonly figures: readonly (Figure | null)[];
  }[];
}

/** How much of what is needed the contexts of each policy have, by how much they may send. */
export interface NeedCurve {
  readonly dataset: string;
  readonly metric: string;
  readonly title: string;
  readonly lines: readonly {
    readonly subject: string;
    /** Across, per cent of the full history's tokens; up, the share. */
    readonly points: readonly { readonly x: number; readonly y: number }[];
    /** Where the policy stands of its own accord. */
    readonly own: { readonly x: number; readonly y: number } | null;
  }[];
  /** Per cent that an oracle would pay that sends exactly the labelled path; null where no path is labelled. */
  readonly oracle: number | null;
}

export interface EvaluatedPlace {
  readonly topic: TopicAction;
  readonly branch: BranchAction | null;
  /** Index of the turn it builds on; null where it opens a topic. */
  readonly parent: number | null;
  readonly fork: boolean;
}

export interface EvaluatedDialogue {
  readonly id: string;
  readonly turns: readonly {
    readonly message: string;
    readonly reply: string | null;
    readonly parent: number | null;
  }[];
  /** The shipped decider was trained on it: it is measured with weights that were fitted without it. */
  readonly trained: boolean;
}

export interface EvaluatedDecision {
  readonly dialogue: EvaluatedDialogue;
  /** Index in the dialogue, from 0. */
  readonly turn: number;
  readonly gold: EvaluatedPlace;
  readonly predicted: EvaluatedPlace;
  /** Of the topic decision and of the branch decision, 0–1; null where the decider gave none or was not asked. */
  readonly confidence: number | null;
  readonly branchConfidence: number | null;
  readonly disputed: boolean;
}

/** What one subject took for what. */
export interface Matrix {
  readonly kind: 'topic' | 'shift' | 'branch' | 'relation';
  readonly labelled: readonly string[];
  readonly decided: readonly string[];
  /** By label, then by answer, least confident first. */
  readonly cells: readonly (readonly (readonly EvaluatedDecision[])[])[];
}

/** What of the run is looked at. */
export interface RunOf {
  readonly dataset: string;
  readonly mode: string;
  readonly subject: string;
}

export interface Measurements {
  readonly sets: readonly DataSetSummary[];
  readonly modes: readonly string[];
  /** What has decisions to look at, the decider that ships first. */
  readonly deciders: readonly string[];
  tables(dataset: string): FigureTable[];
  curves(dataset: string): readonly NeedCurve[];
  /** What has to be said beside the figures of a set, in a sentence or two; null where nothing has. */
  remark(dataset: string): string | null;
  matrices(run: RunOf): Matrix[];
  /** Every decision of a run in a dialogue, in order. */
  decisionsIn(dialogue: EvaluatedDialogue, run: RunOf): readonly EvaluatedDecision[];
  /** What holds for every figure, in sentences. */
  readonly reading: readonly string[];
  /** What did not go as it should without spoiling a figure. */
  readonly notes: readonly string[];
  /** The figures as the flat rows of `npm run eval -- --json`, under a head that says what they were measured with. */
  rowsFile(): string;
  /** The report of `npm run eval -- --markdown`. */
  report(): string;
}

export interface Evaluation {
  readonly kinds: readonly FileKind[];
  deciders(): readonly SubjectChoice[];
  policies(): readonly SubjectChoice[];
  memories(): readonly SubjectChoice[];
  /** `namedKinds`: what the person said that unknown files are; null leaves a file out. */
  read(
    files: readonly GivenFile[],
    namedKinds: ReadonlyMap<string, string | null>,
    monitor: TaskMonitor,
  ): Promise<
    { readonly ok: true; readonly data: EvaluationData } | { readonly ok: false; readonly failure: FileFailure }
  >;
}
