import type { BranchAction, Reason, TopicAction } from '../../domain/decision.ts';
import type { NodeId, TreeId } from '../../domain/forest.ts';
import type { BranchQuestion, TopicQuestion } from '../ports.ts';

/*
 * What the decider learns from the person: the ports of what makes lessons and learns from them, and of what
 * keeps them. Lessons never leave the machine but by the person's own export.
 */

/** The questions about a turn as they stood when it was decided, and what the person says is right. */
export interface PastQuestions {
  /** `target`: the topic it belongs in; null for a new one. */
  readonly topic: { readonly question: TopicQuestion; readonly target: TreeId | null };
  /** `parentId`: the turn it hangs from. null where no branch question arises. */
  readonly branch: { readonly question: BranchQuestion; readonly parentId: NodeId } | null;
}

/** What is said of a message or of a choice, by name; what is not named is 0. */
export type Facts = Readonly<Record<string, number>>;

export interface LessonChoice {
  readonly action: TopicAction | BranchAction;
  /** Log-odds that the decider gives it without any lessons, up to a constant. */
  readonly base: number;
  readonly facts: Facts;
}

/**
 * A decision that the person corrected or confirmed, as the decider learns from it: named features and the
 * right choice. Of the message it holds no more words than its `facts` name.
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

/** A lesson without whose turn it is of. */
export type TurnLesson = Pick<Lesson, 'question' | 'message' | 'choices' | 'right'>;

/** What a decider has made of the person's lessons. */
export interface LearningReport {
  /** How many lessons it was made of; the oldest beyond a limit are left out. */
  readonly lessons: number;
  /** Corrections among them, by turn, and those of them that would still be decided against the person. */
  readonly corrections: { readonly of: number; readonly missed: number };
  /** Share of what was learned that is applied, 0–1: less than 1 where all of it would cost general questions. */
  readonly share: number;
  /** The strongest of what was learned, in words, in log-odds; strongest first. */
  readonly reasons: readonly Reason[];
  /** All of it: log-odds by action and fact. */
  readonly weights: Readonly<Record<string, number>>;
}

/** Learns from the person's corrections what the embedded decider does not know. */
export interface Learner {
  /** What one turn has to teach. */
  lessonsOf(questions: PastQuestions): Promise<readonly TurnLesson[]>;
  /** Forgets what it had learned and learns from these instead; from none, it decides as it shipped. */
  learn(lessons: readonly Lesson[]): Promise<LearningReport>;
}

/** A turn, in whichever conversation. */
interface TurnRef {
  readonly conversationId: string;
  readonly nodeId: NodeId;
}

/** Keeps lessons. Rejects with a StorageFailure. */
export interface LessonStorage {
  /** Every lesson there is, oldest first. A damaged one is left out. */
  lessons(): Promise<Lesson[]>;
  /** Keeps what a turn has to teach, in place of what was kept of it; nothing removes that. */
  saveLessons(turn: TurnRef, lessons: readonly Lesson[]): Promise<void>;
  /** Takes the place of all lessons. */
  replaceLessons(lessons: readonly Lesson[]): Promise<void>;
  /** Whether the person lets the decider learn; true until they say otherwise. */
  learns(): Promise<boolean>;
  setLearns(learns: boolean): Promise<void>;
  /** Whether learning rests: labels are kept, no lesson is made of them, and what was learned stays as it is. */
  learningRests(): Promise<boolean>;
  setLearningRests(rests: boolean): Promise<void>;
}
