import type { SourceConversation, SourceMessage } from '../source.ts';

/*
 * Logs of an IRC channel with their annotation (Kummerfeld et al., ACL 2019): the log has one message per line, numbered
 * from 0. A line `A B -` of the annotation says that message B answers A or, if they are the same, that it opens a thread.
 * Some messages answer several.
 */

const LINK = /^(\d+)\s+(\d+)\s+-\s*$/;
const SAID = /^\[(\d\d:\d\d)\]\s+(?:<([^>]*)>|\*)\s?(.*)$/;

const linesOf = (text: string): string[] => text.split(/\r?\n/);

export const isIrcAnnotation = (text: string): boolean => {
  const lines = linesOf(text).filter((line) => line.trim() !== '');
  return lines.length > 0 && lines.slice(0, 20).every((line) => LINK.test(line));
};

export const isIrcLog = (text: string): boolean => {
  const lines = linesOf(text).slice(0, 40);
  return lines.some((line) => SAID.test(line)) && lines.every((line) => SAID.test(line) || /^(===|\s*$)/.test(line));
};

/** The annotated part of a log, with its reply links; the nearest is the parent, the others are references. */
export const readIrc = (name: string, log: string, annotation: string): SourceConversation => {
  const lines = linesOf(log);
  const parents = new Map<number, number[]>();
  const inIt = new Set<number>();
  for (const line of linesOf(annotation)) {
    const [, a, b] = LINK.exec(line) ?? [];
    if (a === undefined || b === undefined) continue;
    const [earlier, later] = [Math.min(Number(a), Number(b)), Math.max(Number(a), Number(b))];
    inIt.add(earlier).add(later);
    if (earlier !== later)
      parents.set(
        later,
        [...(parents.get(later) ?? []), earlier].sort((x, y) => y - x),
      );
  }
  const messages = [...inIt]
    .sort((a, b) => a - b)
    .flatMap((number): SourceMessage[] => {
      const line = lines[number];
      if (line === undefined) return [];
      const [, , speaker, said] = SAID.exec(line) ?? [];
      const [parent, ...also] = parents.get(number) ?? [];
      return [
        {
          id: `${number}`,
          parentId: parent === undefined ? null : `${parent}`,
          alsoFrom: also.map(String),
          by: 'user',
          name: speaker,
          text: said ?? line,
        },
      ];
    });
  const missing = [...inIt].filter((number) => lines[number] === undefined).length;
  return {
    source: 'irc',
    id: name,
    title: name,
    currentId: null,
    messages,
    notes: missing === 0 ? [] : [`${missing} annotated lines are not in the log`],
  };
};
