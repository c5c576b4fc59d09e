import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Fault, Faults } from './hub-faults.ts';
import { type HubFile, hubFile, hubTree, LOCAL_REPOS } from './hub-files.ts';

/*
 * A local model hub, in the layout of Hugging Face:
 *
 *   /OWNER/NAME/resolve/REVISION/PATH        the file; a large one redirects to another origin, as on the real hub
 *   /api/models/OWNER/NAME/tree/REVISION[/FOLDER]   the contents of a repository, or of a folder in it
 *   /-/faults  PUT [Fault] | POST Fault      injects faults from now on (for tests that run in a page)
 *   /-/log     GET                           the requests so far
 */

interface HubRequest {
  readonly method: string;
  /** `OWNER/NAME/PATH`, or the URL as it was if it names no file. */
  readonly path: string;
  readonly range: string | null;
  readonly status: number;
  /** Number of body bytes sent. */
  readonly sent: number;
}

export interface Hub {
  /** Without a trailing slash. */
  readonly address: string;
  /** Serves large files: another origin. */
  readonly cdn: string;
  readonly log: readonly HubRequest[];
  /** Injects these faults from now on, replacing earlier ones. */
  fail(...faults: Fault[]): void;
  clearLog(): void;
  /** Stops listening, as if the network were down; `start` listens on the same ports again. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

interface HubOptions {
  /** Folders by `OWNER/NAME`, in addition to those of ../shared/models (`local/…`) and generated files (`made/…`). */
  readonly repos?: Readonly<Record<string, string>>;
}

export const startHub = async (options: HubOptions = {}): Promise<Hub> => {
  const repos = { ...LOCAL_REPOS, ...options.repos };
  const faults = new Faults();
  const log: HubRequest[] = [];
  const note = (request: IncomingMessage, path: string, status: number): { status: number; sent: number } => {
    const entry = { method: request.method ?? 'GET', path, range: request.headers.range ?? null, status, sent: 0 };
    log.push(entry);
    return entry;
  };

  const serveFile = async (request: IncomingMessage, response: ServerResponse, where: Where): Promise<void> => {
    const path = `${where.repo}/${where.path}`;
    // The redirect itself never fails: faults apply to the file.
    const file = hubFile(repos, where.repo, where.path);
    if (where.redirects && file?.lfs) {
      note(request, path, 302);
      response
        .writeHead(302, {
          ...corsOf(null),
          Location: `${addressOf(cdn)}${request.url}`,
          'X-Linked-Size': String(file.bytes.length),
          'X-Linked-ETag': `"${file.sha256}"`,
          'Accept-Ranges': 'bytes',
        })
        .end();
      return;
    }
    const fault = faults.strike(path);
    const status = fault?.status ?? (file === null ? 404 : null);
    if (status !== null) {
      note(request, path, status);
      const retry = fault?.retryAfter === undefined ? {} : { 'Retry-After': String(fault.retryAfter) };
      response.writeHead(status, { ...corsOf(fault), ...retry }).end(status === 404 ? 'Entry not found' : '');
      return;
    }
    const version = hubFile(repos, where.repo, where.path, fault?.version ?? 0);
    if (version !== null) {
      const entry = note(request, path, 200);
      await sendFile(request, response, version, fault, (sent) => {
        entry.status = response.statusCode;
        entry.sent = sent;
      });
    }
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', addressOf(hub));
    if (request.method === 'OPTIONS') return preflight(response);
    if (url.pathname === '/-/log') return json(response, log);
    if (url.pathname === '/-/faults') {
      const told = JSON.parse(await bodyOf(request)) as Fault | Fault[];
      if (Array.isArray(told)) faults.set(told);
      else faults.put(told);
      return json(response, {});
    }
    const [, tree, folder] = /^\/api\/models\/([^/]+\/[^/]+)\/tree\/[^/]+(?:\/(.+))?$/.exec(url.pathname) ?? [];
    if (tree !== undefined) {
      const fault = faults.strike(`api/${tree}`);
      const entries = fault?.status === undefined ? await hubTree(repos, tree, folder) : null;
      note(request, url.pathname, fault?.status ?? (entries === null ? 404 : 200));
      return json(response, entries ?? { error: 'Repository not found' }, fault?.status ?? (entries ? 200 : 404));
    }
    const file = /^\/([^/]+\/[^/]+)\/resolve\/[^/]+\/(.+)$/.exec(decodeURIComponent(url.pathname));
    if (file?.[1] !== undefined && file[2] !== undefined) {
      return serveFile(request, response, {
        repo: file[1],
        path: file[2],
        redirects: request.socket.localPort === portOf(hub),
      });
    }
    note(request, url.pathname, 404);
    return json(response, { error: 'Not found' }, 404);
  };

  const open = (): Server =>
    createServer((request, response) => {
      answer(request, response).catch(() => response.destroy());
    });
  const hub = open();
  const cdn = open();
  await listen(hub, 0);
  await listen(cdn, 0);
  const ports = [portOf(hub), portOf(cdn)] as const;

  return {
    address: addressOf(hub),
    cdn: addressOf(cdn),
    log,
    fail: (...told) => faults.set(told),
    clearLog: () => {
      log.length = 0;
    },
    stop: async () => {
      await Promise.all([close(hub), close(cdn)]);
    },
    start: async () => {
      await listen(hub, ports[0]);
      await listen(cdn, ports[1]);
    },
  };
};

interface Where {
  readonly repo: string;
  readonly path: string;
  readonly redirects: boolean;
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;
const addressOf = (server: Server): string => `http://127.0.0.1:${portOf(server)}`;

const listen = (server: Server, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });

const close = (server: Server): Promise<void> =>
  new Promise((closed) => {
    server.close(() => closed());
    server.closeAllConnections();
  });

const preflight = (response: ServerResponse): void => {
  response
    .writeHead(204, {
      ...corsOf(null),
      'Access-Control-Allow-Methods': 'GET, HEAD, PUT, POST',
      'Access-Control-Allow-Headers': 'Content-Type',
    })
    .end();
};

const json = (response: ServerResponse, value: object, status = 200): void => {
  response.writeHead(status, { ...corsOf(null), 'Content-Type': 'application/json' }).end(JSON.stringify(value));
};

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
};

// Allows isolated pages (COEP) to load it, if they may read it.
const CORP = { 'Cross-Origin-Resource-Policy': 'cross-origin' };

const CORS = {
  ...CORP,
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'ETag, Accept-Ranges, Content-Range, Content-Length, X-Linked-Size, X-Linked-ETag',
};

const corsOf = (fault: Fault | null): Record<string, string> => (fault?.noCors ? CORP : CORS);

/** Sends the requested bytes, whole or as a range, with the fault applied. `onSent` gets the number sent so far, from 0 on. */
const sendFile = async (
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
