import * as z from 'zod/mini';
import { expectationOf } from '../../../domain/expectation.ts';
import { has } from '../read/source.ts';
import { dialogueForm, type Form, type SpokenLine } from './form.ts';
import { got, unexpected } from './json-source.ts';

const Part = z.looseObject({ type: z.string(), text: z.optional(z.string()) });

const USERS = ['user', 'human'];
const ASSISTANTS = ['assistant', 'ai', 'bot', 'model'];
const Message = z.object({
  role: z.enum(['user', 'assistant', 'system', 'human', 'ai', 'bot', 'model', 'developer', 'tool', 'function']),
  /** null where an assistant only called a tool. */
  content: z.union([z.string(), z.array(Part), z.null()]),
});
type Message = z.infer<typeof Message>;

/** Instructions and what tools said are no part of the dialogue. */
const spoken = ({ role, content }: Message): SpokenLine[] => {
  const by = USERS.includes(role) ? 'user' : ASSISTANTS.includes(role) ? 'assistant' : null;
  return by === null ? [] : [{ by, text: textOf(content) }];
};

/** Pictures and the like leave a mark, so that what is said of them still makes sense. */
const textOf = (content: Message['content']): string => {
  if (content === null || typeof content === 'string') return content ?? '';
  return content.map(({ type, text }) => text ?? `[${type.replaceAll('_', ' ')}]`).join('\n\n');
};

/** Messages in a row, `{role, content}` each: together one dialogue. */
export const messageList: Form = {
  recognises: (item) => has(item, 'role') || has(item, 'content'),
  read: (source) => {
    const parsed = z.array(Message).safeParse(source.items);
    if (!parsed.success) return unexpected(source, expectationOf(parsed.error));
    return got([{ title: null, lines: parsed.data.flatMap(spoken) }]);
  },
};

/** Several such lists: a dialogue each. */
export const messageLists: Form = dialogueForm(
  (item) => Array.isArray(item) && messageList.recognises(item[0]),
  z.array(Message),
  (messages) => ({ title: null, lines: messages.flatMap(spoken) }),
);

/** `{messages: […]}`, as OpenAI's API and fine-tuning files have it. */
export const messagesObject: Form = dialogueForm(
  (item) => has(item, 'messages'),
  z.object({ title: z.optional(z.nullable(z.string())), messages: z.array(Message) }),
  ({ title, messages }) => ({ title: title ?? null, lines: messages.flatMap(spoken) }),
);
