import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test';
import { launchOptions } from '../scripts/find-browser.mjs';
import { root } from '../scripts/run.mjs';
import { type Figure, median } from './figure.ts';

/** Lighthouse's settings for phones: a slow 4G connection and a CPU slowdown of four. */
const LINE = { latency: 150, downloadThroughput: (1.6 * 1024 * 1024) / 8, uploadThroughput: (750 * 1024) / 8 };
const SLOWER = 4;
const VISITS = 5;
/** Upper ends of Lighthouse's green range for phones: first contentful paint and time to interactive. On an otherwise idle machine. */
const GOALS_MS = { paint: 1_800, typing: 3_800 };

/** A page with nothing but a text field: what the connection and the browser take by themselves. */
const BARE = '<!doctype html><title>Bare</title><p>Write:</p><textarea aria-label="Message"></textarea>';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
};

/** Serves the built page as static hosts do, compressed, along with a bare page. */
const startHost = async () => {
  const packed = new Map<string, Buffer>();
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://host');
    const path = pathname.endsWith('/') ? `${pathname}index.html` : pathname;
    try {
      const body =
        packed.get(path) ?? gzipSync(path === '/bare.html' ? BARE : await readFile(join(root, 'dist', path)));
      packed.set(path, body);
      const type = TYPES[extname(path)] ?? 'application/octet-stream';
      response
        .writeHead(200, { 'Content-Type': type, 'Content-Encoding': 'gzip', 'Cache-Control': 'no-cache' })
        .end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  };
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close };
};

interface Visit {
  readonly paint: number;
  readonly typing: number;
}

/** Opens an address as a slow phone would. A letter counts as typed in the frame that shows it. */
const visit = async (page: Page, address: string): Promise<Visit> => {
  const client = await page.context().newCDPSession(page);
  await client.send('Network.enable');
  await client.send('Network.emulateNetworkConditions', { offline: false, ...LINE });
  await client.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  await page.addInitScript(() => {
    const look = () => {
      const field = document.querySelector<HTMLTextAreaElement>('textarea[aria-label=Message]:enabled');
      if (field === null) return requestAnimationFrame(look);
      field.focus();
      document.execCommand('insertText', false, 'a');
      requestAnimationFrame(function shown() {
        if (field.value === 'a') performance.mark('typed');
        else requestAnimationFrame(shown);
      });
    };
    requestAnimationFrame(look);
  });
  await page.goto(address);
  const typed = await page.waitForFunction(() => performance.getEntriesByName('typed')[0]?.startTime);
  const paint = await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime);
  const times = { paint: Number(await paint.jsonValue()), typing: Number(await typed.jsonValue()) };
  await page.close();
  return times;
};

const visits = async (newContext: () => Promise<BrowserContext>, address: string): Promise<Visit> => {
  const all: Visit[] = [];
  for (let i = 0; i < VISITS; i++) {
    const context = await newContext();
    all.push(await visit(await context.newPage(), address));
    await context.close();
  }
  return { paint: median(all.map(({ paint }) => paint)), typing: median(all.map(({ typing }) => typing)) };
};

/** Creates a browser that has visited before and whose service worker has cached the page. */
const returning = async (browser: Browser, address: string): Promise<BrowserContext> => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(address);
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    if (registration.active?.state !== 'activated')
      await new Promise((resolve) => registration.active?.addEventListener('statechange', resolve));
  });
  await page.close();
  return context;
};

/** Measures when a phone on a slow connection shows something and when the user can type: on the first visit and on a later one. */
export const slowLine = async (): Promise<Figure[]> => {
  const { address, close } = await startHost();
  const browser = await chromium.launch(await launchOptions());
  try {
    const bare = await visits(() => browser.newContext(), `${address}bare.html`);
    const cold = await visits(() => browser.newContext(), address);
    const kept = await visits(() => returning(browser, address), address);
    const figure = (name: string, value: number, goal: number, plain: number): Figure => ({
      name: `${name}, median of ${VISITS}`,
      value,
      unit: 'ms',
      goal,
      baseline: { name: 'a bare page', value: plain },
    });
    return [
      figure('First contentful paint, first visit', cold.paint, GOALS_MS.paint, bare.paint),
      figure('Time to typing, first visit', cold.typing, GOALS_MS.typing, bare.typing),
      figure('First contentful paint, from cache', kept.paint, GOALS_MS.paint, bare.paint),
      figure('Time to typing, from cache', kept.typing, GOALS_MS.typing, bare.typing),
    ];
  } finally {
    await browser.close();
    await close();
  }
};
