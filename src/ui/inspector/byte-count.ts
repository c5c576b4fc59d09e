import type { ChatMessage } from '../../domain/context.ts';
import { count } from '../parts/format.ts';

const utf8 = new TextEncoder();

/** Bytes of what is said, as UTF-8. */
export const byteCount = (said: readonly ChatMessage[]): number =>
  said.reduce((sum, { content }) => sum + utf8.encode(content).length, 0);

/** `1 byte`, `3,412 bytes`: never rounded, so that it can be compared with what a server received. */
export const exactBytes = (bytes: number): string => `${count(bytes)} ${bytes === 1 ? 'byte' : 'bytes'}`;
