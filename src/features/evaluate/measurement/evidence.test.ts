import { describe, expect, test } from 'vitest';
import { contextAgent } from '../../../engine/context/policies/context-agent.ts';
import type { ChatModel, ChatRequest, Decider } from '../../../engine/ports.ts';
import { loadGlossaries } from '../../../engine/text/glossary.ts';
import { TokenCache } from '../../../engine/text/token-cache.ts';
import { alwaysContinue, thresholdDecider } from '../../../models/embedded/what-if-deciders.ts';
import { readDataFiles } from '../datasets/data-files.ts';
import type { Question, QuestionedDialogue } from '../datasets/dialogues.ts';
import { questionSetsIn } from './datasets.ts';
import {
  answerF1,
  answering,
  type EvidenceParts,
  exactMatch,
  expectQuestions,
  measureQuestions,
  normalisedAnswer,
} from './evidence.ts';
import { measure, textsToEmbed } from './measure.ts';
import type { PlacementSubject } from './placements.ts';
import { reportOf } from './report.ts';
import { ProgressCounter } from './runs.ts';
import { subjectsNamed } from './subjects.ts';
import type { FigureRow } from './tables.ts';

/** A text is a direction: its first number, in degrees. */
const vectorOf = (text: string): Float32Array => {
  const angle = (Number(/\d+/.exec(text)?.[0] ?? 0) * Math.PI) / 180;
  return Float32Array.of(Math.cos(angle), Math.sin(angle));
};
const embed = async (texts: readonly string[]) => texts.map(vectorOf);
const counter = {
  name: 'words',
  count: async (texts: readonly string[]) => texts.map((text) => text.split(' ').length),
};

/** Long enough for it to matter whether a turn is sent. */
const said = (angle: number) => `${angle} ${'word '.repeat(60)}`;
const conversation = (angles: readonly number[], questions: readonly Question[]): QuestionedDialogue => ({
  set: 'locomo',
  id: 'made',
  group: 'made',
  labels: 'topics',
  turns: angles.map((angle) => ({ message: said(angle), reply: 'Yes.', parent: null, disputed: false })),
  questions,
});
const asked = (angle: number, evidence: readonly number[], ...answers: string[]): Question => ({
  text: `${angle}?`,
  answers,
  evidence,
});

const placedBy = (decider: Decider): PlacementSubject => ({
  subject: decider.name,
  deciderFor: () => decider,
  policy: contextAgent,
});
const POLICIES = ['context-agent', 'full-history', 'truncation-equal-tokens'];

const run = async (
  questions: readonly Question[],
  { decider = thresholdDecider(), chat }: { decider?: Decider; chat?: ChatModel } = {},
): Promise<{ rows: FigureRow[]; steps: { done: number; of: number }[] }> => {
  const steps: { done: number; of: number }[] = [];
  const parts: EvidenceParts = {
    groups: [{ placing: placedBy(decider), contexts: subjectsNamed([], POLICIES).contexts }],
    steps: new ProgressCounter((done, of) => {
      steps.push({ done, of });
    }),
    chat: answering(chat),
    signal: new AbortController().signal,
    vectorOf,
    embed,
    tokens: new TokenCache(counter),
  };
  // Two topics: 0 and 1, then 80 and 81.
  const [set] = questionSetsIn({ ...readDataFiles([]), locomo: [conversation([0, 1, 80, 81], questions)] });
  if (set === undefined) throw new Error('there is no set');
  expectQuestions(set, parts);
  return { rows: await measureQuestions(set, parts), steps };
};
const figures = (rows: readonly FigureRow[], metric: string) =>
  Object.fromEntries(rows.filter((row) => row.metric === metric).map(({ subject, value, n }) => [subject, [value, n]]));

describe('evidence', () => {
  test('is found where the question reaches its topic', async () => {
    const { rows } = await run([asked(2, [0, 1]), asked(79, [1, 2])]);
    expect(figures(rows, 'evidence-recall')).toEqual({
      'context-agent': [0.75, 2],
      'full-history': [1, 2],
      // The last two turns for both questions.
      'truncation-equal-tokens': [0.25, 2],
    });
  });

  test('at equal tokens costs no more', async () => {
    const { rows } = await run([asked(2, [0, 1])]);
    const ratio = figures(rows, 'context-tokens-ratio');
    expect(ratio['full-history']).toEqual([1, 1]);
    expect(ratio['context-agent']?.[0]).toBeLessThan(1);
    expect(ratio['truncation-equal-tokens']?.[0]).toBeLessThanOrEqual(ratio['context-agent']?.[0] ?? 0);
  });

  test('a question without any is not counted', async () => {
    const { rows } = await run([asked(2, [0, 1]), asked(2, [])]);
    expect(figures(rows, 'evidence-recall')['context-agent']).toEqual([1, 1]);
    expect(figures(rows, 'context-tokens-ratio')['context-agent']?.[1]).toBe(2);
  });

  test('a question is asked as if no other had been', async () => {
    const one = asked(2, [0, 1]);
    const ages: number[][] = [];
    const watched: Decider = {
      ...alwaysContinue,
      topic: (question) => {
        ages.push(question.topics.map(({ age }) => age));
        return alwaysContinue.topic(question);
      },
    };
    await run([one, one, one], { decider: watched });
    // The three turns are decided first, then the questions, each directly after the last turn.
    expect(ages.slice(3)).toEqual([[0], [0], [0]]);
    const alone = await run([one]);
    const together = await run([asked(79, [2]), one, one]);
    expect(figures(together.rows, 'context-tokens-ratio')['full-history']).toEqual([1, 3]);
    expect(figures(alone.rows, 'evidence-recall')['context-agent']).toEqual([1, 1]);
    expect(figures(together.rows, 'evidence-recall')['context-agent']).toEqual([1, 3]);
  });

  test('a decider that fails at a question is no decision', async () => {
    let calls = 0;
    const tired: Decider = {
      ...alwaysContinue,
      topic: (question) => (++calls > 3 ? Promise.reject(new Error('too tired')) : alwaysContinue.topic(question)),
    };
    await expect(run([asked(2, [0])], { decider: tired })).rejects.toThrow(/failed at a question of made: too tired/);
  });
});

