import { FileText, FileX, Image as ImageIcon, X } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { type Attachment, isPicture } from '../../domain/attachment.ts';
import { bytesInWords } from '../../domain/numbers.ts';
import { useActions, useApp } from '../app-context.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { download } from '../parts/download.ts';
import { count } from '../parts/format.ts';
import { Ellipsis, Muted, Note } from '../parts/text.tsx';
import styles from './attachments.module.css';

/* The views of files attached to messages. Loaded when the first one appears. */

type Bytes =
  | { readonly state: 'loading' | 'gone' }
  | { readonly state: 'here'; readonly blob: Blob; readonly url: string };

/** A file's bytes, with an object URL for as long as they are shown. `wanted`: whether to fetch them. */
const useBytes = (attachment: Attachment, wanted = true): Bytes => {
  const { bytesOf } = useActions();
  const [found, setFound] = useState<Bytes>({ state: 'loading' });
  useEffect(() => {
    if (!wanted) return;
    let url: string | null = null;
    let over = false;
    void bytesOf(attachment)
      // An unreadable file counts as gone; storage failures are reported for the conversation.
      .catch(() => undefined)
      .then((blob) => {
        if (over) return;
        if (blob === undefined) return setFound({ state: 'gone' });
        url = URL.createObjectURL(blob);
        setFound({ state: 'here', blob, url });
      });
    return () => {
      over = true;
      if (url !== null) URL.revokeObjectURL(url);
    };
  }, [attachment, bytesOf, wanted]);
  return found;
};

/** Two files being read may have one name, and those before one go as they are done. */
const numbers = new WeakMap<File, number>();
let numbered = 0;
const numberOf = (file: File): number => {
  const number = numbers.get(file) ?? ++numbered;
  numbers.set(file, number);
  return number;
};

const keyOf = ({ id, name }: Attachment, at: number): string => `${id ?? at} ${name}`;

/** A small preview of a file, if it is a picture. */
const Thumbnail = ({ attachment }: { attachment: Attachment }) => {
  const shown = isPicture(attachment) && attachment.id !== null;
  const found = useBytes(attachment, shown);
  const [broken, setBroken] = useState(false);
  if (shown && found.state === 'here' && !broken) {
    return <img className={styles.thumbnail} src={found.url} alt="" onError={() => setBroken(true)} />;
  }
  const Icon = attachment.id === null || found.state === 'gone' ? FileX : isPicture(attachment) ? ImageIcon : FileText;
  return <Icon className={styles.icon} size={16} strokeWidth={1.8} aria-hidden />;
};

/** A file's size, or that it is missing. */
const aboutFile = ({ id, size }: Attachment): string => (id === null ? 'was not in the export' : bytesInWords(size));

/** What goes with the next message: the attached files, those still being read, and what to know before sending. */
export const DraftAttachments = ({ field }: { field: RefObject<HTMLTextAreaElement | null> }) => {
  const { detach, stopAttaching } = useActions();
  const attached = useApp((state) => state.session.attached);
  const attaching = useApp((state) => state.session.attaching);
  const list = useRef<HTMLUListElement>(null);

  const remove = (one: Attachment | File) => {
    const at = [...attached, ...attaching].indexOf(one);
    if (one instanceof File) stopAttaching(one);
    else void detach(one);
    // Focus the file that takes its place, or the message field.
    requestAnimationFrame(() => {
      const others = list.current?.querySelectorAll<HTMLElement>('button') ?? [];
      (others[Math.min(at, others.length - 1)] ?? field.current)?.focus();
    });
  };
  const removal = (one: Attachment | File) => (
    <IconButton
      size="small"
      label={`Remove ${one.name}`}
      icon={X}
      className={styles.remove ?? ''}
      onClick={() => remove(one)}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key !== 'Delete' && event.key !== 'Backspace') return;
        event.preventDefault();
        if (!event.repeat) remove(one);
      }}
    />
  );

  if (attached.length === 0 && attaching.length === 0) return null;
  return (
    <>
      <ul ref={list} className={styles.chips} aria-label="Attached">
        {attached.map((one, at) => (
          <li key={keyOf(one, at)} className={styles.chip}>
            <Thumbnail attachment={one} />
            <Ellipsis>{one.name}</Ellipsis>
            <Muted as="span" faint className={styles.size ?? ''}>
              {bytesInWords(one.size)}
            </Muted>
            {removal(one)}
          </li>
        ))}
        {attaching.map((one) => (
          <li key={`reading ${numberOf(one)}`} className={styles.chip} data-reading>
            <Ellipsis>{one.name}</Ellipsis>
            <Muted as="span" faint className={styles.size ?? ''}>
              is being read…
            </Muted>
            {removal(one)}
          </li>
        ))}
      </ul>
      <SeesNothing pictures={attached.filter((one) => isPicture(one) && one.text === undefined)} />
    </>
  );
};

