import { plural, sum } from '../../../domain/numbers.ts';
import { isRecalled, SUMMARISER } from '../../../engine/embedded-names.ts';
import type { Summariser } from '../../../engine/ports.ts';
import { sentencesOf } from '../../../engine/text/sentences.ts';
import {
  contentWeights,
  contentWords,
  isStopWord,
  oneLine,
  overlap,
  stemsOf,
  UNSPACED,
  wordCount,
} from '../../../engine/text/words.ts';
import { type Line, type PlainText, plainText } from '../../text/plain-text.ts';
import { asPredicate, isQuestion } from './predicate.ts';
import { titleOf } from './title.ts';

/** Maximum words of a whole digest, and of the message's part if the reply has one; the frame counts. */
const WORDS = 38;
const MESSAGE_WORDS = 20;
/** Maximum characters of a message without letters or digits that is still quoted. */
const MOST_MARKS = 40;
/** Words that the reply may always use. */
const REPLY_WORDS = 18;

/**
 * Summarises a turn in whole sentences: what the user asks, says or decides, in the third person if that is sure to be right and
 * otherwise in their own words, and what the assistant answered. Never longer than the turn told in full.
 */
export const summaryOf = ({ message, reply }: { message: string; reply: string }): string => {
  const plain = plainText(message);
  const asked = messageGist(plain, message, reply.trim() === '' ? WORDS : MESSAGE_WORDS);
  const answered = replyGist(reply, message, Math.max(REPLY_WORDS, WORDS - wordCount(asked)));
  return answered === '' ? asked : `${asked} ${answered}`;
};

