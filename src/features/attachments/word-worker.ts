import mammoth from 'mammoth';

/*
 * Receives the bytes of one .docx and posts one answer: its text without formatting, with separate paragraphs, or that
 * it could not be read.
 */

export type WordAnswer = { readonly ok: true; readonly text: string } | { readonly ok: false };

self.onmessage = async ({ data }: MessageEvent<ArrayBuffer>) => {
  const answer: WordAnswer = await mammoth.extractRawText({ arrayBuffer: data }).then(
    ({ value }) => ({ ok: true, text: value }),
    // Whatever went wrong, the remedy for the person is the same.
    () => ({ ok: false }),
  );
  self.postMessage(answer);
};
