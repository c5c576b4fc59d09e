import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fold, frozen } from '../../domain/apply.ts';
import { PERSON, type PendingTurn } from '../../domain/forest.ts';
import { nodeOf, nodesOf, pendingTurn, replyText } from '../../domain/queries.ts';
import { recordsOf } from '../../domain/table.ts';
import { Life, lives } from '../../domain/testing/random-life.ts';
import { visibleForest } from '../context/visible-forest.ts';
import type { SummaryInput } from '../ports.ts';
import { bareHost } from '../testing/bare-host.ts';
import { countingChat, firstWords, gate } from '../testing/plain-models.ts';
import { isTimeToTitle } from './summarise.ts';

test('a summariser is told the digest of the turn that a turn goes on from, whatever came between', async () => {
  const asked: SummaryInput[] = [];
  const summarise = {
    ...firstWords,
    summarise: async (turn: SummaryInput) => {
      asked.push(turn);
      return firstWords.summarise(turn);
    },
  };
  const host = bareHost({ summarise });
  for (const message of ['#trip one', '#code two', '#trip three']) await host.send(message);
  expect(asked.map(({ message, before }) => [message, before])).toEqual([
    ['#trip one', undefined],
    ['#code two', undefined],
    ['#trip three', 'The user said: #trip one'],
  ]);
});

test('a turn is summarised again if the turn before, whose digest the summariser was told, is purged meanwhile', async () => {
  const told: (string | undefined)[] = [];
  const summarise = {
    ...firstWords,
    summarise: async ({ message, before }: SummaryInput) => {
      told.push(before);
      if (told.length === 2) host.life.purge([first]);
      return `${before ?? 'They'}, and ${message}`;
    },
  };
  const host = bareHost({ summarise });
  const first = await host.send('#trip one');
  const second = await host.send('two');
  expect(told).toEqual([undefined, 'They, and #trip one', undefined]);
  expect(host.life.forest.nodes[second]?.summary?.text).toBe('They, and two');
  expect(JSON.stringify(host.life.entries)).not.toContain('#trip one');
});

test('a turn that is hidden again while another is summarised reaches no model, and none is summarised twice', async () => {
  const asked: string[] = [];
  const begun = gate();
  const goOn = gate();
  const summarise = {
    ...firstWords,
    summarise: async (turn: SummaryInput) => {
      asked.push(turn.message);
      begun.open();
      await goOn.opened;
      return firstWords.summarise(turn);
    },
  };
  const { life, engine } = bareHost({ summarise });
  const [one, two, three] = ['one', 'two', 'three'].map((message) => life.say(null, message));
  const hide = (hidden: boolean, ...nodeIds: (string | undefined)[]) =>
    life.do({
      type: 'record',
      step: life.id(),
      event: { type: 'turns-hidden', nodeIds: nodeIds.filter((id) => id !== undefined), hidden },
    });
  hide(true, one, two, three);
  const before = { ...life.forest, nodes: { ...life.forest.nodes } };
  hide(false, one, two, three);
  const all = [engine.catchUp(new AbortController().signal), engine.catchUpSince(before as typeof life.forest)];
  await begun.opened;
  hide(true, two);
  goOn.open();
  await Promise.all(all);
  expect(asked).toEqual(['one', 'three']);
});

test('a turn whose other reply is chosen while it is summarised anew has that one summarised', async () => {
  const asked: string[] = [];
  const summarise = {
    ...firstWords,
    summarise: async ({ reply }: SummaryInput) => {
      asked.push(reply);
      const other = life.forest.nodes[id]?.replies[0]?.id ?? '';
      if (asked.length === 3)
        life.do({ type: 'record', step: life.id(), event: { type: 'reply-chosen', nodeId: id, replyId: other } });
      return `Of ${reply}`;
    },
  };
  let replies = 0;
  const chat = {
    ...countingChat(),
    async *reply() {
      replies += 1;
      yield `reply ${replies}`;
    },
  };
  const host = bareHost({ summarise, chat });
  const { life, engine } = host;
  const id = await host.send('one');
  await engine.regenerate(id, life.id(), new AbortController().signal);
  await engine.summariseAnew(id, life.id());
  expect(asked).toEqual(['reply 1', 'reply 2', 'reply 2', 'reply 1']);
  expect(life.forest.nodes[id]?.summary?.text).toBe('Of reply 1');
});

