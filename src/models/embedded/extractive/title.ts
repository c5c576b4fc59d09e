import type { SummaryInput } from '../../../engine/ports.ts';
import { ANY_UNSPACED, oneLine, wordsOf } from '../../../engine/text/words.ts';
import { DATA, FENCE, plainText } from '../../text/plain-text.ts';
import { openingWords } from './openings.ts';
import { capitalisedTitle, grammarOf, titleLanguage, withoutGreetings } from './title-words.ts';
import { gestureOf, withoutOpeners } from './verbs.ts';

/** Characters of a message that are read for its title. */
const TITLE_READ = 4000;
/** Maximum length of a title, in UTF-16 units. */
const LONGEST = 60;

/**
 * Returns two to six words that name what a topic is about, without a full stop: its opening words, cut at the end of a phrase;
 * for a paste, what it is. If the first turn leaves that unsaid ("hi", "look at this"), the second one is used.
 */
export const titleOf = ({ message, second }: SummaryInput): string => {
  const first = titleOfMessage(message);
  if (second === undefined || first.says === 'all') return first.title;
  // What is said about a paste names it better than its kind, unless it only refers to it: "and why does it stop there".
  if (first.says === 'little' && leans(second.message)) return first.title;
  const next = titleOfMessage(second.message);
  return SAYS[next.says] > SAYS[first.says] ? next.title : first.title;
};

/** Characters searched for signs that a message refers to something before it. */
const LEANS_WITHIN = 80;

const leans = (message: string): boolean =>
  /^(?:and|but|or|so|then)\b|\b(?:it|they|them|this|that|these|those)\b/i.test(
    withoutGreetings(message.slice(0, TITLE_READ), 'en').slice(0, LEANS_WITHIN),
  );

interface TitleGuess {
  readonly title: string;
  /** `little`: what is pasted, but not what is wanted with it. */
  readonly says: keyof typeof SAYS;
}

const SAYS = { nothing: 0, little: 1, all: 2 } as const;

const titleOfMessage = (message: string): TitleGuess => {
  const { said, name, leads } = pastedIn(message.slice(0, TITLE_READ));
  const { lines } = plainText(said);
  const [first] = lines;
  const heading = first?.kind === 'heading' ? first.text : null;
  const whole = lines.map(({ text }) => text).join('\n');
  const language = titleLanguage(whole);
  const opening = heading ?? withoutGreetings(language === 'en' ? withoutRoles(whole) : whole, language);
  if (name !== null && (opening === '' || isPointing(opening, language) || (leads && name !== 'Pasted code')))
    return { title: name, says: 'little' };
  const title = opening === '' || isGesture(opening) ? null : openingWords(opening, language);
  if (title === null || !/[\p{L}\p{N}]/u.test(title))
    return { title: ofNothing(message, whole, language), says: 'nothing' };
  if (name === null && isPointing(opening, language))
    return { title: bounded(capitalisedTitle(title, language)), says: 'nothing' };
  const one = !/\s/.test(title) && !ANY_UNSPACED.test(title);
  return {
    title: bounded(
      one && language === 'en' && /^[\x20-\x7e]+$/.test(title) ? `About ${title}` : capitalisedTitle(title, language),
    ),
    says: 'all',
  };
};

