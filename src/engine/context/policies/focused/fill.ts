import type { Segment } from '../../../../domain/context.ts';
import type { Node } from '../../../../domain/forest.ts';
import { earlierTurns } from '../../full-history.ts';
import { sumTokens } from '../sum-tokens.ts';
import { wantsOf } from '../wanted-turns.ts';
import { costOf, type Item } from './choose.ts';
import { type Composing, foundIn } from './compose.ts';
import { pathForms } from './forms.ts';

/** Of the path so many of the newest turns are weighed, found or not. */
const NEWEST = 6;

/** Share of the budget that a turn may take before it goes in shorter. */
const LONG = 0.25;

/**
 * Where a budget for the whole context is set: filled by what is needed and what is found, best first, wherever it stands, in order of time, as a
 * plain chat would send it, so that nothing is spent on saying whence it comes. What is left out is counted before it.
 */
export const filled = async (composing: Composing): Promise<Segment[]> => {
  const { forest, path, needs, limits, tokens } = composing;
  const node = path.at(-1) as Node;
  const before = path.slice(0, -1);
  const found = foundIn(composing);
  const wants = wantsOf(forest, path);
  const newest = new Set(before.slice(-NEWEST));
  const earlier = earlierTurns(forest, node).sort((a, b) => a.number - b.number);
  const items: Item[] = [];
  for (const turn of earlier) {
    const isWeighed = newest.has(turn) || found.has(turn.id) || turn.pinned || wants.has(turn);
    if (!isWeighed) continue;
    const forms = await pathForms({ node: turn, need: needs(turn.id), found: found.get(turn.id) }, tokens);
    // Many digests for one turn in full would be a bad bargain: what a question asks for is a detail.
    const isLong = (forms.at(-1)?.segment.tokens ?? 0) > LONG * limits.total;
    items.push({ node: turn, place: 'path', from: 0, forms: isLong ? forms : forms.slice(-1), at: -1 });
  }
  const first = items.filter((item) => item.node === before.at(-1) || item.node.pinned || wants.has(item.node));
  let room = limits.total;
  for (const item of first.toReversed()) {
    item.at = item.forms.findLastIndex(({ segment }) => segment.tokens <= room);
    room -= costOf(item);
  }
  for (const item of items.toSorted((a, b) => wholeWorthOf(b) - wholeWorthOf(a) || b.node.number - a.node.number)) {
    if (item.at >= 0) continue;
    item.at = item.forms.findLastIndex(({ segment }) => segment.tokens <= room);
    room -= costOf(item);
  }
  const kept = new Set(first);
  for (;;) {
    const sent = items.flatMap(({ forms, at }) => forms[at]?.segment ?? []);
    const there = new Set(items.flatMap(({ node: one, at }) => (at < 0 ? [] : [one])));
    const gone = earlier.filter((turn) => !there.has(turn));
    if (gone.length === 0) return sent;
    const text = `[${gone.length} earlier ${gone.length === 1 ? 'turn' : 'turns'} left out]`;
    await tokens.prepare([text]);
    const nodeIds = gone.map(({ id }) => id);
    const note: Segment = { kind: 'turns-left-out', nodeIds, text, tokens: tokens.count(text) };
    if (sumTokens([note, ...sent]) <= limits.total) return [note, ...sent];
    const weakest = items
      .filter((item) => item.at >= 0 && !kept.has(item))
      .sort((a, b) => worthOf(a) - worthOf(b))
      .at(0);
    // Without room for the note the inspector tells it all the same.
    if (weakest === undefined) return sumTokens(sent) > limits.total ? [] : [{ ...note, text: '', tokens: 0 }, ...sent];
    weakest.at = -1;
  }
};

const wholeWorthOf = ({ forms }: Item): number => forms.at(-1)?.worth ?? 0;
const worthOf = ({ forms, at }: Item): number => forms[at]?.worth ?? 0;
