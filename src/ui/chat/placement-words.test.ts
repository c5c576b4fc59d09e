import { describe, expect, test } from 'vitest';
import type { Decision, Trace } from '../../domain/decision.ts';
import type { Forest, Node, Tree } from '../../domain/forest.ts';
import { nodeOf } from '../../domain/queries.ts';
import { recordsOf } from '../../domain/table.ts';
import { editWords, previewedPlaceWords, targetWords, whyKey, whyOf, whyWords } from './placement-words.ts';
import { decision, forestOf, tracedTo } from './testing/small-forest.ts';

const lineOf = (forest: Forest, number: number) => {
  const node = recordsOf(forest.nodes).find((one) => one.number === number) as Node;
  const why = whyOf(forest, node);
  return { ...why, words: whyWords(why) };
};
const wordsFor = (made: Decision): string => lineOf(forestOf([[null], [1], [2], [1, made]]), 4).words;

describe('where a turn went, in words', () => {
  test.each<[string, Decision]>([
    ['continued here', decision('continue-topic', 'continue-branch')],
    ['new topic', decision('create-topic', null)],
    ['new branch from turn 1', decision('continue-topic', 'create-branch')],
    ['switched to the branch of turn 1', decision('continue-topic', 'switch-branch')],
    ['returned to Topic 1', decision('switch-topic', 'continue-branch')],
    ['returned to Topic 1, new branch from turn 1', decision('switch-topic', 'create-branch')],
    ['returned to Topic 1, switched to the branch of turn 1', decision('switch-topic', 'switch-branch')],
    ['new topic, as you chose', decision('create-topic', null, 'person')],
  ])('%s', (words, made) => {
    expect(wordsFor(made)).toBe(words);
  });

  test('to go back to an earlier turn and write opens a branch there', () => {
    const back = decision('continue-topic', 'continue-branch', 'person');
    expect(lineOf(forestOf([[null], [1], [2], [1, back]]), 4)).toMatchObject({
      shape: 'branch',
      words: 'new branch from turn 1, as you chose',
    });
    expect(lineOf(forestOf([[null], [1], [2], [3, back]]), 4)).toMatchObject({
      shape: 'continue',
      words: 'continued here, as you chose',
    });
  });

  test('the branch switched to is that of the fork point, not of the turn it ends at', () => {
    const made = tracedTo(decision('continue-topic', 'switch-branch'), 'n2', 0.64);
    expect(wordsFor(made)).toBe('switched to the branch of turn 2');
  });

  test('a path that was said yes to is that of the turn it ends at, whatever else was near', () => {
    const made = tracedTo(decision('continue-topic', 'switch-branch'), 'n2', 0.64);
    const byPath = (answer: 'continue-branch' | 'switch-branch'): Decision => {
      const { trace } = made;
      if (trace === null) return made;
      const asked = { action: answer, confidence: null, reasons: [], raw: '', decider: 'test' };
      return {
        ...made,
        trace: {
          ...trace,
          topic: { ...trace.topic, rule: 'asked-by-path' },
          branch: { ...trace.branch, answer: asked },
        },
      };
    };
    const line = lineOf(forestOf([[null], [1], [2], [1, byPath('continue-branch')]]), 4);
    expect(line).toMatchObject({ words: 'switched to the branch of turn 1', similarity: null });
    expect(wordsFor(byPath('switch-branch'))).toBe('switched to the branch of turn 2');
  });
});

test('a line stays as it is when another turn of its topic becomes active, and not when the topic is renamed or moved', () => {
  const forest = forestOf([[null], [null], [1, decision('switch-topic', 'continue-branch')]]);
  const treeId = forest.nodes.n3?.treeId ?? '';
  const keyIn = (fields: Partial<Forest['trees'][string]>) => {
    const trees = { ...forest.trees, [treeId]: { ...(forest.trees[treeId] as Tree), ...fields } };
    return whyKey(whyOf({ ...forest, trees }, forest.nodes.n3 as Node));
  };
  expect(keyIn({ activeId: 'n1' })).toBe(keyIn({ activeId: 'n3' }));
  expect(keyIn({ title: 'Another' })).not.toBe(keyIn({}));
  expect(keyIn({ rootId: 'n3' })).not.toBe(keyIn({}));
});

