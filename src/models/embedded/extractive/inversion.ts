import { aboutUser } from './third-person.ts';
import { conjugated, isVerbForm, REQUEST_VERBS } from './verbs.ts';

const QUESTION =
  /^(?:((?:what|which|where|when|why|who|whom|how)(?: (?!and )[^ ,?]+){0,3}?) )?(do|does|can|could|will|would|should|might|must|is|are|was|were) (.+)$/i;
/** The subject of a question is looked for in so many words. */
const LONGEST_SUBJECT = 5;
const STATE =
  /^(?:\w{3,}(?:ed|ing|able|ible)|known|made|built|done|good|bad|safe|better|worth|important|necessary|different|true|open|free|enough|used|so|too|really)$/i;

/**
 * "How does Redis implement queues" → "how Redis implements queues": a question whose subject follows its auxiliary,
 * in the order of a statement. null where the end of the subject cannot be told.
 */
export const uninverted = (question: string): string | null => {
  const match = QUESTION.exec(question);
  if (match === null) return null;
  const [, wh = 'whether', written = '', rest = ''] = match;
  const aux = written.toLowerCase();
  const words = rest.split(' ');
  const asks = /^(?:is|are|was|were)$/.test(aux)
    ? (word: string) => STATE.test(word)
    : (word: string) => word === 'be' || word === 'have' || REQUEST_VERBS.has(word) || isVerbForm(word);
  // A word of the list may also be a noun at the subject's very start ("the plan").
  const at = words.findIndex(
    (word, i) => i > 0 && !/^(?:the|a|an|my|our|this|that|of|to|in|for)$/i.test(words[i - 1] ?? '') && asks(word),
  );
  if (at === -1 || at > LONGEST_SUBJECT) return null;
  // “What do I ask her”: they may know that, and ask what they should.
  if (/^(?:I|we)$/i.test(words[0] ?? '')) return null;
  const subject = aboutUser(words.slice(0, at).join(' '));
  const verb = words[at] ?? '';
  const after = words.slice(at + 1).join(' ');
  const told = aux === 'do' ? verb : aux === 'does' ? conjugated(verb) : `${aux} ${verb}`;
  return [wh.slice(0, 1).toLowerCase() + wh.slice(1), subject, told, aboutUser(after)].join(' ').trim();
};
