import rehypeHighlight from 'rehype-highlight';

/** The kind of a piece of code, for its colour; null for none. */
type CodeKind = 'comment' | 'keyword' | 'string' | 'number' | 'name' | 'type' | 'added' | 'removed' | null;

export interface CodePiece {
  readonly text: string;
  readonly kind: CodeKind;
}

/** By highlight.js class, of which there are more than the eye can tell apart. */
const KINDS: Readonly<Record<string, CodeKind>> = {
  comment: 'comment',
  quote: 'comment',
  keyword: 'keyword',
  'selector-tag': 'keyword',
  meta: 'keyword',
  doctag: 'keyword',
  'template-tag': 'keyword',
  string: 'string',
  regexp: 'string',
  char: 'string',
  link: 'string',
  number: 'number',
  literal: 'number',
  symbol: 'number',
  bullet: 'number',
  title: 'name',
  name: 'name',
  section: 'name',
  'selector-id': 'name',
  'selector-class': 'name',
  'selector-pseudo': 'name',
  type: 'type',
  built_in: 'type',
  attr: 'type',
  attribute: 'type',
  'selector-attr': 'type',
  'template-variable': 'type',
  addition: 'added',
  deletion: 'removed',
};

type Tree = Parameters<ReturnType<typeof rehypeHighlight>>[0];
type Content = Tree['children'][number];

const highlight = rehypeHighlight();
/** Discards its message about an unknown language; the code then stays as it is. */
const quiet = { message: () => undefined } as never;

/** The pieces of some code, in order; a single piece if the language is unknown. */
export const paint = (code: string, language: string): readonly CodePiece[] => {
  const text = { type: 'text' as const, value: code };
  const element = (tagName: string, children: Content[], className: string[] = []): Content =>
    ({ type: 'element', tagName, properties: { className }, children }) as Content;
  // The plugin expects code inside a `pre`, as Markdown produces it.
  const inner = element('code', [text], [`language-${language}`]);
  highlight({ type: 'root', children: [element('pre', [inner])] }, quiet);
  const pieces: CodePiece[] = [];
  collect('children' in inner ? inner.children : [], null, pieces);
  return pieces;
};

const collect = (nodes: readonly Content[], kind: CodeKind, pieces: CodePiece[]): void => {
  for (const node of nodes) {
    if (node.type === 'text') pieces.push({ text: node.value, kind });
    else if (node.type === 'element') collect(node.children, kindOf(node.properties.className) ?? kind, pieces);
  }
};

const kindOf = (classes: unknown): CodeKind | undefined => {
  const [first] = Array.isArray(classes) ? classes : [];
  return typeof first === 'string' ? KINDS[first.replace(/^hljs-/, '')] : undefined;
};
