import { contentHash } from '../../../../engine/vectors/node-vectors.ts';
import {
  type Fields,
  fieldsOf,
  firstText,
  has,
  idListOf,
  listOf,
  type Reader,
  type SourceMessage,
  textOf,
  timeOf,
} from '../source.ts';

/**
 * SillyTavern's chats: a header, then one line per message. Swipes are alternative answers; later lines continue the chosen
 * one. A branch is another file that starts with a copy: `joinBranches` merges them.
 */
export const sillyTavern: Reader = {
  tool: 'SillyTavern',
  wholeFile: true,
  skipsDamaged: true,
  recognises: (item) =>
    has(item, 'chat_metadata') || has(item, 'user_name', 'character_name') || has(item, 'mes', 'is_user'),
  read: (item, others) => {
    const lines = [item, ...others].map(fieldsOf);
    const header = 'mes' in (lines[0] ?? {}) ? {} : (lines.shift() ?? {});
    const metadata = fieldsOf(header.chat_metadata);
    const spoken = lines.filter((line) => 'mes' in line);
    const names = new Set(
      spoken.filter((line) => line.is_user !== true && !isNotice(line)).map(({ name }) => textOf(name)),
    );
    const messages: SourceMessage[] = [];
    let parent: string | null = null;
    for (const [at, line] of spoken.entries()) {
      const said = swipesOf(line);
      const chosen = chosenOf(line, said);
      const ids = said.map((text) => idOf(line, at, text));
      for (const [swipe, text] of said.entries()) {
        messages.push(
          messageOf(line, {
            id: ids[swipe] ?? '',
            parent,
            text,
            isShown: swipe === chosen,
            inGroup: names.size > 1,
          }),
        );
      }
      parent = ids[chosen] ?? null;
    }
    const person = firstText(header.character_name);
    return [
      {
        source: 'sillytavern',
        id: firstText(metadata.integrity, metadata.main_chat),
        title: person === null || person === 'unused' ? ([...names][0] ?? null) : person,
        currentId: parent,
        messages,
        notes:
          spoken.length === lines.length
            ? []
            : [`${lines.length - spoken.length} lines that are not messages left out`],
      },
    ];
  },
};

/** A line by SillyTavern itself. Messages that were hidden from the model are also marked as system lines, but have no type. */
const isNotice = ({ is_system, extra }: Fields): boolean =>
  is_system === true && firstText(fieldsOf(extra).type) !== null;

/** Based on content and time, so that copies of a message in a branch file get the same id. */
const idOf = (line: Fields, at: number, text: string): string =>
  `${at + 1}.${textOf(line.send_date) ?? ''}.${contentHash(text)}`;

/** Texts or, as from Chub, records that contain them; at least the message itself. */
const swipesOf = (line: Fields): string[] => {
  const swipes = listOf(line.swipes).map((swipe) => firstText(swipe, fieldsOf(swipe).mes, fieldsOf(swipe).text) ?? '');
  const mes = textOf(line.mes) ?? '';
  if (line.is_user === true || swipes.length < 2) return [mes];
  return swipes.includes(mes) ? swipes : [...swipes, mes];
};

const chosenOf = (line: Fields, swipes: readonly string[]): number => {
  const at = typeof line.swipe_id === 'number' ? line.swipe_id : -1;
  return swipes[at] === line.mes ? at : Math.max(0, swipes.indexOf(textOf(line.mes) ?? ''));
};

const messageOf = (
  line: Fields,
  {
    id,
    parent,
    text,
    isShown,
    inGroup,
  }: { id: string; parent: string | null; text: string; isShown: boolean; inGroup: boolean },
): SourceMessage => {
  const extra = fieldsOf(line.extra);
  const isUser = line.is_user === true;
  return {
    id,
    parentId: parent,
    by: isNotice(line) ? 'aside' : isUser ? 'user' : 'assistant',
    text,
    at: timeOf(line.send_date),
    model: firstText(extra.model) ?? undefined,
    name: inGroup && !isUser ? (textOf(line.name) ?? undefined) : undefined,
    thinking: isShown ? (firstText(extra.reasoning) ?? undefined) : undefined,
    attachments: [...idListOf(extra.image_swipes), textOf(extra.image)].flatMap((name) =>
      name === null || name === '' ? [] : [{ name, text: null }],
    ),
    shown: isShown,
  };
};
