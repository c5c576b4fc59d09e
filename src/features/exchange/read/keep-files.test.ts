import * as fc from 'fast-check';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { fold } from '../../../domain/apply.ts';
import type { Attachment } from '../../../domain/attachment.ts';
import { forestOf, newEntries, newFiles, type SourceFile } from './entries-of.ts';
import { archiveFiles, createFileKeeper } from './keep-files.ts';
import { readFiles } from './read-files.ts';

const zip = (files: Record<string, Uint8Array | [Uint8Array, object]>) =>
  new Blob([zipSync(files as never) as Uint8Array<ArrayBuffer>]);

/** Stores a file with its text as the id. */
const keep = async (file: File): Promise<Attachment> => ({
  id: `of ${await file.text()}`,
  name: file.name,
  mediaType: file.type,
  size: file.size,
});

const forestIn = (json: unknown) => {
  const [found] = readFiles([{ name: 'x.json', text: JSON.stringify(json) }]).found;
  if (found === undefined) throw new Error('nothing was read');
  return forestOf(found.conversation, 0);
};

const nodesOf = async (json: unknown, given: (Blob | File)[] = []) => {
  const forest = forestIn(json);
  const files = await createFileKeeper(
    given.map((blob) => ({ name: blob instanceof File ? blob.name : 'x.zip', blob })),
    keep,
  ).keep(newFiles(forest, []));
  return Object.values(fold(newEntries(forest, [], files)).nodes);
};

describe('files of an archive', () => {
  test('are found by their names, packed or not, and unpacked when they are asked for', async () => {
    const files = await archiveFiles(
      zip({
        'a/ä.txt': strToU8('packed '.repeat(50)),
        'b.bin': [Uint8Array.of(1, 2, 3), { level: 0 }],
        'empty/': new Uint8Array(),
      }),
    );
    expect([...files.keys()]).toEqual(['a/ä.txt', 'b.bin']);
    expect(await (await files.get('a/ä.txt')?.())?.text()).toBe('packed '.repeat(50));
    expect(new Uint8Array((await (await files.get('b.bin')?.())?.arrayBuffer()) ?? new ArrayBuffer(0))).toEqual(
      Uint8Array.of(1, 2, 3),
    );
  });

  test('of what is no archive, or one that was cut off, are none; nothing throws', async () => {
    const whole = new Uint8Array(await zip({ 'a.txt': strToU8('words') }).arrayBuffer());
    expect((await archiveFiles(new Blob(['no archive']))).size).toBe(0);
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: whole.length - 1 }), async (length) => {
        expect((await archiveFiles(new Blob([whole.slice(0, length)]))).size).toBe(0);
      }),
    );
  });
});

