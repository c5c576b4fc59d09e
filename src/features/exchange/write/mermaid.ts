import { activePath, subtree, treesOf } from '../../../domain/queries.ts';
import { recordsOf } from '../../../domain/table.ts';
import { shortened } from '../read/source.ts';
import { PICTURE_PARTS } from './picture.ts';
import type { Writer } from './writer.ts';

/** The forest as a flow chart in the language that Markdown pages draw. */
export const mermaid: Writer = {
  id: 'mermaid',
  name: 'Mermaid',
  about: 'The forest as a chart in words, which GitHub and many notebooks draw.',
  group: 'Pictures',
  ending: '.mmd',
  type: 'text/vnd.mermaid',
  form: 'text',
  several: false,
  path: false,
  holds: PICTURE_PARTS,
  *write({ forest }) {
    const onPath = new Set(activePath(forest).map(({ id }) => id));
    yield 'flowchart TB\n';
    for (const { rootId, title, order } of treesOf(forest)) {
      const nodes = subtree(forest, rootId);
      yield `  subgraph topic${order}["${label(title)}"]\n`;
      for (const { number, message } of nodes) yield `    t${number}["${number} · ${label(message)}"]\n`;
      for (const { number, parentId } of nodes) {
        const parent = parentId === null ? undefined : forest.nodes[parentId];
        if (parent !== undefined) yield `    t${parent.number} --> t${number}\n`;
      }
      yield '  end\n';
    }
    const nodes = recordsOf(forest.nodes);
    for (const { number, references } of nodes) {
      for (const { to } of references) {
        const needed = forest.nodes[to];
        if (needed !== undefined) yield `  t${number} -.-> t${needed.number}\n`;
      }
    }
    const active = nodes.filter(({ id }) => onPath.has(id)).map(({ number }) => `t${number}`);
    if (active.length > 0) yield `  classDef active stroke-width:3px\n  class ${active.join(',')} active\n`;
    const hidden = nodes.filter(({ hidden: isHidden }) => isHidden).map(({ number }) => `t${number}`);
    if (hidden.length > 0) yield `  classDef hidden stroke-dasharray:4 3\n  class ${hidden.join(',')} hidden\n`;
  },
};

/** What means something in the language goes in as its number. */
const label = (text: string): string =>
  shortened(text).replace(/["#<>&`\\[\]{}|;]/g, (sign) => `#${sign.charCodeAt(0)};`);
