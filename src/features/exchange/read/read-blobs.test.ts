import { strToU8, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { forestOf } from './entries-of.ts';
import { readBlobs } from './read-blobs.ts';
import type { NamedBlob } from './read-files.ts';

/** Everything found, as `tool title: messages`, and everything refused; files over `long` bytes are read in pieces. */
const read = (long: number, ...files: { name: string; parts: BlobPart[] }[]) =>
  readAll(
    long,
    files.map(({ name, parts }) => ({ name, blob: new Blob(parts) })),
  );

const readAll = async (long: number, blobs: readonly NamedBlob[]) => {
  const found: string[] = [];
  const refused: string[] = [];
  for await (const step of readBlobs(blobs, new AbortController().signal, long)) {
    if (step.kind === 'refused') refused.push(`${step.refused.name}: ${step.refused.why}`);
    if (step.kind !== 'found') continue;
    const { tool, conversation } = step.found;
    found.push(`${tool} ${conversation.title}: ${forestOf(conversation, 0).turns.turns.map(({ message }) => message)}`);
  }
  return { found, refused };
};

test('a dialogue is read in the encoding that it was saved in, also from an archive', async () => {
  const text = 'User: Où est le café ?\nAssistant: À droite.\nUser: Merci, ça va bien.\nAssistant: De rien.';
  const utf16 = Uint8Array.of(0xff, 0xfe, ...[...text].flatMap((c) => [c.charCodeAt(0) & 0xff, c.charCodeAt(0) >> 8]));
  const ansi = Uint8Array.from(text, (c) => c.charCodeAt(0));
  const expected = await read(1000, { name: 'a.txt', parts: [text] });
  expect(expected.found.join()).toContain('Où est le café ?');
  for (const bytes of [utf16, ansi]) {
    expect(await read(1000, { name: 'a.txt', parts: [bytes] })).toEqual(expected);
    const archived = await read(1000, { name: 'a.zip', parts: [zipSync({ 'a.txt': bytes }) as BlobPart] });
    expect(archived.found.join()).toContain('Où est le café ?');
  }
});

const chatGpt = (title: string) => ({
  conversation_id: title,
  title,
  mapping: {
    u: {
      id: 'u',
      parent: null,
      message: { author: { role: 'user' }, content: { content_type: 'text', parts: [`Ärger ${title}`] } },
    },
  },
});
const llamaCpp = [
  { type: 'session', harness: 'llama.app', id: '1', name: 'One', currNode: '' },
  {
    type: 'message',
    message: { id: 'u', convId: '1', type: 'text', role: 'user', content: 'Hi', parent: null, children: [] },
  },
  { type: 'session', harness: 'llama.app', id: '2', name: 'Two', currNode: '' },
  {
    type: 'message',
    message: { id: 'u', convId: '2', type: 'text', role: 'user', content: 'Bye', parent: null, children: [] },
  },
].map((line) => JSON.stringify(line));

const GZIP = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0);

const list = JSON.stringify([chatGpt('a'), chatGpt('b'), { title: 'a shell' }, chatGpt('c')]);
const lines = llamaCpp.join('\n');

test('in pieces says what it says in one piece: a list, and lines that are one whole', async () => {
  const files = [
    { name: 'list.json', parts: [list] },
    { name: 'lines.jsonl', parts: [lines] },
  ];
  const whole = await read(Number.POSITIVE_INFINITY, ...files);
  expect(whole).toEqual({
    found: [
      'ChatGPT a: Ärger a',
      'ChatGPT b: Ärger b',
      'ChatGPT c: Ärger c',
      'llama.cpp One: Hi',
      'llama.cpp Two: Bye',
    ],
    refused: ['list.json: One entry contains no conversation and is left out; the rest was read.'],
  });
  expect(await read(10, ...files)).toEqual(whole);
});

test('lines of a whole of which one is damaged are refused, in pieces too', async () => {
  const damaged = { name: 'lines.jsonl', parts: [`${lines}\n{"type": "mess`] };
  const refused = ['lines.jsonl: Line 5: expected a closing double quote, found the end. Export it again.'];
  expect(await read(Number.POSITIVE_INFINITY, damaged)).toEqual({ found: [], refused });
  expect(await read(10, damaged)).toEqual({ found: [], refused });
});

