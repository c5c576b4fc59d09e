import { type Attachment, isPicture } from '../../domain/attachment.ts';
import type { Node } from '../../domain/forest.ts';

/** A message and what came with it. */
export type Said = Pick<Node, 'message' | 'attachments'>;

/** What the person gave: what an assistant made belongs to a reply, and is not sent. */
export const givenWith = ({ attachments = [] }: Said): readonly Attachment[] =>
  attachments.filter(({ made }) => made !== true);

/** Stands for a picture in the words of a message; a model that is not shown it is told so. */
const pictureMark = ({ name }: Attachment, shown: boolean): string =>
  shown ? `[picture ${name}]` : `[picture ${name}, not shown to this model]`;

export const sentPart = (one: Attachment, text: string | undefined, shown = false): string => {
  if (text !== undefined) return `[${one.name}]\n${text}`;
  return isPicture(one) ? pictureMark(one, shown) : `[file ${one.name}, of which nothing could be read]`;
};

const NOTHING_SHOWN: ReadonlySet<string> = new Set();

/** What a message is sent as: its words, then what was read from each file that came with it, under its name. `shown`: the pictures that the model sees, by id. */
export const sentMessage = (said: Said, shown: ReadonlySet<string> = NOTHING_SHOWN): string => {
  const files = givenWith(said);
  if (files.length === 0) return said.message;
  const parts = files.map((one) => sentPart(one, one.text, one.id !== null && shown.has(one.id)));
  return [said.message, ...parts].join('\n\n');
};

/** A message in few words: its own, and the names of what came with it. */
export const briefMessage = (said: Said): string => {
  const files = givenWith(said);
  return files.length === 0 ? said.message : `${said.message} [with ${files.map(({ name }) => name).join(', ')}]`;
};

/** The same text with the pictures that a model is shown told as such. */
export const withShown = (text: string, said: Said, shown: ReadonlySet<string>): string => {
  let told = text;
  for (const one of picturesOf(said)) {
    if (one.id !== null && shown.has(one.id)) told = told.replace(pictureMark(one, false), pictureMark(one, true));
  }
  return told;
};

/** The pictures of a message whose bytes are there. */
export const picturesOf = (said: Said): readonly Attachment[] =>
  givenWith(said).filter((one) => one.id !== null && one.text === undefined && isPicture(one));

/** Whether anything was read from what came with a message. */
export const hasReadText = (said: Said): boolean =>
  givenWith(said).some(({ text }) => text !== undefined && text !== '');
