import { expect, test } from 'vitest';
import { fold } from '../../domain/apply.ts';
import type { Context, Overview } from '../../domain/context.ts';
import { nodeOf } from '../../domain/queries.ts';
import { restoredForest, storableForest } from '../../domain/stored-forest.ts';
import { recordsOf } from '../../domain/table.ts';
import { Life } from '../../domain/testing/random-life.ts';
import { syntheticLog } from '../../domain/testing/synthetic-forest.ts';
import {
  answeredBefore,
  type ContextPart,
  contextDiff,
  contextParts,
  groupParts,
  leftOutWords,
} from './context-parts.ts';

const made = () => {
  const life = new Life();
  const one = life.say(null, 'Hokkaido?');
  const two = life.say(one);
  const three = life.say(two);
  const fork = life.say(one);
  const other = life.say(null, 'Flights');
  const { forest } = life;
  const treeId = forest.nodes[other]?.treeId as string;
  const branchId = forest.nodes[fork]?.branchId as string;
  const overview: Overview = {
    id: 'o',
    branchId: forest.nodes[three]?.branchId as string,
    lines: [
      { kind: 'branch', branchId, nodeIds: [fork], text: '- Branch', tokens: 10 },
      { kind: 'topic', treeId, nodeIds: [other], text: '- Topic', tokens: 20 },
      { kind: 'left-out', branches: 1, topics: 3, text: '- Not listed', tokens: 5 },
    ],
  };
  forest.overviews.o = overview;
  const context: Context = {
    policy: 'context-agent',
    unit: 'words',
    tokens: 142,
    fullHistoryTokens: 900,
    segments: [
      { kind: 'instructions', text: 'Be brief.', tokens: 4 },
      { kind: 'overview', overviewId: 'o', tokens: 38 },
      { kind: 'turn', nodeId: one, replyId: null, replyLength: 0, tokens: 50 },
      { kind: 'turn', nodeId: two, replyId: null, replyLength: 0, tokens: 40 },
      { kind: 'message', nodeId: three, tokens: 10 },
    ],
  };
  return { forest, context };
};

test('a pinned turn that is sent as its summary is told as that, apart from one that is referred to', () => {
  const { forest, context } = made();
  const [id = ''] = Object.keys(forest.nodes);
  const summary = { kind: 'reference-summary' as const, nodeId: id, neededBy: id, text: 'In short', tokens: 2 };
  const parts = contextParts(forest, { ...context, segments: [{ ...summary, pinned: true }, summary] });
  expect(parts.map(({ kind, label }) => [kind, label])).toEqual([
    ['turn-summary', 'Turn 1, pinned, too long to be sent whole'],
    ['reference', 'Turn 1, referred to'],
  ]);
});

test('a message is told with its files, as much of them as was sent, and pictures with what they are reckoned at', () => {
  const life = new Life();
  const nodeId = life.id();
  const text = 'A long story.';
  const attachments = [{ id: 'a', name: 'a.txt', mediaType: 'text/plain', size: 1, text }];
  const event = { type: 'message-sent' as const, nodeId, message: 'Look', given: null, target: null, attachments };
  life.do({ type: 'record', step: 's', event });
  life.place(nodeId, null);
  const segment = { kind: 'message' as const, nodeId, tokens: 5 };
  const context = { policy: 'p', unit: 'words', tokens: 805, fullHistoryTokens: 5, segments: [segment] };
  const pictures = { ids: ['c'], tokens: 800 };
  const parts = contextParts(life.forest, { ...context, pictures });
  expect(parts.map(({ label, tokens }) => [label, tokens])).toEqual([
    ['The message, with 1 file', 5],
    ['1 picture, about', 800],
  ]);
  expect(parts[0]?.said).toEqual([{ role: 'user', content: `Look\n\n[a.txt]\n${text}` }]);
  const [cut] = contextParts(life.forest, { ...context, segments: [{ ...segment, text: 'Look, in part' }] });
  expect(cut).toMatchObject({
    label: 'The message, with 1 file, of which passages',
    said: [{ role: 'user', content: 'Look, in part' }],
  });
});

