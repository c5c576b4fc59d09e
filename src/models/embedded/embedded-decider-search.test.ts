import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Node } from '../../domain/forest.ts';
import type { TopicView } from '../../engine/ports.ts';
import { contentWords, stem } from '../../engine/text/words.ts';
import { beginningOf, findingWords, finished, TextReader } from './decider-texts.ts';
import { shippedLexicon } from './lexicon.ts';

const word = fc.oneof(
  fc.constantFrom(
    'Cities',
    'nice',
    'things',
    'thingly',
    'city',
    'running',
    'Ran',
    'classes',
    "Ada's",
    'e',
    '12',
    'tries',
    'tied',
    'simply',
    'flyly',
    'hoping',
    'dying',
  ),
  fc.stringMatching(/^[a-zA-Z]{1,4}(?:ies|sses|s|ing|ed|ly|nn|ning|e|y|'s)?$/),
);
const text = fc.array(word, { maxLength: 8 }).map((words) => words.join(' '));

test('every word begins as its stem says', () => {
  fc.assert(
    fc.property(word, (of) => {
      expect(of.toLowerCase().startsWith(beginningOf(stem(of)))).toBe(true);
    }),
  );
});

test('the words found are those that reading all texts finds', () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 5 }), text, (texts, message) => {
      const words = contentWords(message);
      const all = contentWords(texts.join(' '));
      const found = finished(findingWords(texts, (of) => of, words));
      expect([...found].sort()).toEqual([...words].filter((of) => all.has(of)).sort());
    }),
    { numRuns: 500 },
  );
});

test('what is read ahead of a topic is what reading it at once finds, for this message and for the next one', async () => {
  const lexicon = await shippedLexicon();
  const turn = fc.record({ message: text, summary: fc.constant(null), replies: fc.constant([]) });
  await fc.assert(
    fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 20 }), text, text, async (said, first, second) => {
      const turns = said as unknown as Node[];
      const topic = { treeId: 't', title: 'A city', turns } as unknown as TopicView;
      const [ahead, atOnce] = [new TextReader(lexicon), new TextReader(lexicon)];
      await ahead.readAhead([topic], first, 'en');
      for (const words of [contentWords(first), contentWords(second)]) {
        const [found, expected] = [ahead.topic(topic, words), atOnce.topic(topic, words)];
        expect(found.titleWords).toEqual(expected.titleWords);
        expect(new Set(found.shared)).toEqual(new Set(expected.shared));
        expect(new Set(found.sharedWithReplies)).toEqual(new Set(expected.sharedWithReplies));
      }
    }),
  );
});
