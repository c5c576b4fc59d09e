import { conjugated, isAdverb } from './verbs.ts';

const USER: readonly (readonly [RegExp, string])[] = [
  [/\bI['’]m\b|\bI am\b|\bwe['’]re\b/gi, 'they are'],
  [/\bI was\b/gi, 'they were'],
  [/\b(?:I|we)['’]ve\b/gi, 'they have'],
  [/\b(?:I|we)['’]ll\b/gi, 'they will'],
  [/\b(?:I|we)['’]d\b/gi, 'they would'],
  [/\bI\b(?!['’./])|\bwe\b/g, 'they'],
  [/\bme\b|\bus\b/g, 'them'],
  [/\bmyself\b|\bourselves\b/gi, 'themselves'],
  [/\bmine\b|\bours\b/gi, 'theirs'],
  [/\bmy\b|\bour\b/gi, 'their'],
  [/\byou['’]ve\b/gi, 'the assistant has'],
  [/\byou['’]re\b|\byou are\b/gi, 'the assistant is'],
  [
    /\byou (know|have|think|say|want|need|see|use|make|find|recommend|suggest|mean|like|mention|provide)\b/gi,
    'the assistant $1s',
  ],
  [/\bthe assistant haves\b/g, 'the assistant has'],
  [/\byou\b/gi, 'the assistant'],
  [/\byour own\b/gi, "one's own"],
  [/\byour\b/gi, 'the'],
];

const replaced = (text: string, pairs: readonly (readonly [RegExp, string])[]): string =>
  pairs.reduce((so, [pattern, to]) => so.replace(pattern, to), text);

/** What a user wrote, told of them: I → they, my → their. */
export const aboutUser = (clause: string): string => replaced(clause, USER);

/** "I never eat fish" → "never eats fish", told of the user; null if it does not begin with I or we. */
export const afterSubject = (clause: string): string | null => {
  const match = /^(?:I|we)(?:\b|(?=['’]))\s*(['’](?:m|ve|ll|d|re)\b)?\s*(.*)$/is.exec(clause);
  if (match === null || !/^(?:I|we)(?:['’]|\s)/i.test(clause)) return null;
  const [, short = '', rest = ''] = match;
  const verb = SHORT_VERBS[short.replace('’', "'").toLowerCase()];
  if (verb === 'would' && /^(?:like|love|prefer|rather)\b/i.test(rest)) {
    return aboutUser(
      rest
        .replace(/^(?:like|love)\b/i, 'wants')
        .replace(/^prefer\b/i, 'prefers')
        .replace(/^rather\b/i, 'would rather'),
    );
  }
  if (verb !== undefined) return `${verb} ${aboutUser(rest)}`;
  const words = rest.split(' ');
  const at = words.findIndex((word) => !isAdverb(word));
  if (at === -1) return null;
  if (/^would$/i.test(words[at] ?? '') && /^(?:like|love)$/i.test(words[at + 1] ?? '')) {
    return aboutUser(['wants', ...words.slice(at + 2)].join(' '));
  }
  return [...words.slice(0, at), conjugated(words[at] ?? ''), aboutUser(words.slice(at + 1).join(' '))].join(' ');
};

const SHORT_VERBS: Readonly<Record<string, string>> = {
  "'m": 'is',
  "'re": 'is',
  "'ve": 'has',
  "'ll": 'will',
  "'d": 'would',
};
