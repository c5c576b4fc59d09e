import { describe, expect, test, vi } from 'vitest';
import { RECALL } from '../../../domain/forest.ts';
import { recordsOf } from '../../../domain/table.ts';
import { contextAgent } from '../../../engine/context/policies/context-agent.ts';
import type { Policy } from '../../../engine/context/policy.ts';
import type { Decider } from '../../../engine/ports.ts';
import { TokenCache } from '../../../engine/text/token-cache.ts';
import { alwaysContinue, calibratedDecider, thresholdDecider } from '../../../models/embedded/what-if-deciders.ts';
import type { LabelledDialogue } from '../datasets/dialogues.ts';
import { type ContextRecord, contextsOf } from './contexts.ts';
import { ancestorsOf, type EvaluationMode, goldPlaces, type Placements, placeDialogue } from './placements.ts';
import { subjectsNamed } from './subjects.ts';

/** A message is an angle in degrees that its vector points to, so that similarities are cosines of differences. */
const vectorOf = (text: string): Float32Array => {
  const angle = (Number.parseFloat(text || '0') * Math.PI) / 180;
  return text === '' ? new Float32Array(2) : Float32Array.of(Math.cos(angle), Math.sin(angle));
};

const dialogue = (...turns: readonly (readonly [message: string, parent: number | null])[]): LabelledDialogue => ({
  set: 'made',
  id: 'd',
  group: 'd',
  labels: 'parents',
  turns: turns.map(([message, parent]) => ({ message, reply: 'Yes.', parent, disputed: false })),
});

const place = (decider: Decider, made: LabelledDialogue, mode: EvaluationMode) =>
  placeDialogue(
    'made',
    made,
    { subject: decider.name, deciderFor: () => decider, policy: contextAgent },
    mode,
    vectorOf,
  );

const AWAY_AND_BACK = dialogue(['0', null], ['80', null], ['5', 0]);
const FORK = dialogue(['0', null], ['30', 0], ['60', 1], ['1', 0]);

const parentsOf = ({ placed }: Placements) => placed.map(({ parent }) => parent);

describe('deciders by similarity', () => {
  test.each([calibratedDecider(), thresholdDecider()])('$name opens a topic and comes back', async (decider) => {
    expect(parentsOf(await place(decider, AWAY_AND_BACK, 'free-running'))).toEqual([null, null, 0]);
  });

  test('calibrated forks whenever the gate opens, threshold never', async () => {
    expect(parentsOf(await place(calibratedDecider(), FORK, 'free-running'))).toEqual([null, 0, 1, 0]);
    expect(parentsOf(await place(thresholdDecider(), FORK, 'free-running'))).toEqual([null, 0, 1, 2]);
  });
});

const BY_REPLY: Decider = {
  ...alwaysContinue,
  reconsider: async ({ reply }) => ({ ...(await calibratedDecider().topic(reply)), confidence: 0.9 }),
  topic: async (question) => ({ ...(await alwaysContinue.topic(question)), decider: alwaysContinue.name }),
};
const WANDERING = dialogue(['0', null], ['80', null], ['5', 0], ['81', 1]);

test('what its reply shows moves a turn for those after it, and is told beside what its message came to', async () => {
  const replied = { ...WANDERING, turns: WANDERING.turns.map((turn) => ({ ...turn, reply: turn.message })) };
  const { placed, settled, records } = await place(BY_REPLY, replied, 'free-running');
  expect(placed.map(({ parent }) => parent)).toEqual([null, 0, 1, 2]);
  expect(settled.map(({ parent }) => parent)).toEqual([null, null, 0, 1]);
  expect(records.map((record) => record.settled.topic)).toEqual(['create-topic', 'switch-topic', 'switch-topic']);
  expect(records.map(({ predicted }) => predicted.topic)).toEqual([
    'continue-topic',
    'continue-topic',
    'continue-topic',
  ]);
});

test('a reply that only quotes moves no turn, as in the app', async () => {
  const turns = WANDERING.turns.map((turn) => ({ ...turn, reply: turn.message, replyBy: RECALL }));
  const { placed, settled } = await place(BY_REPLY, { ...WANDERING, turns }, 'free-running');
  expect(settled).toEqual(placed);
});

