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

  test('offers its models, and says where the text goes', async () => {
    const { roles } = await opened();
    await roles.connect({ baseUrl: 'http://localhost:1/v1', key: '', remember: false });
    expect(await roles.offers()).toContainEqual(
      expect.objectContaining({ name: 'm', runtime: 'server', leavesFor: 'http://localhost:1/v1' }),
    );
  });
});
