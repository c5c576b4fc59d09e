import type { Segment } from '../../domain/context.ts';
import type { PolicyContext } from '../../engine/compare-contexts.ts';
import type { MemoryThen } from '../../engine/memory-then.ts';
import { counted } from '../parts/numbers.ts';

/** What a policy sends of the turns before, in a few words: of a memory, how much of it was recalled. */
export const paneWords = ({ context, forest }: PolicyContext, memory: MemoryThen | null): string => {
  if (memory !== null) {
    const { cells, recall } = memory;
    if (cells.length === 0) return 'Nothing to remember yet';
    const { items, levels } = recall;
    const visited = levels === undefined ? '' : `, ${counted(levels, 'level')} visited`;
    return `${items.length} of ${counted(cells.length, 'piece')} recalled${visited}`;
  }
  const whole = context.segments.filter(({ kind }) => kind === 'turn').length;
  const lines = context.segments.reduce((sum, segment) => sum + shortened(segment, forest), 0);
  const short = lines === 0 ? '' : `, ${counted(lines, 'summary', 'summaries')}`;
  return whole + lines === 0 ? 'Nothing before it is sent' : `${counted(whole, 'turn')} in full${short}`;
};

const shortened = (segment: Segment, forest: PolicyContext['forest']): number => {
  switch (segment.kind) {
    case 'turn-summary':
    case 'reference-summary':
      return 1;
    case 'overview':
      return forest.overviews[segment.overviewId]?.lines.filter(({ kind }) => kind !== 'left-out').length ?? 0;
    default:
      return 0;
  }
};
