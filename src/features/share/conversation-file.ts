import { escapedMarkup } from '../../ui/parts/format.ts';
import type { Still } from '../../ui/still/still.ts';
import viewerUrl from './viewer/standalone.ts?worker&url';

/**
 * A page that needs nothing but itself: it opens from anywhere, offline, and shows a conversation without a way to change it. Its own policy
 * lets nothing be fetched, and no script run but the one in it. Rejects where that script cannot be read.
 */
export const conversationFile = async (still: Still): Promise<Blob> => {
  const answer = await fetch(viewerUrl);
  if (!answer.ok) throw new Error('The viewer could not be loaded. Reload the page, then save the file again.');
  const script = (await answer.text()).replaceAll('</script', '<\\/script').trim();
  const policy = `default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src ${await sourceOf(script)}`;
  const data = JSON.stringify(still).replaceAll('<', '\\u003c');
  return new Blob(
    [
      `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="generator" content="Coppice">
<title>${escapedMarkup(still.title)}</title>
<style>${STYLE}</style>
</head>
<body>
<header><h1 dir="auto">${escapedMarkup(still.title)}</h1><p>Read only. Click a turn, or use the arrow keys.</p></header>
<main id="viewer"><noscript>This page draws a conversation by a script of its own, which is turned off here.</noscript></main>
<script type="application/json" id="conversation">${data}</script>
<script>`,
      script,
      '</script>\n</body>\n</html>\n',
    ],
    { type: 'text/html;charset=utf-8' },
  );
};

/** How the policy names a script: by its hash, where the browser can make one. */
const sourceOf = async (script: string): Promise<string> => {
  // Missing where the page is served without TLS.
  if (globalThis.crypto.subtle === undefined) return "'unsafe-inline'";
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(script));
  return `'sha256-${btoa(String.fromCharCode(...new Uint8Array(hash)))}'`;
};

/** The theme's colours, written out: the page has no other file. */
const LIGHT = ['#4f7be8', '#1f9c6c', '#b2560f', '#7a3a78', '#0f7fa3', '#b07a00', '#7a4fd0', '#9c1f2e'];
const DARK = ['#8fb0ff', '#86d6a4', '#eb9c66', '#e59fcb', '#63d2f0', '#e6bf4a', '#a98ad2', '#d97a83'];
const coloursIn = (colours: readonly string[]): string => colours.map((one, at) => `--topic-${at}:${one}`).join(';');

const STYLE = `
:root{color-scheme:light dark;--bg:#fbfaf7;--panel:#fff;--sunk:#f4f2ee;--ink:#1f1e1b;--ink-2:#5f5d57;--line:#e3e1dc;--line-2:#cfccc5;--focus:#1f5fd0;--font:system-ui,-apple-system,"Segoe UI",Roboto,Helvetica,Arial,sans-serif;--mono:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;${coloursIn(LIGHT)}}
@media (prefers-color-scheme:dark){:root{--bg:#171613;--panel:#1f1e1b;--sunk:#12110f;--ink:#edebe6;--ink-2:#b3b0a9;--line:#3a3833;--line-2:#4d4a44;--focus:#8fb0ff;${coloursIn(DARK)}}}
html,body{height:100%;margin:0}
body{display:grid;grid-template-rows:auto minmax(0,1fr);background:var(--bg);color:var(--ink);font:14px/1.5 var(--font)}
header{display:flex;flex-wrap:wrap;gap:0 16px;align-items:baseline;padding:10px 16px;border-bottom:1px solid var(--line);background:var(--panel)}
h1{margin:0;font-size:16px}header p{margin:0;color:var(--ink-2);font-size:13px}
@media print{header p{display:none}}
`;
