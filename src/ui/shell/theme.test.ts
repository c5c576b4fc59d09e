import { expect, test } from 'vitest';
import { colourBars } from './theme.tsx';

test('the bars around the page have the colour of the theme, and follow the system again with it', () => {
  const bar = (theme: string, content: string) => ({
    media: `(prefers-color-scheme: ${theme})`,
    content,
    dataset: {},
  });
  const bars = [bar('light', '#fff'), bar('dark', '#000')];
  const after = (theme: 'light' | 'dark' | 'system') => {
    colourBars(theme, bars);
    return bars.map(({ content }) => content);
  };
  expect(after('dark')).toEqual(['#000', '#000']);
  expect(after('light')).toEqual(['#fff', '#fff']);
  expect(after('system')).toEqual(['#fff', '#000']);
});
