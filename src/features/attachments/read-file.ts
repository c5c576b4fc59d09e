import type { ReadFile } from '../../app/kernel.ts';
import { decodedText } from '../../domain/attachment.ts';
import { askWorker } from '../../engine/tasks.ts';
import type { WordAnswer } from './word-worker.ts';

/*
 * Reads what is attached to a message. That belongs to the message field, so this folder has no `feature.ts`: the app
 * is given `readFile` by main.tsx.
 */

/** Maximum bytes of a file, by type: more takes a browser too long, or cannot be sent to a model. */
export const FILE_LIMITS = { picture: 20_000_000, document: 50_000_000, text: 5_000_000 } as const;

/** Maximum text read from one file, in UTF-16 units: it is stored in the log, and every search scans it. About 200 pages. */
export const MOST_TEXT = 600_000;

/** A file that cannot be attached; the message is for the person. */
class UnreadableFile extends Error {}

const PICTURES: readonly { readonly type: string; readonly begins: RegExp }[] = [
  { type: 'image/png', begins: /^\x89PNG\r\n/ },
  { type: 'image/jpeg', begins: /^\xff\xd8\xff/ },
  { type: 'image/gif', begins: /^GIF8/ },
  { type: 'image/webp', begins: /^RIFF....WEBP/s },
];
const PDF = 'application/pdf';
const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const BYTES_LOOKED_AT = 4096;

/**
 * Reads a file to be attached to a message. Its type is determined by its bytes; the name only matters for archives. The
 * signal ends a long reading.
 */
export const readFile = async (file: File, signal?: AbortSignal): Promise<ReadFile> => {
  try {
    const begin = latin(new Uint8Array(await file.slice(0, BYTES_LOOKED_AT).arrayBuffer()));
    const { mediaType, text } = await contentOf(file, begin, signal);
    if (text !== undefined && text.length > MOST_TEXT) {
      const most = MOST_TEXT.toLocaleString('en');
      // A PDF is read only until it is too long.
      const length = mediaType === PDF ? `more than ${most}` : text.length.toLocaleString('en');
      throw new UnreadableFile(
        `It has ${length} characters of text, but a conversation can keep at most ${most} per file. Attach only the part that matters.`,
      );
    }
    const bytes = new Blob([file], { type: mediaType });
    const id = await sha256(file);
    const attachment = { id, name: file.name, mediaType, size: file.size };
    return { ok: true, bytes, attachment: text === undefined ? attachment : { ...attachment, text } };
  } catch (error) {
    if (error instanceof UnreadableFile) return { ok: false, why: error.message };
    // It was moved or deleted after it was chosen, its drive is gone, or it is a folder that was dropped.
    if (error instanceof DOMException && ['NotReadableError', 'NotFoundError'].includes(error.name)) {
      return {
        ok: false,
        why: 'The browser can’t read it. It may have been moved or deleted, or it is a folder. Choose a file again.',
      };
    }
    throw error;
  }
};

interface Content {
  readonly mediaType: string;
  /** Omitted for a picture. */
  readonly text?: string;
}

const contentOf = async (file: File, begin: string, signal?: AbortSignal): Promise<Content> => {
  if (file.size === 0) throw new UnreadableFile('There is nothing in it.');
  const picture = PICTURES.find(({ begins }) => begins.test(begin));
  if (picture !== undefined) {
    atMost(file, 'picture', 'Make it smaller, or crop it.');
    const bitmap = await createImageBitmap(file).catch(() => {
      throw new UnreadableFile('It is damaged and can’t be displayed. Save it again as a PNG or JPEG.');
    });
    bitmap.close();
    return { mediaType: picture.type };
  }
  if (isPdf(begin)) {
    atMost(file, 'document', 'Attach the pages that matter.');
    const { pdfText } = await import('./pdf-text.ts');
    const read = await pdfText(new Uint8Array(await file.arrayBuffer()), MOST_TEXT, signal);
    if (!read.ok) throw new UnreadableFile(read.why);
    return { mediaType: PDF, text: read.text };
  }
  if (begin.startsWith('PK') && (file.type === WORD || /\.docx$/i.test(file.name))) {
    atMost(file, 'document', 'Attach the part that matters.');
    return { mediaType: WORD, text: await wordText(await file.arrayBuffer(), signal) };
  }
  return { mediaType: file.type || 'text/plain', text: await plainText(file, begin) };
};

