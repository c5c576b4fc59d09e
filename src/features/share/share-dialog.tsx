import { Check, Clapperboard, Copy, Download } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import type { Attachment } from '../../domain/attachment.ts';
import { recordsOf, sizeOf } from '../../domain/table.ts';
import { asSentence, errorMessage } from '../../engine/model-failure.ts';
import { createYielder } from '../../engine/tasks.ts';
import { useActions, useApp, useAppState } from '../../ui/app-context.ts';
import { Button } from '../../ui/parts/button.tsx';
import { Dialog } from '../../ui/parts/dialog.tsx';
import { download, fileName } from '../../ui/parts/download.ts';
import { count, counted, escapedMarkup } from '../../ui/parts/format.ts';
import { TaskProgress, useCancellableTask } from '../../ui/parts/progress.tsx';
import { Note } from '../../ui/parts/text.tsx';
import type { StaticForest } from '../../ui/static-forest/draw-static-forest.ts';
import { staticForestOf } from '../../ui/static-forest/static-forest-of.tsx';
import { TOPIC_PALETTES } from '../../ui/topic-colour.ts';
import { renderVideo, timesOf } from './render-video.ts';
import styles from './share.module.css';
import { isOfThisMachine } from './shared-address.ts';
import { LONGEST, packed, type SharedConversation, withoutDeleted } from './shared-link.ts';
import viewerUrl from './viewer/standalone.ts?worker&url';