test('a new branch is told as from the turn that it was started from, also once that is gone', () => {
  const made = tracedTo(decision('continue-topic', 'create-branch'), 'n2', 0.71);
  const answer = { action: 'create-branch' as const, confidence: null, reasons: [], raw: '', decider: 'test' };
  if (made.trace !== null) made.trace.branch.answer = answer;
  const forest = forestOf([[null], [1], [2], [2, made]]);
  forest.nodes.n4 = { ...(forest.nodes.n4 as Node), parentId: 'n1' };
  expect(lineOf(forest, 4)).toMatchObject({ words: 'new branch from turn 2', similarity: 0.71 });
  delete forest.nodes.n2;
  expect(lineOf(forest, 4)).toMatchObject({ words: 'new branch from an earlier turn', similarity: 0.71 });
});

test('similarity is that of what drew the message there, and missing where nothing did', () => {
  const branch = tracedTo(decision('continue-topic', 'create-branch'), 'n1', 0.71);
  const went = tracedTo(decision('continue-topic', 'continue-branch'), 'n3', 0.5);
  expect(lineOf(forestOf([[null], [1], [1, branch]]), 3).similarity).toBe(0.71);
  expect(lineOf(forestOf([[null], [1], [2], [3, went]]), 4).similarity).toBeNull();
});

test('a branch that starts at the active turn, which had others after it, has the similarity of that turn, not of the nearest', () => {
  const made = tracedTo(decision('continue-topic', 'create-branch'), 'n3', 0.63);
  const answer = { action: 'continue-branch' as const, confidence: null, reasons: [], raw: '', decider: 'test' };
  const candidates = [...(made.trace?.fork.candidates ?? []), { nodeId: 'n1', similarity: 0.2 }];
  const lineWith = (more: Partial<Trace['fork']>) => {
    if (made.trace === null) throw new Error('no trace');
    const { trace } = made;
    const asked = { ...trace, fork: { ...trace.fork, ...more }, branch: { ...trace.branch, answer } };
    return lineOf(forestOf([[null], [1], [2], [1, { ...made, trace: asked }]]), 4);
  };
  expect(lineWith({ candidates })).toMatchObject({ words: 'new branch from turn 1', similarity: 0.2 });
  expect(lineWith({})).toMatchObject({ words: 'new branch from turn 1', similarity: null });
});

test('a correction says who moved the turn, where, and what the engine had chosen', () => {
  const forest = forestOf([[null], [1], [null]]);
  const label = { engine: placed('t3', null), person: placed('t1', 'n2'), at: 0 };
  const moved = { ...(forest.nodes.n3 as Node), parentId: 'n2', treeId: 't1', branchId: 'b1', label };
  forest.nodes.n3 = moved;
  expect(lineOf(forest, 3)).toMatchObject({
    shape: 'continue',
    words: 'moved by you under turn 2 (engine: new topic)',
  });
});

test('a confirmation keeps the decision’s own words and says that the person agrees', () => {
  const forest = forestOf([[null], [1], [2], [1, decision('continue-topic', 'create-branch')]]);
  const node = forest.nodes.n4 as Node;
  const { treeId, branchId, parentId } = node;
  const place = { treeId, branchId, parentId };
  forest.nodes.n4 = { ...node, label: { engine: place, person: place, at: 0 } };
  expect(lineOf(forest, 4)).toMatchObject({ shape: 'branch', words: 'new branch from turn 1, confirmed by you' });
});

test('a place chosen beforehand is told as the person’s choice, not as a correction', () => {
  const made = { ...decision('continue-topic', 'create-branch'), by: 'person' as const };
  const forest = forestOf([[null], [1], [2], [1, made]]);
  const node = forest.nodes.n4 as Node;
  const { treeId, branchId, parentId } = node;
  const label = { engine: placed('t9', null), person: { treeId, branchId, parentId }, at: 0, beforehand: true };
  forest.nodes.n4 = { ...node, label };
  expect(lineOf(forest, 4)).toMatchObject({ shape: 'branch', words: 'new branch from turn 1, as you chose' });
});

