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

test('English between texts of another language stays as it is', async () => {
  await loadGlossary('de');
  const english = 'what gift should i get my kid, nothing bad for the teeth';
  expect(glossedForEmbedder(english, 'de')).toBe(english);
  expect(glossedForEmbedder('You will see the lake briefly, and then it was fast.', 'de')).toMatch(/briefly/);
  expect(glossedForEmbedder('wie fandest du the lord of the rings and the two towers', 'de')).toMatch(/^how /);
  expect(glossedForEmbedder('was will das kind', 'de')).toMatch(/^what /);
});

test('short messages are in the language of those before them', () => {
  const before = ['wie lange muss der schweinebraten in den ofen', 'und mit kruste oder ohne, was meinst du'];
  expect(languageSpoken([...before, 'danke!'])).toBe('de');
});
