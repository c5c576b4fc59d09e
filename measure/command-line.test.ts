import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createProgressBar, ensureWritable, UsageError, withReport } from './command-line.ts';

test('a report replaces what stands between the marks and nothing else', () => {
  const first = withReport('one', null);
  const edited = `${first.replace('# Results', '# Results\n\nIn short: good.')}\nAnd so on.\n`;
  const second = withReport('two', edited);
  expect(second).toContain('In short: good.');
  expect(second).toContain('And so on.');
  expect(second).toContain('two');
  expect(second).not.toContain('one');
});

test('a file without marks is left alone', () => {
  expect(() => withReport('one', '# Something else')).toThrow(/<!-- tables -->/);
});

test('a file that results go to is tried beforehand: its folder is made, and the file stays as it was', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'coppice-results-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await ensureWritable(join(folder, 'out/deep/rows.json'));
  expect(await readdir(join(folder, 'out/deep'))).toEqual([]);
  const old = join(folder, 'old.json');
  await writeFile(old, '[1]');
  await ensureWritable(old);
  expect(await readFile(old, 'utf8')).toBe('[1]');
  await expect(ensureWritable(join(folder, 'out'))).rejects.toThrow(UsageError);
  await expect(ensureWritable(join(old, 'rows.json'))).rejects.toThrow(/rows\.json cannot be written: /);
});

test('progress is one line that is drawn anew on a terminal, and a line a tenth elsewhere', () => {
  const written = (isTTY: boolean) => {
    const lines: string[] = [];
    const bar = createProgressBar({ isTTY, columns: 80, write: (text) => lines.push(`${text}`) > 0 });
    for (let done = 1; done <= 100; done++) bar.show(done, 100, 'embedding');
    bar.end();
    return lines;
  };
  expect(written(false)).toHaveLength(11);
  expect(written(true).every((text) => text.startsWith('\r') && !text.includes('\n'))).toBe(true);
});
