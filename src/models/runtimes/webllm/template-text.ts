import type { ChatMessage } from '../../../domain/context.ts';
import type { Template } from './model-files.ts';

/**
 * A message as it has to be given to the library so that the model reads it as it was written. The library puts texts
 * into a model's template by `String.replace`, to which `$$`, `$&` and others are signs: two dollars would become one.
 * A model with a package (`model_manifest`) gets its messages put together in another way, but for the instructions.
 */
export const givenAs = (message: ChatMessage, { role_templates }: Template, packaged: boolean): ChatMessage => {
  const { role, content } = message;
  const replaced = role === 'system' || (!packaged && role_templates?.[role]?.includes(`{${role}_message}`));
  return replaced && content.includes('$') ? { role, content: content.replaceAll('$', '$$$$') } : message;
};
