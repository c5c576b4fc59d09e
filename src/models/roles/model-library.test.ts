import { describe, expect, test } from 'vitest';
import { opened } from './testing/rig.ts';

describe('a server', () => {
  test('keeps its key for the session, and on the machine only if so asked', async () => {
    const { roles, storage } = await opened();
    const baseUrl = 'http://localhost:1/v1';
    await roles.connect({ baseUrl, key: 'secret', remember: false });
    expect(roles.keyFor(baseUrl)).toBe('secret');
    expect(JSON.stringify(await storage.setting('server-keys')) ?? '').not.toContain('secret');
    await roles.connect({ baseUrl, key: 'secret', remember: true });
    expect((await opened(storage)).roles.keyFor(baseUrl)).toBe('secret');
    await roles.disconnect(baseUrl);
    expect(roles.keyFor(baseUrl)).toBe('');
    expect((await opened(storage)).roles.keyFor(baseUrl)).toBe('');
  });

  test('offers the models of it that were added, says where the text goes, and is forgotten with them', async () => {
    const { roles } = await opened();
    const baseUrl = 'http://localhost:1/v1';
    expect(await roles.connect({ baseUrl, key: '', remember: false })).toContain('m');
    const offered = async () => (await roles.offers()).filter(({ runtime }) => runtime === 'server');
    expect(await offered()).toEqual([]);
    await roles.addOwn({ runtime: 'server', baseUrl: 'localhost:1/', model: 'm' });
    expect(await offered()).toEqual([expect.objectContaining({ name: 'm', leavesFor: baseUrl })]);
    await roles.disconnect(baseUrl);
    expect(await offered()).toEqual([]);
  });
});