/** Offers to send a long pasted text as a file instead, so that the words around it stay in view. */
export const PastedOffer = ({ text, onDone }: { text: string; onDone: () => void }) => {
  const { attachInstead } = useActions();
  const found = useApp((state) => state.session.draft.includes(text));
  // The browser inserts the text only after this has been shown.
  const inserted = useRef('');
  useEffect(() => {
    if (found) inserted.current = text;
    else if (inserted.current === text) onDone();
  }, [found, text, onDone]);
  if (!found) return null;
  return (
    <p className={styles.warning}>
      {count(text.length)} characters were pasted.{' '}
      <button
        type="button"
        className={styles.link}
        onClick={() => {
          void attachInstead(text);
          onDone();
        }}
      >
        Attach as a file instead
      </button>
    </p>
  );
};

/** Warns before sending that the chosen model cannot see pictures. */
const SeesNothing = ({ pictures }: { pictures: readonly Attachment[] }) => {
  const { chatSees, session } = useActions();
  const chat = useApp((state) => state.models.chat);
  if (pictures.length === 0 || chat.state === 'loading' || chatSees()) return null;
  const them = pictures.length === 1 ? 'this picture' : 'these pictures';
  return (
    <p className={styles.warning} role="status">
      {chat.choice.kind === 'embedded'
        ? `No language model is chosen, so no model sees ${them}.`
        : `${chat.name} cannot see ${them} and only gets ${pictures.length === 1 ? 'its name' : 'their names'}.`}{' '}
      <button type="button" className={styles.link} onClick={() => session({ dialog: 'models', with: 'chat' })}>
        Choose a model that can see pictures
      </button>
    </p>
  );
};

/** Files of a sent message: pictures as thumbnails, others by name; each opens at full size. */
export const SentAttachments = ({ attachments }: { attachments: readonly Attachment[] }) => {
  const [open, setOpen] = useState<Attachment | null>(null);
  return (
    <>
      <ul className={styles.sent} aria-label="Attachments">
        {attachments.map((one, at) => (
          <li key={keyOf(one, at)}>
            {one.id === null ? (
              <span className={styles.missing}>
                <FileX size={14} strokeWidth={1.8} aria-hidden />
                {one.name} was not in the export
              </span>
            ) : (
              <button type="button" className={styles.file} onClick={() => setOpen(one)}>
                <Thumbnail attachment={one} />
                <Ellipsis fit className={styles.name}>
                  {one.name}
                </Ellipsis>
              </button>
            )}
          </li>
        ))}
      </ul>
      {open !== null && <Viewer attachment={open} onClose={() => setOpen(null)} />}
    </>
  );
};

/** A turn's files with their details, each with a way to save it. */
export const AttachmentList = ({ attachments }: { attachments: readonly Attachment[] }) => {
  const [open, setOpen] = useState<Attachment | null>(null);
  return (
    <>
      <ul className={styles.list}>
        {attachments.map((one, at) => (
          <li key={keyOf(one, at)}>
            <Thumbnail attachment={one} />
            {one.id === null ? (
              <Ellipsis>{one.name}</Ellipsis>
            ) : (
              <button type="button" className={`${styles.link} ${styles.listed}`} onClick={() => setOpen(one)}>
                {one.name}
              </button>
            )}
            <Muted as="span" faint className={styles.size ?? ''}>
              {aboutFile(one)}
              {one.text !== undefined && `, ${count(one.text.length)} characters`}
            </Muted>
            {one.id !== null && <SaveButton attachment={one} />}
          </li>
        ))}
      </ul>
      {open !== null && <Viewer attachment={open} onClose={() => setOpen(null)} />}
    </>
  );
};

const SaveButton = ({ attachment }: { attachment: Attachment }) => {
  const { bytesOf, announce } = useActions();
  const save = async () => {
    const blob = await bytesOf(attachment).catch(() => undefined);
    if (blob === undefined) return announce(`${attachment.name} is no longer stored here.`);
    download(attachment.name, blob, attachment.mediaType);
  };
  return (
    <Button size="small" look="quiet" aria-label={`Download ${attachment.name}`} onClick={() => void save()}>
      Download
    </Button>
  );
};

/** A file at full size: the picture, or the text that was read from it. */
const Viewer = ({ attachment, onClose }: { attachment: Attachment; onClose: () => void }) => {
  const isShown = isPicture(attachment);
  const found = useBytes(attachment, isShown);
  return (
    <Dialog
      title={attachment.name}
      description={
        attachment.text === undefined
          ? bytesInWords(attachment.size)
          : `${bytesInWords(attachment.size)}. This text was read from it; models get passages of it if it is long.`
      }
      size="wide"
      onClose={onClose}
      actions={<SaveButton attachment={attachment} />}
    >
      {attachment.text !== undefined ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keys
        <pre className={styles.text} tabIndex={0} role="group" aria-label="Text">
          {attachment.text}
        </pre>
      ) : found.state === 'here' ? (
        <img className={styles.picture} src={found.url} alt={attachment.name} />
      ) : (
        <Note>
          {!isShown
            ? 'It cannot be shown here. Download it to open it.'
            : found.state === 'loading'
              ? 'Loading…'
              : 'It is no longer stored here.'}
        </Note>
      )}
    </Dialog>
  );
};
