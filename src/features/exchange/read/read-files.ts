import { faultOf, lineAt, offsetOf, readJson } from '../../../app/json-source.ts';
import { baseName } from '../../../domain/attachment.ts';
import { parsedJson } from '../../../domain/expectation.ts';
import { isLogText } from './coppice-log.ts';
import { isIrcAnnotation, isIrcLog, readIrc } from './readers/irc.ts';
import { READERS } from './readers.ts';
import { jsonOf, type Reader, type SourceConversation, type SourceMessage, type Speaker, shortened } from './source.ts';

/** A file as provided by the browser; a `File` is one. */
export interface NamedBlob {
  readonly name: string;
  readonly blob: Blob;
}

/** A file's text with its name, which is never used to detect the format. */
export interface TextFile {
  readonly name: string;
  readonly text: string;
}

/** Something that could not be read, while the rest was. */
export interface RefusedFile {
  readonly name: string;
  /** Whole sentences for the user. */
  readonly why: string;
  /** The line that caused it, from 1; omitted if there is none. */
  readonly line?: number;
  /** It does not look like conversations at all, instead of being some that are damaged. */
  readonly isOther?: true;
}

/** Damaged lines. */
export interface Damage {
  readonly lines: number;
  /** The first damaged line, with the problem in whole sentences; null if there is none. */
  readonly first: { readonly line: number; readonly why: string } | null;
}

const UNDAMAGED: Damage = { lines: 0, first: null };

export interface FoundConversation {
  readonly tool: string;
  /** The file that contains it. */
  readonly file: string;
  readonly conversation: SourceConversation;
}

export interface FilesRead {
  readonly found: readonly FoundConversation[];
  readonly refused: readonly RefusedFile[];
}

const TOOLS = [...new Set(READERS.map(({ tool }) => tool).filter((tool) => !['messages', 'threads'].includes(tool)))];

/** Display names of the supported tools. */
const toolsRead = (): string => TOOLS.join(', ');

/**
 * Finds the conversations in files, detecting formats by content. Files that belong together (a log and its annotation, the
 * branches of a chat, the shards of an export) are read as one. Files without conversations are refused by name; the rest is
 * still read.
 */
export const readFiles = (files: readonly TextFile[]): FilesRead => {
  const found: FoundConversation[] = [];
  const refused: RefusedFile[] = [];
  const texts = files.map(({ name, text }) => ({ name, text: text.replace(/^\uFEFF/, '') }));
  const annotations = texts.filter(({ text }) => isIrcAnnotation(text));
  const logs = texts.filter((file) => !annotations.includes(file) && isIrcLog(file.text));
  for (const file of logs) {
    const own =
      annotations.find(({ name }) => stemOf(name) === stemOf(file.name)) ??
      (logs.length === 1 ? annotations[0] : undefined);
    if (own === undefined)
      refused.push({
        name: file.name,
        why: 'A channel log without its annotation has no thread information. Give both files together.',
      });
    else found.push({ tool: 'IRC', file: file.name, conversation: readIrc(logName(file.name), file.text, own.text) });
  }
  for (const { name } of logs.length === 0 ? annotations : []) {
    refused.push({ name, why: 'This is the annotation of a channel log. Give the log as well.' });
  }
  for (const file of texts) {
    if (!logs.includes(file) && !annotations.includes(file)) readData(file, found, refused);
  }
  return { found: joinBranches(found), refused };
};

const stemOf = (name: string): string => name.replace(/\.(ascii|annotation|tok|raw)?\.?[^.]*$/, '');

/** What a log is known by when it is given again, in whatever folder: its name, with its path if it is in an archive. */
const logName = (name: string): string => {
  const [file = '', ...path] = name.split(' › ');
  return stemOf([baseName(file), ...path].join(' › '));
};

/**
 * Reads the items of a file one by one, because the whole list may not fit in memory. If the first recognised item belongs
 * to a format that is read as a whole, the remaining items are collected until the end.
 */
