import { deflateRawSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { fold } from '../../../domain/apply.ts';
import { recordsOf } from '../../../domain/table.ts';
import { forestOf, newEntries } from './entries-of.ts';
import { archiveFiles } from './keep-files.ts';
import { readBlobs } from './read-blobs.ts';
import { createItemReader, readFiles } from './read-files.ts';

/* What a malicious file can try; docs/security.md says what stops it. */

const MB = 1024 * 1024;

const readAll = async (name: string, blob: Blob, long?: number) => {
  const found: string[] = [];
  const refused: string[] = [];
  for await (const step of readBlobs([{ name, blob }], new AbortController().signal, long)) {
    if (step.kind === 'found') found.push(step.found.conversation.title ?? '');
    if (step.kind === 'refused') refused.push(`${step.refused.name}: ${step.refused.why}`);
  }
  return { found, refused };
};

describe('archives that unpack to far more than they are', () => {
  const zeros = new Uint8Array(100 * MB);
  const bomb = zipSync({ 'conversations.json': zeros }, { level: 9 });

  test('a text is given up as soon as it shows', async () => {
    expect(bomb.length).toBeLessThan(MB);
    const { found, refused } = await readAll('bomb.zip', new Blob([bomb.slice()]));
    expect(found).toEqual([]);
    expect(refused).toEqual([
      expect.stringMatching(/^bomb\.zip › conversations\.json: It unpacks to more than 200 times/),
    ]);
  });

  // The sizes packed and unpacked, in the header above the text and in the archive's directory.
  const directory = new DataView(bomb.buffer, bomb.byteOffset).getUint32(bomb.length - 6, true);

  test.each([
    ['unpacked', 22, directory + 24, 10],
    ['packed', 18, directory + 20, 4_000_000_000],
  ])('whatever size it gives its text, %s', async (_, header, listed, size) => {
    for (const places of [[header], [listed], [header, listed]]) {
      const lying = bomb.slice();
      for (const place of places) new DataView(lying.buffer).setUint32(place, size, true);
      const { refused } = await readAll('bomb.zip', new Blob([lying]));
      expect(refused).toEqual([expect.stringContaining('It unpacks to more than 200 times its size')]);
    }
  });

  test('however many texts it spreads them over', async () => {
    const texts = Array.from({ length: 5 }, (_, at) => [`${at}.json`, zeros.subarray(0, 40 * MB)] as const);
    const many = zipSync(Object.fromEntries(texts), { level: 9 });
    const { refused } = await readAll('bomb.zip', new Blob([many.slice()]));
    expect(refused.filter((why) => why.includes('It unpacks to more than 200 times its size'))).toHaveLength(4);
  });

  test('a picture is not unpacked beyond what a browser can hold', async () => {
    const picture = zipSync({ 'picture.png': new Uint8Array(20 * MB) }, { level: 9 });
    const files = await archiveFiles(new Blob([picture.slice()]), 16 * MB);
    await expect(files.get('picture.png')?.()).rejects.toThrow('It unpacks to more than 16 MB.');
  });
});

test('an archive that tells no sizes is read by what its bytes are, however large', async () => {
  const chats = Array.from({ length: 40 }, (_, at) => chat(`t${at}`, 'x'.repeat(10_000)));
  const archive = streamedZip('conversations.json', JSON.stringify(chats));
  const { found, refused } = await readAll('streamed.zip', new Blob([archive]), 50_000);
  expect(refused).toEqual([]);
  expect(found).toHaveLength(40);
});

test('a line without an end is refused, and what stands before it is read', async () => {
  const session = JSON.stringify({ type: 'session', harness: 'llama.app', id: '1', name: 'One', currNode: '' });
  const piece = 'x'.repeat(MB);
  const parts: BlobPart[] = [`${session}\n{"type": "`, ...Array.from({ length: 140 }, () => piece)];
  const { refused } = await readAll('endless.jsonl', new Blob(parts));
  expect(refused).toEqual(['endless.jsonl: It is damaged (line 2 has no end). What comes before that was read.']);
});

test('nesting a hundred thousand deep is no more than a file of no known form', () => {
  const deep = 100_000;
  const nested = `${'['.repeat(deep)}${']'.repeat(deep)}`;
  const objects = `${'{"a":'.repeat(deep)}1${'}'.repeat(deep)}`;
  for (const text of [
    nested,
    objects,
    `{"mapping": ${objects}}`,
    `[{"role": "user", "content": ${nested}}]`,
    `{"mapping": {"u": {"id": "u", "parent": null, "message": {"author": {"role": "user"}, "content": {"content_type": "text", "parts": ${nested}}}}}}`,
    `[{"uuid": "1", "name": "x", "chat_messages": [{"uuid": "2", "sender": "human", "content": ${nested}}]}]`,
  ]) {
    const { found, refused } = readFiles([{ name: 'deep.json', text }]);
    for (const { conversation } of found) forestOf(conversation, 0);
    expect(found.length + refused.length, text.slice(0, 60)).toBeGreaterThan(0);
  }
});

describe('tools within tools, twenty thousand deep', () => {
  const deep = 20_000;
  const result = `${'{"type": "tool_result", "content": ['.repeat(deep)}${']}'.repeat(deep)}`;
  const asked = '{"role": "user", "content": "Look it up"}';

  test.each([
    ['in a result', `{"role": "assistant", "content": [${result}, {"type": "text", "text": "Found."}]}`],
    ['in an input', `{"role": "assistant", "content": [{"type": "tool_use", "input": ${result}}, "Found."]}`],
    ['in a call', `{"role": "assistant", "content": "Found.", "tool_calls": [{"function": {"arguments": ${result}}}]}`],
  ])('%s: the conversation is read, and so are the others', (_, answer) => {
    const text = `[{"messages": [${asked}, ${answer}]}, {"messages": [${asked}]}]`;
    const { found, refused } = readFiles([{ name: 'tools.json', text }]);
    expect(refused).toEqual([]);
    expect(found.map(({ conversation }) => conversation.messages.map((message) => message.text))).toEqual([
      ['Look it up', 'Found.'],
      ['Look it up'],
    ]);
  });
});

test('an entry that makes its reader fail is counted, and the others are read', () => {
  const { read, end } = createItemReader('faulty.json');
  const message = { role: 'user', content: 'Hi' };
  const faulty = {
    messages: [message],
    get title(): string {
      throw new RangeError('Maximum call stack size exceeded');
    },
  };
  expect([faulty, { messages: [message] }].flatMap(read)).toHaveLength(1);
  expect(end({ lines: 0, first: null })).toEqual({
    found: [],
    refused: [{ name: 'faulty.json', why: 'One entry could not be read and is left out; the rest was read.' }],
  });
});

test('names that objects have anyhow are ids like others, and change nothing of the page', () => {
  const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'];
  const mapping = names.map((name, at) => [
    name,
    {
      id: name,
      parent: names[at - 1] ?? null,
      message: {
        author: { role: at % 2 === 0 ? 'user' : 'assistant' },
        content: { content_type: 'text', parts: [`text ${at}`] },
      },
    },
  ]);
  // Built as text: an object literal would set the prototype.
  const text = `{"title": "__proto__", "mapping": {${mapping.map(([name, node]) => `${JSON.stringify(name)}: ${JSON.stringify(node)}`).join(',')}}, "__proto__": {"polluted": true}}`;
  const { found } = readFiles([{ name: 'names.json', text }]);
  const [first] = found;
  if (first === undefined) throw new Error('nothing was found');
  const forest = fold(newEntries(forestOf(first.conversation, 0), []));
  expect(recordsOf(forest.nodes).map(({ message }) => message)).toEqual(['text 0', 'text 2', 'text 4']);
  expect(Object.keys({})).toEqual([]);
  expect('polluted' in {}).toBe(false);
});

test('times and numbers beyond all bounds are no times', () => {
  for (const time of ['1e308', '-1e308', '99999999999999999999', '-1', 'true', '"soon"', '{}']) {
    const text = `[{"title": "t", "create_time": ${time}, "mapping": {"u": {"id": "u", "parent": null, "message": {"create_time": ${time}, "author": {"role": "user"}, "content": {"content_type": "text", "parts": ["hi"]}}}}}]`;
    const { found } = readFiles([{ name: 'times.json', text }]);
    const [first] = found;
    if (first === undefined) throw new Error('nothing was found');
    const [turn] = Object.values(fold(newEntries(forestOf(first.conversation, 1000), [])).nodes);
    expect(Number.isNaN(new Date(turn?.at ?? Number.NaN).getTime()), time).toBe(false);
  }
});

const chat = (title: string, text: string) => ({
  conversation_id: title,
  title,
  mapping: {
    u: {
      id: 'u',
      parent: null,
      message: { author: { role: 'user' }, content: { content_type: 'text', parts: [text] } },
    },
  },
});

/** An archive from a tool that does not know a file's size in advance: the sizes follow the data (APPNOTE 4.3.9). */
const streamedZip = (name: string, text: string): Uint8Array<ArrayBuffer> => {
  const path = new TextEncoder().encode(name);
  const packed = deflateRawSync(text);
  const bytes = new Uint8Array(30 + path.length + packed.length + 16);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, 0x04034b50, true);
  view.setUint16(4, 20, true);
  view.setUint16(6, 8, true);
  view.setUint16(8, 8, true);
  view.setUint16(26, path.length, true);
  bytes.set(path, 30);
  bytes.set(packed, 30 + path.length);
  const end = 30 + path.length + packed.length;
  view.setUint32(end, 0x08074b50, true);
  view.setUint32(end + 8, packed.length, true);
  view.setUint32(end + 12, new TextEncoder().encode(text).length, true);
  return bytes;
};
