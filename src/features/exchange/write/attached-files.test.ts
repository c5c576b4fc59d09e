import { strFromU8, unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { fold } from '../../../domain/apply.ts';
import type { Attachment } from '../../../domain/attachment.ts';
import type { Entry } from '../../../domain/entry.ts';
import { resultOf } from '../../../domain/testing/plain-forest.ts';
import { Life } from '../../../domain/testing/random-life.ts';
import { forestOf, newFiles } from '../read/entries-of.ts';
import { createFileKeeper } from '../read/keep-files.ts';
import { readFiles } from '../read/read-files.ts';
import { chatGptArchive, chatGptMapping, llamaCppSessions, openWebUiChats } from './chat-tools.ts';
import { htmlPage } from './html.tsx';
import { markdownArchive } from './markdown.ts';
import { lostParts } from './parts.ts';
import { writtenText } from './testing/written.ts';
import type { Scope, Writer } from './writer.ts';
import { writeFile } from './writers.ts';

const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const NOTES = `data:text/plain;base64,${btoa('three oaks')}`;
const picture: Attachment = { id: 'a'.repeat(64), name: 'leaf.png', mediaType: 'image/png', size: 70 };
const notes: Attachment = {
  id: 'b'.repeat(64),
  name: 'notes.txt',
  mediaType: 'text/plain',
  size: 10,
  text: 'three oaks',
};

const THOUGHT = '<think>\nLobed leaves.\n</think>\n\nAn oak.';

const conversation = (attachments: readonly Attachment[] = [picture, notes]) => {
  const life = new Life();
  life.say(null, 'Which tree is this?');
  life.live({ kind: 'reply', pick: 0 });
  const entries = life.entries.map((entry): Entry => {
    const { event } = entry;
    if (event.type === 'reply-received') return { ...entry, event: { ...event, text: THOUGHT } };
    if (event.type !== 'message-sent') return entry;
    return { ...entry, event: { ...event, attachments: [...attachments] } };
  });
  const files = new Map([
    [picture.id ?? '', PIXEL],
    [notes.id ?? '', NOTES],
  ]);
  return { id: 'c', title: 'Oak', entries, forest: fold(entries), files };
};

const written = async (writer: Writer, of = conversation(), scope: Scope = 'forest'): Promise<Blob> => {
  const inks = { ink: '', quiet: '', line: '', ground: '', topics: [] } as never;
  async function* one() {
    yield of;
  }
  const file = await writeFile(writer, one(), { scope, inks, now: 0 }, new AbortController().signal);
  if (file === null) throw new Error('nothing was written');
  return file;
};

/** The bytes of a conversation's files, as an import finds them. */
const readBack = async (name: string, text: string, given: Blob): Promise<Record<string, string>> => {
  const [found] = readFiles([{ name, text }]).found;
  if (found === undefined) throw new Error('nothing was read');
  const bytes: Record<string, string> = {};
  const keeper = createFileKeeper([{ name, blob: given }], async (file) => {
    bytes[file.name] = btoa(String.fromCharCode(...new Uint8Array(await file.arrayBuffer())));
    return { id: file.name, name: file.name, mediaType: file.type, size: file.size };
  });
  await keeper.keep(newFiles(forestOf(found.conversation, 0), []));
  return bytes;
};

const base64 = (url: string): string => url.slice(url.indexOf(',') + 1);

test('files go out with Open WebUI chats and come in again, byte for byte', async () => {
  const file = await written(openWebUiChats);
  const back = await readBack('x.json', await file.text(), new Blob());
  expect(back).toEqual({ 'leaf.png': base64(PIXEL), 'notes.txt': base64(NOTES) });
});

test('llama.cpp gets pictures whole and what is written in other files, and that is what is said', async () => {
  const file = await written(llamaCppSessions);
  const back = await readBack('x.jsonl', await file.text(), new Blob());
  expect(back['leaf.png']).toBe(base64(PIXEL));
  const [found] = readFiles([{ name: 'x.jsonl', text: await file.text() }]).found;
  expect(JSON.stringify(found)).toContain('three oaks');

  const mediaType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
  const said = (...attachments: Attachment[]) => {
    const one = conversation(attachments);
    return resultOf(lostParts(llamaCppSessions, one, 'forest')).filter((words) => /file|document/.test(words));
  };
  expect(said(picture, notes)).toEqual([]);
  expect(said(picture, { ...notes, name: 'oak.docx', mediaType })).toEqual(['all but the words of 1 document']);
});

test('an archive like ChatGPT’s holds them beside the conversations, and comes in again', async () => {
  const file = await written(chatGptArchive);
  const inside = unzipSync(new Uint8Array(await file.arrayBuffer()));
  const text = strFromU8(inside['conversations.json'] ?? new Uint8Array());
  expect(Object.keys(inside)).toHaveLength(3);
  const back = await readBack('conversations.json', text, file);
  expect(Object.values(back).sort()).toEqual([base64(NOTES), base64(PIXEL)].sort());
});

test('a file that a reply with thoughts made comes in again as made, once', async () => {
  const text = await writtenText(chatGptMapping, conversation([picture, { ...notes, made: true }]));
  const [found] = readFiles([{ name: 'conversations.json', text }]).found;
  const [turn] = found === undefined ? [] : forestOf(found.conversation, 0).turns.turns;
  expect(turn?.replies.map((reply) => reply.text)).toEqual([THOUGHT]);
  expect(turn?.attachments).toMatchObject([
    { name: 'leaf.png', madeIn: null },
    { name: 'notes.txt', madeIn: expect.any(String), asset: expect.stringMatching(/^file-b+$/) },
  ]);
});

test('Markdown links to them in a folder, and a page holds them itself and fetches nothing', async () => {
  const inside = unzipSync(new Uint8Array(await (await written(markdownArchive)).arrayBuffer()));
  const text = strFromU8(inside['conversation.md'] ?? new Uint8Array());
  const links = [...text.matchAll(/\]\((files\/[^)]+)\)/g)].map(([, path = '']) => path);
  expect(links).toHaveLength(2);
  expect(strFromU8(inside[links[1] ?? ''] ?? new Uint8Array())).toBe('three oaks');
  const page = await (await written(htmlPage)).text();
  expect(page).toContain(`<img src="${PIXEL}" alt="leaf.png"/>`);
  expect(page).toContain('download="notes.txt"');
});

