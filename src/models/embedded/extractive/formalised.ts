const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/\bwanna\b/gi, 'want to'],
  [/\bgonna\b/gi, 'going to'],
  [/\bgotta\b/gi, 'have to'],
  [/\bgimme\b/gi, 'give me'],
  [/\b(?:lemme|let me) know\b/gi, 'tell me'],
  [/\blemme\b/gi, 'let me'],
  [/\bu\b/g, 'you'],
  [/\bur\b/g, 'your'],
  [/\b(?:pls|plz)\b/gi, 'please'],
  [/\b(?:cuz|coz)\b/gi, 'because'],
  [/\b[Ii]m\b/g, "I'm"],
  [/\bive\b/g, "I've"],
  [/\b(do|does|did|is|are|was|were|ca|wo|would|should|could|have|has)nt\b/gi, "$1n't"],
  [/\b(that|what|where|how|it)s (?=(?:a|the|all|it|great|good|fine|perfect|my|your|up)\b)/gi, "$1's "],
  [/\bi\b(?!\.)/g, 'I'],
  [/\bwould (?:now|also|really|just|still|very much) (?=(?:like|love)\b)/gi, 'would '],
  // A subject left out.
  [/^(?:just )?(?=(?:need|want|would like|(?:don't|do not) (?:want|need|like|know|have|think|care))\b)/i, 'I '],
  [/^(?:just )?(?=(?:looking for|hoping|trying|wondering|thinking)\b)/i, "I'm "],
];

/** Chat spellings as the rules expect them: "wanna" → "want to". */
export const formalised = (sentence: string): string =>
  SPELLINGS.reduce((so, [pattern, to]) => so.replace(pattern, to), sentence);
