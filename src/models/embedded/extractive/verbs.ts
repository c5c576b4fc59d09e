const list = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/));

/** Verbs that open a request ("Add …", "Book …"). */
export const REQUEST_VERBS = list(`
  add adjust allow analyze analyse answer apply arrange assume attach book bring build buy calculate call cancel change
  check choose clarify clean combine compare compile complete compose compute confirm consider continue convert cook
  correct count create cut debug decide define delete describe design determine develop discuss divide draft draw edit
  elaborate email enable ensure estimate evaluate exclude expand explain extend extract fetch fill filter find finish fix
  focus format forget generate get give go handle help highlight identify ignore implement improve include incorporate
  increase indicate insert integrate introduce keep leave limit list log look lower make merge modify monitor move
  name note offer open optimize optimise order organize organise outline paraphrase perform pick plan play postpone
  prepare present print prioritize proceed process produce propose provide pull push put raise rank rate read recommend
  record reduce refactor refine remember remind remove rename repeat rephrase replace report reschedule reserve resize
  reformat respond return revert review revise rewrite rule run save schedule search select send separate set share shorten show
  simplify skip solve sort specify split start stop store suggest summarize summarise support swap switch take teach
  tell test tighten track train transfer translate trim try turn undo update upgrade use validate verify visualize elucidate illustrate demonstrate condense brainstorm gather sum output imagine specify
  purchase assist avoid
  walk wrap write
`);

/** Past forms without -ed. */
const PAST = list(`
  was were had did said went got made knew thought took saw came found gave told felt became left put meant kept began
  brought wrote sat stood lost paid met ran sent built understood drew broke spent grew won bought caught taught sold
  forgot heard chose ate drank slept woke drove flew wore read cut hit set let hurt cost quit
`);
const UNCHANGING = list(
  'can could will would shall should may might must ought cannot never always just really also only still already',
);

/** Third person singular of a verb in the first person present; past and modal verbs stay. */
export const conjugated = (verb: string): string => {
  const lower = verb.toLowerCase();
  if (lower === 'am' || lower === 'are') return 'is';
  if (lower === 'were') return 'was';
  if (lower === 'have') return 'has';
  if (lower === 'do' || lower === 'go') return `${lower}es`;
  if (lower === "don't") return "doesn't";
  if (lower === "haven't") return "hasn't";
  if (lower === "aren't") return "isn't";
  if (lower === "weren't") return "wasn't";
  if (UNCHANGING.has(lower) || PAST.has(lower) || (/(?:ed|n't|ly)$/.test(lower) && !/eed$/.test(lower))) return verb;
  if (/[^aeiou]y$/.test(lower)) return `${verb.slice(0, -1)}ies`;
  return /(?:s|sh|ch|x|z)$/.test(lower) ? `${verb}es` : `${verb}s`;
};

/** Words that stand between a subject and its verb. */
export const isAdverb = (word: string): boolean =>
  /^(?:also|just|really|only|still|already|never|always|often|usually|sometimes|currently|recently|now|actually|definitely|probably|\w{3,}ly)$/i.test(
    word,
  ) && !/^(?:apply|reply|rely|supply|comply|multiply|fly)$/i.test(word);

const VERB_FORMS = list(`
  says said tells told thinks thought feels felt seems seemed looks becomes became causes caused happens happened helps
  helped works worked loads reads writes needs needed wants wanted likes liked prefers decided decide heard hear
  believe remember forgot forget hope wonder wondering decided planning trying looking thinking going getting doing
  making having being using used wanting learned learn buy bought eat ate visit visited cook cooked move moved
  live lives lived feel become improve improves affect affects include includes ensure appreciate involve involves
  handle process provide provides consider considering prioritize pick choose chose focus avoid prevent
  want like know think tell say ask asks asked give gives gave get gets got make makes made go goes take takes let use
  uses used see sees look help try mean means start keep put come comes find mentioned exist exists focuses focused relate
  relates relating implements work happen cost costs need feel sleep matter affect grow pay sound sounds fit fits said
  stop begin end love enjoy loves enjoys reached decide
  differ differs depends depend change changed changes struggle struggling interested curious
`);

/** Verbs that a noun phrase does not hold, as far as a list can tell. */
export const isVerbForm = (word: string): boolean => VERB_FORMS.has(word);