/** Shares the open conversation with others: as a file, as a link, or inside a page of theirs. Nothing is sent anywhere. */
export const ShareDialog = ({ onClose }: { onClose: () => void }) => {
  const state = useAppState();
  const [conversation, setConversation] = useState<SharedConversation | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  // A purge makes another log of it.
  const log = useApp(({ entries }) => entries[0]);
  const isAnswering = useApp(({ turn }) => turn !== null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: prepared again when these change, not with every piece of a reply
  useEffect(() => {
    const closing = new AbortController();
    // Not the past, which may still have turns that were deleted since.
    const { entries, forest } = state();
    withoutDeleted(entries, forest, yielder(closing.signal)).then(setConversation, (error) => {
      if (!closing.signal.aborted) setFailure(errorMessage(error));
    });
    return () => closing.abort();
  }, [state, log, isAnswering]);
  const what =
    conversation && `“${conversation.title}”, ${counted(sizeOf(conversation.forest.nodes), 'turn')}, read-only. `;
  return (
    <Dialog
      title="Share"
      description={`${what ?? ''}Notes are included, and the names of models with the hosts of their servers; anything you deleted is not. Nothing is sent from here: you share it yourself.`}
      onClose={onClose}
    >
      {failure !== null && <p role="alert">Could not prepare the conversation: {failure}</p>}
      {failure === null && conversation === null && <Note>Preparing the conversation…</Note>}
      {conversation !== null && (
        <>
          <FileSection conversation={conversation} />
          <LinkSections conversation={conversation} />
          <FilmSection conversation={conversation} />
        </>
      )}
    </Dialog>
  );
};

const yielder = (signal: AbortSignal, before?: () => void) => createYielder(() => performance.now(), signal, before);

const Section = ({ title, about, children }: { title: string; about: string; children: ReactNode }) => (
  <section className={styles.section} aria-label={title}>
    <div>
      <h3>{title}</h3>
      <p>{about}</p>
    </div>
    <div className={styles.do}>{children}</div>
  </section>
);

const FileSection = ({ conversation }: { conversation: SharedConversation }) => {
  const { announce } = useActions();
  const task = useCancellableTask<number>();
  const [failure, setFailure] = useState<string | null>(null);
  const { title, forest, entries } = conversation;
  const name = `${fileName(title)}.conversation.html`;
  const save = async (signal: AbortSignal, show: (share: number) => void) => {
    const steps = entries.length + sizeOf(forest.nodes);
    let done = 0;
    const breathe = yielder(signal, () => show(done / steps));
    const still = await staticForestOf(title, forest, entries, () => {
      done++;
      return breathe();
    });
    const file = await conversationFile(still);
    signal.throwIfAborted();
    download(name, file, 'text/html');
    announce(`Saved as ${name}.`);
  };
  return (
    <Section
      title="One file"
      about="Opens in any browser, offline, with nothing installed: the forest, the chat, every decision and what was sent."
    >
      {task.progress ? (
        <TaskProgress label="Saving the file" words={name} done={task.progress} of={1} onCancel={task.cancel} />
      ) : (
        // Stays while a short conversation is saved, so that it keeps the focus.
        <Button look="primary" onClick={() => task.progress === null && void task.run(0, save, setFailure)}>
          <Download size={14} aria-hidden />
          Save the file
        </Button>
      )}
      {failure !== null && <p role="alert">{failure}</p>}
    </Section>
  );
};

const FilmSection = ({ conversation }: { conversation: SharedConversation }) => {
  const { announce } = useActions();
  const task = useCancellableTask<number>();
  const [failure, setFailure] = useState<string | null>(null);
  const seconds = Math.round(timesOf(sizeOf(conversation.forest.nodes)).length);
  const make = async (signal: AbortSignal, show: (share: number) => void) => {
    const { file, ending } = await renderVideo(conversation, show, signal);
    const name = `${fileName(conversation.title)}${ending}`;
    download(name, file, file.type);
    announce(`Saved as ${name}.`);
  };
  return (
    <Section
      title="Video"
      about={`The forest growing turn by turn in ${seconds} seconds, silent, for slides and posts. Uses your current theme’s colours.`}
    >
      {task.progress === null ? (
        <Button onClick={() => void task.run(0, make, setFailure)}>
          <Clapperboard size={14} aria-hidden />
          Create the video
        </Button>
      ) : (
        <TaskProgress
          label="Creating the video"
          words={fileName(conversation.title)}
          done={task.progress}
          of={1}
          onCancel={task.cancel}
        />
      )}
      {failure !== null && <p role="alert">Could not create the video: {asSentence(failure)}</p>}
    </Section>
  );
};

const LinkSections = ({ conversation }: { conversation: SharedConversation }) => {
  const [hash, setHash] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => {
    const closing = new AbortController();
    packed(conversation, yielder(closing.signal)).then(
      (made) => !closing.signal.aborted && setHash(made),
      (error) => !closing.signal.aborted && setFailure(errorMessage(error)),
    );
    return () => closing.abort();
  }, [conversation]);
  if (failure !== null) return <p role="alert">Could not create the link: {failure}</p>;
  if (hash === null) return null;
  const page = `${location.origin}${location.pathname}`;
  const isLocal = isOfThisMachine(location.hostname);
  const tooLong = hash.length > LONGEST;
  const files = recordsOf(conversation.forest.nodes).flatMap(({ attachments = [] }) => attachments);
  return (
    <>
      <Section
        title="Link"
        about={
          tooLong
            ? `The link contains the conversation itself, and this one is too long: ${count(hash.length)} characters, with a limit of ${count(LONGEST)}. Save the file instead.`
            : `The link contains the conversation itself, ${count(hash.length - 1)} characters after the #, so no server sees it.${filesWords(files)}${isLocal ? LOCAL_LINK : ''}`
        }
      >
        {!tooLong && <Copied words="Copy the link" label="Link to share" text={`${page}${hash}`} />}
      </Section>
      {!tooLong && (
        <Section title="Embed" about={`Only the canvas, in a frame on your own page.${isLocal ? LOCAL_FRAME : ''}`}>
          <Copied
            words="Copy the code"
            label="Code to embed"
            text={`<iframe src="${page}?embed${hash}" title="A conversation as a forest" width="800" height="500" style="border:0"></iframe>`}
          />
        </Section>
      )}
    </>
  );
};

