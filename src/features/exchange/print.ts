import type { Actions } from '../../app/actions.ts';
import { type AppState, shownForest } from '../../app/state.ts';
import { conversationTitle } from '../../domain/queries.ts';
import { readPictureInks } from '../../ui/parts/picture.ts';
import { htmlPage } from './write/html.tsx';
import { markdown } from './write/markdown.ts';
import type { Scope, Writer } from './write/writer.ts';

/* The conversation as it is read, on paper or on the clipboard: the active path, or everything. */

const scopeOf = ({ session }: AppState): Scope => (session.reading === 'path' ? 'path' : 'forest');

const written = (writer: Writer, state: AppState): string => {
  const forest = shownForest(state);
  const conversation = {
    id: state.conversationId,
    title: conversationTitle(forest) || 'Conversation',
    entries: state.entries,
    forest,
  };
  return [...writer.write(conversation, { scope: scopeOf(state), inks: readPictureInks(), now: Date.now() })].join('');
};

/** Opens the browser's print dialog on the conversation alone. Resolves when that is closed. */
export const printConversation = async (state: AppState): Promise<void> => {
  const frame = document.createElement('iframe');
  frame.title = 'The conversation, to print';
  frame.setAttribute('aria-hidden', 'true');
  frame.style.cssText = 'position: fixed; inset: auto 0 0 auto; inline-size: 0; block-size: 0; border: 0';
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
  frame.srcdoc = written(htmlPage, state);
  document.body.append(frame);
  await loaded;
  const page = frame.contentWindow;
  if (page === null) return;
  const closed = new Promise((resolve) => page.addEventListener('afterprint', resolve, { once: true }));
  page.print();
  await closed;
  frame.remove();
};

/** Puts the conversation on the clipboard as Markdown, or says why not. */
export const copyAsMarkdown = async (state: AppState, announce: Actions['announce']): Promise<void> => {
  try {
    await navigator.clipboard.writeText(written(markdown, state));
    announce(
      scopeOf(state) === 'path' ? 'This path is copied as Markdown.' : 'The conversation is copied as Markdown.',
    );
  } catch {
    announce('The browser did not allow copying. Export the conversation as Markdown instead.');
  }
};
