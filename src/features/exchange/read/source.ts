/*
 * Conversations as other tools export them, before they are a forest. Readers fill these in from what they find and
 * trust nothing; `mendTree` makes a sound tree of it, `turnsOf` cuts it into turns.
 */

/** Who speaks. `aside`: instructions, tools and their results, hidden notes: kept with the reply that follows them, no message of their own. */
export type Speaker = 'user' | 'assistant' | 'aside';

export interface Attachment {
  readonly name: string;
  /** What the export has of its text; null where it has none. */
  readonly text: string | null;
  /** Its bytes, as a data URL. */
  readonly data?: string | undefined;
  /** What the name of its file in the archive begins with. */
  readonly asset?: string | undefined;
}

/** The value as a data URL; undefined where it is none: a link to where the file was is of no use here. */
export const dataUrlOf = (value: unknown): string | undefined =>
  typeof value === 'string' && /^data:[^,]*,/.test(value) ? value : undefined;

/** A message as a file has it. */
export interface SourceMessage {
  readonly id: string;
  /** null: it opens a thread. Left out where the file says nothing: then `children` of others or the order says it. */
  readonly parentId?: string | null | undefined;
  /** Ids in the order of siblings, as far as the file gives it. */
  readonly childIds?: readonly string[] | undefined;
  readonly by: Speaker;
  readonly text: string;
  /** Seconds, milliseconds or finer since 1970, or a date in words; null where the file has none. */
  readonly at?: number | string | null | undefined;
  readonly model?: string | undefined;
  /** The name of one speaker of several. */
  readonly name?: string | undefined;
  /** What a model thought, and what it did with tools, before it answered. */
  readonly thinking?: string | undefined;
  readonly attachments?: readonly Attachment[] | undefined;
  /** Further messages that it goes on from. */
  readonly alsoFrom?: readonly string[] | undefined;
  /** Where several answers stand side by side and the file says which is shown. */
  readonly shown?: boolean | undefined;
}

export interface SourceConversation {
  /** The tool it comes from: a key, the same for ever, as it is part of the ids of what is imported. */
  readonly source: string;
  /** Its id there; null where there is none, and its content stands for it. */
  readonly id: string | null;
  readonly title: string | null;
  readonly messages: readonly SourceMessage[];
  /** The message that was shown last; null where the file does not say, or names one that is not there. */
  readonly currentId: string | null;
  /** What was mended or missing already while it was read. */
  readonly notes?: readonly string[] | undefined;
}

export type Fields = Readonly<Record<string, unknown>>;

/** The value as a record; an empty one where it is none. */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The value as text; null where it is none. Ids of some tools are numbers. */
export const textOf = (value: unknown): string | null =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : null;

/** The first that is a text with anything in it; null if none is. */
export const firstText = (...values: readonly unknown[]): string | null => {
  for (const value of values) {
    const text = textOf(value);
    if (text !== null && text.trim() !== '') return text;
  }
  return null;
};

/** The value as a time, as far as `SourceMessage.at` takes it. */
export const timeOf = (value: unknown): number | string | null =>
  typeof value === 'number' || typeof value === 'string' ? value : null;

export const idsOf = (value: unknown): string[] => listOf(value).flatMap((id) => textOf(id) ?? []);

export const has = (value: unknown, ...keys: readonly string[]): boolean =>
  typeof value === 'object' && value !== null && keys.every((key) => Object.hasOwn(value, key));

/** Parts of a message as one text, without the empty ones. */
export const joined = (parts: readonly (string | null | undefined)[]): string =>
  parts.filter((part): part is string => typeof part === 'string' && part.trim() !== '').join('\n\n');

const USERS = new Set(['user', 'human', 'prompter', 'you']);
const ASSISTANTS = new Set(['assistant', 'ai', 'bot', 'model', 'gpt', 'chatgpt', 'agent']);

/** The speaker of a role by any of the usual names. */
export const speakerOf = (role: unknown): Speaker => {
  const name = (textOf(role) ?? '').toLowerCase();
  return USERS.has(name) ? 'user' : ASSISTANTS.has(name) ? 'assistant' : 'aside';
};

/** What a content of text or of parts says, by OpenAI's and Anthropic's and many others' way of writing it. */
export const contentOf = (content: unknown): { text: string; thinking: string; attachments: Attachment[] } => {
  if (typeof content === 'string') return { text: content, thinking: '', attachments: [] };
  const texts: string[] = [];
  const thoughts: string[] = [];
  const attachments: Attachment[] = [];
  for (const part of Array.isArray(content) ? content : [content]) {
    if (typeof part === 'string') {
      texts.push(part);
      continue;
    }
    const of = fieldsOf(part);
    const type = (textOf(of.type) ?? textOf(of.content_type) ?? textOf(of.phase) ?? 'text').toLowerCase();
    const text = firstText(of.text, fieldsOf(of.text).value, of.content, of.value);
    if (/think|reason/.test(type)) thoughts.push(firstText(of.thinking, of.think, of.reasoning, text) ?? '');
    else if (/tool|function/.test(type)) thoughts.push(toolText(of));
    else if (text !== null) texts.push(text);
    else if (/image|audio|video|file|document|pdf/.test(type)) {
      const name = firstText(of.name, of.file_name, of.filename, of.fileIdentifier) ?? type;
      attachments.push({ name, text: null, data: dataIn(of) });
    }
  }
  return { text: joined(texts), thinking: joined(thoughts), attachments };
};

/** Bytes that stand in a part, by OpenAI's and Anthropic's way of writing them. */
const dataIn = (of: Fields): string | undefined => {
  const source = fieldsOf(of.source);
  const [type, data] = [textOf(source.media_type), textOf(source.data)];
  if (type !== null && data !== null) return `data:${type};base64,${data}`;
  return dataUrlOf(fieldsOf(of.image_url).url) ?? dataUrlOf(of.image_url) ?? dataUrlOf(of.image) ?? dataUrlOf(of.url);
};

/** A call of a tool or its result, in words. */
const toolText = (of: Fields): string => {
  const call = fieldsOf(of.tool_call);
  const name = firstText(of.name, of.tool_name, of.toolName, call.name, fieldsOf(of.function).name) ?? 'a tool';
  const parts = [of.input, of.args, of.arguments, call.args, of.output, call.output, of.content, of.text];
  const said = parts.flatMap((part) =>
    part === undefined || part === null || part === ''
      ? []
      : [typeof part === 'string' ? part : Array.isArray(part) ? contentOf(part).text : JSON.stringify(part)],
  );
  return joined([`[${name}]`, ...said]);
};

const TITLE_LENGTH = 72;

/** A text as a title: its beginning, cut at a word. */
export const shortened = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= TITLE_LENGTH) return line;
  return `${line.slice(0, TITLE_LENGTH).replace(/\s+\S*$/, '')}…`;
};
