import rehypeHighlight from 'rehype-highlight';

/** What a piece of code is, as far as colour goes; null for what has none. */
type CodeKind = 'comment' | 'keyword' | 'string' | 'number' | 'name' | 'type' | 'added' | 'removed' | null;

export interface CodePiece {
  readonly text: string;
  readonly kind: CodeKind;
}

/** By the classes of highlight.js, of which there are more than eyes tell apart. */
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
/** What it says of a language that it does not know; the code then stays as it is. */
const quiet = { message: () => undefined } as never;

/** The pieces of a text of code, in order; one piece where the language is not known. */
export const paint = (code: string, language: string): readonly CodePiece[] => {
  const text = { type: 'text' as const, value: code };
  const element = (tagName: string, children: Content[], className: string[] = []): Content =>
    ({ type: 'element', tagName, properties: { className }, children }) as Content;
  // The plugin looks for the code of a `pre`, as markdown makes it.
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
