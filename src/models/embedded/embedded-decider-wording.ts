import type { TreeId } from '../../domain/forest.ts';
import { CUES } from '../../engine/place/cues.ts';
import type { BranchPlace, BranchQuestion, TopicQuestion, TopicView } from '../../engine/ports.ts';
import type { Wording } from './embedded-decider-reasons.ts';
import type { TopicReading } from './embedded-decider-topic.ts';

const CUE_NAMES: ReadonlySet<string> = new Set(CUES);

/** The group of what every choice begins with. */
export const BASE = 'usual';

/** Features that tell a person the same thing are one reason. */
export const groupOf = (name: string): string => {
  const feature = name.replace(/^(?:\w+: )+/, '');
  if (CUE_NAMES.has(feature)) return feature;
  if (/^kind \d+$/.test(feature)) return 'kind';
  if (/^(?:steps up|turns ago|is newer)/.test(feature)) return 'structure';
  if (/in general|acts|kind|wraps up|returns|tip asks/.test(feature)) return 'form';
  if (/overlap|new words|named/.test(feature)) return 'words';
  if (/similarity|nearest|ahead/.test(feature)) return 'similarity';
  if (/content|log words|short reference/.test(feature)) return 'length';
  if (/^reply /.test(feature)) return 'reply';
  if (/^tip (?:revises|is alternative)|alternative asked/.test(feature)) return 'form';
  return 'structure';
};

const cueWording = (cueWords: string | undefined, group: string): string =>
  cueWords === undefined
    ? (ABSENT[group] ?? `it does not say so: nothing ${group.replace(/^the /, '')}`)
    : `“${cueWords}”`;

/** A cue that is missing can speak, too: most messages of its kind would have it. */
const ABSENT: Readonly<Record<string, string>> = {
  asks: 'it is not a question',
  numbers: 'it names no number',
  'refers back': 'it refers to nothing before it',
  'asks in general': 'it asks for no general knowledge',
  'weighs a choice': 'it weighs no choice of your own',
  instructs: 'it gives no instruction',
  decides: 'it states no wish',
  'tells of oneself': 'it says nothing of yourself',
  accepts: 'it takes up nothing that was said',
  revises: 'it changes nothing that was said',
  returns: 'no word of going back',
  opens: 'no word of opening a topic',
  'wraps up': 'it asks for no summary',
  'goes on': 'no word of going on',
};

/** Reasons of a topic decision in words. `target` is the topic that the answer is about. */
export const topicWording = (
  { topics }: TopicQuestion,
  { setting: { shared } }: TopicReading,
  target: TreeId | null,
): Wording => {
  const nearest = topics.reduce<TopicView | undefined>(
    (top, topic) => (top === undefined || topic.similarity > top.similarity ? topic : top),
    undefined,
  );
  const about = topics.find(({ treeId }) => treeId === target);
  const words = (shared.get(target ?? nearest?.treeId ?? '') ?? []).slice(0, WORDS_NAMED);
  return (group, cueWords) => {
    switch (group) {
      case BASE:
        return null;
      case 'similarity':
        return nearest === undefined ? null : `closest to “${nearest.title}” (${nearest.similarity.toFixed(2)})`;
      case 'words':
        return words.length === 0
          ? 'it brings words of its own'
          : `it shares words with “${(about ?? nearest)?.title ?? ''}”: ${words.join(', ')}`;
      case 'length':
        return 'how much the message says by itself';
      case 'form':
        return cueWords ?? 'its form: a question, an instruction, a wish, beside the turns before';
      case 'reply':
        return 'what the last reply asked or settled';
      case 'kind':
        return 'what kind of message it is, by its embedding';
      case 'structure':
        return 'the shape of the conversation so far';
      default:
        return cueWording(cueWords, group);
    }
  };
};

/** Words in common that are named to a person. */
const WORDS_NAMED = 3;

/** Reasons of a branch decision in words. */
export const branchWording =
  ({ forkPoint, path }: BranchQuestion, { from }: Pick<BranchPlace, 'from'> = { from: forkPoint }): Wording =>
  (group, cueWords) => {
    const turn = `turn ${from.node.number}`;
    switch (group) {
      case BASE:
        return null;
      case 'similarity':
        return `${turn} is at ${from.similarity.toFixed(2)}, the active turn at ${(path.at(-1)?.similarity ?? 0).toFixed(2)}`;
      case 'words':
        return `words it shares with ${turn}`;
      case 'length':
        return 'how much the message says by itself';
      case 'form':
        return cueWords ?? 'its form: a question, an instruction, a wish, beside the turns before';
      case 'structure':
        return `where ${turn} lies from the active turn`;
      default:
        return cueWording(cueWords, group);
    }
  };
