import { oneLine } from '../../../engine/text/words.ts';

/*
 * Conversations as exported by other tools, before they become a forest. Readers fill these in from what they find and trust
 * nothing; `mendTree` builds a valid tree from them, and `turnsOf` splits it into turns.
 */

/**
 * Who speaks. `aside`: instructions, tools and their results, hidden notes; these are kept with the reply that follows, not
 * as messages of their own.
 */
export type Speaker = 'user' | 'assistant' | 'aside';

export interface SourceAttachment {
  readonly name: string;
  /** Its text as found in the export; null if there is none. */
  readonly text: string | null;
  /** Its bytes, as a data URL. */
  readonly data?: string | undefined;
  /** Prefix of its file name in the archive, or the name of its folder there. */
  readonly asset?: string | undefined;
}

/** The value as a data URL; undefined otherwise, because a link to the file's former location is of no use here. */
export const dataUrlOf = (value: unknown): string | undefined =>
  typeof value === 'string' && /^data:[^,]*,/.test(value) ? value : undefined;

/** A message as found in a file. */
export interface SourceMessage {
  readonly id: string;
  /** null: it opens a thread. Omitted if the file does not say; then the `children` of others, or the order, determine it. */
  readonly parentId?: string | null | undefined;
  /** Ids in sibling order, as far as the file provides it. */
  readonly childIds?: readonly string[] | undefined;
  readonly by: Speaker;
  readonly text: string;
  /** Its text before the reader added what the file says elsewhere; null if all of it was added. Omitted if nothing was. */
  readonly ownText?: string | null | undefined;
  /** Seconds, milliseconds or finer since 1970, or a date in words; null if the file has none. */
  readonly at?: number | string | null | undefined;
  readonly model?: string | undefined;
  /** The speaker's name, if there are several. */
  readonly name?: string | undefined;
  /** What a model thought, and did with tools, before it answered. */
  readonly thinking?: string | undefined;
  readonly attachments?: readonly SourceAttachment[] | undefined;
  /** Further messages that it continues from. */
  readonly alsoFrom?: readonly string[] | undefined;
  /** Whether it is the displayed one of several alternative answers, if the file says so. */
  readonly shown?: boolean | undefined;
}

export interface SourceConversation {
  /** Key of the source tool; must never change, because it is part of imported ids. */
  readonly source: string;
  /** Its id in the source; null if there is none, in which case its content identifies it. */
  readonly id: string | null;
  readonly title: string | null;
  readonly messages: readonly SourceMessage[];
  /** The last displayed message; null if the file does not say, or names one that is missing. */
  readonly currentId: string | null;
  /** Repairs and omissions made while reading. */
  readonly notes?: readonly string[] | undefined;
}

export type Fields = Readonly<Record<string, unknown>>;

/** The value as a record; empty if it is not one. */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The value as text; null otherwise. Some tools use numbers as ids. */
export const textOf = (value: unknown): string | null =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : null;

/** The first non-blank text; null if there is none. */
export const firstText = (...values: readonly unknown[]): string | null => {
  for (const value of values) {
    const text = textOf(value);
    if (text !== null && text.trim() !== '') return text;
  }
  return null;
};

/** The value as a time accepted by `SourceMessage.at`. */
export const timeOf = (value: unknown): number | string | null =>
  typeof value === 'number' || typeof value === 'string' ? value : null;

export const idListOf = (value: unknown): string[] => listOf(value).flatMap((id) => textOf(id) ?? []);

export const has = (value: unknown, ...keys: readonly string[]): boolean =>
  typeof value === 'object' && value !== null && keys.every((key) => Object.hasOwn(value, key));

/** Joins the non-empty parts of a message. */
export const joinNonEmpty = (parts: readonly (string | null | undefined)[]): string =>
  parts.filter((part): part is string => typeof part === 'string' && part.trim() !== '').join('\n\n');

const USERS = new Set(['user', 'human', 'prompter', 'you']);
const ASSISTANTS = new Set(['assistant', 'ai', 'bot', 'model', 'gpt', 'chatgpt', 'agent']);

/** The speaker for a role, under any of its common names. */
export const speakerOf = (role: unknown): Speaker => {
  const name = (textOf(role) ?? '').toLowerCase();
  return USERS.has(name) ? 'user' : ASSISTANTS.has(name) ? 'assistant' : 'aside';
};