test('the form of a long text shows also where its bytes come one by one, as the first may from an archive', async () => {
  const object = JSON.stringify({ version: 4, history: [{ name: 'a', messages: [{ role: 'user', content: 'Hi' }] }] });
  for (const text of [list, lines, `\uFEFF${list}`, object, JSON.stringify(JSON.parse(object), null, 2)]) {
    const blob = Object.assign(new Blob([text]), {
      stream: () =>
        new ReadableStream({
          start: (to) => {
            for (const byte of strToU8(text)) to.enqueue(Uint8Array.of(byte));
            to.close();
          },
        }),
    });
    const whole = await read(10, { name: 'a.json', parts: [text] });
    expect(whole.found).not.toEqual([]);
    expect(await readAll(10, [{ name: 'a.json', blob }])).toEqual(whole);
  }
});

test('a list that was cut off is read as far as it goes, and said to be cut', async () => {
  const cut = { name: 'list.json', parts: [list.slice(0, -20)] };
  expect(await read(10, cut)).toEqual({
    found: ['ChatGPT a: Ärger a', 'ChatGPT b: Ärger b'],
    refused: [
      'list.json: It is damaged (it ends in the middle of the list). What comes before that was read.',
      'list.json: One entry contains no conversation and is left out; the rest was read.',
    ],
  });
});

test('an object over many lines is read whole, however long', async () => {
  const text = JSON.stringify(
    { version: 4, history: [{ name: 'a', messages: [{ role: 'user', content: 'Hi' }] }] },
    null,
    2,
  );
  expect(await read(10, { name: 'a.json', parts: [text] })).toEqual({ found: ['chatbot-ui a: Hi'], refused: [] });
  const { refused } = await read(10, { name: 'a.json', parts: [text.slice(0, -5)] });
  expect(refused).toEqual([expect.stringMatching(/^a.json: Line 13: expected .*, found the end\.$/)]);
});

test('an archive is unpacked; what is about the person, and pictures, are passed over', async () => {
  const archive = zipSync({
    'conversations-000.json': strToU8(JSON.stringify([chatGpt('a')])),
    'conversations-001.json': strToU8(JSON.stringify([chatGpt('b')])),
    'user.json': strToU8('{"email": "x"}'),
    'file-1.png': strToU8('no picture'),
  });
  for (const long of [10, Number.POSITIVE_INFINITY]) {
    const { found, refused } = await read(long, { name: 'export.zip', parts: [archive.slice()] });
    expect([found, refused]).toEqual([['ChatGPT a: Ärger a', 'ChatGPT b: Ärger b'], []]);
  }
});

test('of an export that was unpacked, what belongs to it is passed over, unless there is no conversation', async () => {
  const picture = Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 0, 0x10);
  const others = [
    { name: 'file-1.jpg', parts: [picture] },
    { name: 'notes.pdf', parts: ['%PDF-1.7 words'] },
    { name: 'user.json', parts: ['{"email": "x"}'] },
  ];
  const utf16 = Uint8Array.of(0xff, 0xfe, ...[...list].flatMap((c) => [c.charCodeAt(0) & 0xff, c.charCodeAt(0) >> 8]));
  for (const parts of [[list], [utf16]]) {
    const { found, refused } = await read(1e6, ...others, { name: 'conversations.json', parts });
    expect(found).toHaveLength(3);
    expect(refused).toEqual([expect.stringMatching(/^conversations.json: One entry/)]);
  }
  expect((await read(1e6, ...others)).refused).toEqual([
    'file-1.jpg: There is no conversation in it.',
    'notes.pdf: There is no conversation in it.',
    expect.stringMatching(/^user\.json: This is JSON, but not in a known format\./),
  ]);
  expect((await read(1e6, { name: 'file-1.jpg', parts: [picture] })).refused).toEqual([
    expect.stringContaining('It is not a known export'),
  ]);
});

test('of Grok, neither the account nor the files are taken for conversations', async () => {
  const responses = [{ response: { _id: 'u', sender: 'human', message: 'Hi' } }];
  const files = {
    'prod-grok-backend.json': JSON.stringify({ conversations: [{ conversation: { id: 'c', title: 'a' }, responses }] }),
    'prod-mc-auth-mgmt-api.json': '{"user": {"email": "x"}}',
    'prod-mc-billing.json': '{"credits": 1}',
    'prod-mc-asset-server/0f1e/content': 'print("no conversation")',
  };
  const archive = zipSync(
    Object.fromEntries(Object.entries(files).map(([name, text]) => [`ttl/30d/${name}`, strToU8(text)])),
  );
  const expected = { found: ['Grok a: Hi'], refused: [] };
  expect(await read(1e6, { name: 'grok.zip', parts: [archive.slice()] })).toEqual(expected);
  const loose = Object.entries(files).map(([name, text]) => ({ name, parts: [text] }));
  expect(await read(1e6, ...loose)).toEqual(expected);
});