test('a part says of a picture what was sent: that it is shown, where the model saw it', () => {
  const life = new Life();
  const nodeId = life.id();
  const attachments = [{ id: 'c', name: 'cat.png', mediaType: 'image/png', size: 1 }];
  const event = { type: 'message-sent' as const, nodeId, message: 'Look', given: null, target: null, attachments };
  life.do({ type: 'record', step: 's', event });
  life.place(nodeId, null);
  const later = life.say(nodeId, 'And now?');
  const context: Context = {
    policy: 'p',
    unit: 'words',
    tokens: 810,
    fullHistoryTokens: 5,
    pictures: { ids: ['c'], tokens: 800 },
    segments: [
      { kind: 'turn', nodeId, replyId: null, replyLength: 0, tokens: 5 },
      { kind: 'message', nodeId: later, tokens: 5 },
    ],
  };
  const sent = (given: Context) => contextParts(life.forest, given).flatMap(({ said }) => said);
  expect(sent(context)).toMatchObject([{ content: 'Look\n\n[picture cat.png]', pictures: attachments }, {}]);
  const { pictures: _, ...unseen } = context;
  expect(sent(unseen)[0]?.content).toBe('Look\n\n[picture cat.png, not shown to this model]');
  const own = { ...context, segments: [{ kind: 'message' as const, nodeId, tokens: 5 }] };
  expect(sent(own)[0]?.content).toBe('Look\n\n[picture cat.png]');
});

test('the parts add up to the context, the overview’s heading included', () => {
  const { forest, context } = made();
  const parts = contextParts(forest, context);
  expect(parts.reduce((sum, part) => sum + part.tokens, 0)).toBe(context.tokens);
  expect(parts.map((part) => part.label)).toEqual([
    'Instructions',
    'Heading of the overview',
    'Branch of turn 4',
    'Flights',
    '1 branch and 3 topics left out',
    'Turn 1',
    'Turn 2',
    'The message',
  ]);
});

test('a turn that is sent because the decision may be wrong says so', () => {
  const { forest, context } = made();
  const segments = context.segments.map((segment) =>
    segment.kind === 'turn' ? { ...segment, unsure: true as const } : segment,
  );
  const labels = contextParts(forest, { ...context, segments }).map(({ label }) => label);
  expect(labels).toContain('Turn 1, which the message may need');
});

test('groups come in a fixed order and say what they hold', () => {
  const { forest, context } = made();
  const groups = groupParts(forest, contextParts(forest, context));
  expect(groups.map((group) => [group.label, group.tokens])).toEqual([
    ['in full: turns 1, 2', 90],
    ['summary of 1 branch', 10],
    ['summary: Flights', 20],
    ['instructions', 7],
    ['the message', 10],
    ['1 branch and 3 topics left out', 5],
  ]);
});

test('what is gone from the forest is still counted', () => {
  const { forest, context } = made();
  const empty = { ...forest, nodes: {}, trees: {}, overviews: {} };
  const parts = contextParts(empty, context);
  expect(parts.reduce((sum, part) => sum + part.tokens, 0)).toBe(context.tokens);
  expect(parts.every((part) => part.nodeId === null)).toBe(true);
});

test('that nothing was left out is said only where all is sent whole', () => {
  const life = new Life();
  const [one, two] = [life.say(null), life.say(null)];
  const message = { kind: 'message' as const, nodeId: two, tokens: 4 };
  const words = (...segments: Context['segments']) => {
    const context = { policy: 'p', unit: 'words', tokens: 8, fullHistoryTokens: 8, segments };
    return leftOutWords(life.forest, context, contextParts(life.forest, context));
  };
  const turn = { kind: 'turn' as const, nodeId: one, replyId: null, replyLength: 0, tokens: 4 };
  expect(words(turn, message)).toBe('Nothing was left out.');
  expect(words(message)).toBe('Nothing from 1 turn is sent: turn 1.');
  expect(words(turn, { ...message, text: 'Look, in part' })).toBe('Of the message’s files, only passages are sent.');
  const summary = { kind: 'reference-summary' as const, nodeId: one, neededBy: two, text: 'In short', tokens: 2 };
  expect(words(summary, message)).toBe('At least part of every turn is sent.');
});

test('turns that a line of the overview only counts are not sent', () => {
  const life = new Life();
  const one = life.say(null, 'Hokkaido?');
  const two = life.say(one);
  const other = life.say(null, 'Flights');
  const { forest } = life;
  const treeId = forest.nodes[one]?.treeId as string;
  const line = { kind: 'topic' as const, treeId, nodeIds: [one, two], text: '- Topic', tokens: 2 };
  const segments = [
    { kind: 'overview' as const, overviewId: 'o', tokens: 2 },
    { kind: 'message' as const, nodeId: other, tokens: 4 },
  ];
  const context = { policy: 'context-agent', unit: 'words', tokens: 6, fullHistoryTokens: 8, segments };
  const words = (listed: object) => {
    forest.overviews.o = { id: 'o', branchId: 'b', lines: [{ ...line, ...listed }] };
    return leftOutWords(forest, context, contextParts(forest, context));
  };
  // As stored by older versions, or where all are listed.
  expect(words({})).toBe('At least part of every turn is sent.');
  expect(words({ listed: [two] })).toBe('Nothing from 1 turn is sent: turn 1.');
});

