import { withoutUnspacedFrames } from './title-openers.ts';
import { balanced, UNSPACED } from './title-words.ts';

/** Of a script without spaces, in full-width characters; a clause a little longer is not cut for that. */
const MOST_WIDE = 12;
const MOST_WIDE_CLAUSE = 14;

/** Characters as wide as a letter count half. */
const width = (text: string): number => {
  let sum = 0;
  for (const character of text.normalize('NFC')) {
    if (/\p{M}/u.test(character)) continue;
    sum +=
      UNSPACED.test(character) && !/\p{Script=Thai}/u.test(character)
        ? 1
        : /\p{Script=Thai}/u.test(character)
          ? 0.75
          : 0.5;
  }
  return sum;
};

const LAST_NEVER: Readonly<Record<string, RegExp>> = {
  zh: /^(?:的|了|着|过|地|得|和|与|跟|是|在|有|把|被|给|对|向|从|到|就|都|也|还|又|不|没|没有|会|要|能|可以|可|以前|一|个|这|那|我|你|他|她|它|们|我们|吗|呢|啊|吧|所以|因为|如果|但是|而|或|或者|及|为|为了|于|怎么|什么|几|多少|請|请|該|该|嗎|個|這|沒|給|為|會|老是|时不时|用|让|想|上|里|太|很|最|更|只|才|按|由|哪个|多|再)$/u,
  ja: /^(?:は|が|を|に|で|と|も|へ|や|の|か|から|まで|より|って|て|し|ので|のに|けど|な|だ|です|ます|が、|この|その|あの|という|ば|たら|たい|ん|お|ご|れ|せ|い|こと|ため|よう|する|し|さ|た|ず)$/u,
  th: /^(?:ที่|และ|หรือ|ของ|ใน|กับ|ให้|ได้|จะ|ไป|มา|แต่|ก็|เป็น|คือ|ว่า|จาก|ถึง|เมื่อ|ไม่|ปี|ละ)$/u,
};

/** The first clause of a script without spaces, or as much of it as ends with a whole word. */
export const openingCharacters = (text: string, language: string): string | null => {
  const bare = withoutUnspacedFrames(text.trim());
  const clauses = bare
    .split(
      /[。！？!?；;\n…]+|[，,、：:]+\s*|(?<=[^\p{Script=Latin}\p{N}\s])[\s　]+(?=[^\p{Script=Latin}\p{N}\s])|\.(?=\s|$)/u,
    )
    .map((clause) => clause.trim())
    .filter((clause) => /[\p{L}\p{N}]/u.test(clause));
  let clause = clauses[0];
  if (clause === undefined) return null;
  const second = clauses[1];
  if (width(clause) <= 3 && second !== undefined) {
    const gap = language === 'th' ? ' ' : language === 'ja' ? '、' : '，';
    const both = `${clause}${gap}${second}`;
    clause =
      width(both) <= MOST_WIDE_CLAUSE
        ? both
        : `${clause}${gap}${cutAtWord(second, language, MOST_WIDE - width(clause) - 1)}`;
  }
  return balanced(width(clause) <= MOST_WIDE_CLAUSE ? clause : cutAtWord(clause, language, MOST_WIDE));
};

const cutAtWord = (clause: string, language: string, most: number): string => {
  const parts = [...new Intl.Segmenter(language, { granularity: 'word' }).segment(clause)].map(
    ({ segment }) => segment,
  );
  let taken = 0;
  let at = 0;
  for (const part of parts) {
    taken += width(part);
    if (taken > most && at > 0) break;
    at += 1;
    if (taken > most) break;
  }
  // Japanese marks the end of a phrase with a particle: the last of them is a better place than any word.
  if (language === 'ja' && at < parts.length) {
    const particle = parts
      .slice(0, at + 1)
      .findLastIndex((part) => /^(?:は|が|を|に|で|と|も|って|から|まで|へ|の)$/u.test(part));
    if (particle >= 2 && width(parts.slice(0, particle).join('')) >= 4) at = particle;
  }
  // Not inside a quotation or a title, where something stands before it.
  const opens = parts.slice(0, at).findLastIndex((part) => /[「『《“‘（(]/u.test(part));
  const closes = parts.slice(0, at).findLastIndex((part) => /[」』》”’）)]/u.test(part));
  if (opens > closes && width(parts.slice(0, opens).join('')) >= 4) at = opens;
  const never = LAST_NEVER[language];
  while (at > 1 && (never?.test(parts[at - 1] ?? '') || !/[\p{L}\p{N}」』》”’"')）]/u.test(parts[at - 1] ?? '')))
    at -= 1;
  const cut = parts.slice(0, at).join('').trim();
  return width(cut) <= most * 2 ? cut : [...cut].slice(0, most).join('');
};
