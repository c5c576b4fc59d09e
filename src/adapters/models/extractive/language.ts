import { isStopWord, wordsOf } from '../../../engine/text/words.ts';

/** Whether a text seems to be no English: the rules here would only garble it. */
export const isForeign = (text: string): boolean => {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const latin = text.match(/\p{Script=Latin}/gu)?.length ?? 0;
  if (latin < letters / 2) return true;
  const words = wordsOf(text).slice(0, 60);
  return (
    words.length >= 6 && words.filter(isStopWord).length < words.length * 0.12 && /[^\x20-\x7e‘’“”–—…]/u.test(text)
  );
};
