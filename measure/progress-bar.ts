import type { WriteStream } from 'node:tty';

const WIDTH = 24;

/** Says on a stream how far something long is: a bar that is drawn anew on a terminal, else a line a tenth. */
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
