import { describe, expect, test } from 'vitest';
import { ModelFailure, type ModelFailureKind } from '../../engine/model-failure.ts';
import { chosen, load, never, opened, replyOf, settled, shipped } from './testing/rig.ts';

describe('a model that is not here', () => {
  const failed = async (kind: ModelFailureKind, message = 'It did not load.') => {
    const made = await opened();
    const choosing = made.roles.choose('chat', chosen('a'));
    await settled();
    load(made.loads, 0).fail(new ModelFailure(kind, message));
    await expect(choosing).rejects.toThrow(message);
    return made;
  };
  const lost = async (kind: ModelFailureKind) => {
    const made = await opened();
    const choosing = made.roles.choose('chat', chosen('a'));
    await settled();
    load(made.loads, 0).finish();
    await choosing;
    load(made.loads, 0).options.onLost(new ModelFailure(kind, 'It is gone.'));
    return made;
  };
  /** Has a message or the user wait for the chat model, whose load of this number then ends. */
  const again = async ({ roles, loads }: Awaited<ReturnType<typeof opened>>, at: number, asked: boolean) => {
    const prepared = roles.models.chat.prepare?.(never, asked);
    await settled();
    load(loads, at).finish();
    await prepared;
  };

  test.each([
    'download-interrupted',
    'cors',
    'corrupt',
    'storage-full',
    'out-of-memory',
    'rate-limited',
    'nonsense',
    'unknown',
  ] as const)('for want of which (%s) a message fails, is loaded again where the user asks', async (kind) => {
    const made = await failed(kind);
    await made.roles.models.chat.prepare?.(never, false);
    expect(made.loads).toHaveLength(1);
    await again(made, 1, true);
    expect(await replyOf(made.roles.models.chat)).toBe('said by a');
  });

  test.each(['unknown', 'device-lost'] as const)(
    'is loaded again by the next message if it was lost (%s)',
    async (kind) => {
      const made = await lost(kind);
      await again(made, 1, false);
      expect(await replyOf(made.roles.models.chat)).toBe('said by a');
    },
  );

  test('is not loaded again unasked where it ran out of memory, …', async () => {
    const made = await lost('out-of-memory');
    await made.roles.models.chat.prepare?.(never, false);
    expect(made.loads).toHaveLength(1);
    await expect(replyOf(made.roles.models.chat)).rejects.toThrow('It is gone.');
    await again(made, 1, true);
    expect(await replyOf(made.roles.models.chat)).toBe('said by a');
  });

  test('… nor where it was lost twice without an answer in between', async () => {
    const made = await lost('worker-died');
    const { roles, loads } = made;
    await again(made, 1, false);
    expect(await replyOf(roles.models.chat)).toBe('said by a');
    load(loads, 1).options.onLost(new ModelFailure('worker-died', 'It is gone.'));
    await again(made, 2, false);
    load(loads, 2).options.onLost(new ModelFailure('worker-died', 'It is gone.'));
    await roles.models.chat.prepare?.(never, false);
    expect(loads).toHaveLength(3);
    await again(made, 3, true);
    expect(await replyOf(roles.models.chat)).toBe('said by a');
  });

  test('and in whose place another is chosen is not replaced by what ships: a message waits for the other', async () => {
    const { roles, loads } = await failed('out-of-memory');
    const choosing = roles.choose('chat', chosen('b'));
    await settled();
    const prepared = roles.models.chat.prepare?.(never, false);
    expect(prepared).toBeDefined();
    load(loads, 1).finish();
    await Promise.all([choosing, prepared]);
    expect(await replyOf(roles.models.chat)).toBe('said by b');
  });

  test('while another loads has a message wait for the one that is chosen in its place', async () => {
    const made = await opened();
    const { roles, loads } = made;
    const choosing = roles.choose('chat', chosen('a'));
    await settled();
    load(loads, 0).finish();
    await choosing;
    const second = roles.choose('chat', chosen('b'));
    await settled();
    load(loads, 0).options.onLost(new ModelFailure('device-lost', 'The GPU is gone.'));
    const prepared = roles.models.chat.prepare?.(never, false);
    const third = roles.choose('chat', chosen('a'));
    await settled();
    load(loads, 2).finish();
    await Promise.all([second, third, prepared]);
    expect(await replyOf(roles.models.chat)).toBe('said by a');
  });
});