/** Extracts text, thoughts and attachments from a string or content parts, in the conventions of OpenAI, Anthropic and many others. */
export const messageContentOf = (
  content: unknown,
): { text: string; thinking: string; attachments: SourceAttachment[] } => {
  if (typeof content === 'string') return { text: content, thinking: '', attachments: [] };
  const texts: string[] = [];
  const thoughts: string[] = [];
  const attachments: SourceAttachment[] = [];
  for (const part of Array.isArray(content) ? content : [content]) {
    if (typeof part === 'string') {
      texts.push(part);
      continue;
    }
    const of = fieldsOf(part);
    const type = typeOf(of);
    const text = firstText(of.text, fieldsOf(of.text).value, of.content, of.value);
    if (/think|reason/.test(type)) thoughts.push(firstText(of.thinking, of.think, of.reasoning, text) ?? '');
    else if (isTool(type)) thoughts.push(toolText(of));
    else if (text !== null) texts.push(text);
    else if (/image|audio|video|file|document|pdf/.test(type)) {
      const name = firstText(of.name, of.file_name, of.filename, of.fileIdentifier) ?? type;
      attachments.push({ name, text: null, data: dataIn(of) });
    }
  }
  return { text: joinNonEmpty(texts), thinking: joinNonEmpty(thoughts), attachments };
};

const typeOf = (of: Fields): string =>
  (textOf(of.type) ?? textOf(of.content_type) ?? textOf(of.phase) ?? 'text').toLowerCase();

const isTool = (type: string): boolean => /tool|function/.test(type);

/** Inline bytes of a part, in the conventions of OpenAI and Anthropic. */
const dataIn = (of: Fields): string | undefined => {
  const source = fieldsOf(of.source);
  const [type, data] = [textOf(source.media_type), textOf(source.data)];
  if (type !== null && data !== null) return `data:${type};base64,${data}`;
  return dataUrlOf(fieldsOf(of.image_url).url) ?? dataUrlOf(of.image_url) ?? dataUrlOf(of.image) ?? dataUrlOf(of.url);
};

/** A tool call or its result, as text. */
const toolText = (of: Fields): string => {
  const call = fieldsOf(of.tool_call);
  const name = firstText(of.name, of.tool_name, of.toolName, call.name, fieldsOf(of.function).name) ?? 'a tool';
  const parts = [of.input, of.args, of.arguments, call.args, of.output, call.output, of.content, of.text];
  const said = parts.flatMap((part) =>
    part === undefined || part === null || part === ''
      ? []
      : [typeof part === 'string' ? part : Array.isArray(part) ? textIn(part) : jsonOf(part)],
  );
  return joinNonEmpty([`[${name}]`, ...said]);
};

/** The text of the parts of a tool's result. Tools among them are left out: each may hold another, thousands deep. */
const textIn = (parts: readonly unknown[]): string =>
  messageContentOf(parts.filter((part) => !isTool(typeOf(fieldsOf(part))))).text;

/** The value as JSON, as far as it can be written: engines give up on some thousand levels. */
export const jsonOf = (value: unknown): string => {
  try {
    return JSON.stringify(value);
  } catch {
    return '(nested too deeply to be kept)';
  }
};

/** Tool calls in the form of OpenAI's API, as text. */
export const toolCallsOf = (calls: unknown): string[] =>
  listOf(calls).map((call) => toolText(fieldsOf(fieldsOf(call).function)));

const TITLE_LENGTH = 72;

/** Shortens a text to a title, cut at a word boundary. */
export const shortened = (text: string): string => {
  const line = oneLine(text);
  if (line.length <= TITLE_LENGTH) return line;
  return `${line.slice(0, TITLE_LENGTH).replace(/\s+\S*$|[\uD800-\uDBFF]$/, '')}…`;
};

/** Reads the conversations of one tool. A new tool needs a file with a reader and a line in `readers.ts`. */
export interface Reader {
  /** Display name of the tool. */
  readonly tool: string;
  /** Checks only what distinguishes the format. `item` is a list element, a line of JSON lines, or a single object. */
  recognises(item: unknown): boolean;
  /**
   * Returns the conversations of one item; a `wholeFile` reader gets the first item followed by all others. Never throws on
   * what it recognises: missing data is omitted and mentioned in the conversation's `notes`.
   */
  read(item: unknown, others: readonly unknown[]): SourceConversation[];
  /** The items of a file (JSON lines) form one whole. */
  readonly wholeFile?: boolean;
  /** Skips damaged lines; otherwise a damaged line spoils a file that is read as a whole. */
  readonly skipsDamaged?: boolean;
}
