import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fold } from '../../../domain/apply.ts';
import { violations } from '../../../domain/invariants.ts';
import { idsOf } from '../../../domain/table.ts';
import { forestOf, newEntries } from './entries-of.ts';
import { type FilesRead, readFiles } from './read-files.ts';

const SHARED = join(import.meta.dirname, '../../../../../shared/data/exports');
const isThere = existsSync(SHARED);

const textFile = (folder: string, name: string) => ({ name, text: readFileSync(join(SHARED, folder, name), 'utf8') });

/** Counted by hand in a sample, per conversation: messages someone wrote, branch points, topics, turns and replies. */
interface Counted {
  readonly folder: string;
  readonly files: readonly string[];
  readonly tool: string;
  /** `messages/branch points/topics/turns/replies` */
  readonly conversations: readonly string[];
}

const SAMPLES: readonly Counted[] = [
  { folder: 'agent-sessions', files: ['dsh.pi-branch.jsonl'], tool: 'pi', conversations: ['8/1/1/4/4'] },
  { folder: 'chatgpt', files: ['chat2archive.branching.json'], tool: 'ChatGPT', conversations: ['6/1/1/3/3'] },
  {
    folder: 'chatgpt',
    files: ['librechat.chatgpt-export.web-search.json'],
    tool: 'ChatGPT',
    conversations: ['6/0/1/3/3', '4/0/1/2/2'],
  },
  { folder: 'chatgpt', files: ['librechat.chatgpt-tree.json'], tool: 'ChatGPT', conversations: ['11/2/1/5/6'] },
  {
    folder: 'chatgpt',
    files: ['polylogue.native-conversation-v1.json'],
    tool: 'ChatGPT',
    conversations: ['3/1/1/1/2'],
  },
  { folder: 'claude', files: ['librechat.fixture.branched.json'], tool: 'Claude', conversations: ['4/1/1/2/2'] },
  {
    folder: 'claude',
    files: ['openwebui-importer.claude_thinking_example.json'],
    tool: 'Claude',
    conversations: ['2/0/1/1/1'],
  },
  {
    folder: 'gemini-aistudio',
    files: ['polylogue.branching_session.json'],
    tool: 'AI Studio',
    conversations: ['4/1/1/1/2'],
  },
  { folder: 'grok', files: ['openwebui-importer.grok_example.json'], tool: 'Grok', conversations: ['10/0/1/5/5'] },
  {
    folder: 'irc-disentanglement',
    files: ['2004-11-15_03.ascii.txt', '2004-11-15_03.annotation.txt'],
    tool: 'IRC',
    conversations: ['251/37/66/251/0'],
  },
  { folder: 'librechat', files: ['librechat-linear.json'], tool: 'LibreChat', conversations: ['2/0/1/1/1'] },
  { folder: 'librechat', files: ['librechat-tree.json'], tool: 'LibreChat', conversations: ['9/2/1/4/5'] },
  {
    folder: 'molweni',
    files: ['DP-dev.first8.json'],
    tool: 'Molweni',
    conversations: [
      '9/1/1/9/0',
      '7/1/1/7/0',
      '7/1/1/7/0',
      '8/2/1/8/0',
      '10/1/1/10/0',
      '7/3/1/7/0',
      '11/1/1/11/0',
      '8/1/1/8/0',
    ],
  },
  {
    folder: 'oasst',
    files: ['en_100_tree.lines1-4.jsonl'],
    tool: 'OpenAssistant',
    conversations: ['4/1/1/1/3', '9/3/1/4/6', '12/3/1/6/8', '13/2/1/6/9'],
  },
  {
    folder: 'openwebui',
    files: ['librechat.openwebui-export.json'],
    tool: 'Open WebUI',
    conversations: ['2/0/1/1/1', '2/0/1/1/1', '2/0/1/1/1'],
  },
  {
    folder: 'openwebui',
    files: ['openwebui-importer.expected.chatgpt_output.json'],
    tool: 'Open WebUI',
    conversations: ['10/0/1/5/5'],
  },
  {
    folder: 'openwebui',
    files: ['openwebui-importer.webui-json.json'],
    tool: 'Open WebUI',
    conversations: ['2/0/1/1/1'],
  },
  {
    folder: 'other-flat',
    files: ['chatbotui-export.json'],
    tool: 'chatbot-ui',
    conversations: ['4/0/1/2/2', '2/0/1/1/1'],
  },
  {
    folder: 'training-targets',
    files: ['llamafactory.dpo_en_demo.first4.json'],
    tool: 'preference pairs',
    conversations: ['3/1/1/1/2', '3/1/1/1/2', '3/1/1/1/2', '3/1/1/1/2'],
  },
  {
    folder: 'training-targets',
    files: ['llamafactory.glaive_toolcall_en.first3.json'],
    tool: 'ShareGPT',
    conversations: ['6/0/1/3/3', '10/0/1/5/5', '8/0/1/4/4'],
  },
  {
    folder: 'training-targets',
    files: ['llamafactory.mllm_demo.json'],
    tool: 'messages',
    conversations: Array.from({ length: 6 }, () => '4/0/1/2/2'),
  },
  {
    folder: 'training-targets',
    files: ['llamafactory.v1_dpo_demo.jsonl'],
    tool: 'preference pairs',
    conversations: Array.from({ length: 10 }, () => '3/1/1/1/2'),
  },
];

