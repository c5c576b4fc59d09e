import type { Prompts } from '../../engine/settings.ts';

/*
 * Prompts for language models. Context-Agent (Appendix A.5) describes the purpose of its prompts but not their wording; these
 * are our own, for models of 0.5 to 4 billion parameters: short, few choices, numbers instead of names, one answer format. The
 * instructions are constant and come first, so that a model's cache of them is reused.
 */

/** Part of the decider's name, so that a logged answer can be traced to its prompt. */
export const PROMPTS_VERSION = 'prompts 2';

/** Context-Agent §3.3, step 1. */
export const TOPIC_INSTRUCTIONS = `You sort the messages of a conversation into topics.
You get the numbered topics, the last turn and a new message. Say where the new message belongs:
- "continue": it goes on after the last turn, in the current topic. Short follow-ups, and words like "it" or "that", do so.
- "switch": it comes back to another topic of the list.
- "create": it is about something that no topic of the list is about.
"target" is the number of the topic to switch to; for "continue" and "create" it is 0.
Answer with JSON only.

Example
1. Trip to Rome: The user planned three days in Rome. The user asked for hotels near the station.
2. Sourdough: The user wanted to know why the bread did not rise.
Current topic: 2
"And how warm should the dough be?" {"action":"continue","target":0}
"Back to the hotels: which one has parking?" {"action":"switch","target":1}
"Explain binary search." {"action":"create","target":0}`;

/** Context-Agent §3.3, step 3. */
export const BRANCH_INSTRUCTIONS = `A conversation on one topic can fork: from an earlier turn it can go another way.
You get the turns so far, the numbered places to go on from, and a new message. Say where the new message goes on:
- "continue": it goes on after the last turn. This is the usual answer.
- "create": it goes back to an earlier turn and tries something else from there (another option, a changed condition).
- "switch": it takes up another branch where that one ended.
"target" is the number of the place; for "continue" it is 0.
Answer with JSON only.

Example
Turns: The user asked for a week in Italy. The user chose Rome. The user asked for hotels in Rome.
Places:
1. create, back at: The user asked for a week in Italy.
"Do they have parking?" {"action":"continue","target":0}
"What if we went to Venice instead?" {"action":"create","target":1}`;

/** The question that the authors' published code asks instead of step 1, in our words: about one path of turns at a time. */
export const PATH_INSTRUCTIONS = `You get one thread of a conversation, turn by turn in short, and a new message.
Say whether the new message goes on in this thread:
- "yes": it follows from what was said in it, changes something in it, or is about the same thing.
- "no": it is about something else.
Answer with JSON only.

Example
Thread: Sourdough: The user wanted to know why the bread did not rise. The user was told to keep the dough warm.
"And how warm should it be?" {"answer":"yes"}
"Which hotels near the station have parking?" {"answer":"no"}`;

/** Context-Agent §3.2. */
export const SUMMARY_INSTRUCTIONS = `Summarise one turn of a conversation in one sentence, in the third person.
Join what the user wanted and what was answered. Keep names, numbers and decisions. At most 30 words.
"Before" is what was said just before: use it to name what "it" or "that" is, and leave out the rest of it.
Write in the language of the user's message. Write only the sentence.

Example
User: How long do I boil two eggs so that they stay soft? I have them from the fridge.
Assistant: Put them into boiling water for 6 minutes, then into cold water.
Summary: The user asked how to soft-boil two eggs from the fridge and was told 6 minutes in boiling water, then cold water.

Before: The user asked how to soft-boil two eggs from the fridge and was told 6 minutes in boiling water.
User: and if they are large?
Assistant: One minute more.
Summary: The user asked about large soft-boiled eggs and was told to boil them for 7 minutes, one more.`;

export const TITLE_INSTRUCTIONS = `Give the topic of a conversation a title of two to five words, as in a table of contents.
Write in the language of the user's message. Write only the title, without quotation marks and without a full stop.

Example
User: How long do I boil two eggs so that they stay soft?
Title: Soft-boiled eggs`;

/** All shipped prompts, under the same names as the user's own. */
export const SHIPPED_PROMPTS: Prompts = {
  topic: TOPIC_INSTRUCTIONS,
  branch: BRANCH_INSTRUCTIONS,
  summary: SUMMARY_INSTRUCTIONS,
  title: TITLE_INSTRUCTIONS,
};

/** Turns off Qwen3's thinking; documented to work in the system message. */
const NO_THINKING = '/no_think';

/** Adapts the instructions to a model by name. */
export const instructionsFor = (model: string, instructions: string): string =>
  /qwen-?3(?!\.)/i.test(model) ? `${instructions}\n${NO_THINKING}` : instructions;

/** Tokens for a model's reasoning before a short answer. */
export const THINKING_TOKENS = 1024;

/** Token allowance, by model name, for reasoning that cannot be turned off. */
export const thinkingAllowance = (model: string): number =>
  /\b(r1|qwq|gpt-oss|magistral|smollm3)\b|deepseek-r1|think|reason/i.test(model) ? THINKING_TOKENS : 0;
