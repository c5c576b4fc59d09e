/** 32-bit hash of a message (FNV-1a): enough to recognise it, too little to recover it. */
export const hashOf = (message: string): number => {
  let hash = 0x811c9dc5;
  for (let at = 0; at < message.length; at++) hash = Math.imul(hash ^ message.charCodeAt(at), 0x01000193);
  return hash >>> 0;
};

/** The part of a dialogue used to recognise it: what the user says. */
interface DialogueMessages {
  readonly turns: readonly { readonly message: string }[];
}

/** The marks that identify dialogues, by cross-validation fold. */
export type FoldMarks = readonly (readonly number[])[];

/**
 * Returns a function that finds the cross-validation fold of a dialogue; null if it was in none. Dialogues are recognised by
 * their messages, not by name, so parts of a mixed conversation are recognised too.
 */
export const createDialogueMatcher = (seen: FoldMarks): ((dialogue: DialogueMessages) => number | null) => {
  const foldOf = new Map(seen.flatMap((marks, fold) => marks.map((mark): [number, number] => [mark, fold])));
  return (dialogue) => {
    const votes = new Map<number, number>();
    for (const mark of fingerprintsOf(dialogue)) {
      const fold = foldOf.get(mark);
      if (fold !== undefined) votes.set(fold, (votes.get(fold) ?? 0) + 1);
    }
    return [...votes].sort(([, a], [, b]) => b - a)[0]?.[0] ?? null;
  };
};

/** Hashes that identify a dialogue: of each telling message, or of the whole dialogue if it has none. */
export const fingerprintsOf = ({ turns }: DialogueMessages): number[] => {
  const messages = turns.map(({ message }) => message);
  const marks = messages.filter(isDistinctive);
  return (marks.length > 0 ? marks : [messages.join('\n')]).map(hashOf);
};

/** Minimum length of a text that identifies a dialogue, in characters of its normal form; shorter texts are too common. */
const TELLING = 24;

/** Normalises case, punctuation, letter forms and white space. */
export const normalForm = (text: string): string => normalWords(text).join(' ');

/** Whether a message is distinctive enough to identify a dialogue. */
export const isDistinctive = (message: string): boolean => normalForm(message).length >= TELLING;

/** Words; single characters in scripts without word spacing. */
export const normalWords = (text: string): string[] => text.normalize('NFKC').toLowerCase().match(WORD) ?? [];
const WORD = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]|[\p{L}\p{N}\p{M}]+/gu;
