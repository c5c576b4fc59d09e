import type { BranchAction, TopicAction } from '../../../domain/decision.ts';

/*
 * Measures decisions and contexts on labelled dialogues that the user provides. Nothing of it is loaded before they ask for
 * it, and their files leave the page only for a decider on a server that they choose to measure.
 */

/** A file as provided: identified by its path if it came in a folder, otherwise by its name. */
export interface GivenFile {
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  text(): Promise<string>;
}

/** A kind of file that can be used for measuring. */
export interface FileKind {
  readonly name: string;
  /** A short description of its content. */
  readonly about: string;
  /** Its place in a data folder, e.g. `sgd/*.json`. */
  readonly files: string;
}

/** Something that can be measured: a decider, a policy or a memory. */
export interface SubjectChoice {
  /** Identifier used in files and figures. */
  readonly name: string;
  /** Display name. */
  readonly title: string;
  readonly about: string;
  /** Whether measuring it may send the dialogues to a server; if so, it is only measured on request. */
  readonly leaves?: boolean;
}

export interface SubjectNames {
  readonly deciders: readonly string[];
  readonly policies: readonly string[];
}

/** Progress reporting and cancellation for a long task, which rejects as soon as it sees that the signal is aborted. */
export interface TaskMonitor {
  progress(done: number, of: number, what: string): void;
  readonly signal: AbortSignal;
}

export interface FileFailure {
  readonly path: string;
  /** Counts from 1; null if the error is not tied to a line. */
  readonly line: number | null;
  readonly message: string;
}

/** Dialogues that are, or were, measured together. */
export interface DataSetSummary {
  readonly name: string;
  readonly dialogues: number;
  readonly turns: number;
  /** Number of dialogues that the shipped decider was trained on, in whole or in part. */
  readonly trained: number;
  /** Whether it is composed from the dialogues of another set in this list. */
  readonly mixed: boolean;
}

/** The content found in the files. */
export interface EvaluationData {
  readonly sets: readonly DataSetSummary[];
  /** Number of dialogues without labels: only their context length can be measured. */
  readonly unlabelled: number;
  readonly leftOut: readonly { readonly path: string; readonly why: string }[];
  /** Files whose kind cannot be told: the user is asked. */
  readonly unknown: readonly string[];
  /** Rejects with a message for the user, or because the signal was aborted. */
  measure(subjects: SubjectNames, monitor: TaskMonitor, skippedSets?: ReadonlySet<string>): Promise<Measurements>;
}

/** One figure with its 95 % interval, which is NaN (null in a file) over a single dialogue; a row of `npm run eval -- --json`. */
export interface MetricEstimate {
  readonly dataset: string;
  readonly mode: string;
  readonly subject: string;
  readonly metric: string;
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly n: number;
}

/** Figures of one set, mode and kind: one metric per row, one subject per column. */
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
    /** One per subject. */
    readonly figures: readonly (MetricEstimate | null)[];
  }[];
}

/** How much of the needed content each policy's contexts include, by token budget. */
export interface NeedCurve {
  readonly dataset: string;
  readonly metric: string;
  readonly title: string;
  readonly lines: readonly {
    readonly subject: string;
    /** `x`: percent of the full history's tokens; `y`: the share. */
    readonly points: readonly { readonly x: number; readonly y: number }[];
    /** The policy at its own default size. */
    readonly own: { readonly x: number; readonly y: number } | null;
  }[];
  /** Percent of tokens for an oracle that sends exactly the labelled path; null if no path is labelled. */
  readonly oracle: number | null;
}

export interface EvaluatedPlace {
  readonly topic: TopicAction;
  readonly branch: BranchAction | null;
  /** Index of the turn it builds on; null if it opens a topic. */
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
  /** Whether the shipped decider was trained on it; if so, it is measured with weights fitted without it. */
  readonly trained: boolean;
}

export interface EvaluatedDecision {
  readonly dialogue: EvaluatedDialogue;
  /** Index in the dialogue, from 0. */
  readonly turn: number;
  readonly gold: EvaluatedPlace;
  readonly predicted: EvaluatedPlace;
  /** The turn it is under once it has been replied to, which may have moved it; null if it opens a topic. */
  readonly settledParent: number | null;
  /** Whether `gold` is a label; otherwise it is where the file has the turn, which is not measured. */
  readonly labelled: boolean;
  /** For the topic decision and the branch decision, 0–1; null if the decider gave none or was not asked. */
  readonly confidence: number | null;
  readonly branchConfidence: number | null;
  readonly disputed: boolean;
}

/** A confusion matrix of one subject. */
export interface Matrix {
  readonly kind: 'topic' | 'shift' | 'branch' | 'relation';
  readonly labelled: readonly string[];
  readonly decided: readonly string[];
  /** By label, then by answer; each cell is sorted least confident first. */
  readonly cells: readonly (readonly (readonly EvaluatedDecision[])[])[];
}

/** Selects one run of the measurement. */
export interface RunOf {
  readonly dataset: string;
  readonly mode: string;
  readonly subject: string;
}

export interface Measurements {
  readonly sets: readonly DataSetSummary[];
  readonly modes: readonly string[];
  /** Subjects with decisions to inspect, the shipped decider first. */
  readonly deciders: readonly string[];
  tables(dataset: string): FigureTable[];
  curves(dataset: string): readonly NeedCurve[];
  /** A sentence or two to show beside the figures of a set; null if there is nothing to add. */
  remark(dataset: string): string | null;
  matrices(run: RunOf): Matrix[];
  /** Every decision of a run in a dialogue, in order. */
  decisionsIn(dialogue: EvaluatedDialogue, run: RunOf): readonly EvaluatedDecision[];
  /** Notes that apply to every figure, in sentences. */
  readonly reading: readonly string[];
  /** Problems that did not affect any figure. */
  readonly notes: readonly string[];
  /** The figures as flat rows of `npm run eval -- --json`, under a header that says how they were measured. */
  rowsFile(): string;
  /** The report of `npm run eval -- --markdown`. */
  report(): string;
}

export interface Evaluation {
  readonly kinds: readonly FileKind[];
  deciders(): readonly SubjectChoice[];
  policies(): readonly SubjectChoice[];
  memories(): readonly SubjectChoice[];
  /** `namedKinds`: the kinds that the user gave for unknown files; null skips a file. */
  read(
    files: readonly GivenFile[],
    namedKinds: ReadonlyMap<string, string | null>,
    monitor: TaskMonitor,
  ): Promise<
    { readonly ok: true; readonly data: EvaluationData } | { readonly ok: false; readonly failure: FileFailure }
  >;
}
