import type { Actions } from '../../app/actions.ts';
import { type AppState, shownForest } from '../../app/state.ts';
import { isPicture } from '../../domain/attachment.ts';
import { conversationTitle } from '../../domain/queries.ts';
import { recordsOf } from '../../domain/table.ts';
import { readPictureInks } from '../../ui/parts/picture.ts';
import { htmlPage } from './write/html.tsx';
import { markdown } from './write/markdown.ts';
import type { Scope, Writer, WrittenConversation } from './write/writer.ts';

/* The readable conversation, on paper or on the clipboard: the active path, or everything. */

const scopeOf = ({ session }: AppState): Scope => (session.reading === 'path' ? 'path' : 'forest');

const written = (writer: Writer, state: AppState, files?: WrittenConversation['files']): string => {
  const forest = shownForest(state);
  const conversation = {
    id: state.conversationId,
    title: conversationTitle(forest) || 'Conversation',
    entries: state.entries,
    forest,
    ...(files !== undefined && { files }),
  };
  return [...writer.write(conversation, { scope: scopeOf(state), inks: readPictureInks(), now: Date.now() })].join('');
};

/** What the browser prints instead of the page. */
interface Paper {
  readonly title: string;
  readonly element: HTMLElement;
}

let paper: Paper | null = null;

/** The pictures to print, by id; null if the browser prints unasked, because it does not wait for them. */
let pictures: ReadonlyMap<string, string> | null = null;

/** Shows only the page on screen, and only the conversation on paper, from its first line to its last. */
const ON_PAPER = `
@media screen { [data-paper] { display: none } }
@media print {
  html, body { block-size: auto !important; overflow: visible !important; position: static !important }
  body > :not([data-paper]) { display: none !important }
}`;

const sheetOf = (css: string): CSSStyleSheet => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  return sheet;
};

/** Builds the print layout without the page's own styles: the conversation looks like its HTML export. */
const layOut = (state: AppState): void => {
  removePaper();
  if (shownForest(state).turnCount === 0) return;
  const page = new DOMParser().parseFromString(written(htmlPage, state, pictures ?? undefined), 'text/html');
  const styles = [...page.querySelectorAll('style')].map((style) => style.textContent).join('\n');
  const element = document.createElement('div');
  element.dataset.paper = '';
  const root = element.attachShadow({ mode: 'open' });
  // A dark theme is only for the screen.
  root.adoptedStyleSheets = [
    sheetOf(
      styles.replaceAll(/:root\b|(?<![\w-])body(?=\{)/g, ':host').replaceAll('(prefers-color-scheme:dark)', 'not all'),
    ),
  ];
  root.append(...page.body.childNodes);
  document.body.append(element);
  paper = { title: document.title, element };
  document.title = page.title;
};

const removePaper = (): void => {
  if (paper === null) return;
  paper.element.remove();
  document.title = paper.title;
  paper = null;
};

const endPrinting = (): void => {
  removePaper();
  for (const url of pictures?.values() ?? []) URL.revokeObjectURL(url);
  pictures = null;
};

let prepared = false;

/** Makes everything that prints the page, including the browser's own menu, print the conversation. */
export const printTheConversation = (state: () => AppState): void => {
  if (prepared) return;
  prepared = true;
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheetOf(ON_PAPER)];
  window.addEventListener('beforeprint', () => {
    if (paper === null) layOut(state());
  });
  window.addEventListener('afterprint', endPrinting);
};

/** Prints the conversation with its pictures. Rejects if they cannot be read. */
export const printWithPictures = async (state: () => AppState, { bytesOf }: Actions): Promise<void> => {
  printTheConversation(state);
  endPrinting();
  const urls = new Map<string, string>();
  const attachments = recordsOf(shownForest(state()).nodes).flatMap(({ attachments: all = [] }) => all);
  for (const attachment of attachments.filter(isPicture)) {
    const bytes = await bytesOf(attachment);
    if (bytes !== undefined && attachment.id !== null) urls.set(attachment.id, URL.createObjectURL(bytes));
  }
  pictures = urls;
  layOut(state());
  const shown = [...(paper?.element.shadowRoot?.querySelectorAll('img') ?? [])];
  await Promise.all(shown.map((picture) => picture.decode().catch(() => undefined)));
  window.print();
};

/** Copies the conversation to the clipboard as Markdown, or reports why it cannot. */
export const copyAsMarkdown = async (state: AppState, announce: Actions['announce']): Promise<void> => {
  try {
    await navigator.clipboard.writeText(written(markdown, state));
    announce(
      scopeOf(state) === 'path' ? 'This path was copied as Markdown.' : 'The conversation was copied as Markdown.',
    );
  } catch {
    announce('The browser blocked copying. Export the conversation as Markdown instead.');
  }
};
