import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Node, newTurnDefaults, RECALL } from '../../domain/forest.ts';
import type { BranchPlace, BranchQuestion, NodeView, TopicQuestion, TopicView } from '../../engine/ports.ts';
import { unseenTopic, unseenTurn } from '../../engine/testing/plain-models.ts';
import { type Model, namesIn, type ScoredOption } from './boosted-trees.ts';
import { readBranchQuestion } from './branch-features.ts';
import { TextReader } from './decider-texts.ts';
import { shippedWeights } from './decider-weights.ts';
import { createEmbeddedDecider, cueWording } from './embedded-decider.ts';
import { shippedLexicon } from './lexicon.ts';
import { readTopicQuestion } from './topic-features.ts';

const node = (number: number, message: string, treeId: string, parentId: string | null = null): Node => ({
  id: `n${number}`,
  number,
  treeId,
  branchId: `${treeId}-main`,
  parentId,
  message,
  at: number,
  replies: [],
  replyId: null,
  summary: { text: message, by: 'extractive', replyId: null, replyLength: 0 },
  decision: { topic: 'continue-topic', branch: null, by: 'engine', trace: null },
  label: null,
  ...newTurnDefaults,
});

/** A node with a reply by `model`. */
const replied = (of: Node, model: string): Node => {
  const reply = { id: 'r', text: 'Four days.', state: 'done' as const, model, at: 0, failure: null, context: null };
  return { ...of, replies: [{ ...reply, timings: [], usage: null }], replyId: 'r' };
};

const view = (of: Node, similarity: number): NodeView => ({ nodeId: of.id, similarity, node: of });

const text = fc.oneof(
  fc.string(),
  fc.constantFrom('By the way, who was Ada?', 'back to the plan', 'Why?', 'Add a lamp instead.', 'Write a plan', ''),
);
const cosine = fc.float({ min: -1, max: 1, noNaN: true });

/** A question from any conversation: topics with any titles and similarities, one of them active. */
const topicQuestions: fc.Arbitrary<TopicQuestion> = fc
  .record({
    message: text,
    topics: fc.array(
      fc.record({ title: text, summary: text, similarity: cosine, size: fc.integer({ min: 1, max: 40 }) }),
      {
        minLength: 1,
        maxLength: 30,
      },
    ),
    active: fc.nat(),
    messages: fc.array(fc.record({ message: text, similarity: cosine }), { minLength: 1, maxLength: 10 }),
  })
  .map(({ message, topics, active, messages }) => {
    const chosen = active % topics.length;
    const views = topics.map(
      (topic, at): TopicView => ({
        ...topic,
        turns: [node(at, topic.summary, `t${at}`)],
        treeId: `t${at}`,
        active: at === chosen,
        age: at === chosen ? 0 : at + 1,
        meanSimilarity: topic.similarity,
        activeSimilarity: topic.similarity,
        ...unseenTopic,
      }),
    );
    const turns = messages.map((turn, at) => view(node(at, turn.message, `t${chosen}`), turn.similarity));
    return { message, embedding: null, spoken: null, topics: views, path: turns.slice(-3), recent: turns };
  });

const branchQuestions: fc.Arbitrary<BranchQuestion> = fc
  .record({
    message: text,
    turns: fc.array(fc.record({ message: text, similarity: cosine }), { minLength: 2, maxLength: 8 }),
  })
  .map(({ message, turns }) => {
    const path = turns.map((turn, at) =>
      view(node(at, turn.message, 't', at === 0 ? null : `n${at - 1}`), turn.similarity),
    );
    const [forkPoint = path[0] as NodeView] = path;
    const places = path.slice(0, -1).map(
      (from, at): BranchPlace => ({
        action: 'create-branch',
        from,
        steps: path.length - 1 - at,
        setAside: path[at + 1] ?? null,
        nearest: null,
      }),
    );
    const seen = () => unseenTurn;
    const shown = { path, pathLength: path.length, forkPoint, places };
    return { message, ...shown, topicSwitched: false, embedding: null, spoken: null, seen };
  });

/** The odds given with the reasons must be those of the answer over the runner-up. */
const expectOdds = (
  { confidence, against }: { confidence: number | null; against?: { odds: number } | undefined },
  next: number | undefined,
) => {
  expect(against?.odds).toBeGreaterThanOrEqual(0);
  if (next !== undefined && next > 0.1) expect(against?.odds).toBeCloseTo(Math.log((confidence ?? 0) / next), 1);
};

