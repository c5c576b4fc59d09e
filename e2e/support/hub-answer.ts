import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Fault } from './hub-faults.ts';
import type { HubFile } from './hub-files.ts';

// Allows isolated pages (COEP) to load it, if they may read it.
const CORP = { 'Cross-Origin-Resource-Policy': 'cross-origin' };

const CORS = {
  ...CORP,
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'ETag, Accept-Ranges, Content-Range, Content-Length, X-Linked-Size, X-Linked-ETag',
};

export const corsOf = (fault: Fault | null): Record<string, string> => (fault?.noCors ? CORP : CORS);

/** Sends the requested bytes, whole or as a range, with the fault applied. `onSent` gets the number sent so far, from 0 on. */
export const sendFile = async (
  request: IncomingMessage,
  response: ServerResponse,
  file: HubFile,
  fault: Fault | null,
  onSent: (bytes: number) => void,
): Promise<void> => {
  const size = file.bytes.length;
  const told = size + (fault?.wrongLengthBy ?? 0);
  const etag = `"${file.sha256.slice(0, 40)}"`;
  const headers: Record<string, string> = {
    ...corsOf(fault),
    'Content-Type': 'application/octet-stream',
    ETag: etag,
    ...(fault?.noRange ? {} : { 'Accept-Ranges': 'bytes' }),
  };
  const ifRange = request.headers['if-range'];
  const range =
    fault?.noRange || (ifRange !== undefined && ifRange !== etag)
      ? null
      : /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '');
  const from = Number(range?.[1] ?? 0);
  const to = Math.min(range?.[2] ? Number(range[2]) + 1 : size, size);
  if (range && from >= size) {
    response.writeHead(416, { ...headers, 'Content-Range': `bytes */${told}` }).end();
    onSent(0);
    return;
  }
  if (range) headers['Content-Range'] = `bytes ${from}-${to - 1}/${told}`;
  // A wrong total is reported in `Content-Range`; the ranged response itself ends normally.
  headers['Content-Length'] = String(range ? to - from : told);
  response.writeHead(range ? 206 : 200, headers);
  onSent(0);
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  const bytes = fault?.corrupt ? corrupted(file.bytes) : file.bytes;
  const end = Math.min(to, fault?.cutAt ?? to, from + (fault?.cutAfter ?? to));
  let at = from;
  const step = fault?.bytesPerSecond === undefined ? 1 << 20 : Math.max(1, Math.ceil(fault.bytesPerSecond / 20));
  while (at < end && !response.destroyed) {
    const next = Math.min(at + step, end);
    await new Promise((sent) => response.write(bytes.subarray(at, next), sent));
    at = next;
    onSent(at - from);
    if (fault?.bytesPerSecond !== undefined) await new Promise((later) => setTimeout(later, 50));
  }
  if (end < to || (range === null && told > size)) response.destroy();
  else response.end();
};

const corrupted = (bytes: Buffer): Buffer => {
  const copy = Buffer.from(bytes);
  const middle = copy.length >> 1;
  copy[middle] = (copy[middle] ?? 0) ^ 0xff;
  return copy;
};