test('of a folder, what looks like conversations is named if there are none in it, and the rest in one line', async () => {
  const archive = zipSync({ 'word/document.xml': strToU8('<w/>') });
  const others = [
    { name: 'export/chat.html', parts: ['<html>'] },
    { name: 'export/.DS_Store', parts: [Uint8Array.of(0, 0, 0, 1)] },
    { name: 'export/files/report.docx', parts: [archive.slice()] },
    { name: 'export/files/table.csv', parts: ['a,b'] },
  ];
  const odd = [
    { name: 'export/more.json', parts: ['{"a": 1}'] },
    { name: 'export/cut.zip', parts: [archive.slice(0, 20)] },
    { name: 'export/A prompt cut off', parts: ['{"chunkedPrompt": {'] },
  ];
  const chunks = [{ text: 'Hi', role: 'user' }];
  const prompt = { name: 'export/A prompt', parts: [JSON.stringify({ chunkedPrompt: { chunks } })] };
  const whole = { name: 'export/list.json', parts: [list] };
  const { found, refused } = await read(1e6, ...others, ...odd, prompt, whole);
  expect(found).toHaveLength(4);
  expect(new Set(refused.map((one) => one.slice(0, one.indexOf(':'))))).toEqual(
    new Set(['export/cut.zip', 'export/A prompt cut off', 'export/list.json', 'export/more.json', '3 other files']),
  );
  expect(refused.at(-1)).toMatch(/^3 other files: There is no conversation in them: [^,]+, [^,]+, [^,]+\.$/);
  const many = Array.from({ length: 7 }, (_, at) => ({ name: `export/files/${at}.csv`, parts: ['a,b'] }));
  expect((await read(1e6, ...many, prompt)).refused).toEqual([expect.stringMatching(/4\.csv and 2 more\.$/)]);
  const packed = { name: 'export/2.json.gz', parts: [GZIP] };
  expect((await read(1e6, whole, prompt, packed)).refused.at(-1)).toMatch(/^export\/2\.json\.gz: /);
  expect((await read(1e6, ...others)).refused).toHaveLength(others.length);
});

test('where nothing is a conversation, each file of a folder is named with the reason', async () => {
  const { refused } = await read(
    1e6,
    { name: 'export/A prompt', parts: ['{"chunkedPrompt": {'] },
    { name: 'export/table.csv', parts: ['a,b'] },
    { name: 'export/user.json', parts: ['{"email": "x"}'] },
  );
  expect(refused).toEqual([
    expect.stringMatching(/^export\/A prompt: .*Line 1: /),
    expect.stringMatching(/^export\/table\.csv: It is not a known export\./),
    expect.stringMatching(/^export\/user\.json: This is JSON, but not in a known format\./),
  ]);
});

test('of a folder, neither what is no text nor what only belongs to an export is read to its end', async () => {
  class Unread extends Blob {
    override arrayBuffer(): never {
      throw new Error('All of it is read.');
    }
  }
  const blobs = [
    { name: 'export/programs/a.bin', blob: new Unread([Uint8Array.of(1, 0, 0, 1)]) },
    { name: 'export/chat.html', blob: new Unread(['<html>']) },
    { name: 'ttl/prod-mc-asset-server/0f1e/content', blob: new Unread(['print(1)']) },
    { name: 'export/list.json', blob: new Blob([list]) },
  ];
  const { found, refused } = await readAll(1e6, blobs);
  expect(found).toHaveLength(3);
  expect(refused).toContain('export/programs/a.bin: There is no conversation in it.');
});

