import { parsedJson } from '../../../../domain/expectation.ts';
import {
  type Fields,
  fieldsOf,
  firstText,
  has,
  joinNonEmpty,
  jsonOf,
  listOf,
  type Reader,
  type SourceAttachment,
  type SourceMessage,
  speakerOf,
  textOf,
  timeOf,
} from '../source.ts';

/** Matches no message: a message with this parent opens the conversation. */
const ROOT = '00000000-0000-4000-8000-000000000000';

/** Claude.ai's export, and the same data as its own interface returns it to browser extensions. */
export const claude: Reader = {
  tool: 'Claude',
  recognises: (item) => has(item, 'chat_messages'),
  read: (item) => {
    const of = fieldsOf(item);
    const messages = listOf(of.chat_messages).map(fieldsOf);
    return [
      {
        source: 'claude',
        id: firstText(of.uuid),
        title: firstText(of.name),
        currentId: textOf(of.current_leaf_message_uuid),
        messages: messages.map((message, at) => messageOf(message, at, textOf(of.model))),
      },
    ];
  },
};

const messageOf = (of: Fields, at: number, model: string | null): SourceMessage => {
  const { text, thinking, isResult } = saidIn(of);
  const parent = of.parent_message_uuid;
  const by = speakerOf(of.sender);
  return {
    id: firstText(of.uuid) ?? `message ${at + 1}`,
    parentId: parent === undefined ? undefined : parent === ROOT ? null : textOf(parent),
    by: by === 'user' && isResult ? 'aside' : by,
    text: isResult ? thinking : text,
    at: timeOf(of.created_at),
    model: by === 'assistant' ? (model ?? undefined) : undefined,
    thinking: isResult ? '' : thinking,
    attachments: [...listOf(of.attachments), ...listOf(of.files)].map((one): SourceAttachment => {
      const { file_name, file_uuid, extracted_content } = fieldsOf(one);
      return { name: firstText(file_name, file_uuid) ?? 'file', text: firstText(extracted_content) };
    }),
  };
};

/** Blocks take precedence: `text` is often empty beside them, but has everything when they are empty. */
const saidIn = (of: Fields): { text: string; thinking: string; isResult: boolean } => {
  const texts: string[] = [];
  const thoughts: string[] = [];
  let results = 0;
  for (const block of blocksOf(of.content)) {
    const type = textOf(block.type);
    if (type === 'text') texts.push(textOf(block.text) ?? '');
    else if (type === 'thinking') thoughts.push(textOf(block.thinking) ?? '');
    else if (type === 'tool_use') thoughts.push(toolUse(block));
    else if (type === 'tool_result') {
      results++;
      thoughts.push(joinNonEmpty([`[result of ${firstText(block.name) ?? 'a tool'}]`, resultText(block.content)]));
    } else if (type === 'injected_prompt_block')
      thoughts.push(joinNonEmpty(['[added by Claude.ai]', textOf(block.prompt)]));
  }
  const text = joinNonEmpty(texts);
  return {
    text: text === '' ? (textOf(of.text) ?? '') : text,
    thinking: joinNonEmpty(thoughts),
    isResult: results > 0 && text === '' && (textOf(of.text) ?? '').trim() === '',
  };
};

/** Some files have the list serialised as a string. */
const blocksOf = (content: unknown): Fields[] => {
  if (typeof content !== 'string') return listOf(content).map(fieldsOf);
  const list = parsedJson(content);
  return list === undefined ? [{ type: 'text', text: content }] : listOf(list).map(fieldsOf);
};

const toolUse = ({ name, input }: Fields): string => {
  const { command, title, content, old_str, new_str } = fieldsOf(input);
  const isArtifact = name === 'artifacts';
  const head = isArtifact
    ? `[artifact${firstText(command) === null ? '' : `, ${command}`}]`
    : `[${firstText(name) ?? 'a tool'}]`;
  if (isArtifact)
    return joinNonEmpty([
      head,
      textOf(title),
      textOf(content),
      textOf(old_str) === null ? null : `− ${old_str}`,
      textOf(new_str) === null ? null : `+ ${new_str}`,
    ]);
  return joinNonEmpty([head, input === undefined ? null : typeof input === 'string' ? input : jsonOf(input)]);
};

const resultText = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : joinNonEmpty(listOf(content).map((one) => firstText(fieldsOf(one).text, fieldsOf(one).title, fieldsOf(one).url)));
