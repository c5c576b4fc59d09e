import { type Attachment, isPicture } from '../../domain/attachment.ts';
import type { Node } from '../../domain/forest.ts';

/** A message with its attachments. */
export type MessageWithAttachments = Pick<Node, 'message' | 'attachments'>;

/** The attachments given by the user. Those made by an assistant belong to a reply and are not sent. */
export const userAttachments = ({ attachments = [] }: MessageWithAttachments): readonly Attachment[] =>
  attachments.filter(({ made }) => made !== true);

/** Stands for a picture in the message text, and says so if the model is not shown it. */
const pictureMark = ({ name }: Attachment, shown: boolean): string =>
  shown ? `[picture ${name}]` : `[picture ${name}, not shown to this model]`;

export const sentPart = (one: Attachment, text: string | undefined, shown = false): string => {
  if (text !== undefined) return `[${one.name}]\n${text}`;
  return isPicture(one) ? pictureMark(one, shown) : `[file ${one.name}, of which nothing could be read]`;
};

const NOTHING_SHOWN: ReadonlySet<string> = new Set();

/**
 * The text of a message as sent: its words, then what was read from each attached file under its name. `shown`: ids of
 * the pictures that the model sees.
 */
export const sentMessage = (said: MessageWithAttachments, shown: ReadonlySet<string> = NOTHING_SHOWN): string => {
  const files = userAttachments(said);
  if (files.length === 0) return said.message;
  const parts = files.map((one) => sentPart(one, one.text, one.id !== null && shown.has(one.id)));
  return [said.message, ...parts].join('\n\n');
};

/** The names of attached files, which are the message if they are sent without words. */
export const fileNames = (files: readonly Attachment[]): string => files.map(({ name }) => name).join(', ');

/** A short form of a message: its own words and the names of its attachments. */
export const briefMessage = (said: MessageWithAttachments): string => {
  const names = fileNames(userAttachments(said));
  return names === '' || names === said.message ? said.message : `${said.message} [with ${names}]`;
};

/** Returns the text with the pictures shown to the model marked as such. */
export const markShownPictures = (text: string, said: MessageWithAttachments, shown: ReadonlySet<string>): string => {
  let marked = '';
  let rest = text;
  // Those that are not shown are passed by, too: pasted ones all have the same name.
  for (const one of userAttachments(said)) {
    const mark = pictureMark(one, false);
    const at = one.text === undefined && isPicture(one) ? rest.indexOf(mark) : -1;
    if (at === -1) continue;
    marked += rest.slice(0, at) + pictureMark(one, one.id !== null && shown.has(one.id));
    rest = rest.slice(at + mark.length);
  }
  return marked + rest;
};

/** The pictures of a message whose bytes are available. */
export const picturesOf = (said: MessageWithAttachments): readonly Attachment[] =>
  userAttachments(said).filter((one) => one.id !== null && one.text === undefined && isPicture(one));

/** Whether any text was read from a message's attachments. */
export const hasReadText = (said: MessageWithAttachments): boolean =>
  userAttachments(said).some(({ text }) => text !== undefined && text !== '');
