import type { LabelledDialogue } from './labelled-dialogue.ts';

/** What is asked after a whole conversation. */
export interface Question {
  readonly text: string;
  /** Any of them is right; none where the set gives no answer that a text can be compared with. */
  readonly answers: readonly string[];
  /** Indices of the turns that the answer is in, each once; none where the set does not say or they are not there. */
  readonly evidence: readonly number[];
  /** The utterances of these turns that the answer is in, where the set says which. */
  readonly evidenceTexts?: readonly string[];
}

/** A conversation of which neither topics nor parents are labelled: its turns' `parent` is null and says nothing. */
export interface QuestionedDialogue extends LabelledDialogue {
  readonly questions: readonly Question[];
}

/** The sets of such conversations, none where the folder is missing. */
export interface QuestionedSets {
  readonly msc: readonly QuestionedDialogue[];
  readonly 'msc-e': readonly QuestionedDialogue[];
  readonly locomo: readonly QuestionedDialogue[];
  readonly realtalk: readonly QuestionedDialogue[];
  readonly 'multihop-rag': readonly QuestionedDialogue[];
  readonly implexconv: readonly QuestionedDialogue[];
}
