import { sentencesOf } from '../../engine/text/sentences.ts';
import { plainText } from './plain-text.ts';

/** Sentences of a text in markdown, code left out. */
export const sentencesIn = (markdown: string): string[] =>
  plainText(markdown).lines.flatMap(({ text }) => sentencesOf(text));
