import { afterAll, describe, expect, inject, test } from 'vitest';
import type { Usage } from '../../domain/reply.ts';
import { bareHost } from '../../engine/testing/bare-host.ts';
import { promptedDecider } from '../prompted/prompted-decider.ts';
import { promptedSummariser } from '../prompted/prompted-summariser.ts';
import {
  BRANCH_INSTRUCTIONS,
  SUMMARY_INSTRUCTIONS,
  TITLE_INSTRUCTIONS,
  TOPIC_INSTRUCTIONS,
} from '../prompted/prompts.ts';
import { openModelFiles } from '../store/open-model-files.ts';
import type { TextGenerator } from './runtime.ts';
import { loading } from './testing/asking.ts';
import { keptFolder } from './transformers/testing/own-folder.ts';
import { transformersRuntime } from './transformers/transformers-runtime.ts';
import { longerWindow } from './wllama/testing/longer-window.ts';
import { wllamaRuntime } from './wllama/wllama-runtime.ts';

const missing = inject('modelsMissing');
const files = openModelFiles({ folder: 'side-prefixes' });
const hub = () => inject('hub');

/** In tokens. The model's own 512, of a letter or two each, cannot hold a question about a conversation. */
const WINDOW = 8192;
const MESSAGES = [
  'how long do i boil two eggs',
  'and if they are large',
  'what if i steam the eggs instead',
  'explain how a list is sorted',
  'and how fast is that',
  'back to the eggs, do they need salt',
];
const ROLES = {
  topic: TOPIC_INSTRUCTIONS,
  branch: BRANCH_INSTRUCTIONS,
  summary: SUMMARY_INSTRUCTIONS,
  title: TITLE_INSTRUCTIONS,
} as const;

const wllama = async (): Promise<TextGenerator> => {
  const file = await fetch(`${hub()}/local/stories260K-gguf/resolve/main/stories260K-f32.gguf`);
  const longer = longerWindow(await file.arrayBuffer(), WINDOW);
  await files.keep({ key: 'wllama:file:long', name: 'long.gguf' }, 'own:long/long.gguf', new Blob([longer]));
  const source = { kind: 'file', name: 'long.gguf', key: 'long' } as const;
  return wllamaRuntime({ files, hub }).loadGenerator({ runtime: 'wllama', source, embeds: false }, loading);
};

const transformers = async (): Promise<TextGenerator> => {
  const repo = `${hub()}/local/stories260K`;
  const config = await (await fetch(`${repo}/resolve/main/config.json`)).json();
  const paths = ['generation_config.json', 'tokenizer.json', 'tokenizer_config.json', 'onnx/model_quantized.onnx'];
  const spec = await keptFolder(
    files,
    repo,
    ['config.json', ...paths],
    { key: 'long', task: 'generate', dtype: 'auto', device: 'auto' },
    { 'config.json': JSON.stringify({ ...config, max_position_embeddings: WINDOW }) },
  );
  return transformersRuntime({ files, hub }).loadGenerator(spec, loading);
};

interface Read {
  readonly role: keyof typeof ROLES;
  readonly prefilled: number;
  readonly reused: number;
}

/** How much one model that decides and summarises had to read for each question, and how much it still had. */
const readBy = async (model: TextGenerator): Promise<Read[]> => {
  const reads: Read[] = [];
  const watched: TextGenerator = {
    ...model,
    count: (texts) => model.count(texts),
    generate: (request, signal) => {
      const system = request.messages[0]?.content;
      const role = (Object.keys(ROLES) as (keyof typeof ROLES)[]).find((one) => ROLES[one] === system);
      const onUsage = ({ prefilled, reused }: Usage): void => {
        if (role !== undefined) reads.push({ role, prefilled: prefilled ?? Number.NaN, reused: reused ?? Number.NaN });
      };
      // What it says does not matter, and it says a lot.
      return model.generate({ ...request, maxTokens: Math.min(request.maxTokens ?? 24, 24), onUsage }, signal);
    },
  };
  const host = bareHost(
    { decide: promptedDecider(watched), summarise: promptedSummariser(watched) },
    { parameters: { theta: 0.2, patience: 600_000 } },
  );
  for (const message of MESSAGES) await host.send(message);
  return reads;
};

afterAll(async () => {
  for (const { key } of await files.list()) await files.remove(key);
  files.close();
});

describe.skipIf(missing !== null)(
  `one model that decides and summarises${missing === null ? '' : ` (${missing})`}`,
  () => {
    test.for([
      ['wllama', wllama],
      ['transformers', transformers],
    ] as const)('by %s reads the instructions of each kind of question once', async ([, load], { annotate }) => {
      const model = await load();
      const reads = await readBy(model);
      await annotate(reads.map(({ role, prefilled, reused }) => `${role} ${prefilled} (${reused})`).join(', '));
      const instructions = await model.count(Object.values(ROLES));
      model.close();
      for (const [i, role] of (Object.keys(ROLES) as (keyof typeof ROLES)[]).entries()) {
        const [first, ...later] = reads.filter((read) => read.role === role);
        expect(first?.reused, role).toBeLessThan(50);
        expect(later.length, role).toBeGreaterThan(0);
        for (const { reused } of later) expect(reused, role).toBeGreaterThan((instructions[i] as number) * 0.9);
      }
    });
  },
);
