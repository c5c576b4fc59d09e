import { describe, expect, test } from 'vitest';
import type * as z from 'zod/mini';
import { Label, Placement } from './decision.ts';
import { Event, kindOf } from './event-kinds.ts';
import { RECALL, type Tree } from './forest.ts';
import { nodeOf } from './queries.ts';
import { scrub, withoutQuotesOf } from './scrub.ts';
import { Life } from './testing/random-life.ts';

const clean = withoutQuotesOf(['We meet at the old mill. The code of the back door is 4711, I think.'], '[gone]');

test.each([
  ['They said: “We meet at the old mill.” Fine.', 'They said: “[gone]” Fine.'],
  ['so the code of the back door is 4711!', 'so [gone]!'],
  ['The old mill is far.', 'The old mill is far.'],
  ['I think so.', 'I think so.'],
  ['', ''],
])('%j becomes %j', (text, expected) => {
  expect(clean(text)).toBe(expected);
});

test.each([
  [
    '会议在星期三下午三点开始，地点是老磨坊。',
    '她说：「会议在星期三下午三点开始，地点是老磨坊。」好。',
    '她说：「[gone]」好。',
  ],
  ['暗証番号は4711だと思います、たぶん合っています', 'なるほど、暗証番号は4711だと思いますね', 'なるほど、[gone]ね'],
  ['รหัสประตูหลังคือสี่เจ็ดหนึ่งหนึ่ง', 'เขาบอกว่ารหัสประตูหลังคือสี่เจ็ดหนึ่งหนึ่งนะ', 'เขาบอกว่า[gone]นะ'],
  ['पिछले दरवाज़े का कोड चार सात एक एक है', 'उसने कहा पिछले दरवाज़े का कोड चार सात एक एक है।', 'उसने कहा [gone]।'],
  ['कोड चार सात एक है। कल मिलते हैं।', 'उसने कहा “कोड चार सात एक है।” ठीक है।', 'उसने कहा “[gone]” ठीक है।'],
  ['k = p + 4711', 'Yes: k = p + 4711', 'Yes: [gone]'],
  ['我喜欢喝茶', '她也说我喜欢喝茶', '她也说我喜欢喝茶'],
])('of %j, %j becomes %j', (said, text, expected) => {
  expect(withoutQuotesOf([said], '[gone]')(text)).toBe(expected);
});

test('a quotation goes from a reply that came in pieces, wherever it was cut; the rest of each piece stays', () => {
  const said = 'the code of the back door is 4711';
  for (let cut = 1; cut < said.length; cut++) {
    const life = new Life();
    const secret = life.say(null, said);
    const turn = life.say(secret);
    life.do({
      type: 'record',
      step: null,
      event: { type: 'reply-started', nodeId: turn, replyId: 'reply', model: 'm', context: null },
    });
    for (const text of [`You said ${said.slice(0, cut)}`, `${said.slice(cut)}, and`, ' more']) {
      life.do({ type: 'record', step: null, event: { type: 'reply-received', nodeId: turn, replyId: 'reply', text } });
    }
    life.purge([secret]);
    const pieces = life.entries.flatMap(({ event }) => (event.type === 'reply-received' ? [event.text] : []));
    expect(pieces).toEqual(['You said [purged]', ', and', ' more']);
  }
});

test('what a purged turn was answered with by quoting stays where it comes from', () => {
  const life = new Life();
  const root = life.say(null, 'How do I repot an orchid in spring?');
  const answer = (nodeId: string, text: string) => {
    const replyId = life.id();
    const started = { type: 'reply-started' as const, nodeId, replyId, model: RECALL, context: null };
    life.do({ type: 'record', step: null, event: started });
    life.do({ type: 'record', step: null, event: { type: 'reply-received', nodeId, replyId, text } });
  };
  const standing = 'Nothing said so far bears on this message.';
  answer(root, standing);
  const secret = life.say(root, 'PIN 4711');
  answer(secret, `${standing}\n> How do I repot an orchid in spring?`);
  life.purge([secret]);
  expect(nodeOf(life.forest, root)).toMatchObject({
    message: 'How do I repot an orchid in spring?',
    replies: [{ text: standing }],
  });
  expect(JSON.stringify(life.entries)).not.toContain('4711');
});

