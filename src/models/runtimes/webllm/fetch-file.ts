import { md5 } from '@noble/hashes/legacy.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { ModelFailure } from '../../../engine/model-failure.ts';
import { failureOfNoAnswer, failureOfStatus } from '../../store/http-failure.ts';
import { isQuota } from '../../store/space.ts';
import { fileInWords } from '../../store/words.ts';
import { dropFile, keepFile } from './kept-files.ts';
import { corrupt, type ModelFile } from './model-files.ts';

/** Milliseconds before each further try after the line broke. */
const RETRY_AFTER = [500, 2000];

/** Bytes of this file that are here, and of all of it where the server told. */
type OnBytes = (loaded: number, total: number | null) => void;

/**
 * Fetches a file into the library's cache. It is kept whole and checked, or not at all. Rejects with a ModelFailure
 * or the signal's reason.
 */
export const fetchFile = async (file: ModelFile, signal: AbortSignal, onBytes: OnBytes): Promise<void> => {
  for (let tries = 0; ; tries += 1) {
    try {
      return await once(file, signal, onBytes);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      const pause = RETRY_AFTER[tries];
      if (pause === undefined || !(error instanceof ModelFailure) || !PASSES.has(error.kind)) throw error;
      await new Promise((later) => setTimeout(later, pause));
      signal.throwIfAborted();
    }
  }
};

const PASSES: ReadonlySet<string> = new Set(['download-interrupted', 'rate-limited', 'server-error']);

const once = async (file: ModelFile, signal: AbortSignal, onBytes: OnBytes): Promise<void> => {
  const response = await ask(file.source, signal);
  const told = Number(response.headers.get('content-length'));
  // Compressed on the way, the length told is not that of the file.
  const total = file.shard?.bytes ?? (told > 0 && !response.headers.has('content-encoding') ? told : null);
  const watch = new Watched(file, total, onBytes);
  try {
    const body = (response.body ?? new Blob([]).stream()).pipeThrough(watch.stream);
    if (file.shard !== null) {
      await keepFile(file, body, file.shard.bytes);
    } else {
      const bytes = await new Response(body).arrayBuffer();
      await file.check(bytes);
      await keepFile(file, bytes, bytes.byteLength);
    }
  } catch (error) {
    await dropFile(file).catch(() => undefined);
    throw watch.failure ?? bodyFailure(error, file, signal);
  }
};

const ask = async (source: string, signal: AbortSignal): Promise<Response> => {
  // It is kept in the library's cache; the browser's own would hold it a second time.
  const response = await fetch(source, { signal, cache: 'no-store' }).catch(async (error: unknown) => {
    throw signal.aborted ? signal.reason : await failureOfNoAnswer(source, error);
  });
  if (!response.ok) throw failureOfStatus(response.status, source);
  return response;
};

/** Counts what passes, and lets a shard end only if it is the one that was named. */
class Watched {
  readonly stream: TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>;
  failure: ModelFailure | null = null;

  constructor(file: ModelFile, total: number | null, onBytes: OnBytes) {
    const hash = file.shard?.md5 ? md5.create() : null;
    let loaded = 0;
    this.stream = new TransformStream({
      transform: (piece, controller) => {
        hash?.update(piece);
        loaded += piece.length;
        onBytes(loaded, total);
        controller.enqueue(piece);
      },
      flush: (controller) => {
        if (file.shard === null) return;
        const { bytes, md5: expected } = file.shard;
        const why =
          loaded !== bytes
            ? `it is ${loaded} bytes long, not ${bytes}`
            : hash !== null && bytesToHex(hash.digest()) !== expected?.toLowerCase()
              ? 'its MD5 differs'
              : null;
        if (why === null) return;
        this.failure = corrupt(file.source, why);
        controller.error(this.failure);
      },
    });
  }
}

const bodyFailure = (error: unknown, { source }: ModelFile, signal: AbortSignal): unknown => {
  if (signal.aborted) return signal.reason;
  // Storage that is full, and files that are not what they should be, say so themselves.
  if (error instanceof ModelFailure || isQuota(error)) return error;
  return new ModelFailure(
    'download-interrupted',
    `The download of ${fileInWords(source)} broke off. What came is kept: try again to go on from there.`,
    { cause: error },
  );
};
