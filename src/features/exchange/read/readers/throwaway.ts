import type { Reader } from '../reader.ts';
import { fieldsOf, firstText, has, listOf, speakerOf, textOf } from '../source.ts';

/** A list of lines with who says them. */
export const throwaway: Reader = {
  tool: 'Throwaway',
  recognises: (item) => has(item, 'throwawayLines'),
  read: (item) => {
    const of = fieldsOf(item);
    const messages = listOf(of.throwawayLines)
      .map(fieldsOf)
      .map((line, at) => ({ id: `line ${at + 1}`, by: speakerOf(line.who), text: textOf(line.says) ?? '' }));
    return [{ source: 'throwaway', id: firstText(of.id), title: firstText(of.title), currentId: null, messages }];
  },
};
