import { GlobalWorkerOptions, getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import workerUrl from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?url';

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

/** The text of a PDF; for a file that is locked, damaged or has no text, why it cannot be read, for the person. */
type PdfText = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly why: string };

/**
 * Extracts the text of a PDF page by page, with page numbers if there are several, and stops once it is longer than
 * `most` UTF-16 units. Rejects if the signal fires.
 */
export const pdfText = async (data: Uint8Array, most: number, signal?: AbortSignal): Promise<PdfText> => {
  signal?.throwIfAborted();
  const task = getDocument({
    data,
    BinaryDataFactory: Maps,
    useWorkerFetch: false,
    cMapPacked: true,
    stopAtErrors: false,
  });
  // What is being waited for then rejects.
  signal?.addEventListener('abort', () => void task.destroy());
  try {
    const file = await task.promise;
    const pages: string[] = [];
    let length = 0;
    for (let number = 1; number <= file.numPages && length <= most; number++) {
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
      return unreadable(
        'There is no text in it: its pages are pictures, as from a scanner. Attach them as pictures for a model that can see them, or run text recognition first.',
      );
    }
    return { ok: true, text: pages.join('\n\n') };
  } catch (error) {
    signal?.throwIfAborted();
    const name = error instanceof Error ? error.name : '';
    if (name === 'PasswordException') {
      return unreadable('It is locked with a password. Save it without one and attach that.');
    }
    if (DAMAGED.has(name)) {
      return unreadable('The PDF is damaged. Save or download it again.');
    }
    throw error;
  } finally {
    await task.destroy();
  }
};

/** pdf.js gives its worker's other errors the last name: those of what it came across in the file. */
const DAMAGED: ReadonlySet<string> = new Set(['InvalidPDFException', 'FormatError', 'UnknownErrorException']);

const unreadable = (why: string): PdfText => ({ ok: false, why });
