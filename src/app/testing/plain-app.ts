import type { ChatModel, Storage } from '../../engine/ports.ts';
import { countingChat, firstWords, namedChat, plainModels, tagDecider } from '../../engine/testing/plain-models.ts';
import { memoryStorage, overlayStorage } from '../../storage/memory-storage.ts';
import { createApp } from '../app.ts';
import type { AppPorts } from '../ports.ts';
import { noChoice, readyRoles } from './no-choice.ts';
import { plainLearner } from './plain-learner.ts';

/** Apps on one storage give no id twice. */
let ids = 0;

/** An app, started, on models whose every answer a test can work out; what it keeps is gone with its storage. */
export const plainApp = async (
  chat: ChatModel = countingChat(),
  { storage = memoryStorage(), ...ports }: Partial<AppPorts> & { readonly storage?: Storage } = {},
) => {
  const models = plainModels({ chat });
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
      openWhatIf: () => Promise.reject(new Error('nothing is run again here')),
      shippedPrompts: () => Promise.reject(new Error('no language model is asked here')),
      watchSettings: () => () => undefined,
      watchLog: () => () => undefined,
      watchLessons: () => () => undefined,
      exclusive: async (_name, _patience, task) => {
        await task();
        return true;
      },
      now: () => ++clock,
      elapsed: () => clock,
      newId: () => `id${ids++}`,
      ...ports,
    },
    readyRoles,
  );
  await app.start();
  return app;
};