describe('any question', () => {
  const decider = createEmbeddedDecider();

  test('of topics gets a valid answer, and the same one again', async () => {
    await fc.assert(
      fc.asyncProperty(topicQuestions, async (question) => {
        const answer = await decider.topic(question);
        const active = question.topics.find((topic) => topic.active);
        if (answer.action === 'create-topic') expect(answer.target).toBeNull();
        if (answer.action === 'continue-topic') expect(answer.target).toBe(active?.treeId);
        if (answer.action === 'switch-topic') {
          expect(answer.target).not.toBe(active?.treeId);
          expect(question.topics.map(({ treeId }) => treeId)).toContain(answer.target);
        }
        const chances = (JSON.parse(answer.raw) as { p: number }[]).map(({ p }) => p);
        expect(chances.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 1);
        expect(answer.confidence).toBeGreaterThan(0);
        expect(answer.confidence).toBeLessThanOrEqual(1);
        expect(answer.reasons.length).toBeLessThanOrEqual(5);
        for (const { weight } of answer.reasons) expect(Number.isFinite(weight)).toBe(true);
        expectOdds(answer, answer.alternatives?.[0]?.confidence);
        expect(answer.against?.action).not.toBe(undefined);
        expect(await createEmbeddedDecider().topic(question)).toEqual(answer);
      }),
    );
  });

  test('of branches gets a valid answer', async () => {
    await fc.assert(
      fc.asyncProperty(branchQuestions, async (question) => {
        const answer = await decider.branch(question);
        // The fork point is on the path, so there is no other branch to switch to.
        expect(['continue-branch', 'create-branch']).toContain(answer.action);
        expect(answer.confidence).toBeGreaterThan(0);
        expect(answer.confidence).toBeLessThanOrEqual(1);
      }),
    );
  });

  test('is refused once its signal has fired', async () => {
    const [question] = fc.sample(topicQuestions, 1);
    await expect(decider.topic(question as TopicQuestion, AbortSignal.abort())).rejects.toThrow();
  });
});

test('turns are read in the language that turns out to be spoken, though they were read in another before', async () => {
  const turns = [node(1, 'le chat dort sur le canapé', 't1'), node(2, 'il mange du poisson', 't1', 'n1')];
  const topic: TopicView = {
    treeId: 't1',
    title: 'le chat',
    summary: '',
    turns,
    size: 2,
    active: true,
    age: 0,
    similarity: 0.1,
    meanSimilarity: 0.1,
    activeSimilarity: 0.1,
    ...unseenTopic,
  };
  const recent = turns.map((turn) => view(turn, 0.1));
  const asked = (spoken: string | null): TopicQuestion => ({
    message: 'et les croquettes ?',
    embedding: null,
    spoken,
    topics: [topic],
    path: recent,
    recent,
  });
  const decider = createEmbeddedDecider();
  const { signal } = new AbortController();
  const before = await decider.topic(asked(null), signal);
  const after = await decider.topic(asked('fr'), signal);
  expect(after.confidence).not.toBe(before.confidence);
  expect(after).toEqual(await createEmbeddedDecider().topic(asked('fr'), signal));
});

test.each([
  ['How many guests? 😊', true],
  ['**How many guests do you expect?**', true],
  ['كم عددهم؟', true],
  ['Why? Because it is hungry.', false],
])('whether a reply asks: “%s” %s', async (text, asks) => {
  const of = replied(node(1, 'a cake', 't1'), 'a language model');
  const [reply] = of.replies;
  const said = { ...of, replies: reply === undefined ? [] : [{ ...reply, text }] };
  expect(new TextReader(await shippedLexicon()).turn(said).replyAsks).toBe(asks);
});

test('a message that says that it is about something else opens a topic, and the reasons name it', async () => {
  const decider = createEmbeddedDecider();
  const said = (question: TopicQuestion, message: string) => ({ ...question, message });
  const ways = ['how many legs does a spider have', 'Different topic: how many legs does a spider have'];
  const opened = [0, 0];
  for (const question of fc.sample(topicQuestions, { numRuns: 50, seed: 3 })) {
    const answers = await Promise.all(ways.map((message) => decider.topic(said(question, message))));
    for (const [at, { action }] of answers.entries()) {
      if (action === 'create-topic') opened[at] = (opened[at] ?? 0) + 1;
    }
    const [plain, announced] = answers;
    if (plain?.action !== 'continue-topic' || announced?.action !== 'create-topic') continue;
    expect(announced.reasons.map(({ text }) => text)).toContain('it says that it is about something else');
  }
  expect(opened[1]).toBeGreaterThan(40);
});