test('what no export holds beside its conversations is named among others, and what is a conversation is read', async () => {
  const messages = JSON.stringify([{ role: 'user', content: 'Hi' }]);
  const damaged = `${JSON.stringify(chatGpt('d'))}\n{"conv`;
  const others = [
    { name: 'conversations-2.json.gz', parts: [GZIP] },
    { name: 'webui.db', parts: ['SQLite format 3\0'] },
    { name: 'users.json', parts: ['{"email": "x"}'] },
    { name: 'projects.json', parts: [messages] },
    { name: 'memories.json', parts: [damaged] },
  ];
  for (const long of [1, 1e6]) {
    const { found, refused } = await read(long, { name: 'conversations-1.json', parts: [list] }, ...others);
    expect(found).toHaveLength(5);
    expect(refused.map((one) => one.slice(0, one.indexOf(':'))).sort()).toEqual([
      'conversations-1.json',
      'conversations-2.json.gz',
      'memories.json',
      'webui.db',
    ]);
  }
});

test.each([
  ['a film', 'image.dat', [0, 0, 0, 0x18, ...strToU8('ftypmp42')], ''],
  ['a sound', 'voice.dat', [...strToU8('RIFF'), 0, 0, 0, 0, ...strToU8('WAVE')], ''],
  ['a picture by its type', 'a.tiff', [...strToU8('II*'), 0], 'image/tiff'],
])('%s beside conversations is passed over', async (_, name, bytes, type) => {
  const blobs = [
    { name, blob: new Blob([Uint8Array.from(bytes)], { type }) },
    { name: 'list.json', blob: new Blob([list]) },
  ];
  expect((await readAll(1e6, blobs)).refused).toEqual([expect.stringMatching(/^list.json/)]);
});

test('of an archive only the texts are read, however much else is in it', async () => {
  const pictures = Object.fromEntries(Array.from({ length: 5 }, (_, at) => [`${at}.png`, new Uint8Array(1_000_000)]));
  const chats = Array.from({ length: 200 }, (_, at) => chatGpt(`${at} ${Math.random()}`));
  const text = strToU8(JSON.stringify(chats));
  const archive = zipSync({ ...pictures, 'c.json': text }, { level: 0 });
  let read = 0;
  class Counted extends Blob {
    override slice(from = 0, to = this.size) {
      read += Math.min(to, this.size) - from;
      return super.slice(from, to);
    }
    override stream(): never {
      throw new Error('All of it is read.');
    }
  }
  const { found, refused } = await readAll(10, [{ name: 'a.zip', blob: new Counted([archive.slice()]) }]);
  expect([found.length, refused]).toEqual([200, []]);
  expect(read).toBeLessThan(text.length + 100_000);
});

test('a backup among other files is told from an export', async () => {
  const backup = zipSync({ 'coppice-backup.json': strToU8('{}'), 'conversations/1.jsonl': strToU8('{"coppice":1}') });
  const { found, refused } = await read(
    1e6,
    { name: 'backup.zip', parts: [backup.slice()] },
    { name: 'list.json', parts: [list] },
  );
  expect(found).toHaveLength(3);
  expect(refused[0]).toBe(
    'backup.zip: This is a backup of Coppice. Open it with Import by itself, without other files.',
  );
});

test('a damaged text of an archive is named, and the others are read', async () => {
  const archive = zipSync({
    'a.json': strToU8(JSON.stringify([chatGpt('a')])),
    'b.json': strToU8(JSON.stringify([chatGpt('b')])),
  });
  archive.fill(0xff, 30 + 'a.json'.length, 30 + 'a.json'.length + 20);
  const { found, refused } = await read(Number.POSITIVE_INFINITY, { name: 'a.zip', parts: [archive.slice()] });
  expect(found).toEqual(['ChatGPT b: Ärger b']);
  expect(refused).toEqual([expect.stringMatching(/^a\.zip › a\.json: It is damaged \(/)]);
});

test('an archive without texts, or cut off, is refused in words, and what stands before is read', async () => {
  const empty = zipSync({ 'a.png': strToU8('x') });
  expect((await read(10, { name: 'e.zip', parts: [empty.slice()] })).refused).toEqual([
    'e.zip: The archive holds no JSON or text, so no conversations.',
  ]);
  const archive = zipSync({
    'a.json': strToU8(JSON.stringify([chatGpt('a')])),
    'b.json': strToU8(JSON.stringify([chatGpt('b'.repeat(5000))])),
  });
  const { found, refused } = await read(Number.POSITIVE_INFINITY, { name: 'cut.zip', parts: [archive.slice(0, 250)] });
  expect(found).toEqual(['ChatGPT a: Ärger a']);
  expect(refused).toEqual([expect.stringContaining('cut.zip: The archive is damaged')]);
});
