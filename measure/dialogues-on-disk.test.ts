import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { LabelledDialogue } from '../src/features/evaluate/datasets/dialogues.ts';
import { readSgd, readTiage } from '../src/features/evaluate/datasets/labelled-topics.ts';
import {
  readCast,
  readEveryday,
  readNtm,
  readNtmMessages,
  readOasst,
  readStructflow,
} from '../src/features/evaluate/datasets/labelled-trees.ts';
import { filesUnder, missedUnder } from './dialogues-on-disk.ts';
import { withDigressions } from './training-sets.ts';

const parents = (dialogues: readonly LabelledDialogue[]) => dialogues[0]?.turns.map(({ parent }) => parent);

/** A folder with these files, each of which says its own path. */
const folderOf = async (...paths: string[]): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'coppice-data-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const path of paths) {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, path), path);
  }
  return folder;
};

describe('a folder of data', () => {
  test('is read in order, though one of its folders is named like a file', async () => {
    const folder = await folderOf('tiage/b.json', 'tiage/old.json/a.json', 'tiage/c.json', 'README.md');
    expect((await filesUnder(folder)).map(({ text }) => text)).toEqual([
      'tiage/b.json',
      'tiage/c.json',
      'tiage/old.json/a.json',
    ]);
  });

  test('that cannot be read is named, or the file in it that cannot', async () => {
    const folder = await folderOf('tiage/a.json');
    await expect(filesUnder(join(folder, 'none'))).rejects.toThrow(/^The folder .*none cannot be read/);
    await symlink(join(folder, 'gone'), join(folder, 'tiage/b.json'));
    await expect(filesUnder(folder)).rejects.toThrow(/tiage.b\.json cannot be read: ENOENT/);
  });
});

test('files of a folder of data that seem to be of a set and are not read are named', async () => {
  const folder = await folderOf('everyday/a.jsonl', 'Sgd/b.json', 'mine/everyday/c.json', 'sgd/d.md', 'mine/e.json');
  expect(await missedUnder(folder)).toBe('Sgd/b.json, mine/everyday/c.json');
  for (const name of 'pqrstu') await writeFile(join(folder, `everyday/${name}.ndjson`), '');
  expect(await missedUnder(folder)).toMatch(/^Sgd\/b\.json, everyday\/p\.ndjson, .* and 3 more$/);
  expect(await missedUnder(await folderOf('everyday/a.json'))).toBeNull();
});

