import { expect, test } from 'vitest';
import type { Node } from '../../domain/forest.ts';
import { newTurnDefaults } from '../../domain/forest.ts';
import { TermReader } from './terms.ts';

let made = 0;
const turn = (message: string, reply: string | null = null): Node => {
  const id = `n${made++}`;
  const said = { id: `r${id}`, text: reply ?? '', state: 'done', model: 'given', at: 0, failure: null, context: null };
  return {
    id,
    number: made,
    treeId: 't',
    branchId: 'b',
    parentId: null,
    message,
    at: 0,
    replies: reply === null ? [] : [{ ...said, state: 'done', timings: [], usage: null }],
    replyId: reply === null ? null : said.id,
    summary: null,
    decision: { topic: 'create-topic', branch: null, by: 'engine', trace: null },
    label: null,
    ...newTurnDefaults,
  };
};
const matches = (message: string, groups: Node[][], language = 'en') =>
  new TermReader().matches(message, language, groups);

test('words are found in messages and in replies', () => {
  const boiler = [turn('heating makes a noise', 'Bleed the radiator.')];
  const gift = [turn('present for my niece', 'A telescope.')];
  const { of, unheard } = matches('which way do i turn the radiator key', [boiler, gift]);
  expect(of[0]).toMatchObject({ said: 0, ago: 0 });
  expect(of[0]?.replied).toBeGreaterThan(0);
  expect(of[1]).toMatchObject({ either: 0, ago: -1 });
  expect(unheard).toBeGreaterThan(0);
  expect(unheard).toBeLessThan(1);
});

test('a number is found in whatever digits it was written', () => {
  const [room, other] = [[turn('اتاق ۱۴۰۳ را رزرو کن')], [turn('اتاق ۲۲۰۷ را رزرو کن')]];
  const { of } = matches('1403', [room, other], 'fa');
  expect(of[0]?.said).toBeGreaterThan(0);
  expect(of[1]).toMatchObject({ said: 0 });
});

test('a word that all have says less than one that a single one has', () => {
  const one = [turn('paint for the shed', 'Use a primer.')];
  const two = [turn('paint for the boat', 'Sand it.')];
  const { of } = matches('is the paint good for the primer', [one, two]);
  expect(of[0]?.own).toBeGreaterThan(0);
  expect(of[0]?.either).toBeGreaterThan(of[1]?.either ?? 1);
});

test('how long ago a word was said is told', () => {
  const topic = [turn('a telescope for my niece'), turn('how much'), turn('which colour')];
  expect(matches('a small telescope', [topic]).of[0]?.ago).toBe(2);
});

test('what quotes only is not read', () => {
  const node = turn('hello', 'You said that the radiator leaks.');
  const quoted: Node = { ...node, replies: node.replies.map((reply) => ({ ...reply, model: 'recall' })) };
  expect(matches('radiator', [[quoted]]).of[0]?.either).toBe(0);
});
