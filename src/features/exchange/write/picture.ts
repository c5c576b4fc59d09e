import type { Forest, Node } from '../../../domain/forest.ts';
import { activePath, nodeOf, treesOf } from '../../../domain/queries.ts';
import { recordsOf } from '../../../domain/table.ts';
import { oneLine } from '../../../engine/text/words.ts';
import { firstWords, gapsBetweenTitles, titleLeft } from '../../../ui/canvas/draw-words.ts';
import { CARD, TITLE_HEIGHT } from '../../../ui/canvas/geometry.ts';
import { boxOf, type ForestLayout, layoutForest, type PlacedTree } from '../../../ui/canvas/layout.ts';
import { escapedXml, PICTURE_FONT, type PictureInks, pngOf } from '../../../ui/parts/picture.ts';
import type { ConversationPart, Writer } from './writer.ts';

/** The parts that a picture of the forest keeps. */
export const PICTURE_PARTS: readonly ConversationPart[] = [
  'single',
  'choices',
  'unanswered',
  'hiddenTurns',
  'topics',
  'titles',
  'active',
  'hidden',
  'references',
];

const MARGIN = 32;
const PADDING = 12;
const FONT_SIZE = 12;
const LINE_HEIGHT = 16;
const LINES = 3;
/** Mean letter width of system fonts, relative to the font size. */
const LETTER_WIDTH = 0.58;

/** The whole forest, with nothing folded, for pages and print. */
export const vectorPicture: Writer = {
  id: 'svg',
  name: 'SVG picture',
  about: 'The whole forest as it is now, laid out as on the canvas, sharp at any size, in your current theme.',
  group: 'Pictures',
  ending: '.svg',
  type: 'image/svg+xml',
  form: 'text',
  several: false,
  path: false,
  holds: PICTURE_PARTS,
  *write({ title, forest }, { inks }) {
    const layout = layoutForest(forest, null);
    const onPath = new Set(activePath(forest).map(({ id }) => id));
    const [width, height] = [layout.width + 2 * MARGIN, layout.height + 2 * MARGIN];
    yield `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${PICTURE_FONT}" font-size="${FONT_SIZE}">
<title>${escapedXml(title)}</title>
<rect width="${width}" height="${height}" fill="${inks.ground}"/>
<g transform="translate(${MARGIN} ${MARGIN})">
`;
    const titles = new Map(treesOf(forest).map((tree) => [tree.id, tree.title]));
    const gaps = gapsBetweenTitles(layout);
    for (const placed of layout.trees) {
      const left = titleLeft(placed);
      const toNext = (gaps.get(placed.treeId) ?? Number.POSITIVE_INFINITY) - PADDING;
      const toEdge = layout.width + MARGIN - left;
      const title = clipped(titles.get(placed.treeId) ?? '', Math.min(2 * CARD.width, toNext, toEdge), 14);
      const colour = inks.topics[placed.order % inks.topics.length] ?? inks.ink;
      yield `<text x="${left}" y="${placed.y - TITLE_HEIGHT / 2 + 4}" font-size="14" font-weight="600" fill="${inks.ink}">${escapedXml(title)}</text>\n`;
      for (const [index] of placed.tree.ids.entries()) yield lineTo(placed, index, onPath, colour, inks);
      for (const [index, id] of placed.tree.ids.entries()) {
        yield card(nodeOf(forest, id), boxOf({ placed, index }), onPath.has(id), colour, inks);
      }
    }
    yield* referenceLines(forest, layout, inks);
    yield '</g>\n</svg>\n';
  },
};

/** The same as pixels. */
export const pixelPicture: Writer = {
  ...vectorPicture,
  id: 'png',
  name: 'PNG picture',
  about: 'The same as pixels, for slides and chats. Large forests are scaled down; use SVG for those.',
  ending: '.png',
  type: 'image/png',
  finish: (svg) => {
    const [, width, height] = /width="([\d.]+)" height="([\d.]+)"/.exec(svg) ?? [];
    return pngOf(svg, Number(width), Number(height));
  },
};

