import * as z from 'zod/mini';

/** A file sent with a message. Its bytes are stored beside the log; the text extracted from it is part of the log. */
export const Attachment = z.object({
  /** SHA-256 of its bytes, in hex; null if an import names the file without containing it. */
  id: z.nullable(z.string()),
  name: z.string(),
  /** As in a Content-Type; empty if unknown. */
  mediaType: z.string(),
  /** Bytes; 0 if the file is missing. */
  size: z.number(),
  /** Text extracted from it; omitted if there is none, as for a picture. */
  text: z.optional(z.string()),
  /** Created by the assistant: it belongs to a reply and is not sent. Omitted otherwise. */
  made: z.optional(z.literal(true)),
});
export type Attachment = z.infer<typeof Attachment>;

/** Whether it can be shown as a picture. */
export const isPicture = ({ mediaType }: Pick<Attachment, 'mediaType'>): boolean => mediaType.startsWith('image/');

/** A file's name without its folders. */
export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** The name of the file at an address, without its query: a signature there would go wherever the model's name goes. */
export const fileNameIn = (url: string): string => {
  const path = URL.canParse(url) ? new URL(url).pathname : url.replace(/[?#].*/s, '');
  try {
    return baseName(decodeURIComponent(path));
  } catch {
    return baseName(path);
  }
};

const UTF_16_MARKS = [
  { label: 'utf-16le', begins: [0xff, 0xfe] },
  { label: 'utf-16be', begins: [0xfe, 0xff] },
] as const;

/** Returns the name of the encoding if a text begins with the mark of UTF-16. */
export const utf16Of = (bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null =>
  UTF_16_MARKS.find(({ begins: [first, second] }) => bytes[0] === first && bytes[1] === second)?.label ?? null;

/** Encodings in which Windows and spreadsheets still write text, by language. */
const ENCODINGS: readonly (readonly [encoding: string, languages: RegExp])[] = [
  ['windows-1250', /^(?:bs|cs|hr|hu|pl|ro|sk|sl|sq)\b/],
  ['windows-1251', /^(?:be|bg|kk|mk|mn|ru|sr|uk)\b/],
  ['windows-1253', /^el\b/],
  ['windows-1254', /^(?:az|tr)\b/],
  ['windows-1255', /^(?:he|iw)\b/],
  ['windows-1256', /^(?:ar|fa|ur)\b/],
  ['windows-1257', /^(?:et|lt|lv)\b/],
  ['windows-1258', /^vi\b/],
  ['windows-874', /^th\b/],
  ['shift_jis', /^ja\b/],
  ['euc-kr', /^ko\b/],
  ['big5', /^zh\b.*-(?:hant|tw|hk|mo)\b/],
  ['gb18030', /^zh\b/],
];
const WESTERN = 'windows-1252';

/** The encoding of a person's languages: of the first that is not English, which all of them can write. */
const encodingOf = (languages: readonly string[]): string => {
  const language = languages.map((one) => one.toLowerCase()).find((one) => !/^en\b/.test(one)) ?? '';
  return ENCODINGS.find(([, pattern]) => pattern.test(language))?.[0] ?? WESTERN;
};

/** What is not valid in an encoding of several bytes a character is not in it. */
const decodedAs = (encoding: string, bytes: Uint8Array): string => {
  try {
    return new TextDecoder(encoding, { fatal: !encoding.startsWith('windows') }).decode(bytes);
  } catch {
    return new TextDecoder(WESTERN).decode(bytes);
  }
};

/**
 * Decodes a text file: by its mark, or as UTF-8. What is hardly UTF-8 is taken for the older encoding of the reader's languages
 * (BCP 47, the preferred one first); a UTF-8 text with a few damaged letters stays one.
 */
export const decodedText = (bytes: Uint8Array, languages: readonly string[]): string => {
  const marked = utf16Of(bytes);
  if (marked !== null) return new TextDecoder(marked).decode(bytes);
  const text = new TextDecoder().decode(bytes);
  const damaged = text.match(/\ufffd/g)?.length ?? 0;
  if (damaged === 0) return text;
  const foreign = text.match(/[^\p{ASCII}\ufffd]/gu)?.length ?? 0;
  return damaged > foreign ? decodedAs(encodingOf(languages), bytes) : text;
};