test.each([
  ['once again, shorter', 'returns', 'again', '“again”'],
  ['noch mal kürzer', 'returns', 'again', 'words that mean “again”'],
  ['it’s too long', 'refers back', 'it', '“it”'],
  ['kannst du es bitte kürzer machen', 'refers back', 'it', 'words that mean “it”'],
  ['und die anderen', 'goes on', 'and', 'words that mean “and”'],
  ['I don’t need a tent', 'revises', "don't need", "“don't need”"],
  ['we reconsidered the hotel', 'revises', 'we reconsider', '“we reconsider”'],
  ['the list has redundantly many items', 'revises', 'redundant', '“redundant”'],
  ['the items please', 'refers back', 'it', 'words that mean “it”'],
  ['كم عددهم؟', 'asks', '?', 'it ends with a question mark'],
  ['how do i boil eggs', 'asks', undefined, 'it does not end with a question mark'],
  ['۳ نفر', 'numbers', '3', 'it has digits'],
  ['three people', 'numbers', undefined, 'it has no digits'],
])('reasons quote only words of the message, and say what was looked for: “%s” %s', (message, cue, words, told) => {
  expect(cueWording(words, cue, message)).toBe(told);
});

describe('a message that says where it goes back', () => {
  /** A topic of this one turn. */
  const topicOf = (message: string, treeId: string, active: boolean): TopicView => ({
    treeId,
    title: message,
    summary: '',
    turns: [node(active ? 2 : 1, message, treeId)],
    size: 1,
    active,
    age: active ? 0 : 1,
    similarity: 0.1,
    meanSimilarity: 0.1,
    activeSimilarity: 0.1,
    ...unseenTopic,
  });
  const chanceOfReturning = async (message: string, there: string, here: string, spoken: string | null = 'en') => {
    const topics = [topicOf(there, 'there', false), topicOf(here, 'here', true)];
    const recent = topics.flatMap(({ turns }) => turns.map((turn) => view(turn, 0.1)));
    const path = recent.slice(-1);
    const answer = await createEmbeddedDecider().topic({ message, embedding: null, spoken, topics, path, recent });
    const chances = JSON.parse(answer.raw) as { action: string; target: string | null; p: number }[];
    return chances.find(({ target }) => target === 'there')?.p ?? 0;
  };
  const FIRST = 0.849;

  test.each([
    'back to the chicken',
    'Let’s go back to the chicken',
    'I’d like to go back to the chicken',
    'Thanks! Back to the chicken',
    'thank you - back to the chicken',
    'Right: back to the chicken',
    'anyways back to the chicken',
    'could we go back to the chicken',
    'lets go back to the chicken',
    'back to the chicken, 20 min enough?',
    'let’s return to the chicken',
    'actually, back to the chicken',
    'oh, back to the chicken',
    'hey back to the chicken',
    'by the way, back to the chicken',
    'let me go back to the chicken',
    'could you go back to the chicken',
    'can we please get back to the chicken',
    'let’s head back to the chicken',
  ])('is put there: %s', async (message) => {
    expect(
      await chanceOfReturning(message, 'roast chicken with lemon', 'a flight with a 20 kg bag'),
    ).toBeGreaterThanOrEqual(FIRST);
  });

  test('is put there by a word as common as “hotel”', async () => {
    const [there, here] = ['which hotel in Lisbon', 'roast chicken with lemon'];
    expect(await chanceOfReturning('ok, back to the hotel', there, here)).toBeGreaterThanOrEqual(FIRST);
    const said = await chanceOfReturning('as i said, back to the hotel', there, here);
    expect(said).toBeGreaterThan(await chanceOfReturning('as i said, next to the hotel', there, here));
  });

  test.each([
    'going back to work in sept, which nursery hours',
    'Back to back meetings all day, how do I stay awake at work',
    'back to school and work, lunch ideas',
    'return to office policy for work, write a polite reply',
    'back to my 20 kg',
  ])('is not put where nothing names it, or life is meant: %s', async (message) => {
    const there = 'mail to my boss about work hours and office meetings at school';
    expect(await chanceOfReturning(message, there, 'sourdough with 20 g of salt')).toBeLessThan(0.8);
  });

  test('unless it is set off as what the message is about', async () => {
    const [there, here] = ['lunch ideas for school', 'sourdough with salt'];
    expect(await chanceOfReturning('back to school: no nuts', there, here)).toBeGreaterThanOrEqual(FIRST);
  });

  test.each(['let’s not go back to the chicken', 'I don’t want to go back to the chicken'])(
    'is not put where it says not to go back: %s',
    async (message) => {
      const there = 'roast chicken with lemon';
      expect(await chanceOfReturning(message, there, 'a flight with a 20 kg bag')).toBeLessThan(0.25);
    },
  );

  test.each([
    ['es', 'Vuelvo a tener fiebre, ¿voy al médico?', 'dolor de garganta y fiebre'],
    ['it', 'torno a casa alle 8, cosa cucino', 'comprare una casa'],
    ['fr', 'je reprends le boulot dans 3 semaines', 'mon chef et le boulot'],
    ['pt', 'volto ao trabalho segunda', 'o meu chefe e o trabalho'],
    ['de', 'zurück zur arbeit nach der elternzeit', 'mein chef und die arbeit'],
    ['fr', 'retour au travail après la grippe', 'mon chef et le travail'],
    ['sv', 'tillbaka till jobbet efter semestern', 'min chef och jobbet'],
  ])('is not one that tells of life in %s: %s', async (spoken, message, there) => {
    expect(await chanceOfReturning(message, there, 'pan de masa madre', spoken)).toBeLessThan(0.8);
  });

  test.each([
    ['es', 'volviendo a la fiebre', 'dolor de garganta y fiebre'],
    ['it', 'tornando alla casa', 'comprare una casa'],
    ['fr', 'pour revenir au chef', 'mon chef et le boulot'],
    ['pt', 'voltando ao chefe', 'o meu chefe e o trabalho'],
    ['de', 'kommen wir zurück zum chef', 'mein chef und die arbeit'],
    ['fr', 'on peut revenir au chef', 'mon chef et le boulot'],
    ['it', 'allora, tornando alla casa', 'comprare una casa'],
    ['ru', 'давай вернёмся к кошке', 'моя кошка чихает'],
    ['zh', '我们回到猫', '我的猫打喷嚏'],
  ])('is one that does in %s: %s', async (spoken, message, there) => {
    expect(await chanceOfReturning(message, there, 'pan de masa madre', spoken)).toBeGreaterThanOrEqual(FIRST);
  });

  /** What is talked about now, unless the case says otherwise. */
  const OLD_TOWN = 'a day in the old town, what to see';
  type Case = readonly [spoken: string, message: string, there: string, here?: string];
  const inFull = ([spoken, message, there, here = OLD_TOWN]: Case) => [spoken, message, there, here] as const;
  const returns: readonly Case[] = [
    ['en', 'ok, back to the hotel: which one had breakfast?', 'which hotel in Lisbon'],
    ['en', 'let’s go back to the hotel question', 'which hotel in Lisbon'],
    ['en', 'back to the hotel', 'which hotel in Lisbon'],
    ['en', 'go back to the hotel, is breakfast included?', 'which hotel in Lisbon'],
    ['en', 'Back to the hotel. Is breakfast included?', 'which hotel in Lisbon'],
    ['en', 'back to the hotel which one has a pool', 'which hotel in Lisbon'],
    ['en', 'can we go back to the hotel in Lisbon', 'which hotel in Lisbon'],
    ['en', 'thanks! let’s get back to the hotel in Lisbon for my parents', 'which hotel in Lisbon'],
    ['en', 'could you go back to the hotel and list three more', 'which hotel in Lisbon'],
    ['en', 'Can I go back to the hotel question from before?', 'which hotel in Lisbon'],
    ['en', 'should we get back to the hotel topic now', 'which hotel in Lisbon'],
    ['en', 'back to the hotel - how far is the beach', 'which hotel in Lisbon'],
    ['en', 'i’d like to go back to the essay about bees, make it shorter', 'essay about bees'],
    ['en', 'returning to my essay about bees, what about honey', 'essay about bees'],
    ['en', 'let’s circle back to the running plan', '10k running plan'],
    ['en', 'going back to the running plan: swap tuesday and friday', '10k running plan'],
    ['en', 'now back to my running plan, can i skip week 3', '10k running plan'],
    ['en', 'I want to go back to the chicken recipe', 'roast chicken with lemon'],
    ['en', 'can i go back to the chicken: how long per kilo?', 'roast chicken with lemon'],
    ['en', 'back to the chicken, 20 min enough?', 'roast chicken with lemon'],
    ['de', 'zurück zum hotel: welches hatte frühstück', 'hotel in lissabon'],
    ['de', 'ok zurück zum hotel, hat es einen pool', 'hotel in lissabon'],
    ['de', 'kommen wir zurück zum hotel', 'hotel in lissabon'],
    ['fr', 'revenons à l’hôtel, lequel avait une piscine', 'un hôtel à Lisbonne'],
    ['es', 'volviendo al hotel, cuál tenía desayuno', 'hotel en Lisboa'],
    ['it', 'torniamo all’albergo', 'un albergo a Lisbona'],
    ['nl', 'terug naar het hotel: welke had ontbijt', 'een hotel in Lissabon'],
    ['pl', 'wracając do hotelu, który ma śniadanie', 'hotel w Lizbonie'],
    ['sv', 'tillbaka till hotellet: vilket hade frukost', 'hotell i Lissabon'],
    ['pt', 'voltando ao hotel, qual tinha café da manhã', 'hotel em Lisboa'],
    ['zh', '我们回到酒店的问题', '里斯本的酒店'],
    ['en', 'let’s go back to the trip in june, which hotel', 'trip to Rome'],
    ['en', 'back to the weekend in Rome, which museum', 'weekend in Rome'],
    ['en', 'back to the christmas menu', 'christmas menu for 12'],
    ['en', 'ok back to the flight on friday: can i bring a knife', 'flight to Rome'],
    ['en', 'let’s return to the first recipe', 'recipe for chicken'],
    ['en', 'anyway, back to the car noise', 'my car makes a noise'],
    ['en', 'back to Lisbon. where were we', 'which hotel in Lisbon'],
    ['en', 'and now back to the hotel, should i book the one by the sea or the cheap one', 'which hotel in Lisbon'],
    ['uk', 'повернемося до готелю, там є басейн', 'готель у Лісабоні'],
    ['ar', 'لنعد إلى الفندق', 'فندق في لشبونة'],
    ['de', 'Zurück zum Hotel im Juni: hat es eine Klimaanlage?', 'hotel in lissabon'],
  ];
  test.each(returns.map(inFull))(
    'is a return to what was talked about in %s: %s',
    async (spoken, message, there, here) => {
      expect(await chanceOfReturning(message, there, here, spoken)).toBeGreaterThanOrEqual(FIRST);
    },
  );

  const journeys: readonly Case[] = [
    ['en', 'Should we go back to the hotel first?', 'which hotel in Lisbon'],
    ['en', 'can i go back to running next week?', '10k running plan', 'my knee is swollen'],
    [
      'en',
      'I’m going back to Brazil for Christmas, do I need vaccinations?',
      'how many brazil nuts a day',
      'packing list',
    ],
    ['en', 'shall we head back to the car', 'my car makes a noise'],
    ['en', 'Can I go back to coffee now?', 'best coffee beans'],
    ['en', 'return to the pharmacy or ask for another one?', 'pharmacy opening hours', 'this thermometer is broken'],
    [
      'en',
      'Back to the Future: in what year does it play?',
      'is my pension safe in the future',
      'films with time travel',
    ],
    ['en', 'Should I go back to the vet?', 'which vet for my cat', 'the dog limps'],
    ['en', 'going back to Lisbon in June, what will the weather be', 'which hotel in Lisbon'],
    ['en', 'back to the hotel by taxi or on foot?', 'which hotel in Lisbon'],
    ['en', 'should i go back to the hotel, it’s raining', 'which hotel in Lisbon'],
    ['en', 'i’m heading back to the hotel, where can i eat nearby', 'which hotel in Lisbon'],
    ['en', 'ok, can we go back to the hotel before the museum?', 'which hotel in Lisbon'],
    ['en', 'let’s go back to the hotel after lunch', 'which hotel in Lisbon'],
    ['en', 'returning to Brazil next month with a dog', 'how many brazil nuts a day', 'packing list'],
    ['en', 'i will go back to running on Monday', '10k running plan', 'my knee is swollen'],
    ['en', 'could i get back to the hotel from here by tram', 'which hotel in Lisbon'],
    ['en', 'can we return to the hotel until our flight leaves', 'which hotel in Lisbon'],
    ['en', 'so i’m going back to the gym-free running life, tips?', '10k running plan', 'my knee is swollen'],
    ['de', 'Zurück zum Hotel mit dem Bus oder zu Fuß?', 'hotel in lissabon'],
    ['de', 'sollen wir zurück zum hotel gehen', 'hotel in lissabon'],
    ['de', 'zurück zum joggen nach der verletzung', 'trainingsplan joggen', 'mein knie ist dick'],
    ['fr', 'revenir à Paris en avion ou en train ?', 'un hôtel à Paris'],
    ['nl', 'terug naar het hotel lopen of de bus?', 'een hotel in Lissabon'],
    ['pl', 'wrócić do biegania po kontuzji', 'plan biegania na 10 km'],
    ['sv', 'tillbaka till hotellet med buss eller till fots', 'hotell i Lissabon'],
    ['pt', 'voltar ao hotel de ônibus ou a pé', 'hotel em Lisboa'],
    ['zh', '回到酒店坐公交还是走路', '里斯本的酒店'],
    ['zh', '我可以回到跑步吗', '十公里跑步计划'],
    ['it', 'ritornare a Roma in treno o in aereo', 'un albergo a Roma'],
    ['en', 'Shall we return to the hotel, it’s raining', 'which hotel in Lisbon'],
    [
      'en',
      'I’d like to go back to Brazil for Christmas, do I need vaccinations?',
      'how many brazil nuts a day',
      'packing list',
    ],
    ['en', 'back to the hotel on saturday?', 'which hotel in Lisbon'],
    ['en', 'must I go back to the pharmacy with this?', 'pharmacy opening hours', 'this thermometer is broken'],
    ['de', 'ich gehe zurück zum arzt, was soll ich sagen', 'arzt und rezept'],
    ['nl', 'kan ik terug naar het hotel', 'een hotel in Lissabon'],
    ['de', 'Soll ich zurück zum Hotel laufen oder fahren?', 'hotel in lissabon'],
  ];
  test.each(journeys.map(inFull))(
    'is no return where somebody goes back in life in %s: %s',
    async (spoken, message, there, here) => {
      expect(await chanceOfReturning(message, there, here, spoken)).toBeLessThan(0.5);
    },
  );
});

