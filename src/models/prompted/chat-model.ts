import { ModelFailure } from '../../engine/model-failure.ts';
import type { ChatModel } from '../../engine/ports.ts';
import type { TextGenerator } from '../runtimes/runtime.ts';

/** Implements role `chat` with a language model. Rejects with `empty` if a new reply has no text; continuing a reply may add nothing. */
export const chatModel = (generator: TextGenerator): ChatModel => ({
  name: generator.name,
  window: generator.window,
  get sees() {
    return generator.sees === true;
  },
  forgetsThoughts: generator.forgetsThoughts === true,
  tokens: {
    name: generator.estimates ? '≈ characters' : generator.name,
    count: (texts) => generator.count(texts),
  },
  async *reply({ messages, pictures, begun, settings: { temperature, topP, maxTokens }, onUsage }, signal) {
    let said = begun.trim() !== '';
    const request = {
      messages,
      ...(pictures === undefined ? {} : { pictures }),
      begun,
      temperature,
      topP,
      maxTokens,
      schema: null,
      ...(onUsage === undefined ? {} : { onUsage }),
    };
    for await (const piece of generator.generate(request, signal)) {
      said ||= piece.trim() !== '';
      yield piece;
    }
    if (said || signal.aborted) return;
    throw new ModelFailure('empty', `${generator.name} gave an empty reply. Try again, or choose another model.`);
  },
});
