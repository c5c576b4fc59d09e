import { expect, onTestFinished, test, vi } from 'vitest';

test('the language is detected once for a message, however many steps of its turn ask for it', async () => {
  // Test files share their modules, and the engine may already be loaded.
  vi.resetModules();
  onTestFinished(() => {
    vi.doUnmock('./text/spoken-language.ts');
    vi.resetModules();
  });
  const heard: (readonly string[])[] = [];
  vi.doMock('./text/spoken-language.ts', async (load) => {
    const original = await load<typeof import('./text/spoken-language.ts')>();
    const languageSpoken = (messages: readonly string[]) => {
      heard.push(messages);
      return original.languageSpoken(messages);
    };
    return { ...original, languageSpoken };
  });
  const { bareHost } = await import('./testing/bare-host.ts');
  const host = bareHost();
  for (const message of ['#trip one', 'two', '#code three']) await host.send(message);
  expect(heard).toEqual([['#trip one'], ['#trip one', 'two'], ['#trip one', 'two', '#code three']]);
});