test('what waits for the turns of a conversation that is left asks nothing of the one opened instead', async () => {
  const asked: string[] = [];
  const goOn = gate();
  const summarise = {
    ...firstWords,
    summarise: async (turn: SummaryInput) => {
      asked.push(turn.message);
      await goOn.opened;
      return firstWords.summarise(turn);
    },
  };
  const [life, other] = [new Life(), new Life()];
  life.say(null, 'this conversation');
  other.id();
  other.say(null, 'another conversation');
  let open = life;
  const { engine } = bareHost({ summarise }, {}, life, () => open.forest);
  const before = frozen(fold(life.entries, 0));
  const all = [engine.catchUp(new AbortController().signal), engine.catchUpSince(before)];
  open = other;
  goOn.open();
  await Promise.all(all);
  expect(asked).toEqual(['this conversation']);
});

describe('what was left when the conversation was', () => {
  /** A first turn, a summariser that counts, and replies that can be stopped after their first word. */
  const leavable = () => {
    const asked: string[] = [];
    let stop = (): void => undefined;
    let replies = 0;
    const chat = {
      ...countingChat(),
      async *reply() {
        replies += 1;
        yield `reply ${replies}`;
        stop();
        yield ' whole';
      },
    };
    const summarise = {
      ...firstWords,
      summarise: async ({ reply }: SummaryInput) => {
        asked.push(reply);
        return `Of ${reply}`;
      },
    };
    const host = bareHost({ summarise, chat });
    const leaving = () => {
      const left = new AbortController();
      left.abort();
      return left.signal;
    };
    const stopping = () => {
      const stopped = new AbortController();
      stop = () => stopped.abort();
      return stopped.signal;
    };
    const opened = () => host.engine.catchUp(new AbortController().signal);
    return { ...host, asked, leaving, stopping, opened };
  };
  const { signal } = new AbortController();

  test('is a summary of the reply that was generated instead', async () => {
    const { engine, life, send, asked, leaving, opened } = leavable();
    const id = await send('one');
    await engine.regenerate(id, life.id(), signal, undefined, leaving());
    expect(life.forest.nodes[id]?.summary?.text).toBe('Of reply 1 whole');
    await opened();
    expect(life.forest.nodes[id]?.summary?.text).toBe('Of reply 2 whole');
    await opened();
    expect(asked).toEqual(['reply 1 whole', 'reply 2 whole']);
  });

  test('is a summary of the whole of a reply that was continued', async () => {
    const { engine, life, send, asked, stopping, leaving, opened } = leavable();
    const id = await send('one', stopping());
    expect(life.forest.nodes[id]?.summary?.text).toBe('Of reply 1');
    await engine.resume(id, signal, leaving());
    await opened();
    const whole = replyText(nodeOf(life.forest, id));
    expect(whole).not.toBe('reply 1');
    expect(life.forest.nodes[id]?.summary?.text).toBe(`Of ${whole}`);
    await opened();
    expect(asked).toHaveLength(2);
  });

  test('is a summary of the reply that another choice, or an undo, brought back', async () => {
    const { engine, life, send, opened } = leavable();
    const id = await send('one');
    await engine.regenerate(id, life.id(), signal);
    life.do({ type: 'undo' });
    expect(life.forest.nodes[id]?.summary?.text).toBe('Of reply 2 whole');
    await opened();
    expect(life.forest.nodes[id]?.summary?.text).toBe('Of reply 1 whole');
    life.do({ type: 'redo' });
    await opened();
    expect(life.forest.nodes[id]?.summary?.text).toBe('Of reply 2 whole');
  });

  test('is no summary in place of what a person wrote', async () => {
    const { engine, life, send, leaving, opened } = leavable();
    const id = await send('one');
    const own = { type: 'summarised' as const, nodeId: id, text: 'Mine', by: PERSON };
    life.do({ type: 'record', step: life.id(), event: own });
    await engine.regenerate(id, life.id(), signal, undefined, leaving());
    await opened();
    expect(life.forest.nodes[id]?.summary?.text).toBe('Mine');
  });
});

