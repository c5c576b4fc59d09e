import type { ChatMessage } from '../../../domain/context.ts';
import { NO_THOUGHTS } from './cached-conversation.ts';
import type { Template } from './model-files.ts';

/**
 * A conversation as the model reads it, up to and with what a reply that broke off already said. The library's chat
 * ends with a question and nothing else, but it completes any text: so this writes the text that its chat would
 * (its Conversation.getPromptArray), from the model's own template.
 */
export const continuationPrompt = (
  template: Template,
  messages: readonly ChatMessage[],
  begun: string,
  { thinks, prefix }: { thinks: boolean; prefix: string },
): string => {
  const given = messages[0]?.role === 'system' ? messages[0].content : null;
  const said = messages.filter(({ role }) => role !== 'system');
  const system = systemText(template, given);
  const separator = template.role_content_sep ?? ': ';
  const turns = said.map(({ role, content }, i) => {
    const bare = template.add_role_after_system_message === false && system !== '' && i === 0;
    const name = role === 'user' ? template.roles.user : template.roles.assistant;
    const text = template.role_templates?.[role]?.replace(`{${role}_message}`, () => content) ?? content;
    return `${bare ? '' : name + separator}${text.replace('{function_string}', '')}${template.seps[i % template.seps.length]}`;
  });
  const header = thinks
    ? `${template.roles.assistant}${template.role_empty_sep ?? ': '}`
    : `${template.roles.assistant}${separator}${NO_THOUGHTS}`;
  return `${prefix}${system}${turns.join('')}${header}${begun}`;
};

const systemText = (template: Template, given: string | null): string => {
  const message = given ?? template.system_message;
  if (message === '' && template.render_empty_system_message === false) return '';
  return template.system_template.replace('{system_message}', () => message);
};