/** A message that is one address: what is behind the host is all that it says. */
const LONE_ADDRESS = /^https?:\/\/(?:www\.)?(([^\s/?#]+)[^\s?#]*)\S*$/i;

/** As much of a lone address as reads as one word; null for any other message. */
const loneAddress = (message: string): string | null => {
  const [whole, page = '', host = ''] = LONE_ADDRESS.exec(message) ?? [];
  if (whole === undefined) return null;
  const address = whole.replace(/^https?:\/\/(?:www\.)?/i, '');
  return ([address, page].find(({ length }) => length <= LONGEST_WORD) ?? host).replace(/[/.,?]+$/, '');
};

const messageGist = (plain: PlainText, message: string, words: number): string => {
  const address = loneAddress(message.trim());
  if (address !== null && address.length <= LONGEST_WORD) return `The user writes: “${address}”.`;
  const lines = punctuated(plain.lines);
  const whole = lines.join(' ');
  const quoted = lines.length === 0 ? '' : quoting(excerptOf(lines, words, weighAsked));
  const inThirdPerson = asPredicate(whole);
  if (inThirdPerson !== null) {
    const sentence = ended(`The user ${inThirdPerson}`);
    if (wordCount(sentence) <= words && sentence.length <= quoted.length) return sentence;
  }
  if (quoted !== '') return quoted;
  const [code] = plain.code;
  if (code !== undefined)
    return `The user shares ${code.lines} ${plural(code.lines, 'line')} of ${code.language || 'code'}.`;
  const marks = message.trim();
  if (marks === '') return 'The user sends an empty message.';
  return quoting(marks.length > MOST_MARKS ? '…' : marks);
};

/** A question carries a turn more than what leads up to it; figures say more than other words. */
const weighAsked = (sentence: string, at: number): number =>
  (asks(sentence) ? 1.5 : 1) * (/\p{N}/u.test(sentence) ? 1.3 : 1) * Math.max(0.5, 1 - at * 0.04);

/** Whether a text asks something: with a question mark, or in English without one, as people type. */
const asks = (text: string): boolean =>
  /[?？؟]["'”’»)]*(?:\s|$)/u.test(text) || (!/[.!]$/.test(text) && (isQuestion(text) || ASKING.test(text)));

const ASKING =
  /(?:^|[.,!]\s+)(?:(?:how|what|where|why|who|when|which)\b.*\b(?:i|we|you|it|he|she|they|the|a|my|that|this)\b|(?:do|does|did|is|are|can|could|should|would|will) (?:i|we|you|it|he|she|they|the|a|my|your|that|this|there|[a-z]+ [a-z]+ [a-z]+)\b|any \w+)/i;

const quoting = (text: string): string =>
  text === '' ? '' : ended(`The user ${asks(text) ? 'asks' : 'writes'}: “${text}”`);

/** Adds a full stop, unless a quotation already ends the sentence. */
const ended = (sentence: string): string => {
  const plain = oneLine(sentence);
  return /(?:[.…]|[.…?!。！？؟۔।॥][”"'’)»」]*”)$/u.test(plain) ? plain : `${plain.replace(/[?!,;:–—-]+$/, '')}.`;
};

/** Role `summarise` by rules alone, for English; other languages are quoted. Takes about a millisecond. */
export const createExtractive = (): Summariser => ({
  name: SUMMARISER,
  summarise: async (turn, signal) => {
    signal?.throwIfAborted();
    return summaryOf(turn);
  },
  title: async (turn, signal) => {
    signal?.throwIfAborted();
    return titleOf(turn);
  },
});

/** What may belong to a courtesy; anything else behind one is the answer: “Certainly not.”, “Great Danes live …”. */
const COURTESY_GOES_ON = [
  String.raw`(?:sure|alright|all right|of course|certainly|absolutely|great|happy to help|no problem(?: at all)?|great news|got it|understood|i see)(?: (?:thing|then|i (?:will|can|would)|here(?:['’]s| is| are) [^.!?,:;]{1,40}|with (?:that|this|it)|(?:i(?:['’](?:d|ll)| can| would| will)|happy|glad) .{0,20}\b(?:help|assist)\b[^.!?,:;]{0,40}|to (?:hear|see|know|meet) [^.!?,:;]{1,40}|what you(?:['’]re| are)? [^.!?,:;]{1,30}|your [^.!?,:;]{1,30}))?`,
  String.raw`(?:great (?:question|choice|idea|point)|good question)(?: (?!of\b)[^.!?,:;]{1,40})?(?=[.!,])`,
].join('|');
/** A greeting, thanks, an apology: courtesies of the assistant, except in a draft of what somebody is to be told. */
const ADDRESS = [
  String.raw`(?:hello|hi)(?: (?!world\b)[^\s.!?,:;]+)?`,
  '(?:thanks|thank you)(?: (?:so|very) much| a lot| again)?(?: for [^.!?,:;]{1,60})?',
  String.raw`(?:(?:i['’]m|i am) )?(?:(?:so|very|really) )?sorry(?: (?:to hear|for|about|that|you|if|i(?!['’]| (?:ca|could|am|do|wo|have|will|need)))\b[^.!?,:;]{0,60})?`,
  String.raw`(?:i apologi[sz]e|my apologies|apologies)(?: (?:for|if|that|about)\b[^.!?,:;]{0,60})?`,
].join('|');
/** Courtesies before an answer. A bare yes or no is not one: it is the answer; and “sorry, but I can't” says no. */
const PREAMBLE = new RegExp(`^(?:(?:${COURTESY_GOES_ON}|${ADDRESS})[!.,:]+(?:\\s+(?!but\\b)|$))+`, 'i');
const PREAMBLE_OF_DRAFT = new RegExp(`^(?:(?:${COURTESY_GOES_ON})[!.,:]+(?:\\s+(?!but\\b)|$))+`, 'i');
/** What is written to somebody, unlike a graphics card. */
const WRITTEN_TO =
  '(?:notes?|texts?|e-?mails?|letters?|messages?|(?<!\\b(?:graphics|video|sound|sd|memory|sim|credit|debit|bank|gift) )cards?|apolog(?:y|ies)|condolences?|invitations?|invites?|speech|toast|repl(?:y|ies)|thank[ -]you)';
const DRAFT = new RegExp(
  [
    `\\b(?:write|draft|compose|word|reword|rephrase|polish|improve|proofread|create|generate|need|want|make|give me|send|help)\\b.{0,40}\\b${WRITTEN_TO}\\b(?! (?:that|editor|file|box|field)\\b)`,
    `^(?:(?:an?|the|my|our|short|quick|nice|funny|polite|formal|kind|birthday|sympathy|wedding|thank[ -]you|good morning|love) )*${WRITTEN_TO}\\b(?! that\\b)`,
    '\\b(?:reply to|apologi[sz]e to|(?:how|what) (?:do|can|should|could) i (?:say|apologi[sz]e)|tell (?:him|her|them|my))\\b',
  ].join('|'),
  'i',
);

/** Strips the courtesies that sentences begin with: those after the first one that says something are part of it. */
const withoutCourtesies = (sentences: readonly string[], message: string): string[] => {
  const preamble = DRAFT.test(message) ? PREAMBLE_OF_DRAFT : PREAMBLE;
  const bare = sentences.map((sentence) => sentence.replace(preamble, ''));
  const first = bare.findIndex((sentence) => sentence !== '');
  return first === -1 ? [] : [...bare.slice(0, first + 1), ...sentences.slice(first + 1)];
};

/** What offers more, right behind its condition: “say so to the nurse” and “I can promise” are the answer. */
const OFFER = [
  "let me know|(?:feel free|don['’]t hesitate|do not hesitate) to (?:ask|reach out|let me|share|tell me|send|message|contact (?:me|us)|provide)",
  String.raw`(?:please|just) ask(?=[.!]|$| (?:me|us|any)\b)|ask away|tell me|say (?:the word|so(?=[.!]|$))`,
  'please provide (?:me|us|more|further|additional|the (?:details|text|code|context|information))',
  "i(?:['’]m| am|['’]d be| would be|['’]ll be) (?:(?:always |more than )?(?:happy|glad) to|(?:always |still |right )?here)",
  String.raw`i (?:can|could)(?!['’]| (?:not|only|promise|assure|guarantee|confirm)\b)`,
  String.raw`(?:share|send|paste|upload|give me)\b[^.]*\bi(?: can| could| will|['’]ll)`,
].join('|');
/** What goes on behind the noun of what is announced; “the average list price” is about something else. */
const BEHIND_NOUN =
  'of|for|that|which|to|on|in|about|with|without|from|by|as|so|and|where|you|we|i|below|based|\\w+ing';
/** Sentences of a reply that say nothing of the matter: what only leads to it, and what offers more. */
const EMPTY = new RegExp(
  [
    String.raw`^(?:here (?:is|are)|here['’]s|below (?:is|are)|the following)\b.*[:：]$`,
    String.raw`^(?:here (?:is|are)|here['’]s|below (?:is|are)) (?:(?:an?|the|some|my|your) )?(?:[\w'’-]+ ){0,3}(?:ideas|options|suggestions|tips|steps|examples|(?:summary|overview|breakdown|outline|draft|version|list|function|script|(?:revised|updated|improved|polished|corrected) (?:[\w'’-]+ )?(?:e-?mail|letter|text|message|code))(?=[.!]| (?:${BEHIND_NOUN})\b))\b[^,:;]*[.!]$`,
    // What is offered tells it from a condition: “If you have no butter, feel free to use oil.”
    `^if you\\b(?:[^,]*|.*,) (?:(?:please|just|then|do|also|always|simply) )*(?:${OFFER})\\b`,
    String.raw`^(?:let me know|i hope|feel free|would you like|do you (?:want|need) (?:me|more|help)|is there anything|as an ai|let['’]s (?:break|dive|look)|i['’]d be happy|i can help|happy to)\b`,
  ].join('|'),
  'i',
);
const HEADS_SHOWN = 4;
/** Weight that always gets the first sentence in: the others depend on it. */
const FIRST = 100;

/** What a reply says, as a sentence of its own; empty if it says nothing of its own. */
const replyGist = (reply: string, message: string, words: number): string => {
  if (isRecalled(reply)) return '';
  const { lines, code } = plainText(reply);
  const prose = lines.filter(({ kind }) => kind === 'prose').flatMap(({ text }) => unitsOf(text));
  const said = withoutCourtesies(prose, message).filter(
    (sentence) => /[\p{L}\p{N}]/u.test(sentence) && !EMPTY.test(sentence),
  );
  const items = lines.filter(isItem);
  const heads = headsOf(items);
  const whole = said.filter((sentence) => !/[:：]$/.test(sentence));
  const asked = contentWeights(message);
  const weigh = (sentence: string, at: number): number =>
    // A reply mostly begins with the answer itself; what it asks back is not the answer.
    (at === 0 ? FIRST : 1 / (1 + at * 0.2)) *
    (1 + overlap(asked, sentence)) *
    (/\p{N}/u.test(sentence) ? 1.25 : 1) *
    (/[?？؟]["'”’»)]*$/u.test(sentence) ? 0.6 : 1) *
    // “It has …” depends on a sentence that is not there.
    (at > 0 && /^(?:it|they|this|these|that|those|he|she|such)\b/i.test(sentence) ? 0.6 : 1);
  // A list of which most items have no name is quoted.
  if (heads.length >= 2 && 2 * heads.length >= items.length && whole.length < heads.length) {
    const lead = leadOf(lines, message);
    const from = lead.findIndex((sentence) => !announces(sentence, message));
    const [, ...further] = sectionsOf(lines);
    // With nothing but announcements, the last of them leads to the first of several lists.
    const isTitled = further.length > 0 && lead.length > 0 && !LEADS_IN.test(lead.at(-1) ?? '');
    if (from !== -1 || isTitled || further.some(([leads]) => leads !== undefined && judges(leads.text)))
      return quoted(ledList(lead.slice(from), lines, words, weigh));
    const verdict = verdictBehind(lines, words / 2);
    if (verdict === '') return ended(`The assistant lists ${listed(heads, items.length, words)}`);
    const names = namesIn(items, words - wordCount(verdict));
    return quoted(`${names}${names.endsWith(GAP) ? '' : '.'} ${verdict}`);
  }
  const rest = punctuated(lines.filter(({ kind }) => kind !== 'prose'));
  const from = whole.length > 0 ? whole : rest.length > 0 ? rest : prose;
  const text = excerptOf(from, words, weigh);
  if (text !== '') return quoted(text);
  return code.length === 0 ? '' : `The assistant gives code${code[0]?.language ? ` in ${code[0].language}` : ''}.`;
};

const quoted = (text: string): string =>
  /[.…?!。！？؟۔।॥][”"'’)»」]*$/u.test(text) ? `The assistant: “${text}”` : `The assistant: “${text}”.`;

/** Names of list items: what precedes a colon or dash, or a short item as a whole. Longer items have none. */
const headsOf = (items: readonly Line[]): string[] =>
  items.flatMap(({ text }) => {
    const [sentence = '', next = ''] = sentencesOf(text);
    // “Mt. Fuji: …”: two letters and a full stop are no sentence.
    const first = /^\p{Lu}\p{Ll}\.$/u.test(sentence) ? `${sentence} ${next}` : sentence;
    const head = /^(.{2,60}?)(?::\s|：|:$|\s[–—-]\s|\s\()/.exec(first)?.[1] ?? first;
    const bare = head.replace(/[.,;?!。！？，；]+$/, '').trim();
    return bare !== '' && wordCount(bare) <= 5 ? [bare] : [];
  });

const isItem = ({ kind }: Line): boolean => kind === 'item';

/** What a reply says before its first item, courtesies apart. */
const leadOf = (lines: readonly Line[], message: string): string[] => {
  const first = lines.findIndex(isItem);
  const before = lines.slice(0, first).filter(({ kind }, at) => kind === 'prose' || at === first - 1);
  const said = punctuated([...before, ...lines.slice(first, first + 1)]).slice(0, -1);
  return withoutCourtesies(said.flatMap(unitsOf), message).filter(
    (sentence) => /[\p{L}\p{N}]/u.test(sentence) && (/[:：]$/.test(sentence) || !EMPTY.test(sentence)),
  );
};

const ANNOUNCING = /^(?:here\b|below\b|the following\b)/i;
/** What leads to a list and no more, whatever it calls it: “Here are some simple tips to improve your sleep:”. */
const LEADS_IN = new RegExp(
  [
    String.raw`^(?:sure,? )?(?:(?:here|below|the following|these are)\b|(?:there are )?(?:some|several|a few) (?:[\w'’-]+ ){0,3}(?:ideas|options|tips|ways|picks|suggestions|examples|choices|recommendations|things|steps|strategies|methods)\b)`,
    String.raw`^(?:hier (?:sind|ist|einige|ein paar)|voici|aquí (?:tienes?|hay|van?|están?)|aqui (?:estão|vão|tens?)|ecco|вот|ось|oto|işte|berikut)(?!\p{L})`,
    '^(?:以下|这里|這裡|다음은|次の)',
  ].join('|'),
  'iu',
);
const DENIES_OR_AGREES =
  /\b(?:yes|yeah|yep|sure(?=[,.!])|right(?=[,.!])|no(?!-)|nope|not|never|none|nothing|neither|nor|without|only|cannot|\w+n['’]t|dont|cant|wont|isnt|shouldnt)\b/i;
const WARNS =
  /\b(?:avoid\w*|toxic|poison\w*|harm\w*|danger\w*|(?:un)?safe|risk\w*|worst|against|instead|except|banned|illegal|forbidden|wrong|but|mistakes?)\b|(?<!\p{L})(?:vermeid|giftig|gefährlich|verboten|éviter|toxique|dangereu|interdit|evitar|tóxic|peligros|prohibid|perigos|evitare|tossic|pericolos|vietat|избега|опасн|запрещ)|避免|有毒|危险|危険|禁止/iu;
const judges = (sentence: string): boolean => DENIES_OR_AGREES.test(sentence) || WARNS.test(sentence);
const OF_ANY_LIST = 'option tip pick choice';

/** “Here are some ideas:”: what leads to a list says nothing that the message did not; unlike “Yes, all of these:” and “Avoid:”. */
const announces = (sentence: string, message: string): boolean => {
  if (judges(sentence)) return false;
  if (LEADS_IN.test(sentence) && /[:：]$/.test(sentence)) return true;
  const words = [...contentWords(sentence)];
  const known = new Set(stemsOf(`${message} ${OF_ANY_LIST}`));
  const names = ANNOUNCING.test(sentence) || contentWeights(sentence).size > 0;
  return names && words.every((word) => known.has(word));
};

/** What a reply says of its list as a whole behind it, in at most `words`: “None of these are safe.” */
const verdictBehind = (lines: readonly Line[], words: number): string => {
  const behind = lines.slice(lines.findLastIndex(isItem) + 1).filter(({ kind }) => kind === 'prose');
  const verdict = behind
    .flatMap(({ text }) => unitsOf(text))
    .find((sentence) => isVerdict(sentence) && !EMPTY.test(sentence) && !/[?？؟]$/u.test(sentence));
  return verdict !== undefined && wordCount(verdict) <= words ? verdict : '';
};

/** “Don't hesitate to ask”, “No worries” and “Not sure?” judge nothing. */
const REJECTS =
  /^(?:none|neither|not all|avoid|never(?! (?:mind|hesitate)\b)|(?:don['’]t|do not) (?:give|eat|use|feed|take|buy|mix|try))\b/i;
const OF_ALL = /^(?:all|both|each|these|they|those)\b/i;
/** “These are just a few, but …”, “…, so you can't go wrong”. */
const PRAISES = /\b(?:but|wrong|only)\b/i;
const OF_HARM = /\b(?:toxic|poison\w*|harm\w*|danger\w*|(?:un)?safe|risk\w*|illegal|banned|forbidden)\b/i;

const isVerdict = (sentence: string): boolean =>
  REJECTS.test(sentence) ||
  (OF_ALL.test(sentence) && (OF_HARM.test(sentence) || (DENIES_OR_AGREES.test(sentence) && !PRAISES.test(sentence))));

/** A list behind what leads to it, in the words of the reply: “Never give these: Grapes, Raisins …”. */
const ledList = (lead: readonly string[], lines: readonly Line[], words: number, weigh: Weigh): string => {
  const [items = [], ...further] = sectionsOf(lines);
  const before = lead.slice(0, -1);
  const last = readable(lead.at(-1) ?? '');
  if (further.length > 0) {
    const said = excerptOf(before, Math.floor(words / 3), weigh);
    return joined([said, sectioned(last, [items, ...further], words - wordCount(said))].filter((part) => part !== ''));
  }
  const list = namesIn(items, words / 2);
  const room = words - wordCount(list);
  const leadIn = shortened(last, before.length === 0 ? room : Math.floor(room / 2));
  const said = excerptOf(before, room - wordCount(leadIn), weigh);
  const gap = said.endsWith(before.at(-1) ?? '') || said.endsWith(GAP) ? '' : GAP;
  return joined([said, gap, leadIn, list].filter((part) => part !== ''));
};

/** The lists of a reply, each but the first with its heading, or what else leads to it: “Clothing:”, “Pros:”. */
const sectionsOf = (lines: readonly Line[]): Line[][] => {
  const first = lines.findIndex(isItem);
  const leads = ({ text, kind }: Line): boolean =>
    kind === 'heading' || (kind === 'prose' && /[:：]$/.test(text) && !ASIDE.test(text));
  const starts = lines.flatMap((line, at) => (at === first || (at > first && leads(line)) ? [at] : []));
  return starts
    .map((start, i) => lines.slice(start, starts[i + 1]).filter((line, at) => at === 0 || isItem(line)))
    .filter((section) => section.some(isItem));
};

/** What may stand between two steps of one list. */
const ASIDE = /^(?:for )?(?:an? )?(?:examples?|instance|e\.g\.|notes?|tips?|code|output|result)\b/i;

/** “Clothing: Jacket, Boots; Electronics: Camera …”: something of each list, as far as they fit. */
const sectioned = (lead: string, sections: readonly Line[][], words: number): string => {
  const most = Math.max(LEAST_CUT, Math.floor(words / sections.length));
  let parts = sections.map((section, i) => {
    const title = i === 0 ? lead : readable(section[0]?.text ?? '').replace(/[:：]?$/, ':');
    const leadIn = shortened(title, i === 0 ? Math.max(most, words / 2) : most);
    return `${leadIn} ${namesIn(section.filter(isItem), most - wordCount(leadIn))}`.trim();
  });
  while (parts.length > 1 && wordCount(parts.join(' ')) > words) parts = parts.slice(0, -1);
  const text = parts.join('; ').replaceAll(`${GAP};`, GAP);
  return parts.length === sections.length || text.endsWith(GAP) ? text : `${text} ${GAP}`;
};

/** “A, B …”: the names of the first items that have one, at most `words`, but for one; … for the others. */
const namesIn = (items: readonly Line[], words: number): string => {
  const names = items.map((item) => headsOf([item])[0] ?? GAP);
  let named = names.flatMap((name, at) => (name === GAP ? [] : [at])).slice(0, HEADS_SHOWN);
  while (named.length > 1 && wordCount(named.map((at) => names[at]).join(' ')) > words) named = named.slice(0, -1);
  const end = (named.at(-1) ?? -1) + 1;
  return [...names.slice(0, end), ...(end < names.length ? [GAP] : [])]
    .join(', ')
    .replace(/(?:^|, )…(?:, …)*(?:, |$)/g, ` ${GAP} `)
    .trim();
};

/** “A, B and 2 more”: of `count` items, whose names are `heads`, as far as they have one. */
const listed = (heads: readonly string[], count: number, words: number): string => {
  let shown = heads.slice(0, HEADS_SHOWN);
  while (shown.length > 1 && wordCount(shown.join(' ')) > words) shown = shown.slice(0, -1);
  const more = count - shown.length;
  const last = more > 0 ? `${more} more` : shown.at(-1);
  const first = more > 0 ? shown : shown.slice(0, -1);
  return first.length === 0 ? `${last}` : `${first.join(', ')} and ${last}`;
};

/** The texts of lines, with a mark where an item, or what leads to it, ends without one: on one line nobody could tell them apart. */
const punctuated = (lines: readonly Line[]): string[] =>
  lines.map(({ text, kind }, at) => {
    const next = lines[at + 1]?.kind;
    if (next === undefined || (kind !== 'item' && next !== 'item') || MARKED.test(text)) return text;
    return `${text}${kind !== 'item' ? ':' : next !== 'item' || /[,，、]/.test(text) ? ';' : ','}`;
  });

const MARKED = /[.,;:!?…。！？，；：、؟۔।॥]["”'’)»」]*$/u;

/** Weight of a sentence apart from its content words. */
type Weigh = (sentence: string, at: number) => number;

/** Maximum characters of a readable word; anything longer (a hash, a key, data) is left out as a whole. */
const LONGEST_WORD = 60;
/** Content beyond this weight adds nothing: a long sentence is not a better one. */
const ENOUGH = 6;
/** Minimum words kept of a sentence that is cut: fewer say nothing. */
const LEAST = 4;
/** A further sentence is cut only if at least this many of its words fit. */
const LEAST_CUT = 7;
const GAP = '…';

/**
 * Excerpts a text in its own words, at most `words` of them: whole if it fits, else the sentences of most worth, in order, with …
 * for gaps. A sentence that is itself too long is cut after a clause. No word or number is split.
 */
const excerptOf = (lines: readonly string[], words: number, weigh: Weigh): string => {
  const sentences = lines.flatMap(unitsOf).map(readable).filter(says);
  const all = joined(sentences);
  if (wordCount(all) <= words) return all;
  const whole = contentWeights(all);
  const worth = (sentence: string, at: number): number => {
    const content = sum([...contentWeights(sentence).values()]);
    return (Math.min(content, ENOUGH) + 2 * overlap(whole, sentence) + 0.5) * weigh(sentence, at);
  };
  const ranked = sentences
    .map((sentence, at) => ({ at, sentence, worth: worth(sentence, at) }))
    .sort((a, b) => b.worth - a.worth || a.at - b.at);
  const [best] = ranked;
  if (best === undefined) return '';
  const kept = new Map([[best.at, shortened(best.sentence, words)]]);
  let room = words - wordCount(best.sentence);
  const least = (ranked[1]?.worth ?? 0) / 4;
  for (const { at, sentence, worth: own } of ranked.slice(1)) {
    if (own < least) break;
    const needs = wordCount(sentence);
    if (needs > room && room < LEAST_CUT) continue;
    kept.set(at, shortened(sentence, room));
    room -= Math.min(needs, room);
  }
  const order = [...kept.keys()].sort((a, b) => a - b);
  const parts = order.map((at, i) => {
    const gap = i > 0 && at > (order[i - 1] ?? 0) + 1 ? `${GAP} ` : '';
    return gap + (kept.get(at) ?? '');
  });
  return joined(parts).replace(/… …/g, GAP).replace(/[,;]$/, '');
};

/** Sentences of a line; those of one quotation stay together. */
const unitsOf = (line: string): string[] => {
  const units: string[] = [];
  for (const sentence of sentencesOf(line)) {
    const last = units.at(-1);
    if (last !== undefined && openMarks(last) !== '' && wordCount(last) < MOST_QUOTED) {
      units[units.length - 1] = joined([last, sentence]);
    } else units.push(sentence);
  }
  return units;
};

/** Words after which an unclosed quotation mark no longer counts as one: it is a stray mark, or inches. */
const MOST_QUOTED = 120;

const joined = (sentences: readonly string[]): string =>
  sentences.reduce((text, sentence) => (text === '' || /[。！？]$/u.test(text) ? text : `${text} `) + sentence, '');

const says = (sentence: string): boolean => /[\p{L}\p{N}\p{Emoji_Presentation}…]/u.test(sentence);

/** Replaces what nobody reads word by word with an ellipsis. */
const readable = (sentence: string): string =>
  sentence
    .split(' ')
    .map((word) => (word.length > LONGEST_WORD && !UNSPACED.test(word) ? GAP : word))
    .join(' ')
    .replace(/…(?: …)+/g, GAP);

/** Ends of sentences and clauses: never inside a number (“4,20”, “19:30”), which has no space there. */
const CLAUSE_END = /(?<=[.!?…؟۔।॥])(?=\s)|[,;:](?=\s)|\s[–—-](?=\s)|(?<=[。！？])|[，；：、]/gu;

/**
 * Cuts a sentence to at most `words`: after the last clause that fits, else after a word that can stand last, with an ellipsis.
 * Open quotations are closed.
 */
const shortened = (sentence: string, words: number): string => {
  if (wordCount(sentence) <= words) return sentence;
  const clause = [...sentence.matchAll(CLAUSE_END)]
    .map(({ index }) => sentence.slice(0, index))
    .filter((part) => wordCount(part) <= words && wordCount(part) >= LEAST && !hasOpenBracket(part))
    .at(-1);
  if (clause !== undefined && wordCount(clause) >= words / 3) return endedEarly(clause);
  const kept: string[] = [];
  for (const { segment } of segmenter().segment(sentence)) {
    if (wordCount(kept.join('') + segment) > words) break;
    kept.push(segment);
  }
  // Avoid “the …” and “per 10 …”, which may be any number of anything.
  while (kept.length > 1 && !canStandLast(kept.at(-1) ?? '')) kept.pop();
  return endedEarly(kept.join(''));
};

const endedEarly = (part: string): string => `${part.trimEnd()} ${GAP}${openMarks(part)}`;

const canStandLast = (piece: string): boolean =>
  /\p{L}/u.test(piece) && !/\p{N}/u.test(piece) && !isStopWord(piece) && piece.length > 1;

const hasOpenBracket = (text: string): boolean => text.lastIndexOf('(') > text.lastIndexOf(')');

/** Closing marks for the quotations that a text leaves open. */
const openMarks = (text: string): string => {
  let open = '';
  for (const mark of text.match(/(?<![\p{N}])"|[“”„«»「」]/gu) ?? []) {
    if (open !== '' && (open[0] === mark || (mark === '“' && open[0] === '”' && text.includes('„'))))
      open = open.slice(1);
    else if (CLOSES[mark] !== undefined) open = CLOSES[mark] + open;
  }
  return open;
};

const CLOSES: Readonly<Record<string, string>> = { '"': '"', '“': '”', '„': '“', '«': '»', '「': '」' };

let words: Intl.Segmenter | undefined;
/** Splits a text into words in any script; white space and punctuation are separate segments. */
const segmenter = (): Intl.Segmenter => {
  words ??= new Intl.Segmenter(undefined, { granularity: 'word' });
  return words;
};
