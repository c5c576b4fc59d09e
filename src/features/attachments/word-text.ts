import { UnreadableFile } from './unreadable-file.ts';
import type { WordAnswer } from './word-worker.ts';

/** The text of a Word document, read in a worker that ends with it. Rejects with an UnreadableFile for one that is damaged or empty. */
export const wordText = async (data: ArrayBuffer): Promise<string> => {
  const worker = new Worker(new URL('./word-worker.ts', import.meta.url), { type: 'module', name: 'word' });
  try {
    const answer = await new Promise<WordAnswer>((resolve, reject) => {
      worker.onmessage = ({ data: said }: MessageEvent<WordAnswer>) => resolve(said);
      worker.onerror = (event) => reject(new Error(event.message || 'The reader of Word documents did not start.'));
      worker.postMessage(data, [data]);
    });
    if (!answer.ok)
      throw new UnreadableFile('It is damaged, or not a Word document. Open it in Word and save it again.');
    const text = answer.text.replace(/\n{3,}/g, '\n\n').trim();
    if (text === '') throw new UnreadableFile('There is no text in it.');
    return text;
  } finally {
    worker.terminate();
  }
};
