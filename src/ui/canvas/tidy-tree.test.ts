import { hierarchy, tree } from 'd3-hierarchy';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type RowedTree, tidyTree } from './tidy-tree.ts';

interface Branching {
  readonly children: Branching[];
}

/** A tree in which each node hangs from one of those before it, sooner from the latest. */
const branchings = fc.array(fc.tuple(fc.nat(), fc.boolean()), { maxLength: 200 }).map((picks) => {
  const all: Branching[] = [{ children: [] }];
  for (const [pick, goesOn] of picks) {
    const node: Branching = { children: [] };
    all[goesOn ? all.length - 1 : pick % all.length]?.children.push(node);
    all.push(node);
  }
  return all[0] as Branching;
});

const rowed = (root: Branching): RowedTree => {
  const nodes = [root];
  const [parents, firsts, counts, rows]: number[][] = [[-1], [], [], [0]] as const;
  for (let at = 0; at < nodes.length; at++) {
    const { children } = nodes[at] as Branching;
    firsts?.push(nodes.length);
    counts?.push(children.length);
    for (const child of children) {
      nodes.push(child);
      parents?.push(at);
      rows?.push((rows[at] as number) + 1);
    }
  }
  const column = (values: readonly number[] = []) => Int32Array.from(values);
  return { parents: column(parents), firsts: column(firsts), counts: column(counts), rows: column(rows) };
};

test('nodes stand where d3-hierarchy has them', () => {
  fc.assert(
    fc.property(branchings, fc.constantFrom(1, 1.25, 2), (root, cousins) => {
      const drawn = hierarchy(root);
      tree<Branching>()
        .nodeSize([50, 80])
        .separation((a, b) => (a.parent === b.parent ? 1 : cousins))(drawn);
      expect([...tidyTree(rowed(root), 50, cousins)]).toEqual([...drawn].map(({ x = 0 }) => x));
    }),
    { numRuns: 500 },
  );
});
