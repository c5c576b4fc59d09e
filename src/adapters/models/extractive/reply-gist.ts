import { contentWeights, overlap, wordCount } from '../../../engine/text/words.ts';
import { isRecalled } from '../recall/recall-words.ts';
import { type Line, plainText } from '../text/plain-text.ts';
import { sentencesOf } from '../text/sentences.ts';
import { shortened } from './shorten.ts';
import { aboutReply } from './third-person.ts';
import { conjugated } from './verbs.ts';

const PREAMBLE =
  /^(?:(?:sure|of course|certainly|absolutely|okay|ok|great|alright|yes|no problem|definitely|happy to help|great question|good question|thanks?(?: you)?|i see|got it|understood|hello|hi|well|sorry|i['’]m sorry|i apologi[sz]e|my apologies|apologies)(?:[^.!?,:;]{0,40})?[!.,:]+\s*)+/i;
const EMPTY =
  /^(?:here (?:is|are)|here['’]s|below (?:is|are)|the following|let me know|i hope|feel free|would you like|do you (?:want|need)|is there anything|if you (?:have|need|want|would like)|as an ai|let me\b|let['’]s (?:break|dive|look)|i['’]d be happy|i can help|happy to)\b/i;
const HEADS_SHOWN = 4;

/** What a reply says, as what follows "; " in a summary; empty if it says nothing of its own. */
export const replyGist = (reply: string, message: string, words: number): string => {
  if (isRecalled(reply)) return '';
  const { lines, code } = plainText(reply);
  const sentences = lines
    .filter(({ kind }) => kind === 'prose')
    .flatMap(({ text }) => sentencesOf(text))
    .map((sentence) => sentence.replace(PREAMBLE, ''))
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
  const heads = headsOf(lines);
  const told = sentences.filter((sentence) => !EMPTY.test(sentence) && !/[:?]$/.test(sentence));
  if (heads.length >= 2 && told.length < heads.length) return `the reply lists ${listed(heads, words)}`;
  const best = bestOf(told, message);
  if (best !== undefined) return saying(best, words);
  if (heads.length > 0) return `the reply lists ${listed(heads, words)}`;
  if (code.length > 0) return `the reply gives code${code[0]?.language ? ` in ${code[0].language}` : ''}`;
  const asked = sentences.find((sentence) => sentence.endsWith('?')) ?? sentences[0];
  return asked === undefined ? '' : `the reply ${asked.endsWith('?') ? 'asks' : 'says'} “${shortened(asked, words)}”`;
};

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

const bestOf = (sentences: readonly string[], message: string): string | undefined => {
  const asked = contentWeights(message);
  const whole = contentWeights(sentences.join(' '));
  const score = (sentence: string, at: number): number => {
    const content = Math.min(
      6,
      [...contentWeights(sentence).values()].reduce((sum, weight) => sum + weight, 0),
    );
    // What a reply begins with is most often the answer itself.
    const place = 1 / (1 + at * 0.25);
    // "It has …" leans on a sentence that is not there.
    const leans = at > 0 && /^(?:it|they|this|these|that|those|he|she|such)\b/i.test(sentence) ? 0.5 : 1;
    return leans * (content + 3 * overlap(asked, sentence) + 2 * overlap(whole, sentence)) * place;
  };
  const scores = sentences.map(score);
  return sentences[scores.indexOf(Math.max(...scores))];
};

const saying = (sentence: string, words: number): string => {
  const plain = sentence.replace(/[.!]+$/, '');
  const own = /^I(?:['’](ve|m|ll)|\s+(\w+))\s+(.+)$/.exec(plain);
  if (own !== null) {
    const [, short, verb = '', rest = ''] = own;
    const first = short === undefined ? conjugated(verb) : { ve: 'has', m: 'is', ll: 'will' }[short];
    return shortened(`the assistant ${first} ${aboutReply(rest)}`, words + 2);
  }
  const told = aboutReply(plain);
  return `the reply: ${shortened(told.slice(0, 1).toUpperCase() + told.slice(1), words)}`;
};