/** How a conversation in a role begins that is about nothing else: “I will type commands”. */
const PLAYED =
  /^(?:i(?:['’]ll| will|['’]m going to| am going to)|you(?:['’]ll| will| are to| should| must)|my first)\b/i;

/**
 * Drops a role given to the model: it says nothing about the topic; the rest of the message does, unless that only says
 * how the role is played.
 */
const withoutRoles = (text: string): string => {
  const [first = '', ...rest] = text.split(/(?<=[.!?])\s+|\n/);
  if (
    rest.length === 0 ||
    PLAYED.test(rest[0] ?? '') ||
    !/^(?:(?:you are|you['’]re)(?! (?:invited|offered)\b)|act as|imagine you|pretend|i (?:want|need) you to act|i(?:['’]d| would) like you to act)\b/i.test(
      first,
    )
  )
    return text;
  const bare = withoutOpeners(first);
  return [bare, ...rest].filter((part) => part !== '').join('\n');
};

const isGesture = (text: string): boolean => gestureOf(text.slice(0, 200)) !== null;

const POINTING = new Set(
  `this that these those it here there below above following code error output file thing something fix explain help look check why
  wrong work works working doesnt doesn't not what whats what's is any idea ideas mean means happening happens please pls do does
  did i get got keep keeps me my can could you u see review improve problem issue bug wtf thoughts about with for the a to how
  das ist was hier falsch fehler bedeutet warum geht nicht qué que es esto significa por error aqui aquí c'est quoi ça ce pourquoi`
    .trim()
    .split(/\s+/),
);

/** Whether a text only points at what is pasted or was said: "whats wrong here", "explain this". */
const isPointing = (text: string, language: string): boolean => {
  const words = wordsOf(text.toLowerCase().replace(/’/g, "'"));
  if (words.length > 9 || (ANY_UNSPACED.test(text) && text.length > 8)) return false;
  return (
    words.every((word) => POINTING.has(word) || (grammarOf(word, language) !== 'content' && words.length > 1)) &&
    words.some((word) => POINTING.has(word))
  );
};

const ofNothing = (message: string, plain: string, language: string): string => {
  const gesture = gestureOf(plain.slice(0, 200));
  if (gesture === 'greets the assistant') return 'A greeting';
  if (gesture === 'thanks the assistant') return 'A thank-you';
  const word = wordsOf(plain).find((candidate) => /\p{L}{2}/u.test(candidate));
  const said =
    withoutGreetings(plain, language) === '' && word !== undefined && gesture === null
      ? (plain.split('\n')[0] ?? '')
      : '';
  if (said !== '' && said.length <= 30) return capitalisedTitle(said.replace(/[\s.,!?:;…]+$/u, ''), language);
  return message.trim() === '' ? 'Empty message' : 'Short message';
};

const bounded = (title: string): string => {
  const line = oneLine(title);
  if (line.length <= LONGEST) return line;
  return `${line
    .slice(0, LONGEST - 1)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd()}…`;
};

/** A message split into what its writer said and what they pasted: code, the output of a command, an error. */
interface PastedMessage {
  readonly said: string;
  /** What the pasted part is, in two to five words; null if nothing is pasted. */
  readonly name: string | null;
  /** Whether the message begins with the paste. */
  readonly leads: boolean;
}

/** Maximum lines of a paste to look at. */
const READ = 400;

/** Behind the sign of a prompt: not “$ 500 budget”, unlike “$ 7z x a.7z”. */
const NO_SUM = String.raw`(?!\s*\d[\d.,]*(?:[kKmM]|bn)?(?![\w.,]))`;

/** Lines that nobody says, whatever surrounds them. */
const CERTAIN = [
  /^\s*(?:import\s+[\w{*"'][^?]*(?:;|from\s*["'].*|\bas\b.*|^\s*import [\w.]+)$|import [\w.]+$|from [\w.]+ import\b)/,
  /^\s*(?:export |async |default |public |private |protected |static )*(?:function\*? ?\w*\s*\(|class \w+[^?]*[{:]\s*$|interface \w+.*\{|enum \w+.*\{|def \w+\(|fn \w+|func \w+)/,
  /^\s*(?:const|let|var|val) [\w{[][^=]*=/,
  /^\s*type \w+(?:<.*>)? = /,
  /^\s*(?:#include\b|#!\/|using namespace|package [\w.]+;|@\w+(?:\(.*\))?\s*$|<\?(?:php|xml)|<!doctype)/i,
  /[;{]\s*$/,
  /^\s*[}\])]+[;,]?\s*$/,
  /^\s*<\/?[a-z][\w-]*(?:\s[^<>]*)?>.*/i,
  /^\s*(?:total )?\d*\s*[dlbcps-][r-][w-][xsS-][r-][w-][xsS-][r-][w-][xtT-][@+.]?\s/,
  /^\s*total \d+[KMG]?\s*$/,
  /^\s*ls(?:\s+-\w+)+(?:\s+\S+)?\s*$/,
  /^npm (?:ERR!|error) /,
  /^\s*at \S+.*[(:]\d*.*\)?$|^\s*File ".*", line \d+|^Traceback \(most/,
  /^(?:[\w.]+\.)?\w*(?:Error|Exception)(?::|$)/,
  /^\s*(?:error|warning)(?:\[\w+\])?: /,
  /^[\w./-]+: (?:line \d+: )?.*(?:not found|nicht gefunden|introuvable|No such file|[Pp]ermission denied|cannot access)/,
  new RegExp(String.raw`^\s*(?:[$❯»%]${NO_SUM}|PS [A-Z]:[^>]*>|[\w.-]+@[\w.-]+[:~ ][^$#]*[$#])\s+\S`),
  /^(?:diff --git|@@ -|\+\+\+ |--- a\/|commit [0-9a-f]{7,})/,
  /^\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d|^\[?\d\d:\d\d:\d\d[\].,]/,
  /^\s*(?:SELECT\b.*|INSERT INTO\b.*|CREATE TABLE\b.*|UPDATE \w+ SET\b.*|ALTER TABLE\b.*)/,
];
/** Lines that are code if they stand next to others. */
const LIKELY = [
  /^\s*[\w.[\]"']+\s*[-+*/|]?=\s*\S/,
  /^\s*[\w.]+\(.*\)\s*;?$/,
  /^\s*(?:if|for|while|elif|with|switch|case|else|try|except|catch|return|print|yield|await|raise|throw)\b.*[:{(;)]\s*$/,
  /^\s*(?:return|print|for \w+ in|with open|if not|FROM|WHERE|GROUP BY|JOIN|ORDER BY)\b/,
  /^\s+\S+.*[:,)]\s*$/,
  /^\s*"[^"]+"\s*:\s/,
  /^\w+\(\w[\w ]*(?:, ?\w[\w ]*)+\)$/,
];
/** In a message of one line, only what is clearly not a sentence. */
const ALONE = [
  /^\s*(?:[$❯] )?ls\b.*\s[dlbcps-](?:[r-][w-][xsStT-]){3}[@+.]?\s/,
  /^\s*(?:export |async |default |public |private |static )*(?:function \w+\s*\(.*\{|class \w+[^?]*\{|def \w+\(.*\):)/,
  /^\s*(?:const|let|var) [\w{[][^=]*=.*[;}]/,
  /^\s*(?:import .* from ['"]|#include\b|SELECT .* FROM \w+)/,
  /^(?:[\w.]+\.)?\w+(?:Error|Exception): /,
  /^\s*(?:error|warning)\[\w+\]: /,
  new RegExp(String.raw`^\s*[$❯]${NO_SUM} \S`),
  /^npm (?:ERR!|error) /,
];
const isOneOf = (patterns: readonly RegExp[], line: string): boolean => patterns.some((pattern) => pattern.test(line));

/** Whether a message is nothing but rows with the same number of cells. */
const isTable = (message: string): boolean => {
  const rows = message.trim().split('\n');
  const cells = rows[0]?.split(/[,;\t]/).length ?? 0;
  return (
    rows.length > 2 && cells > 2 && rows.every((row) => row.split(/[,;\t]/).length === cells && !/[,;] /.test(row))
  );
};

const pastedIn = (message: string): PastedMessage => {
  if (DATA.test(message)) return { said: '', name: 'JSON data', leads: true };
  if (isTable(message)) return { said: '', name: 'CSV data', leads: true };
  const blocks: { language: string; text: string }[] = [];
  const unfenced = message.replace(FENCE, (_match, _fence, language: string, text: string) => {
    blocks.push({ language: language.toLowerCase(), text });
    return '\n';
  });
  const said: string[] = [];
  const pasted: string[] = [];
  let inside = false;
  const lines = unfenced.split('\n');
  for (const line of lines.slice(0, READ)) {
    const alone = lines.length === 1;
    const code: boolean =
      isOneOf(alone ? ALONE : CERTAIN, line) ||
      (!alone && isOneOf(LIKELY, line) && (inside || lines.length > 3)) ||
      (inside && /^\s{2,}\S/.test(line));
    if (code) pasted.push(line);
    else if (line.trim() !== '') said.push(line);
    if (line.trim() !== '') inside = code;
  }
  if (pasted.length > 0) blocks.push({ language: '', text: pasted.join('\n') });
  if (blocks.length === 0) return { said: message, name: null, leads: false };
  const text = blocks.map((block) => block.text).join('\n');
  const begun = lines.find((line) => line.trim() !== '');
  const leads = message.trimStart().search(FENCE) === 0 || (begun !== undefined && begun === pasted[0]);
  return { said: said.join('\n'), name: nameOf(text, blocks[0]?.language ?? ''), leads };
};

const LANGUAGE_NAMES: Readonly<Record<string, string>> = {
  js: 'JavaScript',
  javascript: 'JavaScript',
  jsx: 'React',
  ts: 'TypeScript',
  typescript: 'TypeScript',
  tsx: 'React',
  py: 'Python',
  python: 'Python',
  sql: 'SQL',
  html: 'HTML',
  css: 'CSS',
  json: 'JSON',
  yaml: 'YAML',
  yml: 'YAML',
  xml: 'XML',
  sh: 'Shell',
  bash: 'Shell',
  shell: 'Shell',
  zsh: 'Shell',
  cpp: 'C++',
  'c++': 'C++',
  'c#': 'C#',
  cs: 'C#',
  php: 'PHP',
  rs: 'Rust',
  rb: 'Ruby',
  kt: 'Kotlin',
  latex: 'LaTeX',
  tex: 'LaTeX',
  md: 'Markdown',
  go: 'Go',
  golang: 'Go',
};

/** Error names that only Python uses. */
const PYTHON_ERRORS =
  /\b(?:Value|Key|Attribute|Import|ModuleNotFound|Indentation|ZeroDivision|Name|Index|FileNotFound|Unicode\w+|Permission|Recursion|Assertion|OS)Error\b/;

const languageIn = (text: string, fence: string): string => {
  const named =
    LANGUAGE_NAMES[fence] ??
    (fence === '' || fence === 'text' || fence === 'txt' ? '' : fence.slice(0, 1).toUpperCase() + fence.slice(1));
  if (named !== '') return named;
  if (
    /Traceback \(most|^\s*File ".*", line|^\s*def \w+\(.*:|^\s*from [\w.]+ import|^\s*import \w+$|^\s*elif |\bprint\(/m.test(
      text,
    )
  )
    return 'Python';
  if (/error\[E\d+\]|^\s*(?:pub )?fn \w+|let mut /m.test(text)) return 'Rust';
  if (/^\s*package [\w.]+;|public (?:static |class )|\bSystem\.out|\.java:\d/m.test(text)) return 'Java';
  if (/#include\b|std::/m.test(text)) return 'C++';
  if (/^\s*(?:interface \w+|type \w+(?:<.*>)? = )|:\s*(?:string|number|boolean)\b/m.test(text)) return 'TypeScript';
  if (/\b(?:const|let|var|function)\b.*[={(]|=>|console\.log/m.test(text)) return 'JavaScript';
  if (/^\s*(?:SELECT|INSERT INTO|CREATE TABLE|UPDATE \w+ SET|ALTER TABLE)\b/m.test(text)) return 'SQL';
  if (/^\s*<(?:!doctype|html|div|head|body|p|a|ul|table|form)\b/im.test(text)) return 'HTML';
  return '';
};

/** A name as written in the paste; null if it is too long for a title. */
const named = (name: string | undefined): string | null => (name === undefined || name.length > 32 ? null : name);

const COMMAND = new RegExp(
  String.raw`^\s*(?:[$❯»%]${NO_SUM}|[\w.-]+@[\w.-]+[:~ ][^$#]*[$#])\s+(?:sudo )?([\w./-]{1,24})`,
  'm',
);

const nameOf = (text: string, fence: string): string => {
  const language = languageIn(text, fence);
  if (/(?:^|\s)[dlbcps-](?:[r-][w-][xsStT-]){3}[@+.]?\s/m.test(text)) {
    const path = named(/\bls\b(?:\s+-\S+)*\s+([~./\w][^\s;|&]*)/.exec(text)?.[1]);
    return path === null ? 'Directory listing' : `Directory listing of ${path}`;
  }
  if (/^(?:diff --git|@@ -|\+\+\+ )/m.test(text)) {
    const file = named(/^\+\+\+ b?\/?(\S+)/m.exec(text)?.[1]?.split('/').at(-1));
    return file === null ? 'Pasted diff' : `Diff of ${file}`;
  }
  const error = named(/(?:^|[\s.:])([A-Z]\w*(?:Error|Exception))\b/m.exec(text)?.[1]);
  if (error !== null && /(?:Error|Exception)(?::|\s*$)/m.test(text)) {
    const whose = PYTHON_ERRORS.test(error) ? 'Python' : language || (error.endsWith('Exception') ? 'Java' : '');
    return whose === '' ? `Error: ${error}` : `${whose} error: ${error}`;
  }
  const npm = /^npm (?:ERR!|error) (?:code )?([A-Z]\w{2,})/m.exec(text)?.[1];
  if (npm !== undefined) return `npm error ${npm}`;
  const rust = /error\[(E\d+)\]/.exec(text)?.[1];
  if (rust !== undefined) return `Rust error ${rust}`;
  const unknown =
    /^(?:\w+: )?(?:line \d+: )?([\w./-]{1,24}): .*(?:not found|nicht gefunden|introuvable|[Pp]ermission denied|No such file|cannot access)/m.exec(
      text,
    )?.[1];
  const command = COMMAND.exec(text)?.[1];
  if (command !== undefined) return unknown === undefined ? `Output of ${command}` : `Error from ${command}`;
  if (unknown !== undefined) return `Error from ${unknown}`;
  const component = named(/(?:function|const|class) ([A-Z]\w*)/.exec(text)?.[1]);
  if (
    component !== null &&
    (language === 'React' || /<[A-Za-z][\w.]*[\s/>][\s\S]*(?:\/>|<\/)|use(?:State|Effect|Memo)\(/.test(text))
  )
    return `React component ${component}`;
  const kind = language === '' ? 'Code of' : language;
  const type =
    /(?:^|\s)(class|interface|enum|struct|trait) ([A-Z]\w*)/.exec(text) ??
    /(?:^|\s)(type) ([A-Z]\w*)(?:<.*>)? =/.exec(text);
  if (named(type?.[2]) !== null && language !== '') return `${kind} ${type?.[1]} ${type?.[2]}`;
  const method = named(/(?:\bfunction\*? |\bdef |\bfn |\bfunc )(\w+)/.exec(text)?.[1]);
  if (method !== null) return language === '' ? `Function ${method}` : `${language} function ${method}`;
  const table = named(/\b(?:FROM|INTO|TABLE|UPDATE) ["`]?(\w+)/i.exec(text)?.[1]);
  if (language === 'SQL') return table === null ? 'SQL query' : `SQL query on ${table}`;
  if (/^\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d|^\[?\d\d:\d\d:\d\d/m.test(text)) return 'Log output';
  if (language === 'JSON' || language === 'YAML' || language === 'XML') return `${language} data`;
  if (language === 'HTML') return 'HTML page';
  return language === '' ? 'Pasted code' : `${language} code`;
};