export const createItemReader = (name: string) => {
  let [unknown, known, unreadable] = [0, 0, 0];
  let whole: { readonly reader: Reader; readonly first: unknown; readonly others: unknown[] } | null = null;
  const foundBy = (reader: Reader, item: unknown, others: readonly unknown[]): FoundConversation[] => {
    try {
      return reader.read(item, others).map((conversation) => ({ tool: reader.tool, file: name, conversation }));
    } catch {
      // A reader is not to throw; an entry that makes one do so must not lose the others.
      unreadable++;
      return [];
    }
  };
  return {
    read: (item: unknown): FoundConversation[] => {
      if (whole !== null) {
        whole.others.push(item);
        return [];
      }
      const reader = readerOf(item);
      if (reader === undefined) {
        unknown++;
        return [];
      }
      if (known === 0 && reader.wholeFile) {
        whole = { reader, first: item, others: [] };
        return [];
      }
      known++;
      return foundBy(reader, item, []);
    },
    /** Returns what is found at the end, with any messages. `lineOf`: the line of an item, if known. */
    end: ({ lines, first: worst }: Damage, lineOf?: (index: number) => number): FilesRead => {
      const refused = (...whys: Omit<RefusedFile, 'name'>[]): RefusedFile[] => whys.map((why) => ({ name, ...why }));
      if (whole === null && known === 0) return { found: [], refused: refused({ why: NOT_KNOWN, isOther: true }) };
      const damaged = worst === null ? [] : [{ why: `${linesLeftOut(lines)} ${worst.why}`, line: worst.line }];
      if (whole === null) {
        return {
          found: [],
          refused: refused(
            ...damaged,
            ...(unknown === 0 ? [] : [{ why: entriesLeftOut(unknown) }]),
            ...(unreadable === 0 ? [] : [{ why: unreadableLeftOut(unreadable) }]),
          ),
        };
      }
      const { reader, first, others } = whole;
      if (worst !== null && !reader.skipsDamaged) {
        return { found: [], refused: refused({ why: `${worst.why} Export it again.`, line: worst.line }) };
      }
      const found = foundBy(reader, first, others);
      if (found.length > 0) return { found, refused: refused(...damaged) };
      if (unreadable > 0) return { found, refused: refused({ why: UNREADABLE }) };
      // An item unlike the first may be the reason.
      const odd = others.findIndex((item) => !reader.recognises(item));
      if (odd < 0 || lineOf === undefined) return { found, refused: refused({ why: NOBODY_ASKS }) };
      const line = lineOf(odd + 1);
      const words = shortened(jsonOf(others[odd]));
      return {
        found,
        refused: refused({ line, why: `Line ${line}: expected a message like those before it, found ${words}.` }),
      };
    },
  };
};

const readerOf = (item: unknown): Reader | undefined => READERS.find(({ recognises }) => recognises(item));

const NOT_KNOWN =
  'This is JSON, but not in a known format. Give a chat tool’s own export, or messages with role and content.';

const ON_ITS_OWN = 'This is a Coppice export. Import it without other kinds of files, and outside an archive.';

const NOBODY_ASKS = 'Expected at least one message by a user, found none.';

const UNREADABLE = 'It could not be read. Export it again.';

const entriesLeftOut = (count: number): string =>
  `${count === 1 ? 'One entry contains' : `${count} entries contain`} no conversation and ${count === 1 ? 'is' : 'are'} left out; the rest was read.`;

const unreadableLeftOut = (count: number): string =>
  `${count === 1 ? 'One entry' : `${count} entries`} could not be read and ${count === 1 ? 'is' : 'are'} left out; the rest was read.`;

const linesLeftOut = (count: number): string =>
  `${count === 1 ? 'A line is' : `${count} lines are`} damaged and left out; the rest was read.`;

