import { memoryStorage } from '../../adapters/storage/memory-storage.ts';
import { overlayStorage } from '../../adapters/storage/overlay-storage.ts';
import type { ChatModel } from '../../engine/ports.ts';
import { firstWords, namedChat, plainModels, tagDecider } from '../../engine/testing/plain-models.ts';
import { createApp } from '../app.ts';
import { noChoice, readyRoles } from './no-choice.ts';
import { plainLearner } from './plain-learner.ts';

/** An app, started, on models whose every answer a test can work out; what it keeps is gone with it. */
export const plainApp = async (chat: ChatModel) => {
  const storage = memoryStorage();
  const models = plainModels({ chat });
  let ids = 0;
  let clock = 0;
  const app = createApp(
    {
      openStorage: async () => ({ storage, kind: 'indexeddb', failure: null }),
      overlayStorage,
      formats: { parse: () => ({ ok: false, failure: { kind: 'empty', line: null, message: '' } }), print: () => '' },
      models: () => models,
      modelControl: noChoice,
      embedded: { chat: namedChat('quoting'), decide: tagDecider(), summarise: firstWords },
      learner: plainLearner(),
      openEvaluation: () => Promise.reject(new Error('nothing is measured here')),
      watchLog: () => () => undefined,
      watchLessons: () => () => undefined,
      exclusive: async (_name, _patience, task) => {
        await task();
        return true;
      },
      now: () => ++clock,
      elapsed: () => clock,
      newId: () => `id${ids++}`,
    },
    readyRoles,
  );
  await app.start();
  return app;
};
