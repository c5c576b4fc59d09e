import { unzipSync, zipSync } from 'fflate';
import mammoth from 'mammoth';

/*
 * Receives the bytes of one .docx and posts one answer: its text without formatting, with separate paragraphs, or why it
 * could not be read, for the person.
 */

export type WordAnswer = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly why: string };

/** Maximum bytes of XML in a document: more than the text that may be attached takes, and few enough to be parsed. */
const MOST_XML = 50_000_000;
/** Parts of a document that hold none of its text. */
const UNREAD = /^(?:customXml|word\/(?:charts|diagrams|embeddings|glossary|theme))\//i;

const TOO_LARGE = 'It unpacks to too much for a browser. Save it as a PDF, or attach only the part that matters.';
const DAMAGED = 'It is damaged, or not a Word document. Open it in Word and save it again.';

self.onmessage = async ({ data }: MessageEvent<ArrayBuffer>) => {
  self.postMessage(await answerFor(new Uint8Array(data)));
};

const answerFor = async (docx: Uint8Array): Promise<WordAnswer> => {
  try {
    const bounded = boundedDocument(docx);
    if (bounded === null) return { ok: false, why: TOO_LARGE };
    const { value } = await mammoth.extractRawText({ arrayBuffer: bounded.buffer });
    return { ok: true, text: value };
  } catch {
    // Whatever went wrong, the remedy for the person is the same.
    return { ok: false, why: DAMAGED };
  }
};

/**
 * The document with only its XML, not compressed, so that reading it cannot unpack any more; null if that is too much. A part
 * becomes no larger than the size that it states.
 */
const boundedDocument = (docx: Uint8Array): Uint8Array<ArrayBuffer> | null => {
  let size = 0;
  const parts = unzipSync(docx, {
    filter: ({ name, compression, size: packed, originalSize }) => {
      if (!/\.(?:xml|rels)$/i.test(name) || UNREAD.test(name)) return false;
      size += compression === 0 ? packed : originalSize;
      return size <= MOST_XML;
    },
  });
  return size <= MOST_XML ? zipSync(parts, { level: 0 }) : null;
};
