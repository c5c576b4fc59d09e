import { GlobalWorkerOptions, getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import workerUrl from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?url';
import { MOST_TEXT, UnreadableFile } from './unreadable-file.ts';

GlobalWorkerOptions.workerSrc = workerUrl;

/** Predefined character maps for East Asian files that do not embed their own; each is fetched when a file names it. */
const MAPS = import.meta.glob<string>('/node_modules/pdfjs-dist/cmaps/*.bcmap', {
  query: '?url&no-inline',
  import: 'default',
  eager: true,
});

/** Provides pdf.js with auxiliary data: only character maps, as no page is rendered. */
class Maps {
  async fetch({ filename }: { readonly kind: string; readonly filename: string }): Promise<Uint8Array> {
    const url = MAPS[`/node_modules/pdfjs-dist/cmaps/${filename}`];
    if (url === undefined) throw new Error(`${filename} is not shipped`);
    return new Uint8Array(await (await fetch(url)).arrayBuffer());
  }
}

/**
 * Extracts the text of a PDF page by page, with page numbers if there are several. Rejects with an UnreadableFile for a
 * file that is locked, damaged, or has no text.
 */
export const pdfText = async (data: Uint8Array): Promise<string> => {
  const task = getDocument({
    data,
    BinaryDataFactory: Maps,
    useWorkerFetch: false,
    cMapPacked: true,
    stopAtErrors: false,
  });
  try {
    const file = await task.promise;
    const pages: string[] = [];
    let length = 0;
    for (let number = 1; number <= file.numPages && length <= MOST_TEXT; number++) {
      const page = await file.getPage(number);
      const { items } = await page.getTextContent();
      const text = items
        .map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : ''))
        .join('')
        .trim();
      page.cleanup();
      length += text.length;
      if (text !== '') pages.push(file.numPages === 1 ? text : `[page ${number}]\n${text}`);
    }
    if (pages.length === 0) {
      throw new UnreadableFile(
        'There is no text in it: its pages are pictures, as from a scanner. Attach them as pictures for a model that can see them, or run text recognition first.',
      );
    }
    return pages.join('\n\n');
  } catch (error) {
    throw unreadable(error);
  } finally {
    await task.destroy();
  }
};

const unreadable = (error: unknown): unknown => {
  const name = error instanceof Error ? error.name : '';
  if (name === 'PasswordException') {
    return new UnreadableFile('It is locked with a password. Save it without one and attach that.');
  }
  if (name === 'InvalidPDFException' || name === 'FormatError') {
    return new UnreadableFile('The PDF is damaged. Save or download it again.');
  }
  return error;
};