describe('answers', () => {
  const requests: ChatRequest[] = [];
  /** Gives the right answer if it was sent 0. */
  const chat: ChatModel = {
    name: 'reader',
    window: 4096,
    tokens: counter,
    async *reply(request) {
      requests.push(request);
      yield request.messages.some(({ content }) => content.startsWith('0 ')) ? 'the red ' : 'a blue ';
      yield 'kite';
    },
  };

  test('are compared with the right ones, from the context of each policy', async () => {
    const { rows, steps } = await run([asked(2, [0], 'red kite'), asked(3, [])], { chat });
    expect(figures(rows, 'answer-em')).toEqual({
      'context-agent': [1, 1],
      'full-history': [1, 1],
      'truncation-equal-tokens': [0, 1],
    });
    expect(figures(rows, 'answer-f1')['truncation-equal-tokens']).toEqual([0.5, 1]);
    expect(requests).toHaveLength(3);
    for (const { messages } of requests) {
      expect(messages[0]?.role).toBe('system');
      expect(messages.at(-1)).toEqual({ role: 'user', content: '2?' });
    }
    // Other topics reach the model as summaries, although no turn recorded this overview.
    expect(requests[0]?.messages[0]?.content).toContain('Elsewhere in this conversation:');
    expect(steps.at(-1)).toEqual({ done: 8, of: 8 });
  });

  test('are left out without a chat model, and with the one that only quotes', async () => {
    const question = asked(2, [0], 'red kite');
    for (const given of [undefined, { ...chat, name: 'recall' }]) {
      const { rows } = await run([question], given === undefined ? {} : { chat: given });
      expect(figures(rows, 'answer-em')).toEqual({});
    }
  });
});

test('a measurement lists the sets with questions and says that no chat model was chosen', async () => {
  const data = { ...readDataFiles([]), locomo: [conversation([0, 80], [asked(2, [0], 'kite')])] };
  expect([...textsToEmbed(data)]).toEqual([said(0), 'Yes.', said(80), '2?']);
  const subjects = { placings: [placedBy(alwaysContinue)], contexts: [] };
  const measured = await measure(data, { vectorOf, embed, tokens: counter, subjects });
  expect(measured.datasets).toEqual([{ name: 'locomo', dialogues: 1, turns: 2, questions: 1 }]);
  const report = reportOf(measured, { command: 'npm run eval', date: new Date('2026-11-22'), versions: [] });
  expect(report).toContain('1 dialogue, 2 turns. 1 question, each asked after the whole conversation.');
  expect(report).toContain('(`answer-em`, `answer-f1`): no chat model chosen.');
});

test('questions in another language than English are measured, also where the first of them tells the language', async () => {
  await loadGlossaries();
  const turn = (message: string) => ({ message, reply: null, parent: null, disputed: false });
  const asking = (text: string): Question => ({ text, answers: [], evidence: [0] });
  const questions = ['Welche Farbe hat mein altes Fahrrad?', 'Was habe ich dir von meiner Schwester erzählt?'].map(
    asking,
  );
  const chats = [
    ['Mein Fahrrad ist rot und quietscht bei jedem Tritt ganz furchtbar laut.', 'Meine Schwester kommt morgen.'],
    ['Fahrrad rot.'],
  ].map((messages) => ({ ...conversation([], questions), turns: messages.map(turn) }));
  const data = { ...readDataFiles([]), locomo: chats };
  const texts = textsToEmbed(data);
  const known = (text: string) => {
    if (text !== '' && !texts.has(text)) throw new Error(`a text was not embedded: ${text}`);
    return vectorOf(text);
  };
  const subjects = subjectsNamed(['always-continue'], ['full-history']);
  const { rows } = await measure(data, { vectorOf: known, embed, tokens: counter, subjects });
  expect(rows.find(({ metric }) => metric === 'evidence-recall')).toMatchObject({ value: 1, n: 4 });
});

test('articles, capitals, punctuation and blanks make no difference', () => {
  expect(normalisedAnswer('  The  Cat’s tail, an “owl” & A-frame.')).toBe('cat’s tail “owl” aframe');
  expect(exactMatch('The blue kite!', ['blue kite'])).toBe(1);
  expect(exactMatch('theatre', ['atre'])).toBe(0);
});

test('any of the right answers will do', () => {
  expect(exactMatch('two', ['2', 'Two'])).toBe(1);
  expect(answerF1('two', ['2', 'two or three'])).toBeCloseTo(0.5);
  expect(exactMatch('two', [])).toBe(0);
  expect(answerF1('two', [])).toBe(0);
});

test('F1 counts each word as often as both have it', () => {
  expect(answerF1('red red kite', ['red kite kite'])).toBeCloseTo(2 / 3);
  expect(answerF1('nothing of it', ['kite'])).toBe(0);
  expect(answerF1('kite', ['the kite'])).toBe(1);
});

test('nothing is right only where nothing is the answer', () => {
  expect(answerF1('', ['kite'])).toBe(0);
  expect(answerF1('...', ['the'])).toBe(1);
});
