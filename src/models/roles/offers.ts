import type { Offer } from '../../app/model-control.ts';
import { type ModelSpec, specKey, specName } from '../runtimes/model-spec.ts';

/** A model of the person's own as an offer: of what it needs, nothing is known. */
export const ownOffer = (spec: ModelSpec): Offer => ({
  key: specKey(spec),
  name: specName(spec),
  runtime: spec.runtime,
  roles: rolesOf(spec),
  about: aboutOf(spec),
  downloadBytes: null,
  memoryBytes: null,
  speed: null,
  licence: null,
  unfit: null,
  own: true,
  leavesFor: spec.runtime === 'server' ? spec.baseUrl : null,
});

const rolesOf = (spec: ModelSpec): Offer['roles'] => {
  switch (spec.runtime) {
    case 'wllama':
      return spec.embeds ? ['embed'] : ['chat', 'decide', 'summarise'];
    case 'transformers':
      return spec.task === 'embed' ? ['embed'] : ['chat', 'decide', 'summarise'];
    case 'server':
      // Its list does not say which of its models embed.
      return ['chat', 'decide', 'summarise', 'embed'];
    case 'webllm':
    case 'prompt-api':
      return ['chat', 'decide', 'summarise'];
  }
};

const aboutOf = (spec: ModelSpec): string => {
  switch (spec.runtime) {
    case 'webllm':
      return `Yours, from ${spec.custom?.weights ?? 'WebLLM’s list'}`;
    case 'wllama':
      return spec.source.kind === 'file' ? 'Yours, from a file' : `Yours, from ${addressOf(spec.source)}`;
    case 'transformers':
      return spec.source.kind === 'folder' ? 'Yours, from a folder' : `Yours, from ${spec.source.repo}`;
    case 'server':
      return `On the server at ${spec.baseUrl}`;
    case 'prompt-api':
      return 'Comes with this browser';
  }
};

const addressOf = (source: { kind: 'hub'; repo: string } | { kind: 'url'; url: string }): string =>
  source.kind === 'hub' ? source.repo : source.url;
