import { afterEach, expect, test } from 'vitest';
import {
  type OpenAiServer,
  type ReceivedRequest,
  startOpenAiServer,
} from '../../src/models/runtimes/server/testing/open-ai-server.ts';
import { createProgressBar } from '../command-line.ts';
import { type CompletionOptions, runCompletion } from './run-completion.ts';

const servers: OpenAiServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

const file = (...dialogues: { id: string; says: string[]; asks: string }[]) => [
  {
    path: 'ntm/own.jsonl',
    text: dialogues
      .map(({ id, says, asks }) =>
        JSON.stringify({
          conversation_id: id,
          user_turns: says.map((content) => ({ content })),
          checkpoint_question: asks,
        }),
      )
      .join('\n'),
  },
];
const HUT = {
  id: 'hut',
  says: ['Plan me a hut with two doors.', 'Make the stove of iron.', 'Give me the whole plan of the hut.'],
  asks: 'Does the plan of the hut include (1) two doors, (2) an iron stove, and (3) a lamp?',
};
const CAKE = {
  id: 'cake',
  says: ['Which cake is quick?', 'Now the recipe of the cake.'],
  asks: 'Is the recipe for a cake?',
};

const MODELS = ['talker', 'strict', 'lenient'];
/** The last message of a request; in a judge's request it contains the goal. */
const lastOf = ({ body }: ReceivedRequest): string => body.messages.at(-1).content;
const goalOf = (request: ReceivedRequest): string => lastOf(request).match(/The goal to check.*: "(.*)"/)?.[1] ?? '';

const scripted = (request: ReceivedRequest): string => {
  switch (request.body.model) {
    case 'strict':
      if (goalOf(request) === 'an iron stove') return 'Perhaps, in a way.';
      return JSON.stringify({ answer: goalOf(request) === 'a lamp' ? 'no' : 'yes' });
    case 'lenient':
      return 'Yes.';
    default:
      return `<think>\nHidden thought.\n</think>\n\nMy word on “${lastOf(request)}”`;
  }
};

const serving = async (options: Parameters<typeof startOpenAiServer>[0] = {}): Promise<OpenAiServer> => {
  const server = await startOpenAiServer({ models: MODELS, answer: scripted, ...options });
  servers.push(server);
  return server;
};

const run = async (
  files: ReturnType<typeof file>,
  { address }: OpenAiServer,
  given: Partial<CompletionOptions> = {},
) => {
  const options = { server: address, model: 'talker', judges: [], policies: [], deciders: [], most: null };
  const shown: string[] = [];
  const bar = createProgressBar({ isTTY: false, columns: 80, write: (text: unknown) => shown.push(`${text}`) > 0 });
  const circumstances = { command: 'npm run eval', date: new Date(0), versions: [] };
  const made = await runCompletion(files, { ...options, environment: {}, ...given }, bar, circumstances);
  return { ...made, shown: shown.join('') };
};

const figures = ({ rows }: Awaited<ReturnType<typeof run>>) =>
  Object.fromEntries(
    rows.map(({ subject, metric, judge, value, n }) => [
      `${subject} ${metric}${judge === undefined ? '' : ` ${judge.replaceAll(/ \([^)]*\)/g, '')}`}`,
      [Number(value.toFixed(3)), n],
    ]),
  );

test('every goal of the last answer is judged under each policy, and what is of no use is counted', async () => {
  const server = await serving();
  const made = await run(file(HUT, CAKE), server, { judges: ['strict', 'lenient'] });
  expect(made.rows.every(({ dataset, mode }) => dataset === 'ntm' && mode === 'free-running')).toBe(true);
  const all = figures(made);
  for (const policy of ['context-agent', 'full-history']) {
    // The hut: doors yes, stove unusable, lamp no; the cake: yes.
    expect(all[`${policy} task-completion strict`]).toEqual([0.667, 3]);
    expect(all[`${policy} task-completion-by-dialogue strict`]).toEqual([0.75, 2]);
    expect(all[`${policy} task-completion lenient`]).toEqual([1, 4]);
    expect(all[`${policy} judges-kappa strict and lenient`]).toEqual([0, 3]);
    expect(all[`${policy} judges-agreement strict and lenient`]).toEqual([0.667, 3]);
    expect(made.report).toContain(`**${policy}**: every turn was answered in full.`);
  }
  expect(all['full-history context-tokens-ratio']).toEqual([1, 3]);
  expect(made.report).toMatch(/Answered by talker .* Judged by strict .* and lenient .* Turns placed by learned\./);
  expect(made.report).toMatch(
    /\*\*strict .*\*\* judged: asked about 8 goals, 2 answers of no use \(nonsense 2\), whose goals are left out\./,
  );
  expect(made.report).toMatch(/\*\*lenient .*\*\* judged: asked about 8 goals, every answer was of use\./);
  expect(made.report).toMatch(/\| task-completion, by strict .*\|/);
  expect(made.shown).toContain('100 % ntm: full-history');
});

