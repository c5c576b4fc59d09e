import {
  alphaOf,
  cohen,
  disagreement,
  type Figure,
  type FleissSums,
  fleissOf,
  jaccard,
  masi,
  nominal,
  numberOf,
} from '../../app/figures/agreement.ts';
import { add, type CountLookup, estimate } from '../../app/figures/estimate.ts';
import {
  adjustedRand,
  exactGroups,
  keptOneToOne,
  type LinkedTurns,
  linkCounts,
  localPairs,
  oneMinusVi,
  threadsOf,
} from '../../app/figures/partitions.ts';
import { mean, sum } from '../../domain/numbers.ts';
import { placements } from './study.ts';

/*
 * Agreement between people on the dialogues of a study. Countable quantities are counted per dialogue and summed, so that
 * dialogues can be resampled with replacement for an interval.
 */

/** A dialogue with each person's labels for its turns. */
export interface CodedDialogue {
  readonly id: string;
  readonly labels: ReadonlyMap<string, LinkedTurns>;
}

export type Pair = readonly [one: string, other: string];

/** People who are compared with each other. Everybody forms one group; a decider forms a group with each person. */
export type RaterGroup = readonly string[];

interface Measure {
  readonly id: string;
  readonly title: string;
  readonly definition: string;
  /** Adds a dialogue's counts. */
  readonly count: (dialogue: CodedDialogue, groups: readonly RaterGroup[], counts: Record<string, number>) => void;
  readonly figure: (of: CountLookup, groups: readonly RaterGroup[]) => Figure;
  /** The number of turns that the figure is based on. */
  readonly n: (of: CountLookup, groups: readonly RaterGroup[]) => number;
}

const UNSHARED = { because: 'no turn was labelled by two people' };

export const pairsOf = (groups: readonly RaterGroup[]): Pair[] =>
  groups.flatMap((group) => group.flatMap((one, at) => group.slice(at + 1).map((other): Pair => [one, other])));

/** The turns that both members of a pair labelled, in order. */
const shared = ({ labels }: CodedDialogue, [one, other]: Pair) => {
  const [first, second] = [labels.get(one) ?? [], labels.get(other) ?? []];
  const both = first.flatMap((label, at) => (label !== null && (second[at] ?? null) !== null ? [at] : []));
  return { first, second, both };
};

/** A share of the turns that pairs have in common. */
const share = (
  id: string,
  title: string,
  definition: string,
  parts: (of: LinkCountsOf) => readonly [part: number, whole: number],
): Measure => ({
  id,
  title,
  definition,
  count: (dialogue, groups, counts) => {
    for (const pair of pairsOf(groups)) {
      const { first, second } = shared(dialogue, pair);
      const found = linkCounts(first, second);
      const [part, whole] = parts(found);
      add(counts, `${id} part`, part);
      add(counts, `${id} whole`, whole);
      add(counts, 'pair turns', id === LEAD ? found.turns : 0);
    }
  },
  figure: (of) => (of(`${id} whole`) === 0 ? UNSHARED : of(`${id} part`) / of(`${id} whole`)),
  n: (of) => of('pair turns'),
});
type LinkCountsOf = ReturnType<typeof linkCounts>;

/** A measure that compares two ways to group turns into threads: `parts` of the pair's threads, summed over pairs and dialogues. */
const ofThreads = (
  id: string,
  title: string,
  definition: string,
  parts: (one: readonly number[], other: readonly number[]) => readonly [part: number, whole: number],
  because = 'no two people labelled two turns of the same dialogue',
): Measure => ({
  id,
  title,
  definition,
  count: (dialogue, groups, counts) => {
    for (const pair of pairsOf(groups)) {
      const { first, second, both } = shared(dialogue, pair);
      if (both.length < 2) continue;
      const [one, other] = [threadsOf(first), threadsOf(second)];
      const of = (threads: readonly (number | null)[]) => both.map((at) => threads[at] ?? at);
      const [part, whole] = parts(of(one), of(other));
      add(counts, `${id} part`, part);
      add(counts, `${id} whole`, whole);
      add(counts, `${id} turns`, whole === 0 ? 0 : both.length);
    }
  },
  figure: (of) => (of(`${id} whole`) === 0 ? { because } : of(`${id} part`) / of(`${id} whole`)),
  n: (of) => of(`${id} turns`),
});

