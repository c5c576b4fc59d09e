import { cp, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve } from '../../scripts/serve.mjs';

const DIST = new URL('../../dist', import.meta.url).pathname;

/** A static host with a copy of the site that can be published anew, or be gone. It sends no headers of its own. */
export class StaticHost {
  readonly #folder: string;
  #server: Awaited<ReturnType<typeof serve>>;
  readonly address: string;

  private constructor(folder: string, server: Awaited<ReturnType<typeof serve>>) {
    this.#folder = folder;
    this.#server = server;
    this.address = server.address;
  }

  static async start(): Promise<StaticHost> {
    const folder = await mkdtemp(join(tmpdir(), 'coppice-host-'));
    await cp(DIST, folder, { recursive: true });
    return new StaticHost(folder, await serve({ folder, base: '/sub/', isolated: false }));
  }

  /**
   * Publishes another version, as a build of changed sources would be: the page says which it is, and its first script goes by another
   * name. Returns that of the script before.
   */
  async publish(version: string): Promise<string> {
    const assets = await readdir(join(this.#folder, 'assets'));
    const html = await this.#read('index.html');
    const before = /src="\.\/assets\/(index-[^"]+\.js)"/.exec(html)?.[1];
    if (before === undefined || !assets.includes(before)) throw new Error('The page names no first script.');
    const after = `index-${version.padEnd(8, '_')}.js`;
    await rename(join(this.#folder, 'assets', before), join(this.#folder, 'assets', after));
    const renamed = (text: string): string => text.replaceAll(before, after);
    const marked = renamed(html).replace('</head>', `<meta name="version" content="${version}" /></head>`);
    await writeFile(join(this.#folder, 'index.html'), marked);
    // Other scripts import from the first.
    for (const name of assets.filter((one) => one.endsWith('.js') && one !== before)) {
      const text = await this.#read(`assets/${name}`);
      if (text.includes(before)) await writeFile(join(this.#folder, 'assets', name), renamed(text));
    }
    const worker = renamed(await this.#read('service-worker.js'));
    const list = worker.replace(/(url:\s*[`"']index\.html[`"'],\s*revision:\s*[`"'])[^`"']+/, `$1${version}`);
    if (list === worker) throw new Error('The service worker does not list the page.');
    await writeFile(join(this.#folder, 'service-worker.js'), list);
    return before;
  }

  /** As without a network: nothing answers any more. */
  async unplug(): Promise<void> {
    await this.#server.close();
  }

  async close(): Promise<void> {
    await this.#server.close().catch(() => undefined);
    await rm(this.#folder, { recursive: true });
  }

  #read(name: string): Promise<string> {
    return readFile(join(this.#folder, name), 'utf8');
  }
}