test('the chat model answers from its own earlier answers, and a judge sees its last one alone', async () => {
  const server = await serving();
  await run(file(HUT), server, { judges: ['lenient'], policies: ['full-history'] });
  const asked = server.requests.filter(({ path }) => path.endsWith('/chat/completions'));
  const talks = asked.filter(({ body }) => body.model === 'talker');
  expect(talks.map(lastOf)).toEqual(HUT.says);
  const heard = talks.at(-1)?.body.messages.map(({ content }: { content: string }) => content);
  for (const say of HUT.says.slice(0, 2)) expect(heard).toContain(`My word on “${say}”`);
  const judged = asked.filter(({ body }) => body.model === 'lenient');
  expect(judged.map(goalOf)).toEqual(['two doors', 'an iron stove', 'a lamp']);
  for (const request of judged) {
    expect(lastOf(request)).toContain(`-----\nMy word on “${HUT.says[2]}”\n-----`);
    expect(lastOf(request)).toContain(HUT.asks);
    expect(JSON.stringify(request.body.messages)).not.toMatch(/Hidden thought|Make the stove/);
  }
});

test('a model that judges itself is said to, and judges that always agree have no κ', async () => {
  const server = await serving({ answer: 'yes' });
  const alone = await run(file(CAKE), server, { policies: ['truncation'] });
  expect(alone.report).toMatch(/Judged by talker \(.*\), the model that answered: it judges itself \(judge prompt 1\)/);
  expect(figures(alone)['truncation task-completion talker']).toEqual([1, 1]);
  const both = await run(file(CAKE), server, { policies: ['truncation'], judges: ['strict', 'lenient'] });
  expect(both.rows.map(({ metric }) => metric)).not.toContain('judges-kappa');
  expect(both.report).toContain('κ of the judges is undefined');
  expect(both.report).not.toContain('it judges itself');
});

test('a dialogue without a last answer is left out and told, and the rest goes on', async () => {
  const silent = (request: ReceivedRequest) => (lastOf(request) === HUT.says.at(-1) ? '' : scripted(request));
  const server = await serving({ answer: silent });
  const made = await run(file(HUT, CAKE), server, { judges: ['lenient'], policies: ['full-history'] });
  expect(figures(made)['full-history task-completion lenient']).toEqual([1, 1]);
  expect(made.report).toContain(
    '**full-history**: 1 turns have no answer (empty 1); 1 dialogues have no last answer, and their goals are left out.',
  );
});

test('a judge at another server never gets the key of the first', async () => {
  const server = await serving({ key: 'first' });
  const other = await serving({ models: ['strict'], key: 'second' });
  const environment = { COPPICE_SERVER_KEY: 'first', COPPICE_JUDGE_KEY_1: 'second' };
  const given = { environment, judges: [`strict@${other.address}`], policies: ['full-history'], most: 1 };
  const made = await run(file(CAKE, HUT), server, given);
  expect(figures(made)['full-history task-completion strict']).toEqual([1, 1]);
  expect(new Set(other.requests.map(({ headers }) => headers.authorization))).toEqual(new Set(['Bearer second']));
  expect(server.requests.some(({ body }) => body?.model === 'strict')).toBe(false);
});

test('what goes wrong is told in words, and nothing is measured then', async () => {
  const server = await serving();
  await expect(run([], server)).rejects.toThrow(/ntm\/\*\.jsonl, and the folder has none/);
  await expect(run(file(CAKE), server, { model: 'nobody' })).rejects.toMatchObject({ kind: 'not-found' });
  await expect(run(file(CAKE), server, { judges: ['nobody'] })).rejects.toMatchObject({ kind: 'not-found' });
  await expect(run(file(CAKE), server, { policies: ['flat-rag-equal-tokens'] })).rejects.toThrow(
    /no policy “flat-rag-eq/,
  );
  await expect(run(file(CAKE), server, { deciders: ['calibrated'] })).rejects.toThrow(/--decider learned, or/);
  await expect(run(file(CAKE), server, { judges: ['a', 'b', 'c'] })).rejects.toThrow(/at most 2 judges/);
  await expect(run(file(CAKE), server, { judges: ['strict', 'strict'] })).rejects.toThrow(/agrees with itself/);
  server.fail({ kind: 'status', status: 401 });
  await expect(run(file(CAKE), server)).rejects.toThrow(/context-agent, turn 1 of cake: .*requires a key/);
  await server.close();
  await expect(run(file(CAKE), server)).rejects.toMatchObject({ kind: 'unreachable' });
});

test('turns are placed by a language model where that is asked for, with the learned decider standing in', async () => {
  const server = await serving({ answer: (request) => (request.body.model === 'strict' ? 'yes' : 'My word.') });
  const made = await run(file(HUT), server, {
    deciders: ['prompted'],
    judges: ['strict'],
    policies: ['context-agent'],
  });
  expect(made.report).toContain('Turns placed by prompted.');
  expect(made.report).toMatch(
    /\*\*prompted\*\* is talker .*answers of no use \(nonsense \d+\), where learned stood in\./,
  );
});
