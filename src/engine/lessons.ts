import type { BranchAction, Reason, TopicAction } from '../domain/decision.ts';
import type { NodeId, TreeId } from '../domain/forest.ts';
import type { BranchQuestion, TopicQuestion } from './ports.ts';

/*
 * What the decider learns from the person: ports for making lessons and learning from them, and for storing them.
 * Lessons never leave the machine except by the person's own export.
 */

/** The questions about a turn as they stood when it was decided, and the answers the person says are right. */
export interface PastQuestions {
  /** `target`: the topic it belongs in; null for a new one. */
  readonly topic: { readonly question: TopicQuestion; readonly target: TreeId | null };
  /** `parentId`: the turn it hangs from. null if no branch question arises. */
  readonly branch: { readonly question: BranchQuestion; readonly parentId: NodeId } | null;
}

/** Feature values of a message or a choice, by name; a missing one is 0. */
export type Facts = Readonly<Record<string, number>>;

export interface LessonChoice {
  readonly action: TopicAction | BranchAction;
  /** Log-odds that the decider gives it without any lessons, up to a constant. */
  readonly base: number;
  readonly facts: Facts;
}

/**
 * A decision that the person corrected or confirmed, in the form the decider learns from: named features and the right
 * choice. It holds no words of the message beyond those its `facts` name.
 */
export interface Lesson {
  readonly conversationId: string;
  readonly nodeId: NodeId;
  readonly question: 'topic' | 'branch';
  readonly by: 'correction' | 'confirmation';
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly message: Facts;
  readonly choices: readonly LessonChoice[];
  /** Index of the right choice. */
  readonly right: number;
}

/** The question that a lesson answers, as a key. */
export const lessonKey = ({ conversationId, nodeId, question }: Lesson): string =>
  JSON.stringify([conversationId, nodeId, question]);

/** What the `conversationId` of a lesson from a study's gold begins with; those of conversations do not. */
export const STUDY_LESSONS = 'study:';

/** Whether a lesson comes from a study's gold, not from the person's own conversations. */
export const isOfStudy = ({ conversationId }: Pick<Lesson, 'conversationId'>): boolean =>
  conversationId.startsWith(STUDY_LESSONS);

/** A lesson without the turn it comes from. */
export type TurnLesson = Pick<Lesson, 'question' | 'message' | 'choices' | 'right'>;

/** What a decider learned from the person's lessons. */
export interface LearningReport {
  /** How many lessons it learned from; beyond a limit, those of studies are left out first, then the oldest. */
  readonly lessons: number;
  /** The person's own corrections among them, by turn, and how many would still be decided against the person. */
  readonly corrections: { readonly of: number; readonly missed: number };
  /** Share of what was learned that is applied, 0–1; below 1 if applying all of it would harm general questions. */
  readonly share: number;
  /** The strongest of what was learned, in words with log-odds; strongest first. */
  readonly reasons: readonly Reason[];
  /** Everything learned: log-odds by action and fact. */
  readonly weights: Readonly<Record<string, number>>;
}

/** The report where there are no lessons. */
export const NOTHING_LEARNED: LearningReport = {
  lessons: 0,
  corrections: { of: 0, missed: 0 },
  share: 1,
  reasons: [],
  weights: {},
};

/** Learns from the person's corrections what the embedded decider does not know. */
export interface Learner {
  /** Returns what one turn teaches. */
  lessonsOf(questions: PastQuestions): Promise<readonly TurnLesson[]>;
  /** Discards what it learned and learns from these instead; given none, it decides as shipped. */
  learn(lessons: readonly Lesson[]): Promise<LearningReport>;
}

/** A turn in any conversation. */
interface TurnRef {
  readonly conversationId: string;
  readonly nodeId: NodeId;
}

/** Stores lessons. Rejects with a StorageFailure. */
export interface LessonStorage {
  /** Returns all lessons, oldest first. A damaged one is skipped. */
  lessons(): Promise<Lesson[]>;
  /** Stores a turn's lessons in place of its earlier ones; an empty list removes them. */
  saveLessons(turn: TurnRef, lessons: readonly Lesson[]): Promise<void>;
  /** Replaces all lessons. */
  replaceLessons(lessons: readonly Lesson[]): Promise<void>;
  /** Whether the person lets the decider learn; true until they say otherwise. */
  learns(): Promise<boolean>;
  setLearns(learns: boolean): Promise<void>;
  /** Whether learning is paused: labels are kept, no lessons are made from them, and what was learned stays as is. */
  learningRests(): Promise<boolean>;
  setLearningRests(rests: boolean): Promise<void>;
}