const lineTo = (
  placed: PlacedTree,
  index: number,
  onPath: ReadonlySet<string>,
  colour: string,
  inks: PictureInks,
): string => {
  const parent = placed.tree.parents[index] ?? -1;
  if (parent === -1) return '';
  const from = boxOf({ placed, index: parent });
  const to = boxOf({ placed, index });
  const [x1, y1, x2, y2] = [from.x + CARD.width / 2, from.y + CARD.height, to.x + CARD.width / 2, to.y];
  const middle = (y1 + y2) / 2;
  const isActive = onPath.has(placed.tree.ids[index] ?? '');
  return `<path d="M${x1} ${y1}C${x1} ${middle} ${x2} ${middle} ${x2} ${y2}" fill="none" stroke="${isActive ? colour : inks.line}" stroke-width="${isActive ? 2.5 : 1.5}"/>\n`;
};

const card = (
  { number, message, hidden }: Node,
  { x, y }: { x: number; y: number },
  isActive: boolean,
  colour: string,
  inks: PictureInks,
): string => {
  const lines = wrapped(message, CARD.width - 2 * PADDING - 4);
  const text = lines
    .map(
      (line, at) =>
        `<text x="${x + PADDING + 4}" y="${y + 34 + at * LINE_HEIGHT}" fill="${inks.ink}">${escapedXml(line)}</text>`,
    )
    .join('');
  const stroke = isActive ? `stroke="${colour}" stroke-width="2"` : `stroke="${inks.line}"`;
  return `<rect x="${x}" y="${y}" width="${CARD.width}" height="${CARD.height}" rx="8" fill="${inks.panel}" ${stroke}${hidden ? ' stroke-dasharray="4 3"' : ''}/><rect x="${x}" y="${y + 8}" width="4" height="${CARD.height - 16}" rx="2" fill="${colour}"/><text x="${x + PADDING + 4}" y="${y + 17}" font-size="10" fill="${inks.quiet}">${number}${hidden ? ' · hidden' : ''}</text>${text}\n`;
};

function* referenceLines(forest: Forest, layout: ForestLayout, inks: PictureInks): Generator<string> {
  const boxes = new Map(
    layout.trees.flatMap((placed) => placed.tree.ids.map((id, index) => [id, boxOf({ placed, index })] as const)),
  );
  for (const { id, references } of recordsOf(forest.nodes)) {
    for (const { to } of references) {
      const [from, target] = [boxes.get(id), boxes.get(to)];
      if (from === undefined || target === undefined) continue;
      yield `<path d="M${from.x} ${from.y + CARD.height / 2}L${target.x + CARD.width} ${target.y + CARD.height / 2}" stroke="${inks.quiet}" stroke-dasharray="3 4" fill="none"/>\n`;
    }
  }
}

/** Approximate width of a text, in pixels: East Asian characters and emoji take twice the space. */
const widthOf = (text: string, size: number): number => {
  let width = 0;
  for (const letter of text) width += (letter.codePointAt(0) ?? 0) > 0x2e7f ? size : size * LETTER_WIDTH;
  return width;
};

/** Truncates a text to the available width, with an ellipsis. */
const clipped = (text: string, room: number, size: number): string => {
  if (widthOf(text, size) <= room) return text;
  let kept = '';
  for (const letter of text) {
    if (widthOf(`${kept}${letter}…`, size) > room) break;
    kept += letter;
  }
  return `${kept.trimEnd()}…`;
};

/** The first lines of a text, broken between words if possible. */
const wrapped = (text: string, room: number): string[] => {
  const lines: string[] = [];
  // Only looks at what can fit: a message may be as long as a book.
  let rest = oneLine(text.slice(0, 400));
  while (rest !== '' && lines.length < LINES - 1) {
    const line = firstWords(rest, room, (part) => widthOf(part, FONT_SIZE));
    lines.push(line);
    rest = rest.slice(line.length).trimStart();
  }
  return rest === '' ? lines : [...lines, clipped(rest, room, FONT_SIZE)];
};