describe('a model during whose load the browser closed the page', () => {
  const preparing = { phase: 'preparing', loaded: 1, total: 1 } as const;
  /** A page in the middle of loading the chat model, which is chosen to summarise, too. */
  const closed = async () => {
    const made = await opened();
    const same = { kind: 'same-as-chat' } as const;
    const choosing = made.roles.chooseAll({ chat: chosen('a'), decide: shipped, summarise: same, embed: shipped });
    await settled();
    load(made.loads, 1).finish();
    load(made.loads, 0).options.onProgress(preparing);
    void choosing.catch(() => undefined);
    await settled();
    return made;
  };

  test('is not loaded again with the page, which says why, but where the user asks', async () => {
    const before = await closed();
    const { roles, loads, states, marks } = await opened(before.storage, undefined, undefined, before.marks);
    // That of the summaries had ended.
    expect(loads).toHaveLength(1);
    const message = 'It may have closed the page last time. Try again.';
    expect(states.chat).toMatchObject({ state: 'failed', choice: chosen('a'), failure: { message } });
    await roles.models.chat.prepare?.(never, false);
    await expect(replyOf(roles.models.chat)).rejects.toThrow(message);
    const again = roles.retry('chat');
    await settled();
    // Were the page closed now, during the download, that would not be for want of memory.
    expect(marks.size).toBe(0);
    load(loads, 1).options.onProgress(preparing);
    expect(marks.size).toBe(1);
    load(loads, 1).finish();
    await again;
    expect(await replyOf(roles.models.chat)).toBe('said by a');
    expect(marks.size).toBe(0);
  });

  test('is so only from when it was downloaded until its load ended, in whatever way', async () => {
    const ways = ['finish', 'fail', 'cancel'] as const;
    for (const way of ways) {
      const { roles, loads, marks } = await opened();
      const choosing = roles.choose('chat', chosen('a'));
      await settled();
      load(loads, 0).options.onProgress({ phase: 'downloading', loaded: 1, total: 2 });
      expect(marks.size).toBe(0);
      load(loads, 0).options.onProgress(preparing);
      load(loads, 0).options.onProgress(preparing);
      expect([...marks]).toEqual(['chat webllm:a']);
      if (way === 'finish') load(loads, 0).finish();
      else if (way === 'fail') load(loads, 0).fail(new ModelFailure('corrupt', 'It is damaged.'));
      else roles.cancel('chat');
      await choosing.catch(() => undefined);
      await settled();
      expect(marks.size).toBe(0);
    }
  });

  test('is none on a server', async () => {
    const { roles, loads, marks } = await opened();
    const { key } = await roles.addOwn({ runtime: 'server', baseUrl: 'http://localhost:1/v1', model: 'm' });
    void roles.choose('chat', { kind: 'model', key }).catch(() => undefined);
    await settled();
    load(loads, 0).options.onProgress(preparing);
    expect(marks.size).toBe(0);
  });
});

describe('a model that is to decide, to compare or to summarise, and is not here,', () => {
  const missingOf = ({ roles }: Awaited<ReturnType<typeof opened>>) =>
    roles.models.missing?.map(({ role, name, why }) => [role, name, why]);
  const reload = async ({ roles }: Awaited<ReturnType<typeof opened>>) => {
    roles.models.missing?.[0]?.reload();
    await settled();
  };

  test('is none that is missing while it was only just chosen, or once it is here', async () => {
    const made = await opened();
    const choosing = made.roles.choose('decide', chosen('a'));
    await settled();
    expect(missingOf(made)).toBeUndefined();
    load(made.loads, 0).finish();
    await choosing;
    expect(missingOf(made)).toBeUndefined();
  });

  test('loads again with the page', async () => {
    const before = await opened();
    const choosing = before.roles.choose('embed', chosen('a'));
    await settled();
    load(before.loads, 0).finish();
    await choosing;
    const made = await opened(before.storage);
    expect(missingOf(made)).toEqual([['embed', 'a', 'it is still loading']]);
    await reload(made);
    expect(made.loads).toHaveLength(1);
    load(made.loads, 0).finish();
    await settled();
    expect(missingOf(made)).toBeUndefined();
    expect(made.roles.models.embed.name).toBe('a');
  });

  test('is asked where the embedded decider is unsure once it has loaded again with the page', async () => {
    const before = await opened();
    const setting = before.roles.set({ consult: chosen('a') });
    await settled();
    load(before.loads, 0).finish();
    await setting;
    const made = await opened(before.storage);
    expect(missingOf(made)).toEqual([['consult', 'a', 'it is still loading']]);
    load(made.loads, 0).finish();
    await settled();
    expect(missingOf(made)).toBeUndefined();
    expect(made.roles.models.consult).toBeDefined();
  });

  test('is loaded again if it was lost, though the chat never was', async () => {
    const made = await opened();
    const choosing = made.roles.choose('embed', chosen('a'));
    await settled();
    load(made.loads, 0).finish();
    await choosing;
    load(made.loads, 0).options.onLost(new ModelFailure('device-lost', 'The GPU is gone.'));
    expect(missingOf(made)).toEqual([['embed', 'a', 'The GPU is gone.']]);
    await reload(made);
    load(made.loads, 1).finish();
    await settled();
    expect(made.roles.models.embed.name).toBe('a');
  });

  test.each(['out-of-memory', 'not-found', 'download-interrupted'] as const)(
    'is not loaded again and again if that failed (%s), which is said each time',
    async (kind) => {
      const made = await opened();
      const choosing = made.roles.choose('decide', chosen('a'));
      await settled();
      load(made.loads, 0).fail(new ModelFailure(kind, 'It failed.'));
      await expect(choosing).rejects.toThrow('It failed.');
      await reload(made);
      await reload(made);
      expect(made.loads).toHaveLength(1);
      expect(missingOf(made)).toEqual([['decide', 'a', 'It failed.']]);
    },
  );

  test('is missed until another is chosen, also once the user cancels it', async () => {
    const before = await opened();
    const choosing = before.roles.choose('decide', chosen('a'));
    await settled();
    load(before.loads, 0).finish();
    await choosing;
    const made = await opened(before.storage);
    made.roles.cancel('decide');
    await settled();
    expect(missingOf(made)).toEqual([['decide', 'a', 'a was not loaded. Try again.']]);
    await reload(made);
    expect(made.loads).toHaveLength(1);
    await made.roles.choose('decide', shipped);
    expect(missingOf(made)).toBeUndefined();
    expect(made.states.decide).toMatchObject({ choice: shipped });
  });
});
