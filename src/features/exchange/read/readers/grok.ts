import { fileNameIn } from '../../../../domain/attachment.ts';
import {
  type Fields,
  fieldsOf,
  firstText,
  has,
  idListOf,
  joinNonEmpty,
  listOf,
  type Reader,
  type SourceAttachment,
  type SourceConversation,
  type Speaker,
  speakerOf,
  textOf,
  timeOf,
} from '../source.ts';

/** Grok's export: conversations with responses that name their predecessor. */
export const grok: Reader = {
  tool: 'Grok',
  recognises: (item) => listOf(fieldsOf(item).conversations).some((one) => has(one, 'conversation')),
  read: (item) => listOf(fieldsOf(item).conversations).map((one) => conversationOf(fieldsOf(one))),
};

const conversationOf = ({ conversation, responses }: Fields): SourceConversation => {
  const of = fieldsOf(conversation);
  return {
    source: 'grok',
    id: firstText(of.conversation_id, of.id),
    title: firstText(of.title),
    currentId: textOf(of.leaf_response_id),
    messages: listOf(responses).map((one, at) => {
      const response = fieldsOf(has(one, 'response') ? fieldsOf(one).response : one);
      const by: Speaker = speakerOf(response.sender) === 'user' ? 'user' : 'assistant';
      const text = textOf(response.message) ?? '';
      return {
        id: firstText(response.response_id, response._id) ?? `message ${at + 1}`,
        parentId:
          response.parent_response_id == null && at > 0 && !anyParent(responses)
            ? undefined
            : textOf(response.parent_response_id),
        by,
        text: by === 'assistant' ? withoutMarkup(text) : text,
        at: timeOf(response.create_time) ?? timeOf(fieldsOf(fieldsOf(response.create_time).$date).$numberLong),
        model: firstText(response.model) ?? undefined,
        thinking: firstText(response.thinking_trace) ?? undefined,
        attachments: filesOf(response),
      };
    }),
  };
};

/** Older exports name no parents at all, leaving only their order. */
const anyParent = (responses: unknown): boolean =>
  listOf(responses).some((one) => textOf(fieldsOf(fieldsOf(one).response ?? one).parent_response_id) !== null);

/** Files in the archive, by their folders there, and pictures of which it has only the addresses. */
const filesOf = ({ file_attachments, generated_image_urls }: Fields): SourceAttachment[] => [
  ...namesIn(file_attachments).map((id) => ({ name: id, text: null, asset: id })),
  ...namesIn(generated_image_urls).map((url) => ({ name: fileNameIn(url) || url, text: null })),
];

const namesIn = (list: unknown): string[] => idListOf(list).filter((name) => name.trim() !== '');

/** A card that only Grok's page can show, such as the number of a source. */
const CARD = /<grok:render\b[^<>]*(?:\/>|>(?:(?!<grok:render\b)[\s\S])*?<\/grok:render>)/g;
/** A document in an answer: its attributes, its text. */
const ARTIFACT = /<xaiArtifact\b((?:"[^"\n]*"|[^<>"])*)>((?:(?!<xaiArtifact\b)[\s\S])*?)<\/xaiArtifact>/g;

const FENCE = '```';

/** Leaves out cards, and puts documents under their titles: code as such, unless it is in a block already. */
const withoutMarkup = (text: string): string =>
  text.replace(CARD, '').replace(ARTIFACT, (whole, attributes: string, content: string) => {
    const title = /\btitle="([^"]*)"/.exec(attributes)?.[1];
    if (title === undefined) return whole;
    const language = /\bcontentType="(?:text|application)\/(?!markdown|plain)([^"]+)"/.exec(attributes)?.[1];
    const said = content.trim();
    const isCode = language !== undefined && !said.includes(FENCE);
    return joinNonEmpty([`[${title}]`, isCode ? `${FENCE}${language}\n${said}\n${FENCE}` : said]);
  });
