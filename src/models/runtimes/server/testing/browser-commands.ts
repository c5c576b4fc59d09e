import type { BrowserCommand } from 'vitest/node';
import { type Fault, type OpenAiServer, type OpenAiServerOptions, startOpenAiServer } from './open-ai-server.ts';

/*
 * Lets tests in a browser start the server, which runs in Node (vitest.config.ts names these commands).
 */

const servers = new Map<string, OpenAiServer>();

const startServer: BrowserCommand<[OpenAiServerOptions]> = async (_, options) => {
  const server = await startOpenAiServer(options);
  servers.set(server.address, server);
  return server.address;
};

const failNext: BrowserCommand<[string, Fault, string | undefined]> = (_, address, fault, path) =>
  servers.get(address)?.fail(fault, path);

const stopServer: BrowserCommand<[string]> = (_, address) => servers.get(address)?.close();

export const openAiServerCommands = { startServer, failNext, stopServer };

declare module 'vitest/browser' {
  interface BrowserCommands {
    /** Starts a server whose options contain no functions. Returns its base address. */
    startServer(options: OpenAiServerOptions): Promise<string>;
    failNext(address: string, fault: Fault, path?: string): Promise<void>;
    /** May be called again for a server that is already closed. */
    stopServer(address: string): Promise<void>;
  }
}
