import { afterEach, expect, test, vi } from 'vitest';
import { memoryDrafts, unstartedApp, until } from '../../app/testing/plain-app.ts';
import { countingChat } from '../../engine/testing/plain-models.ts';
import { installed } from './feature.ts';

afterEach(() => vi.unstubAllGlobals());

test.each([
  ['left unsent', 'left unsent\n\nA hazel\nIs it time to prune?'],
  ['', 'A hazel\nIs it time to prune?'],
])('what another app shares is added to a draft of “%s”', async (unsent, draft) => {
  const address = { search: '?share-title=A+hazel&share-text=Is+it+time+to+prune%3F', pathname: '/', hash: '' };
  for (const [name, value] of Object.entries({ window: {}, location: address, history: { replaceState: () => null } }))
    vi.stubGlobal(name, value);
  const drafts = memoryDrafts();
  drafts.save('new', unsent);
  const app = unstartedApp(countingChat(), { drafts });
  await app.start();
  installed.start?.(app);
  await until(app.store, ({ session }) => session.draft.includes('hazel'));
  expect(app.store.getState().session.draft).toBe(draft);
  expect(drafts.read('new')).toBe(draft);
});
