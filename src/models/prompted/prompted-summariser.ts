import type { ChatMessage } from '../../domain/context.ts';
import type { Summariser, SummaryInput } from '../../engine/ports.ts';
import { sentencesOf } from '../../engine/text/sentences.ts';
import { countedWords, UNSPACED } from '../../engine/text/words.ts';
import type { TextGenerator } from '../runtimes/runtime.ts';
import { nonsense, wholeAnswer } from './choice.ts';
import { clip } from './prompted-decider.ts';
import { instructionsFor, PROMPTS_VERSION, SUMMARY_INSTRUCTIONS, TITLE_INSTRUCTIONS } from './prompts.ts';

/** Maximum characters of the message and of the reply in the prompt. */
const MESSAGE = 1500;
const REPLY = 2500;
/** Maximum share of the window for each, at four characters per token. */
const WINDOW_SHARE = 0.25 * 4;

/** Maximum share of the window for the text in `write`, at four characters per token. */
const WRITE_SHARE = 0.6 * 4;

/** Maximum characters of the previous turn's digest. */
const BEFORE = 320;
const WRITE_TOKENS = 240;
const SUMMARY_TOKENS = 120;
const TITLE_TOKENS = 24;
/** Maximum characters of a summary: one sentence, or two if the model could not join them. */
const SUMMARY_MOST = 320;
/** Maximum words of a title. The model is asked for five; one more is acceptable. */
const TITLE_WORDS = 6;
/** The same in scripts without spaces, where every two letters are counted as a word; Thai words have about four. */
const UNSPACED_TITLE_WORDS = 8;
const THAI_TITLE_WORDS = 12;

/**
 * Implements role `summarise` by prompting a language model. Rejects an invalid sentence or title; the embedded summariser then
 * stands in.
 */
export const promptedSummariser = (generator: TextGenerator): Summariser => ({
  name: `${generator.name}, ${PROMPTS_VERSION}`,
  summarise: async (turn, signal) => {
    const messages = asked(generator, turn.instructions ?? SUMMARY_INSTRUCTIONS, [turn], 'Summary:');
    const { answer } = await wholeAnswer(generator, { messages, schema: null, maxTokens: SUMMARY_TOKENS }, signal);
    return summaryIn(answer);
  },
  title: async (turn, signal) => {
    const { second } = turn;
    const turns = second === undefined ? [turn] : [turn, second];
    const messages = asked(generator, turn.instructions ?? TITLE_INSTRUCTIONS, turns, 'Title:');
    const { answer } = await wholeAnswer(generator, { messages, schema: null, maxTokens: TITLE_TOKENS }, signal);
    return titleIn(answer);
  },
  write: async (instructions, text, signal) => {
    const most = generator.window * WRITE_SHARE;
    const messages: ChatMessage[] = [
      { role: 'system', content: instructionsFor(generator.name, instructions) },
      // Line breaks are kept if the text fits.
      { role: 'user', content: text.length <= most ? text : clip(text, most) },
    ];
    const { answer } = await wholeAnswer(generator, { messages, schema: null, maxTokens: WRITE_TOKENS }, signal);
    return answer.trim();
  },
});

const asked = (
  { name, window }: TextGenerator,
  instructions: string,
  turns: readonly Pick<SummaryInput, 'before' | 'message' | 'reply'>[],
  then: string,
): ChatMessage[] => {
  const most = (window * WINDOW_SHARE) / turns.length;
  const said = turns.flatMap(({ before, message, reply }) => [
    ...(before === undefined ? [] : [`Before: ${clip(before, BEFORE)}`]),
    `User: ${clip(message, Math.min(MESSAGE / turns.length, most))}`,
    ...(reply.trim() === '' ? [] : [`Assistant: ${clip(reply, Math.min(REPLY / turns.length, most))}`]),
  ]);
  return [
    { role: 'system', content: instructionsFor(name, instructions) },
    { role: 'user', content: [...said, then].join('\n') },
  ];
};

/** A span of code, or words in emphasis; asterisks as in `5*3`, `2**8` or `*args` are neither. */
const MARKED =
  /(`+)(.+?)\1|(?<![\w*])(?:(\*{2,3})(?=[^\s*])(.*?[^\s*])\3(?![\d_*])|\*(?=[^\s*])(.*?[^\s*])\*(?![\w*]))/g;
/** The start of an emphasis that was cut off before its end; code such as `**kwargs` begins in lower case. */
const CUT_MARK = /^\s*\*{2,3}(?=[\p{Lu}\p{Lo}])/u;

const unmarked = (text: string): string =>
  text
    .replace(MARKED, (_all, _ticks, code?: string, _stars?: string, bold?: string, italic?: string) => {
      return code ?? unmarked(bold ?? italic ?? '');
    })
    .replace(CUT_MARK, '');

/** What the prompt ends with, which a model may repeat or translate. */
const LABEL =
  /^\s*(?:summary|title|answer|zusammenfassung|titel|résumé|titre|resumen|título|resumo|riassunto|titolo|摘要|总结|總結|概要|标题|標題|题名|題名|要約|タイトル|요약|제목)\s*[:：]\s*/iu;
const QUOTED = /^(?:["“„«'](.*)["”“»'][.]?|[「『《]([^「」『』《》]*)[」』》]。?)$/;

/** The first line with words, without label, quotation marks, bullet and emphasis. */
const bare = (answer: string): string => {
  const lines = answer
    .split('\n')
    .map((line) => unmarked(line.replace(/^\s*(?:#+|[-*•])\s+/, '')).replace(LABEL, ''))
    .map((line) => line.trim().replace(QUOTED, '$1$2'));
  const line = lines.find((text) => /\p{L}/u.test(text) && !/[:：]$/.test(text));
  if (line === undefined) throw nonsense(answer, 'has no words');
  return line;
};

const summaryIn = (answer: string): string => {
  let summary = '';
  for (const sentence of sentencesOf(bare(answer))) {
    const longer = summary === '' ? sentence : `${summary} ${sentence}`;
    if (summary !== '' && longer.length > SUMMARY_MOST) break;
    summary = longer;
  }
  return summary.length <= SUMMARY_MOST ? summary : `${summary.slice(0, SUMMARY_MOST).replace(/\s+\S*$/, '')} …`;
};

const titleIn = (answer: string): string => {
  const title = bare(answer).replace(/[.。:：;；,，、]+$/, '');
  if (countedWords(title.replace(/\p{M}/gu, '')) > mostWords(title)) throw nonsense(answer, 'is too long for a title');
  return title;
};

const mostWords = (title: string): number => {
  if (/\p{Script=Thai}/u.test(title)) return THAI_TITLE_WORDS;
  return UNSPACED.test(title) ? UNSPACED_TITLE_WORDS : TITLE_WORDS;
};