test('turns elsewhere are told by their numbers, those that are gone left out, as newer and older contexts name them', () => {
  const { forest, context } = made();
  const label = (named: object) => {
    const segment = { kind: 'elsewhere' as const, text: '', tokens: 0, ...named };
    return contextParts(forest, { ...context, segments: [segment] })[0]?.label;
  };
  expect(label({ numbers: [[1, 3]] })).toBe('Turns 1–3 elsewhere not sent');
  const parted = [
    [1, 1],
    [4, 9],
  ];
  expect(label({ numbers: parted })).toBe('Turns 1, 4, 5 elsewhere not sent');
  expect(label({ numbers: [[2, 2]] })).toBe('Turn 2 elsewhere not sent');
  expect(label({ nodeIds: [...recordsOf(forest.nodes).map(({ id }) => id), 'gone'] })).toBe(
    'Turns 1–5 elsewhere not sent',
  );
});

test('turns that a policy without a tree left out are told as such', () => {
  const { forest, context } = made();
  const segments: Context['segments'] = [{ kind: 'history-left-out', turns: 2, text: '2 earlier turns', tokens: 7 }];
  expect(contextParts(forest, { ...context, segments })).toMatchObject([
    { kind: 'left-out', label: '2 turns of the conversation left out', tokens: 7 },
  ]);
});

test('memories that had no room are told apart from turns', () => {
  const { forest, context } = made();
  const label = (turns: number) =>
    contextParts(forest, {
      ...context,
      segments: [{ kind: 'history-left-out', turns, of: 'memories', text: 'left out', tokens: 7 }],
    })[0]?.label;
  expect([label(1), label(2)]).toEqual([
    '1 memory of the conversation left out',
    '2 memories of the conversation left out',
  ]);
});

test('what a memory recalled bears the turns it was made of, what the memory calls it, and its score', () => {
  const { forest, context } = made();
  const [one, two] = recordsOf(forest.nodes).map(({ id }) => id) as [string, string];
  const memory = { kind: 'memory', text: 'From earlier', tokens: 3 } as const;
  const parts = contextParts(forest, {
    ...context,
    segments: [
      { ...memory, from: [two, one], score: 0.5, name: 'slot 2' },
      { ...memory, from: [two], score: 0.4, whole: true, name: 'depth 1' },
      { ...memory, from: [one], score: null, name: 'fact' },
      { ...memory, from: [one], score: null, name: 'fact' },
      { ...memory, from: [one], score: null, whole: true, name: 'turn 1' },
      { ...memory, from: ['gone'], score: null },
    ],
  });
  expect(parts.map(({ label, score }) => [label, score])).toEqual([
    ['From turns 1, 2, slot 2', 0.5],
    ['Turn 2, depth 1', 0.4],
    ['From turn 1, fact', undefined],
    ['From turn 1, fact', undefined],
    ['Turn 1', undefined],
    ['A memory of deleted turns', undefined],
  ]);
  expect(new Set(parts.map(({ key }) => key)).size).toBe(parts.length);
  // A turn that a memory sends verbatim counts as that turn.
  expect(parts[1]?.key).toBe(`turn ${two}`);
});

test('a turn that no language model answered says so, and shows the mark that is sent', () => {
  const { forest, context } = made();
  const segments = context.segments.map((segment) =>
    segment.kind === 'turn' ? { ...segment, unanswered: true as const } : segment,
  );
  const turns = contextParts(forest, { ...context, segments }).filter(({ kind }) => kind === 'turn');
  expect(turns.map(({ label }) => label)).toEqual(['Turn 1, not answered', 'Turn 2, not answered']);
  expect(turns[0]?.said.at(-1)).toEqual({ role: 'assistant', content: '(No answer: no language model was chosen.)' });
});

const part = (key: string, content: string, tokens = 10): ContextPart => ({
  index: 0,
  key,
  kind: 'turn',
  label: key,
  tokens,
  nodeId: null,
  topic: null,
  said: [{ role: 'user', content }],
});