test('what stood in for a failed model is named', () => {
  const made = tracedTo(decision('continue-topic', 'continue-branch'), 'n1', 0.5);
  const fallbacks = [{ role: 'decide' as const, from: 'a model', to: 'embedded decider', why: 'it timed out' }];
  const failed = { ...made, trace: made.trace === null ? null : { ...made.trace, fallbacks } };
  expect(lineOf(forestOf([[null], [1, failed]]), 2).fallback).toBe(
    'embedded decider was used instead of a model: it timed out',
  );
});

test('what stood in for the policy itself is told, too', () => {
  const forest = forestOf([[null], [1]]);
  const node = recordsOf(forest.nodes).at(-1) as Node;
  const fallbacks = [{ role: 'embed' as const, from: 'e', to: 'truncation instead of memtree', why: 'it is gone' }];
  const context = { policy: 'truncation', segments: [], tokens: 0, fullHistoryTokens: 0, unit: 'words', fallbacks };
  const reply = { id: 'r', text: '', state: 'done' as const, model: 'm', at: 0, failure: null, context };
  const replied = { ...node, replyId: 'r', replies: [{ ...reply, timings: [], usage: null }] };
  expect(whyOf(forest, replied).fallback).toBe('truncation instead of memtree was used instead of e: it is gone');
});

const placed = (treeId: string, parentId: string | null) => ({ treeId, branchId: `b${treeId.slice(1)}`, parentId });

test('an edit says where it goes and what stays', () => {
  const forest = forestOf([[null], [1], [2], [2]]);
  const words = (id: string) => editWords(forest, nodeOf(forest, id));
  expect(words('n1')).toBe('Starts a new topic. Turn 1 and the 3 turns below it are kept.');
  expect(words('n2')).toBe('Continues from turn 1 as a new branch. Turn 2 and the 2 turns below it are kept.');
  expect(words('n4')).toBe('Continues from turn 2 as a new branch. Turn 4 is kept.');
});

test('the line above the message names a topic as it is titled by now', () => {
  const forest = forestOf([[null], [null], [1, decision('switch-topic', 'continue-branch')]]);
  const node = nodeOf(forest, 'n3');
  const shown = {
    forest,
    node,
    context: { policy: 'p', segments: [], tokens: 0, fullHistoryTokens: 0, unit: 'words' },
  };
  const words = (trees: Forest['trees']) => previewedPlaceWords(shown, trees);
  expect(words(forest.trees)).toBe('returns to Topic 1');
  expect(words({ ...forest.trees, t1: { ...(forest.trees.t1 as Tree), title: 'Lisbon' } })).toBe('returns to Lisbon');
  // A topic that is gone by now has the name it had.
  expect(words({})).toBe('returns to Topic 1');
});

test('the line above the message says where the choice leads', () => {
  const forest = forestOf([[null], [1], [2], [null], [4]]);
  const words = (nodeId: string) => targetWords(forest, { kind: 'under', nodeId });
  expect(words('n5')).toBe('continues from turn 5');
  expect(words('n4')).toBe('new branch from turn 4');
  expect(words('n3')).toBe('returns to Topic 1, after turn 3');
  expect(words('n1')).toBe('returns to Topic 1, new branch from turn 1');
  expect(targetWords(forest, { kind: 'new-topic' })).toBe('new topic');
  expect(targetWords(forest, null)).toBe('continues from turn 5');
  expect(targetWords(forestOf([]), null)).toBe('starts the first topic');
});

test('a preview is worded as what is still to come, but no title of a topic is', () => {
  const words = (made: Decision) => {
    const forest = forestOf([[null], [null], [1, made]]);
    const trees = { ...forest.trees, t1: { ...(forest.trees.t1 as Tree), title: 'What was switched and returned' } };
    const node = nodeOf(forest, 'n3');
    const context = { policy: 'p', segments: [], tokens: 0, fullHistoryTokens: 0, unit: 'words' };
    return previewedPlaceWords({ forest, node, context }, trees);
  };
  expect(words(decision('continue-topic', 'continue-branch'))).toBe('continues here');
  expect(words(decision('switch-topic', 'create-branch'))).toBe(
    'returns to What was switched and returned, new branch from turn 1',
  );
  expect(words(decision('continue-topic', 'switch-branch'))).toBe('switches to the branch of turn 1');
});