test('a conversation in which nobody replies has weights of its own', async () => {
  const shipped = await shippedWeights();
  // Without trees, all answers are equally likely.
  const weights = { ...shipped, unanswered: { ...shipped.unanswered, topic: {} } };
  const sure = async (question: TopicQuestion) =>
    (await createEmbeddedDecider(async () => weights).topic(question)).confidence;
  const alone = fc.sample(topicQuestions, { numRuns: 20, seed: 1 });
  for (const question of alone) {
    const by = (model: string) => question.recent.map((seen) => ({ ...seen, node: replied(seen.node, model) }));
    const [heard, quoted] = [by('a language model'), by(RECALL)];
    const expected = (await createEmbeddedDecider().topic({ ...question, recent: heard })).confidence;
    expect(await sure({ ...question, recent: heard })).toBe(expected);
    expect(await sure({ ...question, recent: quoted })).toBe(await sure(question));
    expect(await sure(question)).not.toBe((await createEmbeddedDecider().topic(question)).confidence);
  }
});

describe('the committed weights', () => {
  test('ask about every feature that is read, and all are finite', async () => {
    const { topic, branch, unanswered } = await shippedWeights();
    const reader = new TextReader(await shippedLexicon());
    const unknown = (choices: readonly ScoredOption[], model: Model): string[] =>
      choices.flatMap((choice) => {
        const known = new Set(model[choice.action]?.features ?? namesIn([choice]));
        return [...namesIn([choice])].filter((name) => !known.has(name));
      });
    for (const question of fc.sample(topicQuestions, 200)) {
      const { choices } = readTopicQuestion(question, reader);
      for (const model of [topic, unanswered.topic]) expect(unknown(choices, model)).toEqual([]);
    }
    for (const question of fc.sample(branchQuestions, 50)) {
      expect(unknown(readBranchQuestion(question, reader).choices, branch)).toEqual([]);
    }
    for (const { value, threshold } of [topic, unanswered.topic, branch].flatMap((model) => Object.values(model))) {
      expect([...value, ...threshold].every(Number.isFinite)).toBe(true);
    }
  });
});
