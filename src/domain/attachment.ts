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
