import type { Entry } from '../../../domain/entry.ts';
import type { Imported, ImportFailure } from '../../../engine/ports.ts';
import { chatGptExport } from './chatgpt-export.ts';
import { isLog, isLogText, printLog, readLog } from './coppice-log.ts';
import { dialoguesOf, type Form, type Script } from './form.ts';
import { failed, got, type Read, readJson } from './json-source.ts';
import { messageTrees } from './message-trees.ts';
import { messageList, messageLists, messagesObject } from './messages.ts';
import { plainText } from './plain-text.ts';
import { promptAnswers, shareGpt, speakerTurns, userTurns } from './speaker-turns.ts';

/** The largest texts that are read, in MB (a character is about a byte): parsing more would freeze the page. */
const LARGEST = 20;
/** Coppice's own exports may be larger: what it wrote it must be able to read. 20,000 turns come to 40 MB and more. */
const LARGEST_OWN = 400;

const FORMS: readonly Form[] = [
  messagesObject,
  userTurns,
  chatGptExport,
  messageTrees,
  speakerTurns,
  shareGpt,
  promptAnswers,
  messageLists,
  messageList,
];

const UNDERSTOOD =
  'Coppice reads messages of {"role", "content"} as a JSON list or a line each, {"messages": […]}, {"user_turns": [{"content"}]}, exports of ChatGPT, ShareGPT and OpenAssistant, plain text in which lines begin with "User:" and "Assistant:", and its own exports';

/** Reads and writes files. `now` gives the time of an export in milliseconds since 1970. */
export const createFormats = (now: () => number = Date.now) => ({
  /** Understands a file's text; `name` only helps to title it. Changes nothing anywhere. */
  parse: (name: string, text: string): Parsed => {
    const read = readText(name, text);
    return read.ok ? { ok: true, imported: read.value } : read;
  },
  /** A conversation as versioned JSON lines: a header, then the log. `parse` reads it back, nothing lost. */
  print: (title: string, entries: readonly Entry[]): string => printLog(title, entries, now()),
});

type Parsed =
  | { readonly ok: true; readonly imported: Imported }
  | { readonly ok: false; readonly failure: ImportFailure };

const readText = (name: string, given: string): Read<Imported> => {
  const largest = isLogText(given) ? LARGEST_OWN : LARGEST;
  const size = given.length / 1024 / 1024;
  if (size > largest) {
    const advice = `Coppice reads files up to ${largest} MB. Split it and import a part`;
    return failed('too-large', null, `This is about ${Math.ceil(size)} MB; ${advice}.`);
  }
  const text = given.replace(/^\uFEFF/, '');
  if (text.trim() === '') return NOTHING;
  if (/^\s*[{[]/.test(text)) return readData(name, text);
  const script = plainText(text);
  if (script === null)
    return failed('not-json', 1, `Line 1: expected JSON or a line that begins with "User:". ${UNDERSTOOD}.`);
  return played(name, [script]);
};

const NOTHING = failed('empty', null, 'There is nothing in it. Choose a file that holds a dialogue.');

const readData = (name: string, text: string): Read<Imported> => {
  const json = readJson(text);
  if (!json.ok) return json;
  const [first] = json.value.items;
  if (first === undefined) return NOTHING;
  if (isLog(first)) return readLog(json.value);
  const form = FORMS.find(({ recognises }) => recognises(first));
  if (form === undefined)
    return failed('unknown-format', 1, `This is JSON, but of no form that is known. ${UNDERSTOOD}.`);
  const scripts = form.read(json.value);
  return scripts.ok ? played(name, scripts.value) : scripts;
};

const played = (name: string, scripts: readonly Script[]): Read<Imported> => {
  const dialogues = dialoguesOf(name, scripts);
  if (dialogues.length > 0) return got({ kind: 'dialogues', dialogues });
  return failed('broken', null, 'Expected at least one message by a user, found none: there is nothing to replay.');
};