describe('labelled dialogues', () => {
  test('SGD: a turn hangs from the last one of its service', () => {
    const user = (service: string, act: string) => ({
      speaker: 'USER',
      utterance: `about ${service}`,
      frames: [{ service, actions: [{ act }] }],
    });
    const system = { speaker: 'SYSTEM', utterance: 'Done.', frames: [] };
    const read = readSgd(
      JSON.stringify([
        {
          dialogue_id: 'a',
          turns: [
            user('boat', 'INFORM'),
            system,
            user('inn', 'INFORM_INTENT'),
            system,
            user('boat', 'REQUEST'),
            system,
          ],
        },
      ]),
    );
    expect(parents(read)).toEqual([null, null, 0]);
    expect(read[0]?.turns[0]?.reply).toBe('Done.');
  });

  test('TIAGE: a shift opens a topic', () => {
    const read = readTiage(
      JSON.stringify({
        '1': [
          ['Hi.', '-1'],
          ['Hello.', '0'],
          ['I keep bees.', '1'],
          ['How many?', '0'],
        ],
      }),
      'dev',
    );
    expect(parents(read)).toEqual([null, 0, null, 2]);
  });

  test('CAsT: a turn hangs from the turn whose answer it follows', () => {
    const turn = (number: string, participant: string, parent?: string) => ({
      number,
      participant,
      ...(parent === undefined ? {} : { parent }),
      ...(participant === 'User' ? { utterance: number } : { response: number }),
    });
    const read = readCast(
      JSON.stringify([
        {
          number: 7,
          turn: [
            turn('1-1', 'User'),
            turn('1-2', 'System', '1-1'),
            turn('1-3', 'User', '1-2'),
            turn('1-4', 'System', '1-3'),
            turn('2-1', 'User', '1-2'),
          ],
        },
      ]),
    );
    expect(parents(read)).toEqual([null, 0, 0]);
  });

  test('StructFlowBench: recall goes back, unrelatedness opens a topic', () => {
    const round = (name: string) => ({ name, 'user prompt': name, 'assistant answer': 'Yes.' });
    const edge = (source: string, target: string, relation: string) => ({
      source: [source],
      target: [target],
      relation,
    });
    const read = readStructflow(
      JSON.stringify([
        {
          structure: [edge('c1', 'c2', 'follow-up'), edge('c1', 'c3', 'recall'), edge('c3', 'c4', 'unrelatedness')],
          whole_conv: ['c1', 'c2', 'c3', 'c4'].map(round),
        },
      ]),
    );
    expect(parents(read)).toEqual([null, 0, 0, null]);
    expect(read[0]?.turns.map(({ relation }) => relation)).toEqual([undefined, undefined, 'recall', 'unrelatedness']);
  });

  test('OpenAssistant: the answer that was gone on from is the reply', () => {
    const message = (text: string, ...replies: object[]) => ({ text, replies });
    const tree = message('Q1', message('A, left alone'), message('A', message('Q2'), message('Q3')));
    const read = readOasst(JSON.stringify({ message_tree_id: 'm', prompt: tree }));
    expect(parents(read)).toEqual([null, 0, 0]);
    expect(read[0]?.turns[0]?.reply).toBe('A');
  });

  test('everyday talk: parents and needs count from 1, and 0 opens a topic', () => {
    const turn = (message: string, parent: number, more: object = {}) => ({ message, reply: 'ok', parent, ...more });
    const needs = [{ turn: 1, part: 'reply' }];
    const turns = [
      turn('soup for six', 0, { needs: [] }),
      turn('mein Rad quietscht', 0, { needs: [] }),
      turn('no cream', 1, { needs, orNeeds: [[{ turn: 1, part: 'message' }]] }),
      turn('and the bike', 2),
    ];
    const read = readEveryday(JSON.stringify([{ id: 'k', lang: 'de', turns }]));
    expect(parents(read)).toEqual([null, null, 0, 1]);
    expect(read[0]).toMatchObject({ set: 'everyday', id: 'k', group: 'k', language: 'de', labels: 'parents' });
    expect(read[0]?.turns.map(({ needs }) => needs)).toEqual([[], [], [{ turn: 0, part: 'reply' }], undefined]);
    expect(read[0]?.turns[2]?.orNeeds).toEqual([[{ turn: 0, part: 'message' }]]);
    const late = [{ id: 'k', lang: 'de', turns: [turn('a', 0, { needs: [{ turn: 1, part: 'reply' }] })] }];
    expect(() => readEveryday(JSON.stringify(late))).toThrow(/turn 1 of k needs turn 1, which is not an earlier turn/);
    const unanswered = turn('soup for six', 0, { reply: null });
    const none = [{ id: 'k', lang: 'de', turns: [unanswered, turn('no cream', 1, { needs })] }];
    expect(() => readEveryday(JSON.stringify(none))).toThrow(/turn 2 of k needs the reply of turn 1, which has none/);
    const own = [{ id: 'k', lang: 'de', turns: [turn('a', 1)] }];
    expect(() => readEveryday(JSON.stringify(own))).toThrow(/Line 1: turn 1 of k hangs from turn 1/);
  });

  test('everyday talk: a language counts as one whatever its region, and however it is written', () => {
    const languages = ['en', 'EN', 'en-GB', 'pt_BR', 'zh-Hans-CN'].map((lang) => {
      const turns = [{ message: 'soup for six', reply: null, parent: 0 }];
      return readEveryday(JSON.stringify([{ id: 'k', lang, turns }]))[0]?.language;
    });
    expect(languages).toEqual(['en', 'en', 'en', 'pt', 'zh']);
  });

  test('NTM: parents count from 1, and 0 opens a topic', () => {
    const line = { conversation_id: 'n', user_turns: ['a', 'b', 'c'].map((content) => ({ content })) };
    const labels = [{ conversation_id: 'n', parent: [0, 0, 1], also: { 3: [2] }, disputed: [2] }];
    const read = readNtm(readNtmMessages(JSON.stringify(line)), JSON.stringify(labels));
    expect(parents(read)).toEqual([null, null, 0]);
    expect(read[0]?.turns.map(({ also }) => also)).toEqual([[], [], [1]]);
    expect(read[0]?.turns.map(({ disputed }) => disputed)).toEqual([false, true, false]);
  });
});

describe('mixing', () => {
  const thread = (id: string, length: number): LabelledDialogue => ({
    set: 'made',
    id,
    group: id,
    labels: 'parents',
    turns: Array.from({ length }, (_, at) => ({
      message: `${id}${at}`,
      reply: null,
      parent: at === 0 ? null : at - 1,
      disputed: false,
    })),
  });

  const asides = ['b', 'c'].flatMap((id) => thread(id, 1).turns.map((turn) => ({ turn, group: id })));

  test('keep the thread in order, and open a topic each', () => {
    const { turns } = withDigressions(thread('a', 6), asides, 3);
    expect(turns.filter(({ message }) => message.startsWith('a'))).toHaveLength(6);
    expect(turns.length).toBeGreaterThan(6);
    for (const { message, parent } of turns) {
      if (!message.startsWith('a')) expect(parent).toBeNull();
      else if (parent !== null) expect(turns[parent]?.message).toBe(`a${Number(message.slice(1)) - 1}`);
    }
  });

  test('are the same for the same seed', () => {
    const mix = (seed: number) => withDigressions(thread('a', 9), asides, seed).turns;
    expect(mix(1)).toEqual(mix(1));
    expect(mix(1)).not.toEqual(mix(2));
  });
});
