import { soak } from './support/soak.ts';
import { expect, test } from './support/test.ts';

// Part of `npm run soak`.
test('used long and roughly, with tabs killed at any moment, the page loses nothing', async ({ context }) => {
  test.slow();
  const { deeds } = await soak(context, { turns: 24, seed: 11, perConversation: 16 });
  expect(deeds.kill.count).toBeGreaterThan(0);
  expect(deeds.send.count).toBeGreaterThan(deeds.kill.count);
});