test('a decision is marked unsure as the interface does: little confidence, and another place worth offering', async () => {
  const doubting = (confidence: number, other: number): Decider => ({
    ...alwaysContinue,
    topic: async (question) => ({
      ...(await alwaysContinue.topic(question)),
      confidence,
      alternatives: [{ action: 'create-topic', target: null, confidence: other }],
    }),
  });
  const markedBy = async (decider: Decider) =>
    (await place(decider, AWAY_AND_BACK, 'free-running')).records.map(({ unsure }) => unsure);
  expect(await markedBy(doubting(0.55, 0.45))).toEqual([true, true]);
  expect(await markedBy(doubting(0.65, 0.35))).toEqual([false, false]);
  expect(await markedBy(doubting(0.55, 0.1))).toEqual([false, false]);
});

describe('the history before a turn', () => {
  test('is as labelled, or as it was placed', async () => {
    // Always continuing: with the labelled history, the third turn continues the second topic.
    const forced = await place(alwaysContinue, AWAY_AND_BACK, 'teacher-forced');
    expect(parentsOf(forced)).toEqual([null, 0, 1]);
    expect(forced.records.map(({ predictedHome }) => predictedHome)).toEqual([0, 1]);
    const later = dialogue(['0', null], ['80', null], ['5', 0], ['6', 2]);
    expect(parentsOf(await place(alwaysContinue, later, 'teacher-forced'))).toEqual([null, 0, 1, 2]);
    const [first] = forced.records;
    expect(first).toMatchObject({ turn: 1, gold: { topic: 'create-topic' }, predicted: { topic: 'continue-topic' } });
  });

  test('says whether a turn was put as a fork', async () => {
    const { records } = await place(calibratedDecider(), FORK, 'teacher-forced');
    expect(records.map(({ gold, predicted }) => [gold.fork, predicted.fork])).toEqual([
      [false, false],
      [false, false],
      [true, true],
    ]);
  });
});

test('a decider that fails is no decision', async () => {
  const broken: Decider = {
    ...alwaysContinue,
    name: 'broken',
    topic: () => Promise.reject(new Error('no memory left')),
  };
  await expect(place(broken, FORK, 'free-running')).rejects.toThrow(
    /broken failed at turn 2 of made d: no memory left/,
  );
});

test('a decider may take its time, as while it loads over a slow line', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const loading: Decider = {
      ...alwaysContinue,
      topic: async (question) => {
        await vi.advanceTimersByTimeAsync(60_000);
        return alwaysContinue.topic(question);
      },
    };
    expect(parentsOf(await place(loading, AWAY_AND_BACK, 'free-running'))).toEqual([null, 0, 1]);
  } finally {
    vi.useRealTimers();
  }
});

