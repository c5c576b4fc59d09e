import {
  dataUrlOf,
  type Fields,
  fieldsOf,
  firstText,
  has,
  idListOf,
  joinNonEmpty,
  listOf,
  messageContentOf,
  type Reader,
  type SourceAttachment,
  type SourceMessage,
  speakerOf,
  textOf,
  timeOf,
} from '../source.ts';

const chatOf = (item: unknown): Fields => (has(item, 'chat') ? fieldsOf(fieldsOf(item).chat) : fieldsOf(item));

/** Chats of Open WebUI, as rows of its database or bare; Qwen Chat exports the same format. */
export const openWebUi: Reader = {
  tool: 'Open WebUI',
  recognises: (item) => has(fieldsOf(chatOf(item).history), 'messages'),
  read: (item) => {
    const row = fieldsOf(item);
    const chat = chatOf(item);
    const history = fieldsOf(chat.history);
    const system = firstText(chat.system, fieldsOf(chat.params).system);
    const messages = Object.entries(fieldsOf(history.messages)).map(([key, message]) =>
      messageOf(key, fieldsOf(message)),
    );
    return [
      {
        source: 'open-webui',
        id: firstText(row.id, chat.id),
        title: firstText(row.title, chat.title),
        currentId: firstText(row.current_message_id, history.currentId),
        messages:
          system === null ? messages : [{ id: 'system', parentId: null, by: 'aside', text: system }, ...messages],
      },
    ];
  },
};

const messageOf = (key: string, of: Fields): SourceMessage => {
  const by = speakerOf(of.role);
  const listed = messageContentOf(of.content_list);
  const raw = firstText(of.content, listed.text) ?? messageContentOf(of.content).text;
  const calls = callsIn(of.output);
  const { text, thinking } = by === 'assistant' ? withoutDetails(raw, calls !== '') : { text: raw, thinking: '' };
  return {
    id: key,
    // If the parent is missing, the lists of children provide it.
    parentId: of.parentId === undefined ? undefined : textOf(of.parentId),
    childIds: idListOf(of.childrenIds),
    by,
    text,
    at: timeOf(of.timestamp),
    model: firstText(of.model, of.modelName) ?? undefined,
    thinking: joinNonEmpty([thinking, listed.thinking, calls]),
    attachments: listOf(of.files).map((one): SourceAttachment => {
      const { name, url, type, id, file } = fieldsOf(one);
      const data = dataUrlOf(url);
      const isPicture = type === 'image' || data?.startsWith('data:image/') === true;
      return {
        name: firstText(name, data === undefined ? url : null, id, type) ?? 'file',
        text: isPicture ? null : firstText(fieldsOf(fieldsOf(file).data).content),
        data,
      };
    }),
  };
};

const DETAILS = /<details\b[^>]*\btype="(reasoning|tool_calls|code_interpreter)"[^>]*>([\s\S]*?)<\/details>\s*/g;

/** Tool calls with their results: the content only says that there were some. */
const callsIn = (output: unknown): string => {
  const items = listOf(output).map(fieldsOf);
  const resultOf = (id: unknown): unknown =>
    items.find(({ type, call_id }) => type === 'function_call_output' && call_id === id)?.output;
  const calls = items.filter(({ type }) => type === 'function_call');
  return messageContentOf(calls.map((call) => ({ ...call, output: resultOf(call.call_id) }))).thinking;
};

/**
 * Extracts thoughts and tool calls, which are HTML in the content, as text to put before the answer; without tool calls if
 * they are known from elsewhere.
 */
const withoutDetails = (content: string, knowsCalls: boolean): { text: string; thinking: string } => {
  const thoughts: string[] = [];
  const text = content.replace(DETAILS, (_, type: string, inside: string) => {
    const said = unescaped(inside.replace(/<summary>[\s\S]*?<\/summary>/, ''))
      .replace(/^> ?/gm, '')
      .trim();
    if (type !== 'tool_calls' || !knowsCalls) thoughts.push(type === 'reasoning' ? said : `[tool]\n${said}`);
    return '';
  });
  return { text, thinking: joinNonEmpty(thoughts) };
};

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', '#39': "'", '#x27': "'" };

const unescaped = (html: string): string => html.replace(/&(#?\w+);/g, (all, name: string) => ENTITIES[name] ?? all);
