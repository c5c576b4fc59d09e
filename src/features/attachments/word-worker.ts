import mammoth from 'mammoth';

/*
 * Takes the bytes of one .docx, posts one answer: its text without its looks, paragraphs apart, or that it could not be read.
 */

export type WordAnswer = { readonly ok: true; readonly text: string } | { readonly ok: false };

self.onmessage = async ({ data }: MessageEvent<ArrayBuffer>) => {
  const answer: WordAnswer = await mammoth.extractRawText({ arrayBuffer: data }).then(
    ({ value }) => ({ ok: true, text: value }),
    // Whatever it stumbled over, the person can do the same about it.
    () => ({ ok: false }),
  );
  self.postMessage(answer);
};