/** The mean of the defined figures. */
const meanOf = (figures: readonly Figure[]): Figure => {
  const defined = figures.filter((figure) => typeof figure === 'number');
  if (defined.length > 0) return mean(defined);
  return figures[0] ?? UNSHARED;
};

const cohenMeasure: Measure = {
  id: 'cohen',
  title: 'Cohen’s κ of the action',
  definition: 'agreement on the action beyond chance (Cohen 1960), the mean over pairs of people',
  count: (dialogue, groups, counts) => {
    for (const [at, pair] of pairsOf(groups).entries()) {
      const { first, second, both } = shared(dialogue, pair);
      for (const turn of both) add(counts, `κ ${at} ${first[turn]?.placement} ${second[turn]?.placement}`, 1);
      add(counts, `κ ${at}`, both.length);
    }
  },
  figure: (of, groups) =>
    meanOf(
      pairsOf(groups).flatMap((_, at) =>
        of(`κ ${at}`) === 0
          ? []
          : [cohen(placements.map((one) => placements.map((other) => of(`κ ${at} ${one} ${other}`))))],
      ),
    ),
  n: (of) => of('pair turns'),
};

/** The labels given by a group for each turn that at least two of its people labelled. */
const codedTurns = (dialogue: CodedDialogue, group: RaterGroup) => {
  const all = group.map((person) => dialogue.labels.get(person) ?? []);
  const turns = Math.max(0, ...all.map(({ length }) => length));
  return Array.from({ length: turns }, (_, at) => all.flatMap((labels) => labels[at] ?? [])).filter(
    (said) => said.length > 1,
  );
};

const fleissMeasure: Measure = {
  id: 'fleiss',
  title: 'Fleiss’ κ of the action',
  definition:
    'the same for more than two people (Fleiss 1971), over the turns that as many people labelled as most turns',
  count: (dialogue, groups, counts) => {
    for (const [at, group] of groups.entries()) {
      for (const said of codedTurns(dialogue, group)) {
        const name = `F ${at} ${said.length}`;
        add(counts, name, 1);
        for (const placement of placements) {
          const given = said.filter((label) => label.placement === placement).length;
          add(counts, `${name} ${placement}`, given);
          add(counts, `${name} agreeing`, given * (given - 1));
        }
      }
    }
  },
  figure: (of, groups) => meanOf(groups.map((group, at) => fleissOf(fleissSums(of, at, group.length)))),
  n: (of, groups) => sum(groups.map((group, at) => fleissSums(of, at, group.length).items)),
};

/** Sums over the turns with the most common number of labels. */
const fleissSums = (of: CountLookup, group: number, people: number): FleissSums => {
  let raters = 2;
  for (let more = 3; more <= people; more++) if (of(`F ${group} ${more}`) > of(`F ${group} ${raters}`)) raters = more;
  const name = `F ${group} ${raters}`;
  return {
    items: of(name),
    raters,
    agreeing: of(`${name} agreeing`),
    labels: placements.map((placement) => of(`${name} ${placement}`)),
  };
};

const alphaMeasure: Measure = {
  id: 'alpha',
  title: 'Krippendorff’s α of the action',
  definition: 'the same for any number of people with gaps (Krippendorff 2011), nominal',
  count: (dialogue, groups, counts) => {
    for (const [at, group] of groups.entries()) {
      const units = codedTurns(dialogue, group).map((said) => said.map(({ placement }) => placement));
      const { observed, values } = disagreement(units, nominal);
      add(counts, `α ${at} observed`, observed);
      add(counts, `α ${at}`, values);
      add(counts, `α ${at} turns`, units.length);
      for (const placement of units.flat()) add(counts, `α ${at} ${placement}`, 1);
    }
  },
  figure: (of, groups) =>
    meanOf(
      groups.map((_, at) => {
        const values = of(`α ${at}`);
        const alike = sum(placements.map((placement) => of(`α ${at} ${placement}`) ** 2));
        return alphaOf({ observed: of(`α ${at} observed`), pairs: (values ** 2 - alike) / 2, values });
      }),
    ),
  n: (of, groups) => sum(groups.map((_, at) => of(`α ${at} turns`))),
};

