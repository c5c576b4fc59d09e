import { expect, test } from 'vitest';
import { glossedForEmbedder, loadGlossary } from './glossary.ts';
import { languageSpoken } from './spoken-language.ts';

test('an embedder is given English as it is, and other languages word by word in English', async () => {
  await loadGlossary('de');
  expect(glossedForEmbedder('how long does the roast take', 'en')).toBe('how long does the roast take');
  expect(glossedForEmbedder('wie lange braucht der braten', 'de')).toMatch(/how .*roast/);
  expect(glossedForEmbedder('gschamig', 'de')).toBe('gschamig');
  expect(glossedForEmbedder('wie lange braucht der braten', null)).toBe('wie lange braucht der braten');
});

test('short messages are in the language of those before them', () => {
  const before = ['wie lange muss der schweinebraten in den ofen', 'und mit kruste oder ohne, was meinst du'];
  expect(languageSpoken([...before, 'danke!'])).toBe('de');
});