const readData = ({ name, text }: TextFile, found: FoundConversation[], refused: RefusedFile[]): void => {
  const refuse = (why: string, more: Omit<RefusedFile, 'name' | 'why'> = {}): void => {
    refused.push({ name, why, ...more });
  };
  if (isLogText(text)) return refuse(ON_ITS_OWN);
  const { items, damage, lineOf } = itemsOf(text);
  if (text.trim() === '' || /^\s*\[\s*\]\s*$/.test(text))
    return refuse('There is nothing in it. Choose a file that contains a conversation.', { isOther: true });
  if (items.length === 0) {
    const lines = spokenLines(text);
    if (lines !== null) {
      const messages = messagesOf(lines);
      found.push({
        tool: 'text',
        file: name,
        conversation: { source: 'text', id: null, title: stemOf(baseName(name)), currentId: null, messages },
      });
      return;
    }
    if (!/^\s*[[{]/.test(text)) {
      return refuse(
        `It is not a known export. Line 1: expected JSON or a line that begins with “User:”. Supported: ${toolsRead()}, lists of messages, and threads with parents.`,
        { line: 1, isOther: true },
      );
    }
    const json = readJson(text);
    if (json.ok) return refuse(NOT_KNOWN, { isOther: true });
    const { message, line } = json.failure;
    return refuse(message, line === null ? {} : { line });
  }
  const reader = createItemReader(name);
  for (const item of items) found.push(...reader.read(item));
  const end = reader.end(damage, lineOf);
  found.push(...end.found);
  refused.push(...end.refused);
};

interface Items {
  readonly items: readonly unknown[];
  readonly damage: Damage;
  lineOf(index: number): number;
}

/** The elements of a list, a single object, or the objects of lines; damaged lines are counted. */
const itemsOf = (text: string): Items => {
  const whole = parsedJson(text);
  if (whole !== undefined) {
    return {
      items: Array.isArray(whole) ? whole : typeof whole === 'object' && whole !== null ? [whole] : [],
      damage: UNDAMAGED,
      lineOf: (index) => lineAt(text, offsetOf(text, Array.isArray(whole) ? [index] : [])),
    };
  }
  const lines = text
    .split('\n')
    .flatMap((line, at) => (line.trim() === '' ? [] : [{ line, number: at + 1, item: parsedJson(line) }]));
  const isItem = ({ item }: { item: unknown }): boolean => typeof item === 'object' && item !== null;
  // A list that spans several lines, none of which is valid on its own.
  const isList = lines[0]?.item === undefined && /^\s*\[/.test(text);
  const sound = isList ? [] : lines.filter(isItem);
  const broken = sound.length === 0 ? [] : lines.filter((line) => !isItem(line));
  const [first] = broken;
  return {
    items: sound.map(({ item }) => item),
    damage: { lines: broken.length, first: first === undefined ? null : damageOf(first.line, first.number) },
    lineOf: (index) => sound[index]?.number ?? 1,
  };
};

/** Describes a line that is not a JSON object or list. */
export const damageOf = (
  text: string,
  line: number,
  { expected, found } = faultOf(text),
): NonNullable<Damage['first']> => ({ line, why: `Line ${line}: expected ${expected}, found ${found}.` });

/**
 * Joins chats that start as a copy of another one (SillyTavern's branches and checkpoints): their common messages have the
 * same ids.
 */
const joinBranches = (found: readonly FoundConversation[]): FoundConversation[] => {
  const joined: FoundConversation[] = [];
  const byOpening = new Map<string, number>();
  for (const one of found) {
    const { source, messages } = one.conversation;
    const opening = messages[0]?.id;
    const key = `${source} ${opening}`;
    const at = source === 'sillytavern' && opening !== undefined ? byOpening.get(key) : undefined;
    const before = at === undefined ? undefined : joined[at];
    if (at === undefined || before === undefined) {
      if (opening !== undefined) byOpening.set(key, joined.length);
      joined.push(one);
      continue;
    }
    const known = new Set(before.conversation.messages.map(({ id }) => id));
    joined[at] = {
      ...before,
      conversation: {
        ...before.conversation,
        messages: [...before.conversation.messages, ...messages.filter(({ id }) => !known.has(id))],
      },
    };
  }
  return joined;
};

interface SpokenLine {
  readonly by: Speaker;
  readonly text: string;
}

/** Instructions change neither a text's key nor its turns' ids: they are left out of the one, and numbered apart. */
const messagesOf = (lines: readonly SpokenLine[]): SourceMessage[] => {
  let [spoken, asides] = [0, 0];
  return lines.map(({ by, text }) =>
    by === 'aside'
      ? { id: `system ${++asides}`, by, text: text.trim(), ownText: null }
      : { id: `${++spoken}`, by, text: text.trim() },
  );
};

/** A speaker's name at the start of a line, optionally in bold or as a heading, as pasted by users. */
const LABEL =
  /^(?:#+\s*)?\**(?:(user|you|me|human|prompt|q)|(assistant|ai|bot|chatgpt|claude|gemini|model|reply|a)|(system))(?:\s+said)?\**\s*:\**[ \t]*/i;

/** Words that stand at the beginning of ordinary lines less often than the others. */
const SURE = /^(?:user|you|me|human|assistant|ai|bot|chatgpt|claude|gemini)$/;

interface SpeakerLabel {
  readonly by: Speaker;
  readonly word: string;
  /** What stands around the word: the marks of a heading, bold, "said". */
  readonly look: string;
  /** The words beside it on its line. */
  readonly rest: string;
}

const labelIn = (line: string): SpeakerLabel | null => {
  const [label, user, assistant, system] = LABEL.exec(line) ?? [];
  if (label === undefined) return null;
  const word = (user ?? assistant ?? system ?? '').toLowerCase();
  return {
    by: user !== undefined ? 'user' : assistant !== undefined ? 'assistant' : 'aside',
    word,
    look: label.toLowerCase().replace(word, '').replace(/[\s:]/g, ''),
    rest: line.slice(label.length),
  };
};

/** A line that opens or closes a block of code, also one in a list or a quote. */
const FENCE = /^(?:\s|[-*+>]|\d{1,9}[.)]\s)*?(`{3,}(?=[^`]*$)|~{3,})(.*)$/;

interface LabelledLine {
  readonly line: string;
  readonly label: SpeakerLabel | null;
}

/** The lines of a text, with what may be a speaker's label: none in a block of code, which may have others in it. */
const labelledLines = (lines: readonly string[], canNest = true): readonly LabelledLine[] => {
  const fences: string[] = [];
  const labelled = lines.map((line) => {
    const innermost = fences.at(-1);
    const label = innermost === undefined ? labelIn(line) : null;
    const [, marks, info = ''] = FENCE.exec(label?.rest ?? line) ?? [];
    if (marks?.startsWith(innermost ?? '')) {
      if (innermost !== undefined && info.trim() === '') fences.pop();
      else if (innermost === undefined || canNest) fences.push(marks);
    }
    return { line, label };
  });
  // One left open was cut off, and what looks nested in it may be the next one.
  return canNest && fences.length > 0 ? labelledLines(lines, false) : labelled;
};

const isSure = ({ word }: SpeakerLabel): boolean => SURE.test(word);

/** The first label and one of the other side: the first sure words of both that look alike, if there are any. */
const pairIn = (labels: readonly SpeakerLabel[]): readonly SpeakerLabel[] => {
  const sureLooks = (side: Speaker) =>
    new Set(labels.filter((label) => label.by === side && isSure(label)).map(({ look }) => look));
  const [users, assistants] = [sureLooks('user'), sureLooks('assistant')];
  const first =
    labels.find((label) => isSure(label) && users.has(label.look) && assistants.has(label.look)) ?? labels[0];
  if (first === undefined) return [];
  const others = labels.filter(({ by }) => by !== first.by);
  const alike = others.filter(({ look }) => look === first.look);
  const likely = alike.length > 0 ? alike : others;
  const other = (isSure(first) && likely.find(isSure)) || likely[0];
  return other === undefined ? [first] : [first, other];
};

/**
 * Which labels name a speaker: one word of each side, written in one way throughout. The others are of what was said, such as a
 * list of questions and answers, or the model of a car, except where a turn would have no reply: there another assistant answers.
 */
const speakersIn = (labels: readonly SpeakerLabel[]): ((label: SpeakerLabel) => boolean) => {
  const pair = pairIn(labels.filter(({ by }) => by !== 'aside'));
  const [first] = pair;
  if (first === undefined) return () => false;
  const isOfPair = (label: SpeakerLabel) => pair.some(({ word, look }) => word === label.word && look === label.look);
  const answer = pair.find(({ by }) => by === 'assistant');
  const isOtherAnswer = (label: SpeakerLabel) =>
    label.by === 'assistant' && label.look === answer?.look && isSure(label);
  const places = labels.flatMap((label, at) => (isOfPair(label) ? [at] : []));
  const otherAnswers = places.flatMap((at, index) => {
    const next = places[index + 1] ?? labels.length;
    const isAnswered = labels[at]?.by === 'assistant' || labels[next]?.by === 'assistant';
    return isAnswered ? [] : (labels.slice(at, next).find(isOtherAnswer) ?? []);
  });
  // What stands above the conversation, such as the model's name, belongs to nobody else.
  const speakers = new Set([...labels.slice(0, 1), ...otherAnswers]);
  // A text that begins with instructions may have more of them.
  const before = labels.slice(0, labels.indexOf(first)).filter(({ by }) => by === 'aside');
  return (label) => {
    if (label.by !== 'aside') return isOfPair(label) || speakers.has(label);
    const standsOut = label.look === first.look && (first.look !== '' || (first.rest === '' && label.rest === ''));
    return standsOut || before.some(({ look }) => look === label.look);
  };
};

/** Parses `User: … Assistant: …` plain text; null if the text is not labelled like that. */
export const spokenLines = (text: string): readonly SpokenLine[] | null => {
  const lines: SpokenLine[] = [];
  let by: Speaker | null = null;
  let said: string[] = [];
  const finish = () => {
    if (by !== null) lines.push({ by, text: said.join('\n') });
    said = [];
  };
  const labelled = labelledLines(text.split(/\r?\n/));
  const isSpeaker = speakersIn(labelled.flatMap(({ label }) => label ?? []));
  for (const { line, label } of labelled) {
    if (label !== null && isSpeaker(label)) {
      finish();
      by = label.by;
      said.push(label.rest);
      continue;
    }
    if (by === null && line.trim() !== '') return null;
    said.push(line);
  }
  finish();
  return lines.some((line) => line.by === 'user') ? lines : null;
};