test('nothing is taken out where nothing was said', () => {
  expect(withoutQuotesOf(['', 'yes'], '[gone]')('yes, yes, yes')).toBe('yes, yes, yes');
});

test('prompts after a purged turn go with it, since they may hold any of its words; those before stay', () => {
  const life = new Life();
  const first = life.say(null);
  const secret = life.say(first, 'PIN 4711');
  life.say(secret);
  const prompt = [{ role: 'user', content: 'Topics: PIN 4711' }];
  const entries = life.entries.map((entry) =>
    entry.event.type === 'turn-placed'
      ? { ...entry, event: { ...entry.event, decision: { trace: { topic: { candidates: [], raw: '{}', prompt } } } } }
      : entry,
  ) as unknown as typeof life.entries;
  const traces = scrub(entries, [secret]).flatMap(({ event }) =>
    event.type === 'turn-placed' ? [event.decision.trace?.topic as unknown] : [],
  );
  expect(traces).toEqual([{ candidates: [], raw: '{}', prompt }, undefined, { candidates: [], raw: '[purged]' }]);
});

describe('the titles of a purged turn', () => {
  const SECRET = 'Door code 4711';

  /** Every kind of event that places a turn, and how one comes to open a topic by it. */
  const WAYS: Readonly<Record<string, (life: Life, root: string) => string>> = {
    'turn-placed': (life) => life.say(null),
    'turn-moved': (life, root) => {
      const turn = life.say(root);
      life.move(turn, null);
      return turn;
    },
    'turn-extracted': (life, root) => {
      const turn = life.say(root);
      life.do({ type: 'extract', nodeId: turn, fresh: fresh(life), at: 0, step: life.id() });
      return turn;
    },
    'turn-reconsidered': (life, root) => {
      const turn = life.say(root);
      const { decision } = nodeOf(life.forest, turn);
      life.do({ type: 'reconsider', nodeId: turn, parentId: null, fresh: fresh(life), decision, step: life.id() });
      return turn;
    },
    'turns-arranged': (life, root) => {
      const turn = life.say(root);
      const alone = { nodeId: turn, parentId: null, fresh: fresh(life), decision: null, title: null };
      life.do({ type: 'arrange', turns: [alone], step: life.id() });
      return turn;
    },
  };

  const fresh = (life: Life) => ({ treeId: life.id(), branchId: life.id() });

  const titleTopic = (life: Life, nodeId: string, title: string, by: 'engine' | 'person' = 'engine') => {
    const { treeId } = nodeOf(life.forest, nodeId);
    life.do({ type: 'record', step: null, event: { type: 'topic-titled', treeId, title, by } });
  };

  const log = ({ entries }: Life): string => JSON.stringify(entries);

  interface Inner {
    readonly type: string;
    readonly shape?: Readonly<Record<string, z.core.$ZodType>>;
    readonly element?: z.core.$ZodType;
    readonly innerType?: z.core.$ZodType;
  }

  /** A label only says where a turn was and where it belongs; nothing is placed by it. */
  const holdsPlacement = (schema: z.core.$ZodType): boolean => {
    if (schema === Placement) return true;
    if (schema === Label) return false;
    const def: Inner = schema._zod.def;
    const parts = [...Object.values(def.shape ?? {}), def.element, def.innerType];
    return parts.some((part) => part !== undefined && holdsPlacement(part));
  };

  test('are looked for after every kind of event that has a placement', () => {
    const kinds = Event.def.options.flatMap((schema) => (holdsPlacement(schema) ? schema.shape.type.def.values : []));
    expect(kinds.toSorted()).toEqual(Object.keys(WAYS).toSorted());
    for (const type of kinds) expect(kindOf({ type } as Event).placements, type).not.toBeNull();
  });

  test.each(Object.entries(WAYS))('go with it if it came to open a topic by %s', (kind, open) => {
    const life = new Life();
    const root = life.say(null);
    const turn = open(life, root);
    expect(life.entries.at(-1)?.event.type).toBe(kind);
    expect(nodeOf(life.forest, turn).parentId).toBeNull();
    titleTopic(life, turn, SECRET);
    titleTopic(life, turn, `${SECRET}, by hand`, 'person');
    const { branchId } = nodeOf(life.forest, turn);
    life.do({ type: 'record', step: life.id(), event: { type: 'branch-titled', branchId, title: SECRET } });
    life.purge([turn]);
    expect(log(life)).not.toContain('4711');
  });

  test('go with it if it was moved along with another turn', () => {
    const life = new Life();
    const root = life.say(null);
    const above = life.say(life.say(root));
    const turn = life.say(above);
    life.move(nodeOf(life.forest, above).parentId as string, null);
    titleTopic(life, turn, SECRET);
    life.purge([turn]);
    expect(log(life)).not.toContain('4711');
  });

  test('leave no topic that is named by what is left of one', () => {
    const life = new Life();
    const root = life.say(null);
    life.say(root);
    const head = life.say(root);
    const turn = life.say(head);
    const { branchId } = nodeOf(life.forest, head);
    life.do({ type: 'record', step: life.id(), event: { type: 'branch-titled', branchId, title: SECRET } });
    life.move(head, null);
    life.purge([turn]);
    const { title, titledBy } = life.forest.trees[nodeOf(life.forest, head).treeId] as Tree;
    expect([title, titledBy]).not.toContain('[purged]');
    expect(titledBy).not.toBe('person');
  });

  test('leave no topic or branch that is named by what is left of them, where its first turn goes alone', () => {
    const life = new Life();
    const first = life.say(null);
    const second = life.say(first);
    const { branchId, treeId } = nodeOf(life.forest, second);
    titleTopic(life, first, SECRET, 'person');
    life.do({ type: 'record', step: life.id(), event: { type: 'branch-titled', branchId, title: SECRET } });
    life.purge([first]);
    expect(life.forest.trees[treeId]).toMatchObject({ title: nodeOf(life.forest, second).message, titledBy: null });
    expect(life.forest.branches[branchId]?.title).toBeNull();
  });

  test('leave no topic that is named by what is left of one, where a turn goes that came into it along with another', () => {
    const life = new Life();
    const root = life.say(null);
    const head = life.say(root);
    const turn = life.say(life.say(head));
    life.move(head, null);
    titleTopic(life, head, SECRET);
    life.purge([turn]);
    const { treeId, message } = nodeOf(life.forest, head);
    expect(life.forest.trees[treeId]).toMatchObject({ title: message, titledBy: null });
    expect(log(life)).not.toContain('4711');
  });

  test('leave no branch that is named by what is left of a topic', () => {
    const life = new Life();
    const first = life.say(null);
    const second = life.say(first);
    titleTopic(life, first, SECRET, 'person');
    life.do({ type: 'delete', nodeIds: [first], alone: true, step: life.id() });
    const other = life.say(null);
    life.say(other);
    life.move(second, other);
    expect(life.forest.branches[nodeOf(life.forest, second).branchId]?.title).toBe(SECRET);
    life.purge([first]);
    expect(life.forest.branches[nodeOf(life.forest, second).branchId]?.title).toBeNull();
    expect(log(life)).not.toContain('4711');
  });

  test('stay if they are from before it joined, or from where it never was', () => {
    const life = new Life();
    const root = life.say(null);
    titleTopic(life, root, 'Bread');
    const turn = life.say(life.say(null));
    const other = life.say(null);
    life.move(turn, root);
    titleTopic(life, root, SECRET);
    titleTopic(life, other, 'Rain');
    life.move(other, root);
    life.purge([turn]);
    expect(log(life)).not.toContain('4711');
    expect(log(life)).toContain('Bread');
    expect(log(life)).toContain('Rain');
  });

  describe('given once it was deleted', () => {
    const lifeAfter = (end: (life: Life, first: string) => void) => {
      const life = new Life();
      const first = life.say(null, 'The door code is 4711');
      const second = life.say(first, 'How is bread baked?');
      titleTopic(life, first, SECRET);
      const { branchId } = nodeOf(life.forest, second);
      life.do({ type: 'record', step: life.id(), event: { type: 'branch-titled', branchId, title: 'Code' } });
      life.do({ type: 'delete', nodeIds: [first], alone: true, step: 'deletion' });
      end(life, first);
      return { life, first, second, branchId };
    };

    test.each(['engine', 'person'] as const)('stay, whoever gives them: %s', (by) => {
      const { life, first, second, branchId } = lifeAfter((one) => {
        const [left] = Object.keys(one.forest.nodes) as [string];
        titleTopic(one, left, 'Baking bread', by);
        const { branchId: branch } = nodeOf(one.forest, left);
        one.do({
          type: 'record',
          step: one.id(),
          event: { type: 'branch-titled', branchId: branch, title: 'Plan' },
        });
      });
      life.purge([first]);
      expect(log(life)).not.toContain('4711');
      expect(log(life)).not.toContain('"Code"');
      expect(life.forest.trees[nodeOf(life.forest, second).treeId]?.title).toBe('Baking bread');
      expect(life.forest.branches[branchId]?.title).toBe('Plan');
    });

    test.each(['My old code', 'Old: 4711', SECRET])('go if they have words only it had: %j', (title) => {
      const { life, first, second } = lifeAfter((one) => {
        const [left] = Object.keys(one.forest.nodes) as [string];
        titleTopic(one, left, title, 'person');
      });
      life.purge([first]);
      const { treeId, message } = nodeOf(life.forest, second);
      expect(life.forest.trees[treeId]).toMatchObject({ title: message, titledBy: null });
      expect(log(life)).not.toContain(`"${title}"`);
    });

    test('go if it had come back by then', () => {
      const { life, first } = lifeAfter((one, deleted) => {
        one.do({ type: 'undo' });
        titleTopic(one, deleted, 'Baking bread');
      });
      life.purge([first]);
      expect(log(life)).not.toContain('Baking bread');
    });
  });

  describe('that an imported conversation came with as its name', () => {
    const called = (name: string, step: string | null = null) => {
      const life = new Life();
      const secret = life.say(null, 'The door code is 4711');
      titleTopic(life, secret, 'Reset of locks');
      const rest = life.say(secret, 'How is bread baked?');
      life.do({ type: 'record', step, event: { type: 'conversation-titled', title: name } });
      return { life, secret, rest };
    };

    test.each(['Reset of locks', 'Reset of code 4711'])('go from the log, also after another was given: %j', (name) => {
      const { life, secret } = called(name);
      life.do({ type: 'record', step: life.id(), event: { type: 'conversation-titled', title: 'Home' } });
      life.purge([secret]);
      expect(log(life)).not.toContain(name);
      expect(life.forest.title).toBe('Home');
    });

    test('go if the export was added to a conversation that had been written in', () => {
      const { life, secret } = called('Reset of code 4711', 'export:import 7');
      life.purge([secret]);
      expect(log(life)).not.toContain('4711');
      expect(life.forest.title).toBeNull();
    });

    test('stay if they say nothing of it, or if the person gave them', () => {
      const other = called('Bread');
      other.life.purge([other.secret]);
      expect(other.life.forest.title).toBe('Bread');
      const untold = called('Reset of locks');
      untold.life.purge([untold.rest]);
      expect(untold.life.forest.title).toBe('Reset of locks');
      const own = called('Code', 'renamed');
      own.life.purge([own.secret]);
      expect(own.life.forest.title).toBe('Code');
    });
  });

  test('go from the overviews that listed their topics, too', () => {
    const life = new Life();
    const root = life.say(null);
    const turn = life.say(null);
    titleTopic(life, turn, SECRET);
    const { treeId, branchId } = nodeOf(life.forest, turn);
    life.say(turn);
    life.do({ type: 'extract', nodeId: turn, fresh: fresh(life), at: 0, step: life.id() });
    // The topic still has its title, without the turn.
    const line = { kind: 'topic' as const, treeId, nodeIds: ['rest'], text: `Topic “${SECRET}”:`, tokens: 4 };
    const overview = {
      id: life.id(),
      branchId,
      lines: [line, { ...line, treeId: nodeOf(life.forest, root).treeId, text: 'Topic “Bread”:' }],
    };
    life.do({ type: 'record', step: null, event: { type: 'overview-built', overview } });
    life.purge([turn]);
    expect(log(life)).not.toContain('4711');
    expect(log(life)).toContain('Topic “Bread”:');
  });
});