test('what entered, left, stayed and changed is told apart, and how much of the front is the same', () => {
  const before = [
    part('instructions', 'Be brief.', 4),
    part('topic a', 'A'),
    part('turn 1', 'one'),
    part('turn 2', 'two'),
  ];
  const after = [
    part('instructions', 'Be brief.', 4),
    part('topic b', 'B'),
    part('turn 1', 'one'),
    { ...part('turn 2', 'two'), said: [...part('', 'two').said, { role: 'assistant' as const, content: 'Yes.' }] },
  ];
  const { entered, left, changed, stayed, front } = contextDiff(before, after);
  expect(entered.map(({ key }) => key)).toEqual(['topic b']);
  expect(left.map(({ key }) => key)).toEqual(['topic a']);
  expect(changed.map((pair) => pair.after.key)).toEqual(['turn 2']);
  expect(stayed.map(({ key }) => key)).toEqual(['instructions', 'turn 1']);
  expect(front).toBe(4);
});

test('what is sent with the instructions counts as there, though it is listed after the turns', () => {
  const summary: ContextPart = {
    ...part('turn 9', 'In short', 3),
    said: [{ role: 'system', content: 'In short' }],
  };
  const opening: ContextPart = {
    ...part('instructions', 'Be brief.', 4),
    said: [{ role: 'system', content: 'Be brief.' }],
  };
  const turn = part('turn 1', 'one', 6);
  expect(contextDiff([opening, turn], [opening, turn, summary]).front).toBe(4);
  const later = [opening, turn, part('turn 2', 'two', 5), summary];
  expect(contextDiff([opening, turn, summary], later).front).toBe(13);
  // What is not sent changes nothing of what is.
  const unsent: ContextPart = { ...part('elsewhere 3', '', 0), kind: 'left-out', said: [] };
  expect(contextDiff([opening, turn], [opening, unsent, turn]).front).toBe(10);
});

test('the message of the turn before counts as the same where it is followed by its reply now', () => {
  const reply = { role: 'assistant' as const, content: 'Yes.' };
  const opening = part('instructions', 'Be brief.', 4);
  const message: ContextPart = { ...part('turn 1', 'one', 6), kind: 'message' };
  const next: ContextPart = { ...part('turn 2', 'two', 5), kind: 'message' };
  const turn = { ...part('turn 1', 'one', 8), said: [...message.said, reply] };
  const { front, changed } = contextDiff([opening, message], [opening, turn, next]);
  expect(front).toBe(10);
  expect(changed.map(({ after }) => after.key)).toEqual(['turn 1']);
  // Passages of it, or other words, are not how the turn begins.
  const cut = { ...turn, said: [...part('', 'on').said, reply] };
  expect(contextDiff([opening, message], [opening, cut, next]).front).toBe(4);
});

test('the same context has changed in nothing, and all of it is its front', () => {
  const parts = [part('instructions', 'Be brief.', 4), part('turn 1', 'one', 6)];
  expect(contextDiff(parts, parts)).toEqual({ entered: [], left: [], changed: [], stayed: parts, front: 10 });
});

const whole = <T>(parts: Generator<undefined, T>): T => {
  for (;;) {
    const { done, value } = parts.next();
    if (done === true) return value;
  }
};

test('the answered turn before another is found without reading the contexts of those before it', () => {
  const { head, rows } = whole(storableForest(fold(syntheticLog(40, 1))));
  let read = 0;
  const details = {
    length: rows.details.length,
    at: (index: number) => {
      read += 1;
      return rows.details.at(index);
    },
  };
  const forest = whole(restoredForest(head, { ...rows, details }));
  const turns = recordsOf(forest.nodes);
  const last = turns.at(-1);
  if (last === undefined) throw new Error('no turns');
  expect(answeredBefore(forest, last)?.number).toBe(39);
  expect(read).toBe(1);
  expect(turns[0] && answeredBefore(forest, turns[0])).toBeNull();
});

test('of turns whose contexts are not known, like imported ones, none is read to find that out', () => {
  const life = new Life();
  let last: string | null = null;
  for (let turn = 0; turn < 40; turn++) last = life.say(last);
  const { head, rows } = whole(storableForest(life.forest));
  const unread = { length: 40, at: (): never => expect.fail('a turn was read') };
  const forest = whole(restoredForest(head, { ...rows, texts: unread, details: unread }));
  expect(answeredBefore(forest, nodeOf(forest, last ?? ''))).toBeNull();
});