describe('contexts', () => {
  const counter = {
    name: 'words',
    count: async (texts: readonly string[]) => texts.map((text) => text.split(' ').length),
  };
  const run = (
    made: LabelledDialogue,
    parents: readonly (number | null)[],
    mode: EvaluationMode,
  ): Promise<ContextRecord[]> => {
    const { contexts } = subjectsNamed([], ['context-agent', 'full-history', 'truncation-equal-tokens']);
    const placed = parents.map((parent) => ({ parent, decision: null }));
    return contextsOf(made, { placed, settled: placed }, mode, contextAgent, contexts, {
      vectorOf,
      embed: async (texts) => texts.map(vectorOf),
      tokens: new TokenCache(counter),
    });
  };
  const found = (records: readonly ContextRecord[], subject: string) =>
    records.filter((record) => record.subject === subject).map(({ found: has, needed }) => [has, needed]);

  test('of a turn in its place have its path, of a misplaced one what they happen to', async () => {
    const labelled = FORK.turns.map(({ parent }) => parent);
    expect(found(await run(FORK, labelled, 'free-running'), 'context-agent')).toEqual([
      [1, 1],
      [2, 2],
      [1, 1],
    ]);
    // The third turn opened a topic, so neither of its two ancestors is sent in full.
    const records = await run(FORK, [null, 0, null, 0], 'teacher-forced');
    expect(found(records, 'context-agent')).toEqual([
      [1, 1],
      [0, 2],
      [1, 1],
    ]);
    expect(found(records, 'full-history')).toEqual([
      [1, 1],
      [2, 2],
      [1, 1],
    ]);
  });

  test.each(['free-running', 'teacher-forced'] as const)('%s, go on from those of the same policy', async (mode) => {
    const seen: (readonly string[])[] = [];
    const spy: Policy = {
      ...contextAgent,
      name: 'spy',
      build: async (place) => {
        const sent = recordsOf(place.forest.nodes).flatMap(({ replies }) => replies.map(({ context }) => context));
        seen.push(sent.map((context) => `${context?.policy}`));
        const built = await contextAgent.build(place);
        return { ...built, context: { ...built.context, policy: 'spy' } };
      },
    };
    const placed = [null, 0, null, 0].map((parent) => ({ parent, decision: null }));
    const subjects = [{ subject: 'spy', policy: spy, equalTokens: false }];
    await contextsOf(FORK, { placed, settled: placed }, mode, contextAgent, subjects, {
      vectorOf,
      embed: async (texts) => texts.map(vectorOf),
      tokens: new TokenCache(counter),
    });
    expect(new Set(seen.flat())).toEqual(new Set(['spy']));
    // The third turn is built a second time, where its label says.
    expect(seen.map((sent) => sent.length)).toEqual(mode === 'free-running' ? [0, 1, 2, 3] : [0, 1, 2, 2, 3]);
  });

  test('keep an overview while the dialogue goes on, as in use', async () => {
    const made: boolean[] = [];
    const spy: Policy = {
      ...contextAgent,
      build: async (place) => {
        const built = await contextAgent.build(place);
        made.push(built.overview !== null);
        return built;
      },
    };
    const placed = [null, null, 1, 2].map((parent) => ({ parent, decision: null }));
    const subjects = [{ subject: 'spy', policy: spy, equalTokens: false }];
    await contextsOf(FORK, { placed, settled: placed }, 'free-running', contextAgent, subjects, {
      vectorOf,
      embed: async (texts) => texts.map(vectorOf),
      tokens: new TokenCache(counter),
    });
    expect(made).toEqual([false, true, false, false]);
  });

  test('count the references off the path', async () => {
    const turns = AWAY_AND_BACK.turns.map((turn, at) => (at === 2 ? { ...turn, also: [1] } : turn));
    const records = await run({ ...AWAY_AND_BACK, turns }, [null, null, 0], 'free-running');
    expect(found(records, 'context-agent').at(-1)).toEqual([1, 2]);
    expect(found(records, 'full-history').at(-1)).toEqual([2, 2]);
  });

  test('at equal tokens are never longer than those they are compared with', async () => {
    const records = await run(FORK, [null, 0, 1, 0], 'free-running');
    const tokens = (subject: string) => records.filter((record) => record.subject === subject).map((one) => one.tokens);
    const own = tokens('context-agent');
    for (const [at, count] of tokens('truncation-equal-tokens').entries())
      expect(count).toBeLessThanOrEqual(own[at] ?? 0);
  });
});

/*
 * 0 ─ 1 ─ 2      a topic; 3 opens another; 4 returns to 2; 5 forks from 0; 6 returns to the branch of 4;
 * │   └…4 ─ 6    7 returns to topic 3
 * └ 5
 */
const turns = [null, 0, 1, null, 2, 0, 4, 3].map((parent) => ({ parent }));

test('labels say topic action, branch action and fork', () => {
  expect(goldPlaces(turns).map(({ topic, branch, fork }) => `${topic} ${branch} ${fork}`)).toEqual([
    'create-topic null false',
    'continue-topic continue-branch false',
    'continue-topic continue-branch false',
    'create-topic null false',
    'switch-topic continue-branch false',
    'continue-topic create-branch true',
    'continue-topic switch-branch false',
    'switch-topic continue-branch false',
  ]);
});

test('ancestors are the turns above, nearest first', () => {
  expect(ancestorsOf(turns, 6)).toEqual([4, 2, 1, 0]);
  expect(ancestorsOf(turns, 3)).toEqual([]);
});
