import { glossedForEmbedder } from '../../../engine/text/glossary.ts';
import { languageSpoken } from '../../../engine/text/spoken-language.ts';
import { startOf } from '../../../engine/vectors/node-vectors.ts';
import type { LabelledTurn, QuestionedDialogue } from '../datasets/dialogues.ts';

/** Looks up a text's vector; zeros for the empty text. Throws for a text that was not embedded. */
export type VectorOf = (text: string) => Float32Array;

/**
 * Every text of a dialogue whose vector a replay needs: messages and the beginnings of replies, as they are and in the form
 * the embedder reads. Texts before the language could be detected are read in the first one detected. Like the replay, this
 * does not wait for glossaries: call `loadGlossaries` first.
 */
export const textsInDialogue = ({ turns }: { readonly turns: readonly TurnTexts[] }): string[] =>
  inLanguages(turns).flatMap((turn) => textsIn(turn, turn.spoken));

/** The same with the questions asked after it, each of which may be what tells the language of the turns before. */
export const textsInQuestionedDialogue = ({ turns, questions }: QuestionedDialogue): string[] => {
  const messages = turns.map(({ message }) => message);
  const untold = inLanguages(turns).filter(({ spoken }) => spoken === null);
  const asked = questions.map(({ text }) => ({ text, spoken: languageSpoken([...messages, text]) }));
  return [
    ...textsInDialogue({ turns }),
    ...asked.flatMap(({ text, spoken }) => textsIn({ message: text, reply: null }, spoken)),
    ...[...new Set(asked.map(({ spoken }) => spoken))].flatMap((spoken) =>
      untold.flatMap((turn) => textsIn(turn, spoken)),
    ),
  ];
};

type TurnTexts = Pick<LabelledTurn, 'message' | 'reply'>;

const textsIn = ({ message, reply }: TurnTexts, spoken: string | null): string[] => {
  const start = startOf(reply ?? '');
  return [message, glossedForEmbedder(message, spoken), start, glossedForEmbedder(start, spoken)].filter(
    (text) => text !== '',
  );
};

const inLanguages = (turns: readonly TurnTexts[]): (TurnTexts & { readonly spoken: string | null })[] => {
  const languages = turns.map((_, at) => languageSpoken(turns.slice(0, at + 1).map(({ message }) => message)));
  return turns.map((turn, at) => ({
    ...turn,
    spoken: languages.slice(at).find((language) => language !== null) ?? null,
  }));
};
