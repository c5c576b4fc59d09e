import type { Machine } from '../../app/model-control.ts';
import type { KnownModel } from '../roles/model-library.ts';
import { specKey, specName } from '../runtimes/model-spec.ts';

const WHY: Readonly<Record<'missing' | 'unavailable', string>> = {
  missing: 'This browser has no model of its own. Chrome and Edge on a desktop have one (the Prompt API).',
  unavailable:
    'This browser has a model of its own, but not for this machine: it asks for a GPU with more than 4 GB or 16 GB of memory, and 22 GB of free disk.',
};

/** The model that comes with the browser. Which it is, how large, and under what terms, is the browser maker's matter. */
export const promptApiModel = ({ promptApi }: Machine): KnownModel => {
  const spec = { runtime: 'prompt-api' } as const;
  return {
    spec,
    offer: {
      key: specKey(spec),
      name: specName(spec),
      runtime: 'prompt-api',
      roles: ['chat', 'decide', 'summarise'],
      about:
        promptApi === 'available'
          ? 'Comes with this browser and is there already.'
          : 'Comes with the browser, which downloads it once for all pages.',
      downloadBytes: promptApi === 'available' ? 0 : null,
      memoryBytes: null,
      speed: null,
      licence: null,
      unfit: promptApi === 'missing' || promptApi === 'unavailable' ? WHY[promptApi] : null,
      own: false,
      leavesFor: null,
    },
  };
};