test('a turn without a summary is summarised once it is no longer hidden', async () => {
  const { life, engine } = bareHost();
  const id = life.say(null, 'door code 4711');
  const hide = (hidden: boolean) =>
    life.do({ type: 'record', step: life.id(), event: { type: 'turns-hidden', nodeIds: [id], hidden } });
  const signal = new AbortController().signal;
  hide(true);
  await engine.catchUp(signal);
  expect(life.forest.nodes[id]?.summary).toBeNull();
  hide(false);
  await engine.catchUp(signal);
  expect(life.forest.nodes[id]?.summary?.text).toBe('The user said: door code 4711');
});

test('a turn hidden while it is replied to is summarised from that reply only once it is shown again', async () => {
  const asked: string[] = [];
  const summarise = {
    ...firstWords,
    summarise: async ({ message, reply }: SummaryInput) => {
      asked.push(reply);
      return `${message}: ${reply}`;
    },
  };
  let replies = 0;
  const chat = {
    ...countingChat(),
    async *reply() {
      replies += 1;
      yield `Reply ${replies}.`;
      if (replies < 3) hide(true);
    },
  };
  const host = bareHost({ summarise, chat });
  const { life, engine } = host;
  const id = life.send('door code 4711');
  const hide = (hidden: boolean) =>
    life.do({ type: 'record', step: life.id(), event: { type: 'turns-hidden', nodeIds: [id], hidden } });
  const show = async () => {
    const before = frozen(fold(life.entries));
    hide(false);
    await engine.catchUpSince(before);
  };
  const { signal } = new AbortController();
  await engine.turn(pendingTurn(life.forest) as PendingTurn, signal);
  expect(asked).toEqual([]);
  await show();
  expect(life.forest.nodes[id]?.summary?.text).toBe('door code 4711: Reply 1.');
  await engine.regenerate(id, life.id(), signal);
  expect(asked).toEqual(['Reply 1.']);
  await show();
  expect(life.forest.nodes[id]?.summary?.text).toBe('door code 4711: Reply 2.');
});

test('a topic is titled with its first two turns, whatever became of it', () => {
  fc.assert(
    fc.property(lives, (moves) => {
      const life = new Life();
      for (const move of moves) life.live(move);
      const { forest } = life;
      const visible = visibleForest({ ...forest, nodes: { ...forest.nodes } });
      for (const node of recordsOf(forest.nodes)) {
        const rootId = visible.trees[node.treeId]?.rootId;
        const second = nodesOf(visible, node.treeId).find(({ id }) => id !== rootId);
        const isTime =
          rootId === node.id ? !second || second.summary !== null : second?.id === node.id && node.summary === null;
        expect(isTimeToTitle(forest, node)).toBe(isTime);
      }
    }),
  );
});

test('whether a turn is one of the first two of its topic is known without looking at all of them', () => {
  const life = new Life();
  let last = life.say(null);
  for (let i = 0; i < 50; i++) last = life.say(last);
  let looked = 0;
  const children = new Proxy(life.forest.children, {
    get: (all, id: string) => {
      looked += 1;
      return all[id];
    },
  });
  expect(isTimeToTitle({ ...life.forest, children }, nodeOf(life.forest, last))).toBe(false);
  expect(looked).toBe(0);
});