test('a page without the files says which pictures it lacks', async () => {
  const { files: _, ...without } = conversation();
  const page = await writtenText(htmlPage, without);
  expect(page).toContain('Not printed: leaf.png');
  expect(page).not.toContain('Not printed: notes.txt');
});

test('a file that was made with a reply stands below it, and is not said to be sent with the message', async () => {
  const of = conversation([notes, { ...picture, made: true }]);
  const inside = unzipSync(new Uint8Array(await (await written(markdownArchive, of)).arrayBuffer()));
  const page = await (await written(htmlPage, of)).text();
  for (const [text, image] of [
    [strFromU8(inside['conversation.md'] ?? new Uint8Array()), '![leaf.png]'],
    [page, '<img'],
  ] as const) {
    const [, message = '', reply = ''] = /(with notes\.txt[\s\S]*)(with leaf\.png[\s\S]*)/.exec(text) ?? [];
    expect(message).toContain('Which tree is this?');
    expect(message).not.toContain('leaf.png');
    expect(reply.indexOf(image)).toBeGreaterThan(reply.indexOf('An oak.'));
  }
});

test('an archive has the files of the turns in it only: none of deleted turns, none off the path', async () => {
  const life = new Life();
  const kept = life.say(null, 'Which tree is this?');
  const gone = life.say(kept, 'And what is in my notes?');
  life.do({ type: 'record', step: life.id(), event: { type: 'activated', nodeId: kept } });
  const filesIn = async (writer: Writer, scope?: Scope): Promise<string[]> => {
    const entries = life.entries.map((entry): Entry => {
      const { event } = entry;
      if (event.type !== 'message-sent') return entry;
      return { ...entry, event: { ...event, attachments: [event.nodeId === kept ? picture : notes] } };
    });
    const file = await written(writer, { ...conversation(), entries, forest: fold(entries) }, scope);
    const inside = Object.keys(unzipSync(new Uint8Array(await file.arrayBuffer())));
    return inside.flatMap((path) => /(?:a{24}|b{24})/.exec(path)?.[0][0] ?? []);
  };
  expect(await filesIn(markdownArchive)).toEqual(['a', 'b']);
  expect(await filesIn(chatGptArchive)).toEqual(['a', 'b']);
  expect(await filesIn(markdownArchive, 'path')).toEqual(['a']);
  life.do({ type: 'delete', nodeIds: [gone], alone: false, step: life.id() });
  expect(await filesIn(markdownArchive)).toEqual(['a']);
  expect(await filesIn(chatGptArchive)).toEqual(['a']);
});
