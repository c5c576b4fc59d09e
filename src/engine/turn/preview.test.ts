import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Decision, Target } from '../../domain/decision.ts';
import type { Node } from '../../domain/forest.ts';
import { nodeOf, replyOf } from '../../domain/queries.ts';
import { idsOf, sizeOf } from '../../domain/table.ts';
import { Life, lives } from '../../domain/testing/random-life.ts';
import { contextMessages } from '../context/context-text.ts';
import { POLICIES, policyNamed } from '../context/policies/policies.ts';
import { bareHost, contextOf, segmentsOf } from '../testing/bare-host.ts';
import { countingChat, tagDecider } from '../testing/plain-models.ts';
import type { Preview } from './preview.ts';

const never = new AbortController().signal;

/** A decision without anything that varies between runs. */
const timeless = ({ trace, ...decision }: Decision) => ({ ...decision, trace: trace && { ...trace, timings: [] } });

/** Where a turn is; a topic or branch created for it has a different id each time. */
const place = (node: Node, known: { readonly trees: object; readonly branches: object }) => ({
  parentId: node.parentId,
  number: node.number,
  treeId: node.treeId in known.trees ? node.treeId : 'new',
  branchId: node.branchId in known.branches ? node.branchId : 'new',
});

describe.each(POLICIES)('$name', (policy) => {
  test('what is previewed is what then happens on sending, to the byte; nothing is changed by it', async () => {
    const targets = fc.constantFrom('none' as const, 'none' as const, 'new' as const, 'under' as const);
    await fc.assert(
      fc.asyncProperty(
        lives,
        fc.array(fc.record({ words: fc.constantFrom('#a red', 'blue boats', '#b red', 'no, red'), to: targets }), {
          minLength: 1,
          maxLength: 5,
        }),
        fc.nat(),
        async (moves, messages, pick) => {
          const life = new Life();
          const chat = countingChat(300);
          const host = bareHost({ chat, decide: tagDecider('create-branch') }, { policy }, life);
          for (const move of moves) life.live(move);
          if (sizeOf(life.forest.pending) > 0) return;
          for (const { words, to } of messages) {
            const ids = idsOf(life.forest.nodes);
            const under = ids[pick % ids.length];
            const target: Target | null =
              to === 'new' ? { kind: 'new-topic' } : to === 'under' && under ? { kind: 'under', nodeId: under } : null;
            const before = structuredClone({ forest: life.forest, entries: life.entries });
            const previewed = (await host.engine.preview(words, target, never)) as Preview;
            expect({ forest: life.forest, entries: life.entries }).toEqual(before);

            const nodeId = life.id();
            life.do({
              type: 'record',
              step: life.id(),
              event: { type: 'message-sent', nodeId, message: words, given: null, target },
            });
            await host.engine.turn(life.forest.pending[nodeId] as never, never);
            const node = nodeOf(life.forest, nodeId);
            expect(place(previewed.node, before.forest)).toEqual(place(node, before.forest));
            expect(timeless(previewed.node.decision)).toEqual(timeless(node.decision));
            expect(previewed.context.tokens).toBe(replyOf(node)?.context?.tokens);
            expect(contextMessages(previewed.forest, previewed.context)).toEqual(chat.requests.at(-1)?.messages);
          }
        },
      ),
      { numRuns: 20 },
    );
  });
});

test('what a memory has forgotten by now is neither previewed nor counted', async () => {
  const host = bareHost({}, { policy: policyNamed('memory-bank') });
  for (const message of ['red apples', 'red pears', 'red plums']) await host.send(message);
  host.life.pause = 5 * 86_400_000;
  const previewed = (await host.engine.preview('red fruit', null, never)) as Preview;
  const counted = await host.engine.nextTokens();
  const sent = contextOf(host.life.forest, await host.send('red fruit'));
  expect(previewed.context.tokens).toBe(sent.tokens);
  expect(segmentsOf(previewed.context, 'memory')).toEqual(segmentsOf(sent, 'memory'));
  expect(counted).toBe(sent.tokens - (segmentsOf(sent, 'message')[0]?.tokens ?? 0));
});

test('while a message waits for its place, or without words, there is nothing to preview', async () => {
  const host = bareHost();
  expect(await host.engine.preview('  ', null, never)).toBeNull();
  host.life.send('on its way');
  expect(await host.engine.preview('and then', null, never)).toBeNull();
});

test('who goes on typing ends the preview of what was there before', async () => {
  const host = bareHost({
    decide: { ...tagDecider(), topic: () => new Promise<never>(() => undefined) },
  });
  await host.send('the first turn');
  const stop = new AbortController();
  const previewed = host.engine.preview('and then', null, stop.signal);
  stop.abort(new Error('typed on'));
  await expect(previewed).rejects.toThrow('typed on');
});
