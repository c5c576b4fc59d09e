import type { NodeId } from '../../domain/forest.ts';
import { indicator } from '../../domain/numbers.ts';
import { CUES, type Cue, cuesOf } from '../../engine/place/cues.ts';
import type { BranchPlace, BranchQuestion, NodeView } from '../../engine/ports.ts';
import { glossedForCues } from '../../engine/text/glossary.ts';
import { matchAt } from '../../engine/text/terms.ts';
import { contentWords } from '../../engine/text/words.ts';
import { type Affinity, continuationScorer } from './affinity.ts';
import type { ScoredOption } from './boosted-trees.ts';
import { common as inCommon, type TextReader } from './decider-texts.ts';
import type { Material } from './topic-features.ts';

/** An answer to the branch question. `point` is the node it refers to; null for continuing the branch. */
export interface BranchChoice extends ScoredOption {
  readonly action: 'continue-branch' | 'create-branch' | 'switch-branch';
  readonly point: NodeId | null;
}

export interface BranchReading {
  readonly question: BranchQuestion;
  readonly cues: ReadonlyMap<Cue, string>;
  /** Continuing the branch comes first. */
  readonly choices: readonly BranchChoice[];
  readonly material: Material;
}

/** Number of steps assumed for a place that is not an ancestor of the active node. */
const NOT_ABOVE = 12;

/** Returns the choices open to a message with their features. Continuing is the baseline of score 0 and has none. */
export const readBranchQuestion = (question: BranchQuestion, reader: TextReader): BranchReading => {
  const { message, path, pathLength, places, topicSwitched } = question;
  reader.spoken = question.spoken;
  const cues = cuesOf(glossedForCues(message, reader.spoken));
  const words = contentWords(message);
  const tip = path.at(-1);
  const shared = (view: NodeView | null | undefined): number =>
    !view || words.size === 0 ? 0 : inCommon(words, reader.turn(view.node).words).length / words.size;

  const common: Record<string, number> = {
    'log words': Math.log1p(message.split(/\s+/).length),
    'content words': words.size,
    'topic switched': indicator(topicSwitched),
    'path length': Math.log1p(pathLength),
    'tip similarity': tip?.similarity ?? 0,
    'tip overlap': shared(tip),
    'tip revises': indicator(tip !== undefined && reader.turn(tip.node).cues.has('revises')),
    'tip is alternative': indicator(tip !== undefined && reader.turn(tip.node).cues.has('alternative')),
    'other branches': places.filter(({ action }) => action === 'switch-branch').length,
    'alternative asked': indicator(cues.has('alternative') && cues.has('asks')),
  };
  for (const cue of CUES) common[cue] = indicator(cues.has(cue));

  const nodes = [...(tip === undefined ? [] : [tip.node]), ...places.map(({ from }) => from.node)];
  const matches = reader.terms.matches(
    message,
    reader.spoken,
    nodes.map((node) => [node]),
  );
  const here = matchAt(matches, tip === undefined ? -1 : 0);
  const most = matches.of.reduce((top, { sum }) => Math.max(top, sum), 0);
  const replyTo = (view: NodeView | undefined): number =>
    view === undefined ? 0 : question.seen(view.nodeId).replySimilarity;
  const tipReply = replyTo(tip);
  Object.assign(common, {
    'tip reply similarity': tipReply,
    'tip match': here.either,
    'tip match sum': here.sum,
    'tip pieces': here.pieces,
    unheard: matches.unheard,
    'words written': Math.log1p(matches.terms.length),
    english: indicator(reader.spoken === null || reader.spoken === 'en'),
  });

  const nearestOf = (at: readonly BranchPlace[]): number => Math.max(0, ...at.map(({ from }) => from.similarity));
  const choices: BranchChoice[] = [{ action: 'continue-branch', point: null, features: {} }];
  for (const place of places) {
    const { action, from, steps, setAside, nearest } = place;
    const rivals = nearestOf(places.filter((other) => other !== place && other.action === action));
    const match = matchAt(matches, nodes.lastIndexOf(from.node));
    const reply = replyTo(from);
    const features: Record<string, number> = {
      match: match.either,
      'match sum': match.sum,
      'match said': match.said,
      'match replied': match.replied,
      'match own': match.own,
      'match rarest': match.rarest,
      'match pieces': match.pieces,
      'match ahead of the active turn': match.sum - here.sum,
      'match pieces ahead': match.pieces - here.pieces,
      'match is the most': indicator(match.sum > 0 && match.sum === most),
      'reply similarity': reply,
      'reply ahead of the active turn': reply - tipReply,
      similarity: from.similarity,
      'ahead of the active turn': from.similarity - (tip?.similarity ?? 0),
      'ahead of other places': from.similarity - rivals,
      overlap: shared(from),
      'overlap ahead': shared(from) - shared(tip),
      'turns ago': Math.log1p((tip?.node.number ?? 0) - from.node.number),
      'is newer than the active turn': indicator(from.node.number > (tip?.node.number ?? 0)),
    };
    if (action === 'create-branch') {
      features['steps up'] = steps ?? NOT_ABOVE;
      features['is the root'] = indicator(from.node.parentId === null);
      features['set aside similarity'] = setAside?.similarity ?? 0;
      features['set aside ahead'] = setAside === null ? 0 : setAside.similarity - from.similarity;
      features['set aside overlap'] = shared(setAside);
      features['set aside overlap ahead'] = setAside === null ? 0 : shared(setAside) - shared(from);
    } else {
      features['branch similarity'] = nearest?.similarity ?? 0;
      features['branch ahead'] = (nearest?.similarity ?? 0) - (tip?.similarity ?? 0);
      features['branch overlap'] = shared(nearest);
    }
    choices.push({ action, point: from.nodeId, features, common });
  }
  const points = [tip?.nodeId, ...places.map(({ from }) => from.nodeId)];
  const material = {
    message: question.embedding,
    topics: points.map((point) => (point === undefined ? null : question.seen(point).vectors)),
  };
  return { question, cues, choices, material };
};

/** Adds what embeddings say about the choices, if there are any. */
export const withTurnAffinity = <R extends Pick<BranchReading, 'choices' | 'material'>>(
  reading: R,
  affinity: Affinity,
): R => {
  const { message, topics } = reading.material;
  if (message?.embedder !== affinity.embedder) return reading;
  const goes = continuationScorer(affinity, message.vector);
  const all = topics.map((vectors) => (vectors === null ? 0 : goes(vectors)));
  const [here = 0] = all;
  const [goingOn, ...places] = reading.choices;
  const choices = places.map((choice, at): BranchChoice => {
    const own = all[at + 1] ?? 0;
    const said = { 'goes with': own, 'goes with ahead': own - here, 'goes with here': here };
    return { ...choice, features: { ...choice.features, ...said } };
  });
  return { ...reading, choices: goingOn === undefined ? choices : [goingOn, ...choices] };
};
