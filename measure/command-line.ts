import { access, mkdir, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { WriteStream } from 'node:tty';
import { errorMessage } from '../src/engine/model-failure.ts';

/** An error that the caller can fix, reported in one line. */
export class UsageError extends Error {}

/**
 * Makes sure that a file can be written once a long task is done: makes its folder, and leaves the file as it is, there or not.
 * Rejects with a UsageError if it cannot.
 */
export const ensureWritable = async (file: string): Promise<void> => {
  try {
    await mkdir(dirname(file), { recursive: true });
    const isThere = await access(file).then(
      () => true,
      () => false,
    );
    await (await open(file, 'a')).close();
    if (!isThere) await rm(file);
  } catch (error) {
    throw new UsageError(`${file} cannot be written: ${errorMessage(error)}. Name another file.`);
  }
};

const WIDTH = 24;

/** Reports the progress of a long task on a stream: a bar that is redrawn on a terminal, else one line per tenth. */
export const createProgressBar = (stream: Pick<WriteStream, 'isTTY' | 'write' | 'columns'>) => {
  let last = '';
  return {
    show: (done: number, of: number, what: string): void => {
      const part = of === 0 ? 1 : done / of;
      const percent = Math.floor(100 * part);
      const text = stream.isTTY
        ? `${'█'.repeat(Math.round(WIDTH * part)).padEnd(WIDTH, '░')} ${`${percent}`.padStart(3)} % ${what}`
        : `${10 * Math.floor(percent / 10)} %`;
      if (text === last) return;
      last = text;
      stream.write(stream.isTTY ? `\r\x1b[K${text.slice(0, (stream.columns || 80) - 1)}` : `${text} ${what}\n`);
    },
    end: (): void => {
      if (stream.isTTY && last !== '') stream.write('\r\x1b[K');
      last = '';
    },
  };
};

/** Puts a report into a file: between the marks of its part if the file exists, so that the text around it stays. Throws without marks. */
export const withReport = (report: string, before: string | null, part = 'tables'): string => {
  const [begin, finish] = [`<!-- ${part} -->`, `<!-- /${part} -->`];
  const marked = `${begin}\n\n${report}\n\n${finish}`;
  if (before === null) return `# Results\n\n${marked}\n`;
  const start = before.indexOf(begin);
  const end = before.indexOf(finish, start);
  if (start < 0 || end < 0) {
    throw new Error(
      `it has no ${begin} with ${finish} after it: put them where the tables shall go, or name another file`,
    );
  }
  return before.slice(0, start) + marked + before.slice(end + finish.length);
};