type SetDistance = (a: ReadonlySet<number>, b: ReadonlySet<number>) => number;

/** The thread that a person puts a turn in. */
interface ThreadOfTurn {
  readonly person: string;
  /** Its turns that each person of the group labelled as well: an unfinished dialogue is no disagreement. */
  readonly seenBy: ReadonlyMap<string, ReadonlySet<number>>;
}

const NO_TURNS: ReadonlySet<number> = new Set();

const betweenThreads =
  (distance: SetDistance) =>
  (a: ThreadOfTurn, b: ThreadOfTurn): number => {
    const [one, other] = [a.seenBy.get(b.person) ?? NO_TURNS, b.seenBy.get(a.person) ?? NO_TURNS];
    return one.size + other.size === 0 ? 1 : distance(one, other);
  };

/** α of a turn's thread, represented as the set of the thread's turns. Threads of different dialogues have nothing in common. */
const alphaOfThreads = (id: string, title: string, definition: string, distance: SetDistance): Measure => ({
  id,
  title,
  definition,
  count: (dialogue, groups, counts) => {
    for (const [at, group] of groups.entries()) {
      const units = threadsOfTurns(dialogue, group);
      const { observed, pairs, values } = disagreement(units, betweenThreads(distance));
      add(counts, `${id} ${at} observed`, observed);
      add(counts, `${id} ${at} pairs`, pairs);
      add(counts, `${id} ${at}`, values);
      add(counts, `${id} ${at} turns`, units.filter((unit) => unit.length > 1).length);
      add(counts, `${id} ${at} own`, values ** 2);
    }
  },
  figure: (of, groups) =>
    meanOf(
      groups.map((_, at) => {
        const values = of(`${id} ${at}`);
        const across = (values ** 2 - of(`${id} ${at} own`)) / 2;
        return alphaOf({ observed: of(`${id} ${at} observed`), pairs: of(`${id} ${at} pairs`) + across, values });
      }),
    ),
  n: (of, groups) => sum(groups.map((_, at) => of(`${id} ${at} turns`))),
});

/** For each turn, the thread that each of its annotators puts it in. */
const threadsOfTurns = ({ labels }: CodedDialogue, group: RaterGroup): ThreadOfTurn[][] => {
  const said: ThreadOfTurn[][] = [];
  for (const person of group) {
    const threads = threadsOf(labels.get(person) ?? []);
    for (const thread of new Set(threads)) {
      if (thread === null) continue;
      const turns = threads.flatMap((one, at) => (one === thread ? [at] : []));
      const seen = (by: string) => turns.filter((at) => (labels.get(by)?.[at] ?? null) !== null);
      const seenBy = new Map(group.map((by) => [by, new Set(seen(by))]));
      // One value for all turns of a thread, since values that are the same are compared once.
      const value = { person, seenBy };
      for (const at of turns) said[at] = [...(said[at] ?? []), value];
    }
  }
  // Fills holes at indices that nobody labelled.
  return Array.from(said, (unit) => unit ?? []);
};

const LEAD = 'link-f1';

