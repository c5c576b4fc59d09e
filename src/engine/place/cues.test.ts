import { describe, expect, test } from 'vitest';
import { glossedForEmbedder, loadGlossary } from '../text/glossary.ts';
import { announcesOther, type Cue, cuesOf, plain, revises } from './cues.ts';

describe('cues', () => {
  test.each<[string, Cue, string]>([
    ['Right, let’s go back to the ferry.', 'returns', 'go back to'],
    ['By the way, who invented the zip?', 'opens', 'by the way'],
    ['Speaking of bread, how long does it keep?', 'associates', 'speaking of'],
    ['Make it four nights instead.', 'revises', 'instead'],
    ['What if we took the night train?', 'alternative', 'what if'],
    ['Please write the complete packing list.', 'wraps up', 'complete'],
    ['And what about the second one?', 'refers back', 'the second'],
    ['What is the difference between a lake and a loch?', 'asks in general', 'what is'],
    ['Should I take the blue one?', 'weighs a choice', 'should i'],
    ['Add a search box to the page.', 'instructs', 'add'],
    ['I have decided on oak.', 'decides', 'i have decided'],
  ])('%s', (message, cue, words) => {
    expect(cuesOf(message).get(cue)).toBe(words);
  });

  test.each([
    'Is there a word for a collector of stamps?',
    'There is a hole in my roof.',
    'How do I say that we need two weeks more?',
    'How long does it take to boil an egg?',
  ])('a word that points at nothing does not refer back: %s', (message) => {
    expect(cuesOf(message).has('refers back')).toBe(false);
  });

  test.each(['How long does it take?', 'Is that so?', 'And how do I get there?'])('one that does: %s', (message) => {
    expect(cuesOf(message).has('refers back')).toBe(true);
  });

  test.each([
    "I don't want the garlic",
    "what's the difference",
    "I'd rather have the blue one",
    "I've decided on oak",
    "I'm also looking for a tent",
    "let's not",
    "it won't start, that's why I'm asking",
    "how's the sea in May",
    "I'll take the blue one",
    "you're right, they've said so",
  ])('are the same without an apostrophe, or with another: %s', (message) => {
    const cues = [...cuesOf(message)];
    expect(cues).not.toEqual([]);
    expect([...cuesOf(message.replaceAll("'", ''))]).toEqual(cues);
    expect([...cuesOf(message.replaceAll("'", '’'))]).toEqual(cues);
  });

  test.each([
    'it lets you swim',
    'a fever makes me ill',
    'the id of the row',
    'its colour, as they were',
    'want',
    'antiques',
  ])('words that need none get none: %s', (message) => {
    expect(plain(message)).toBe(message);
  });

  test('finds none in a message that carries none', () => {
    expect([...cuesOf('Lisbon').keys()]).toEqual([]);
    expect([...cuesOf('').keys()]).toEqual([]);
  });
});

describe('revising', () => {
  test.each([
    'Remove the garlic.',
    'Actually, make it Tuesday.',
    'I changed my mind about the colour.',
    'Forget the sauna.',
  ])('%s', (message) => {
    expect(revises(message)).toBe(true);
  });

  test.each(['How warm is the sea in May?', 'Add a chapter on owls.', 'Thanks, that is lovely.'])(
    'not: %s',
    (message) => {
      expect(revises(message)).toBe(false);
    },
  );
});

describe('announcing something else', () => {
  const asIs = (text: string) => text;
  test.each([
    'something else: my son wants a dog',
    'Ok, something completely different – who was Ada?',
    'Thanks, that helped. Different topic: how do I get wax out of linen?',
    'new topic, the car does not start',
    'By the way, unrelated question: is rye a grass?',
    'Change of subject. What is a loch?',
  ])('%s', (message) => {
    expect(announcesOther(message, asIs)).toBe(true);
  });

  test.each([
    'something else, cheaper',
    'something else',
    'do you have something else: smaller, say?',
    'a different topic for my essay',
    'another question about the tent: is it tight?',
    'what is the next topic: verbs or nouns?',
    'back to the alps: when do the huts close',
    '',
  ])('not: %s', (message) => {
    expect(announcesOther(message, asIs)).toBe(false);
  });

  test.each([
    ['de', 'was anderes: mein sohn will einen hund'],
    ['de', 'anderes thema, wie entkalke ich die maschine'],
    ['es', 'por cierto, otra cosa: cómo quito una mancha'],
    ['zh', '换个话题：孩子发烧怎么办'],
    ['ja', '別の話：猫がくしゃみをする'],
    ['fr', 'autre chose : mon chat tousse'],
    ['it', 'un’altra cosa: mia figlia non vuole andare a scuola'],
    ['pt', 'outra coisa: o carro não pega'],
  ])('in %s: %s', async (language, message) => {
    await loadGlossary(language);
    expect(announcesOther(message, (text) => glossedForEmbedder(text, language))).toBe(true);
  });
});