describe('what exports hold is kept', () => {
  const chatGpt = (parts: unknown[], metadata: object = {}, reply: unknown[] = ['A cat.']) => ({
    conversation_id: 'c',
    title: 't',
    current_node: 'a',
    mapping: {
      u: {
        id: 'u',
        parent: null,
        children: ['a'],
        message: { author: { role: 'user' }, content: { content_type: 'multimodal_text', parts }, metadata },
      },
      a: {
        id: 'a',
        parent: 'u',
        children: [],
        message: { author: { role: 'assistant' }, content: { content_type: 'multimodal_text', parts: reply } },
      },
    },
  });
  const pointer = (id: string) => ({ content_type: 'image_asset_pointer', asset_pointer: `file-service://${id}` });

  test('of ChatGPT: a picture by the name that it was given, once, and what is not there marked', async () => {
    const archive = zip({ 'file-Abc1-cat.png': strToU8('a cat'), 'conversations.json': strToU8('[]') });
    const attachments = [
      { id: 'file-Abc1', name: 'cat.png' },
      { id: 'file-Gone', name: 'notes.pdf' },
    ];
    const [node] = await nodesOf(chatGpt([pointer('file-Abc1'), 'What is it?'], { attachments }), [archive]);
    expect(node?.message).toBe('What is it?');
    expect(node?.attachments).toEqual([
      { id: 'of a cat', name: 'cat.png', mediaType: '', size: 5 },
      { id: null, name: 'notes.pdf', mediaType: '', size: 0 },
    ]);
  });

  test('of ChatGPT: also loose, where the export was unpacked', async () => {
    const loose = [
      new File(['[]'], 'conversations.json'),
      new File([JSON.stringify({ 'file_77.dat': 'fox.webp' })], 'conversation_asset_file_names.json'),
      new File(['a drawing'], 'file_77.dat'),
    ];
    const drawn = { content_type: 'image_asset_pointer', asset_pointer: 'sediment://file_77' };
    const [node] = await nodesOf(chatGpt(['Draw a fox'], {}, [drawn, 'Here.']), loose);
    expect(node?.attachments).toEqual([{ id: 'of a drawing', name: 'fox.webp', mediaType: '', size: 9, made: true }]);
  });

  test('of newer ChatGPT: by the list of names; what the assistant drew belongs to its reply', async () => {
    const archive = zip({
      'x/file_77.dat': strToU8('a drawing'),
      'x/conversation_asset_file_names.json': strToU8(JSON.stringify({ 'file_77.dat': 'dalle-generations/fox.webp' })),
    });
    const drawn = { content_type: 'image_asset_pointer', asset_pointer: 'sediment://file_77' };
    const [node] = await nodesOf(chatGpt(['Draw a fox'], {}, [drawn, 'Here.']), [archive]);
    expect(node?.replies[0]?.text).toBe('Here.');
    expect(node?.attachments).toEqual([{ id: 'of a drawing', name: 'fox.webp', mediaType: '', size: 9, made: true }]);
  });

  test('of Grok: by the folder of each', async () => {
    const archive = zip({
      'ttl/30d/prod-mc-asset-server/0f1e/content': strToU8('a cat'),
      'ttl/30d/prod-mc-asset-server/2d3c/content': strToU8('a dog'),
    });
    const response = { _id: 'u', sender: 'human', message: 'What is it?', file_attachments: ['2d3c', 'gone'] };
    const chat = { conversation: { id: 'c' }, responses: [{ response }] };
    const [node] = await nodesOf({ conversations: [chat] }, [archive]);
    expect(node?.attachments?.map(({ id, name }) => [id, name])).toEqual([
      ['of a dog', '2d3c'],
      [null, 'gone'],
    ]);
  });

  test('of Open WebUI and llama.cpp: from data URLs', async () => {
    const data = `data:image/png;base64,${btoa('a cat')}`;
    const [chat] = await nodesOf({
      chat: {
        history: {
          currentId: 'u',
          messages: {
            u: {
              id: 'u',
              parentId: null,
              childrenIds: [],
              role: 'user',
              content: 'See',
              files: [
                { type: 'image', name: 'cat.png', url: data },
                { type: 'file', name: 'far.txt', url: '/api/v1/files/1' },
                { type: 'file', name: 'read.txt', file: { data: { content: 'its words' } } },
              ],
            },
          },
        },
      },
    });
    expect(chat?.attachments?.map(({ id, name }) => [id, name])).toEqual([
      ['of a cat', 'cat.png'],
      [null, 'far.txt'],
      ['of its words', 'read.txt'],
    ]);
  });

  test('of Claude: the text that was read from a file, as a file', async () => {
    const [node] = await nodesOf({
      uuid: 'c',
      name: 't',
      chat_messages: [
        {
          uuid: 'u',
          sender: 'human',
          text: 'Sum up',
          attachments: [{ file_name: 'a.txt', extracted_content: 'red apples' }],
        },
        { uuid: 'a', sender: 'assistant', text: 'Apples.' },
      ],
    });
    expect(node?.message).toBe('Sum up');
    expect(node?.attachments).toEqual([
      { id: 'of red apples', name: 'a.txt', mediaType: 'text/plain', size: 10, text: 'red apples' },
    ]);
  });

  test('a message of files alone goes by their names', async () => {
    const [node] = await nodesOf(chatGpt([pointer('file-A')], { attachments: [{ id: 'file-A', name: 'cat.png' }] }));
    expect(node?.message).toBe('cat.png');
  });

  test('once: for turns that are in the log already nothing is asked for', async () => {
    const forest = forestIn(chatGpt([pointer('file-A'), 'x']));
    const log = newEntries(forest, []);
    expect(newFiles(forest, log)).toEqual([] satisfies SourceFile[]);
    expect(newEntries(forest, log)).toEqual([]);
  });
});
