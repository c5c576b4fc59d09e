import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve } from '../../scripts/serve.mjs';

const DIST = new URL('../../dist', import.meta.url).pathname;

/** The hash in a script's name, except its first character. */
const HASHED = /-[\w-]([\w-]{7})\.js$/;

/** A static host with a copy of the site that can be redeployed, or taken down. It sends no headers of its own. */
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
   * Deploys another version, as a build of changed sources would be: the page states its version, and every script gets
   * a new name. Returns the first script's previous name. `version`: one character.
   */
  async publish(version: string): Promise<string> {
    const html = await this.#read('index.html');
    const before = /src="\.\/assets\/(index-[^"]+\.js)"/.exec(html)?.[1];
    if (before === undefined) throw new Error('The page names no first script.');
    const scripts = (await readdir(join(this.#folder, 'assets'))).filter((name) => HASHED.test(name));
    // Also reversed, because the hash may already start with that character.
    const hashed = (_: string, rest: string) => `-${version}${[...rest].reverse().join('')}.js`;
    const names = new Map(scripts.map((name) => [name, name.replace(HASHED, hashed)]));
    const renamed = (text: string): string =>
      text.replaceAll(/(?<![\w.-])[\w.-]+-[\w-]{8}\.js/g, (name) => names.get(name) ?? name);
    for (const [name, after] of names) {
      await writeFile(join(this.#folder, 'assets', after), renamed(await this.#read(`assets/${name}`)));
      await rm(join(this.#folder, 'assets', name));
    }
    const marked = renamed(html).replace('</head>', `<meta name="version" content="${version}" /></head>`);
    await writeFile(join(this.#folder, 'index.html'), marked);
    const worker = renamed(await this.#read('service-worker.js'));
    const list = worker.replace(/(url:\s*[`"']index\.html[`"'],\s*revision:\s*[`"'])[^`"']+/, `$1${version}`);
    if (list === worker) throw new Error('The service worker does not list the page.');
    await writeFile(join(this.#folder, 'service-worker.js'), list);
    return before;
  }

  /** Like losing the network: nothing responds any more. */
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
