import { ModelFailure } from '../../engine/model-failure.ts';
import { fileInWords } from './words.ts';

/** What an answer other than the file means. */
export const failureOfStatus = (status: number, url: string): ModelFailure => {
  const file = fileInWords(url);
  if (status === 404 || status === 410) {
    return new ModelFailure('not-found', `There is no ${file}. Check the model’s name and file.`);
  }
  if (status === 401 || status === 403) {
    return new ModelFailure(
      'unauthorised',
      `The server does not give ${file} to everyone (${status}). The model may be private, or its licence has to be accepted first; choose another one.`,
    );
  }
  if (status === 429) {
    return new ModelFailure('rate-limited', `The server asks to wait before it sends ${file}. Try again in a minute.`);
  }
  return new ModelFailure('server-error', `The server could not send ${file} (${status}). Try again later.`);
};

/**
 * Why a request got no answer at all: browsers tell pages nothing of it. A request whose answer the page may not read
 * (`no-cors`) succeeds if the server is there, and then it was the server that keeps pages of this origin out.
 */
export const failureOfNoAnswer = async (url: string, cause: unknown): Promise<ModelFailure> => {
  const { host } = new URL(url);
  const answers = await fetch(url, { method: 'HEAD', mode: 'no-cors', cache: 'no-store' }).then(
    () => true,
    () => false,
  );
  if (answers) {
    return new ModelFailure(
      'cors',
      `${host} is there, but does not let this page read from it (CORS). It has to send Access-Control-Allow-Origin; else choose another address.`,
      { cause },
    );
  }
  return new ModelFailure('unreachable', unreachable(host), { cause });
};

const unreachable = (host: string): string => {
  if (typeof navigator !== 'undefined' && navigator.onLine === false) {
    return 'This machine is offline. Connect it, then try again; what was downloaded is kept.';
  }
  // Isolated by `require-corp` (Safari knows nothing else), a page gets no answer without leave: the two look the same.
  return globalThis.crossOriginIsolated === true
    ? `${host} cannot be reached, or does not let this page read from it (CORS). Check the address and the network, then try again.`
    : `${host} cannot be reached. Check the address and the network, then try again.`;
};
