import { afterEach, describe, expect, it } from 'vitest';
import { defaultReplySettings } from '../../domain/reply.ts';
import { createEmbeddedModels, type EmbeddedModels } from './embedded-models.ts';

describe('the models that ship', () => {
  let models: EmbeddedModels | null = null;
  afterEach(() => models?.close());

  it('do all they are for, offline, with the files of the site', async () => {
    models = createEmbeddedModels({ base: new URL('/', location.href).href, isStill: () => true });
    const turn = { message: 'How do I season a cast iron pan?', reply: '' };
    const [vector] = await models.embed.embed([turn.message]);
    expect(vector).toHaveLength(models.embed.dimensions);
    expect(await models.chat.tokens.count([turn.message])).toEqual([9]);
    expect(await models.summarise.summarise(turn)).toBe('The user asks how to season a cast iron pan.');
    expect(await models.summarise.title(turn)).toBe('Season a cast iron pan');
    let reply = '';
    const request = {
      messages: [{ role: 'user' as const, content: turn.message }],
      begun: '',
      settings: defaultReplySettings,
      quotable: () => ({ path: [], nearest: [] }),
    };
    for await (const piece of models.chat.reply(request, new AbortController().signal)) reply += piece;
    expect(reply).toContain('language model');
  });
});
