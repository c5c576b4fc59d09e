import { contentWeights, overlap, wordCount } from '../../../engine/text/words.ts';
import { type Line, plainText } from '../../text/plain-text.ts';
import { isRecalled } from '../recall/recall-words.ts';
import { excerptOf, unitsOf } from './excerpt.ts';

/** Courtesies before an answer. A bare yes or no is no courtesy: it is the answer. */
const PREAMBLE =
  /^(?:(?:sure|of course|certainly|absolutely|great|alright|no problem|happy to help|great question|good question|thanks?(?: you)?|i see|got it|understood|hello|hi|sorry|i['’]m sorry|i apologi[sz]e|my apologies|apologies)(?:[^.!?,:;]{0,40})?[!.,:]+(?:\s+|$))+/i;
const EMPTY =
  /^(?:here (?:is|are)|here['’]s|below (?:is|are)|the following|let me know|i hope|feel free|would you like|do you (?:want|need) (?:me|more|help)|is there anything|if you (?:have|need|want|would like) (?:any|more|me|further|help)|as an ai|let['’]s (?:break|dive|look)|i['’]d be happy|i can help|happy to)\b/i;
const HEADS_SHOWN = 4;
/** The first sentence always gets in: what follows leans on it. */
const FIRST = 100;

/** What a reply says, as a sentence of its own; empty if it says nothing of its own. */
export const replyGist = (reply: string, message: string, words: number): string => {
  if (isRecalled(reply)) return '';
  const { lines, code } = plainText(reply);
  const prose = lines.filter(({ kind }) => kind === 'prose').flatMap(({ text }) => unitsOf(text));
  const bare = prose.map((sentence) => sentence.replace(PREAMBLE, ''));
  const said = bare.filter((sentence) => /[\p{L}\p{N}]/u.test(sentence) && !EMPTY.test(sentence));
  const heads = headsOf(lines);
  const whole = said.filter((sentence) => !/[:：]$/.test(sentence));
  if (heads.length >= 2 && whole.length < heads.length) return `The assistant lists ${listed(heads, words)}.`;
  const asked = contentWeights(message);
  const weigh = (sentence: string, at: number): number =>
    // What a reply begins with is most often the answer itself; what it asks back is not.
    (at === 0 ? FIRST : 1 / (1 + at * 0.2)) *
    (1 + overlap(asked, sentence)) *
    (/\p{N}/u.test(sentence) ? 1.25 : 1) *
    (/[?？؟]["'”’»)]*$/u.test(sentence) ? 0.6 : 1) *
    // “It has …” leans on a sentence that is not there.
    (at > 0 && /^(?:it|they|this|these|that|those|he|she|such)\b/i.test(sentence) ? 0.6 : 1);
  const rest = lines.filter(({ kind }) => kind !== 'prose').map(({ text }) => text);
  const from = whole.length > 0 ? whole : rest.length > 0 ? rest : prose;
  const text = excerptOf(from, words, weigh);
  if (text !== '') return quoted(text);
  return code.length === 0 ? '' : `The assistant gives code${code[0]?.language ? ` in ${code[0].language}` : ''}.`;
};

const quoted = (text: string): string =>
  /[.…?!。！？؟][”"'’)»」]*$/u.test(text) ? `The assistant: “${text}”` : `The assistant: “${text}”.`;

/** Names of list items: what stands before a colon or dash, or a short item as a whole. */
const headsOf = (lines: readonly Line[]): string[] =>
  lines
    .filter(({ kind }) => kind === 'item')
    .flatMap(({ text }) => {
      const head = (/^(.{2,60}?)(?::\s|:$|\s[–—-]\s|\.\s|\.$|\s\()/.exec(text)?.[1] ?? text).trim();
      return wordCount(head) <= 5 ? [head] : [];
    });

const listed = (heads: readonly string[], words: number): string => {
  let shown = heads.slice(0, HEADS_SHOWN);
  while (shown.length > 1 && wordCount(shown.join(' ')) > words) shown = shown.slice(0, -1);
  const more = heads.length - shown.length;
  const last = more > 0 ? `${more} more` : shown.at(-1);
  const first = more > 0 ? shown : shown.slice(0, -1);
  return first.length === 0 ? `${last}` : `${first.join(', ')} and ${last}`;
};