/** Relations between words, not a conversation. */
const NO_CONVERSATION = { folder: 'annotation', files: ['doccano.relation_extraction.example.jsonl'] };

/** Every sample, without its folder's note. */
const samplesThere = (): { readonly folder: string; readonly file: string }[] =>
  readdirSync(SHARED, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name: folder }) => readdirSync(join(SHARED, folder)).map((file) => ({ folder, file })))
    .filter(({ file }) => file !== 'FORMAT.md');

const countsOf = ({ found }: FilesRead): string[] =>
  found.map(({ conversation }) => {
    const { tree, turns } = forestOf(conversation, 0);
    const children = new Map<string | null, number>();
    for (const { parentId } of tree.messages) children.set(parentId, (children.get(parentId) ?? 0) + 1);
    const branching = [...children].filter(([parent, count]) => parent !== null && count > 1).length;
    const replies = turns.turns.reduce((n, turn) => n + turn.replies.length, 0);
    return [tree.messages.length, branching, children.get(null) ?? 0, turns.turns.length, replies].join('/');
  });

/** No reader has thrown, and what was read are sound forests. */
const expectSound = ({ found, refused }: FilesRead): void => {
  expect(refused.filter(({ why }) => why.includes('could not be read'))).toEqual([]);
  for (const { conversation } of found) {
    expect(violations(fold(newEntries(forestOf(conversation, 0), [])))).toEqual([]);
  }
};

describe.skipIf(!isThere)(`samples of real exports (skipped where ${SHARED} is absent)`, () => {
  test.each(SAMPLES)('$files', ({ folder, files, tool, conversations }) => {
    const read = readFiles(files.map((name) => textFile(folder, name)));
    expect(read.refused).toEqual([]);
    expect(new Set(read.found.map((one) => one.tool))).toEqual(new Set([tool]));
    expect(countsOf(read)).toEqual(conversations);
    for (const { conversation } of read.found) {
      const read = forestOf(conversation, 0);
      const { turns } = read;
      const forest = fold(newEntries(read, []));
      expect(violations(forest)).toEqual([]);
      expect(idsOf(forest.nodes)).toHaveLength(turns.turns.length);
    }
  });

  test('no sample is left out', () => {
    const known = [...SAMPLES, NO_CONVERSATION].flatMap(({ folder, files }) => files.map((file) => ({ folder, file })));
    expect(samplesThere()).toEqual(expect.arrayContaining(known));
    expect(samplesThere()).toHaveLength(known.length);
  });

  test('what is no conversation is refused in words', () => {
    const { folder, files } = NO_CONVERSATION;
    const { found, refused } = readFiles(files.map((name) => textFile(folder, name)));
    expect(found).toEqual([]);
    expect(refused).toMatchObject([{ why: expect.stringContaining('not in a known format') }]);
  });

  test('a channel’s log alone is refused with what it lacks', () => {
    const { refused } = readFiles([textFile('irc-disentanglement', '2004-11-15_03.ascii.txt')]);
    expect(refused).toMatchObject([{ why: expect.stringContaining('Give both files') }]);
  });

  test('mutated files never throw, and what is read of them is always a sound forest', () => {
    const texts = samplesThere()
      .map(({ folder, file }) => textFile(folder, file))
      .filter(({ text }) => text.length < 20_000);
    fc.assert(
      fc.property(
        fc.constantFrom(...texts),
        fc.array(
          fc.record({
            at: fc.double({ min: 0, max: 1, noNaN: true }),
            cut: fc.nat({ max: 40 }),
            put: fc.constantFrom('', 'null', '[]', '"x"', '{', '}', '0', '"parent":', '\n'),
          }),
          { minLength: 1, maxLength: 4 },
        ),
        (file, mutations) => {
          let text = file.text;
          for (const { at, cut, put } of mutations) {
            const place = Math.floor(at * text.length);
            text = text.slice(0, place) + put + text.slice(place + cut);
          }
          expectSound(readFiles([{ ...file, text }]));
        },
      ),
      { numRuns: 600 },
    );
  });

  test('values of other types in every place never throw', () => {
    const texts = SAMPLES.filter(({ files }) => files.length === 1 && files[0]?.endsWith('.json')).map(
      ({ folder, files }) => textFile(folder, files[0] ?? ''),
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...texts),
        fc.nat({ max: 400 }),
        fc.constantFrom(null, 0, '', [], {}, '__proto__', true),
        (file, place, value) => {
          let at = 0;
          const changed = JSON.stringify(JSON.parse(file.text), (_, old) => (at++ === place ? value : old)) ?? '';
          expectSound(readFiles([{ ...file, text: changed }]));
        },
      ),
      { numRuns: 400 },
    );
  });
});