/** Up to 1024 bytes may precede the marker (ISO 32000-1, Annex H.3.4.1); a text that only mentions it is no PDF. */
const isPdf = (begin: string): boolean =>
  begin.trimStart().startsWith('%PDF-') || (/(?<![\t\x20-\x7e])%PDF-/.test(begin.slice(0, 1024)) && !isUtf8(begin));

const isUtf8 = (begin: string): boolean => {
  try {
    // The last character may be cut off.
    new TextDecoder('utf-8', { fatal: true }).decode(
      Uint8Array.from(begin, (letter) => letter.charCodeAt(0)),
      { stream: true },
    );
    return true;
  } catch {
    return false;
  }
};

const atMost = ({ size }: File, kind: keyof typeof FILE_LIMITS, advice: string): void => {
  const most = FILE_LIMITS[kind];
  if (size <= most) return;
  const megabytes = (bytes: number) => `${Math.ceil(bytes / 1_000_000)} MB`;
  const called = { picture: 'picture', document: 'document', text: 'text file' }[kind];
  throw new UnreadableFile(`It is ${megabytes(size)}; a ${called} may be at most ${megabytes(most)}. ${advice}`);
};

const plainText = async (file: File, begin: string): Promise<string> => {
  const isUtf16 = /^(?:\xff\xfe|\xfe\xff)/.test(begin);
  if (!isUtf16 && begin.includes('\0')) throw new UnreadableFile(notText(file, begin));
  atMost(file, 'text', 'Attach the part that matters.');
  const text = decodedText(new Uint8Array(await file.arrayBuffer()), globalThis.navigator?.languages ?? []);
  if (text.trim() === '') throw new UnreadableFile('There are no words in it.');
  return text;
};

/** Explains why a file that is neither text nor another supported type cannot be attached. */
const notText = ({ name, type }: File, begin: string): string => {
  if (begin.startsWith('PK')) {
    return 'It is an archive or an archived document. Unpack it and attach the files inside, or save the document as a PDF.';
  }
  if (begin.startsWith('\xd0\xcf\x11\xe0')) {
    return /\.(?:docx|xlsx|pptx)$/i.test(name)
      ? 'It may be locked with a password. Save it without one, as a .docx or PDF, and attach that.'
      : 'It uses an older Office format. Save it as a .docx or PDF.';
  }
  if (type.startsWith('image/') || /\.(heic|heif|avif|tiff?|bmp)$/i.test(name)) {
    return 'Models take pictures as PNG, JPEG, WebP or GIF. Save it as one of these.';
  }
  return 'Text, code, CSV, PDF, Word (.docx) and pictures can be attached; this is none of them.';
};

const latin = (bytes: Uint8Array): string => String.fromCharCode(...bytes);

/** In hex. A page loaded without TLS has no `crypto.subtle`. */
export const sha256 = async (file: Blob): Promise<string> => {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const { bytesToHex } = await import('@noble/hashes/utils.js');
  if (globalThis.crypto?.subtle !== undefined) {
    return bytesToHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));
  }
  const { sha256: digest } = await import('@noble/hashes/sha2.js');
  return bytesToHex(digest(bytes));
};

/** The text of a Word document, read in a worker. Rejects with an UnreadableFile if it is damaged, too large or empty. */
const wordText = async (data: ArrayBuffer, signal?: AbortSignal): Promise<string> => {
  const worker = new Worker(new URL('./word-worker.ts', import.meta.url), { type: 'module', name: 'word' });
  const failed = 'The Word document reader did not start.';
  const answer = await askWorker<WordAnswer>(worker, data, { failed, transfer: [data], ...(signal && { signal }) });
  if (!answer.ok) throw new UnreadableFile(answer.why);
  const text = answer.text.replace(/\n{3,}/g, '\n\n').trim();
  if (text === '') throw new UnreadableFile('There is no text in it.');
  return text;
};