/** In table order; the first is the lead measure to report. */
export const MEASURES: readonly Measure[] = [
  share(
    LEAD,
    'Link F1',
    'links from turns to their parents, further parents included: those that both gave against those that each gave, over all pairs of people',
    ({ both, one, other }) => [2 * both, one + other],
  ),
  share('uas', 'Parent (UAS)', 'turns to which both gave the same parent', ({ parents, turns }) => [parents, turns]),
  share('las', 'Parent and action (LAS)', 'turns to which both gave the same parent and action', (found) => [
    found.labelled,
    found.turns,
  ]),
  cohenMeasure,
  fleissMeasure,
  alphaMeasure,
  alphaOfThreads('alpha-jaccard', 'α of the thread, Jaccard', 'α of the set of turns in a turn’s thread', jaccard),
  alphaOfThreads(
    'alpha-masi',
    'α of the thread, MASI',
    'the same, part of a set counting as near (Passonneau 2006)',
    masi,
  ),
  ofThreads(
    'one-to-one',
    'Threads one-to-one',
    'turns in the same thread when threads are paired off as well as can be (Elsner & Charniak 2008)',
    (one, other) => [keptOneToOne(one, other), one.length],
  ),
  ofThreads(
    'one-minus-vi',
    '1 − VI of threads',
    'one less the variation of information, scaled to 0–1 (Meilă 2007), the mean over dialogues and pairs of people',
    (one, other) => [oneMinusVi(one, other), 1],
  ),
  ofThreads(
    'ari',
    'Adjusted Rand index',
    'pairs of turns together in both or in neither, beyond chance (Hubert & Arabie 1985), the mean of those that are defined',
    (one, other) => {
      const found = adjustedRand(one, other);
      return Number.isNaN(found) ? [0, 0] : [found, 1];
    },
    'in every dialogue, both have one thread or only single turns',
  ),
  ofThreads(
    'exact',
    'Exact threads (F1)',
    'threads of two and more turns that are the same in both (Kummerfeld et al. 2019)',
    (one, other) => {
      const found = exactGroups(one, other);
      return [2 * found.both, found.one + found.other];
    },
    'nobody made a thread of two turns',
  ),
  ofThreads(
    'loc-3',
    'loc₃',
    'pairs of turns at most three apart that are together in both or in neither (Elsner & Charniak 2008)',
    (one, other) => {
      const { agreed, all } = localPairs(one, other);
      return [agreed, all];
    },
  ),
];

export interface StudyFigure {
  readonly id: string;
  /** The figure, or why there is none. */
  readonly value: Figure;
  /** 95 % bootstrap interval over dialogues; null if there are fewer than two to draw from. */
  readonly interval: readonly [low: number, high: number] | null;
  readonly n: number;
}

/** All measures, or the given ones, of the agreement within each group. */
export const studyFigures = (
  dialogues: readonly CodedDialogue[],
  groups: readonly RaterGroup[],
  measures: readonly Measure[] = MEASURES,
): StudyFigure[] => {
  const counted = dialogues.map((dialogue) => {
    const counts: Record<string, number> = {};
    for (const { count } of measures) count(dialogue, groups, counts);
    return counts;
  });
  const used = counted.filter((counts) => Object.values(counts).some((n) => n !== 0));
  const whole: Record<string, number> = {};
  for (const counts of used) for (const [name, n] of Object.entries(counts)) add(whole, name, n);
  const of: CountLookup = (name) => whole[name] ?? 0;
  const estimates = estimate(
    used,
    measures.map(({ figure, n }) => ({ value: (at) => numberOf(figure(at, groups)), n: (at) => n(at, groups) })),
  );
  return measures.map(({ id, figure }, at) => {
    const { low = Number.NaN, high = Number.NaN, n = 0 } = estimates[at] ?? {};
    const value = figure(of, groups);
    const drawn = typeof value === 'number' && !Number.isNaN(low);
    return { id, value, interval: drawn ? [low, high] : null, n };
  });
};

/** Between two ticks of an axis of agreement. */
export const TICK = 0.25;

/** Where an axis of agreement begins: at 0, or at the tick below where people agree less than by chance. */
export const leastShown = (figures: readonly StudyFigure[]): number => {
  const lows = figures.flatMap(({ value, interval }) =>
    typeof value === 'number' ? [value, ...(interval ?? [])] : [],
  );
  return Math.floor(Math.min(0, ...lows) / TICK) * TICK;
};

/** Only Link F1, the measure shown for a pair of people. */
export const LEAD_ALONE = MEASURES.slice(0, 1);
