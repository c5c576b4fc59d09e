const FUNCTION_WORDS = new Set(
  `a about above actually add after again all also am an and another any anyone anything are as ask at back be because
  been before being better between both but by can cannot change come could create did different do does doing done
  don down each either else ensure even every find first for from further get give go going good got great had has
  have having he hello help her here hers hey hi him his how i if in include instead into is it its just keep know
  last let like ll look make many may me mean might more most much must my need new no nor not now of off ok okay on
  once one only or other our out over own plan please provide put re really recommend right s same say see set she
  should show so some something such suggest sure t take tell than thank thanks that the their them then there these
  they thing things think this those through to too try under until up us use using ve very want was way we well
  were what when where which while who why will with without won would write yes yet you your`.split(/\s+/),
);

/** Endings that English adds to a word, longest first; a crude stem is enough to find a word again. */
const ENDING = /(?:ations?|ings?|ments?|ies|ed|es|ly|s|y|e)$/;
const SHORTEST_STEM = 3;

/** The words of a text that carry what it is about, lower-cased and without their endings. */
export const contentWords = (text: string): Set<string> => {
  const words = new Set<string>();
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    if (FUNCTION_WORDS.has(word) || (word.length < SHORTEST_STEM && !/\d/.test(word))) continue;
    const stem = word.replace(ENDING, '');
    words.add(stem.length < SHORTEST_STEM ? word : stem);
  }
  return words;
};