const LOCAL_LINK =
  ' It opens only on machines that run Coppice at this address, such as this one. For others, save the file.';
const LOCAL_FRAME = ' It stays empty on machines that do not run Coppice at this address.';

const filesWords = (files: readonly Attachment[]): string => {
  if (files.length === 0) return '';
  // The contexts that are shown hold it, too.
  return files.some(({ text = '' }) => text !== '')
    ? ' The text read from attached files is included; the files themselves are not.'
    : ' Attached files are not included.';
};

const Copied = ({ words, label, text }: { words: string; label: string; text: string }) => {
  const [done, setDone] = useState<'copied' | 'refused' | null>(null);
  const copy = async () => {
    try {
      // Without a secure connection there is no clipboard.
      await navigator.clipboard.writeText(text);
      setDone('copied');
    } catch {
      setDone('refused');
    }
  };
  return (
    <>
      <input
        className={styles.text}
        aria-label={label}
        readOnly
        value={text}
        onFocus={(event) => event.target.select()}
      />
      <Button onClick={() => void copy()}>
        {done === 'copied' ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
        {words}
      </Button>
      <p role="status" className={styles.done}>
        {done === 'copied' && 'Copied.'}
        {done === 'refused' && 'The browser blocked copying. Select the text and copy it yourself.'}
      </p>
    </>
  );
};

/**
 * A self-contained page: it opens from anywhere, offline, and shows a conversation without a way to change it. Its own
 * content security policy lets nothing be fetched, and no script run except its own. Rejects if that script cannot be read.
 */
const conversationFile = async (still: StaticForest): Promise<Blob> => {
  const answer = await fetch(viewerUrl);
  if (!answer.ok) throw new Error('Could not load the viewer. Reload the page, then save the file again.');
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
<main id="viewer"><noscript>This page needs JavaScript to show the conversation. Turn it on and reload.</noscript></main>
<script type="application/json" id="conversation">${data}</script>
<script>`,
      script,
      '</script>\n</body>\n</html>\n',
    ],
    { type: 'text/html;charset=utf-8' },
  );
};

/** How the policy names a script: by its hash, if the browser can compute one. */
const sourceOf = async (script: string): Promise<string> => {
  // Missing if the page is served without TLS.
  if (globalThis.crypto.subtle === undefined) return "'unsafe-inline'";
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(script));
  return `'sha256-${btoa(String.fromCharCode(...new Uint8Array(hash)))}'`;
};

const coloursIn = (colours: readonly string[]): string => colours.map((one, at) => `--topic-${at}:${one}`).join(';');

const STYLE = `
:root{color-scheme:light dark;--bg:#fbfaf7;--panel:#fff;--sunk:#f4f2ee;--ink:#1f1e1b;--ink-2:#5f5d57;--line:#e3e1dc;--line-2:#cfccc5;--focus:#1f5fd0;--font:system-ui,-apple-system,"Segoe UI",Roboto,Helvetica,Arial,sans-serif;--mono:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;${coloursIn(TOPIC_PALETTES.light)}}
@media (prefers-color-scheme:dark){:root{--bg:#171613;--panel:#1f1e1b;--sunk:#12110f;--ink:#edebe6;--ink-2:#b3b0a9;--line:#3a3833;--line-2:#4d4a44;--focus:#8fb0ff;${coloursIn(TOPIC_PALETTES.dark)}}}
html,body{height:100%;margin:0}
body{display:grid;grid-template-rows:auto minmax(0,1fr);background:var(--bg);color:var(--ink);font:14px/1.5 var(--font)}
header{display:flex;flex-wrap:wrap;gap:0 16px;align-items:baseline;padding:10px 16px;border-bottom:1px solid var(--line);background:var(--panel)}
h1{margin:0;font-size:16px}header p{margin:0;color:var(--ink-2);font-size:13px}
@media print{header p{display:none}}
`;
