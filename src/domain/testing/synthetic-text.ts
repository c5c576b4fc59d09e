/** What a made-up topic is talked about with. */
export interface SyntheticTopic {
  readonly title: string;
  readonly opening: string;
  /** Things it comes back to; they fill the `*` of the phrases below. */
  readonly things: readonly string[];
}

const topic = (title: string, opening: string, ...things: string[]): SyntheticTopic => ({ title, opening, things });

export const TOPICS: readonly SyntheticTopic[] = [
  topic(
    'Spring in Lisbon',
    'We have six days in Lisbon in April with two kids. Where should we stay?',
    'the tram to Graça',
    'a day in Sintra',
    'the flat in Alfama',
    'Belém on a Monday',
    'the beach at Carcavelos',
  ),
  topic(
    'Sourdough',
    'My sourdough comes out dense, with a gummy crumb. What goes wrong?',
    'the starter',
    'bulk fermentation',
    'the oven temperature',
    '75 % hydration',
    'the second loaf',
  ),
  topic(
    'Rate limiter',
    'I need a rate limiter for a small HTTP service. Token bucket or sliding window?',
    'the bucket size',
    'Redis',
    'a burst of 200 requests',
    'the retry header',
    'the integration test',
  ),
  topic(
    'Half marathon',
    'Ten weeks until my first half marathon. I run 20 km a week now.',
    'the long run',
    'my left knee',
    'a rest day',
    'the pace of 5:40',
    'race morning',
  ),
  topic(
    'Kitchen wall',
    'Can I take out the wall between kitchen and living room myself?',
    'the load-bearing beam',
    'the electrician',
    'the permit',
    'dust in the other rooms',
    'the budget of 9,000',
  ),
  topic(
    'Bees and mites',
    'How do I tell whether my bees have varroa, and how bad is it?',
    'the sugar roll',
    'oxalic acid in December',
    'the weaker hive',
    'drone brood',
    'the count of 4 per 100',
  ),
  topic(
    'Learning Czech',
    'I want to hold a simple conversation in Czech by summer.',
    'the seven cases',
    'ř',
    'ten minutes a day',
    'verbs of motion',
    'my tutor in Brno',
  ),
  topic(
    'Old bicycle',
    'I found a 1984 steel road bike. Is it worth restoring?',
    'the bottom bracket',
    'the wheels',
    'a new chain',
    'the original paint',
    'the seized seatpost',
  ),
  topic(
    'Transformer memory',
    'How do attention caches grow with the context, and what can be done about it?',
    'grouped queries',
    'the sliding window',
    'quantised keys',
    'the 32k run',
    'figure 3',
  ),
  topic(
    'Rain garden',
    'Water stands in one corner of the garden after every storm.',
    'the infiltration test',
    'sedges',
    'the downspout',
    'clay at 30 cm',
    'the slope to the fence',
  ),
  topic(
    'Budget for two',
    'We are moving in together. How do people split costs fairly?',
    'the joint account',
    'rent by income',
    'the emergency fund',
    'her student loan',
    'groceries',
  ),
  topic(
    'Star party',
    'What could we see with a 6-inch telescope next Saturday?',
    'Saturn',
    'the Veil Nebula',
    'the moonrise at 23:10',
    'the red torch',
    'a filter',
  ),
  topic(
    'Flaky tests',
    'About one in thirty of our CI runs fails and passes on retry.',
    'the shared database',
    'the clock',
    'test order',
    'the quarantine list',
    'the login spec',
  ),
  topic(
    'Tea from seed',
    'Could I grow tea plants on a north-facing balcony?',
    'the soil pH',
    'winter at −8 °C',
    'the first flush',
    'the larger pots',
    'Camellia sinensis var. sinensis',
  ),
  topic(
    'Wedding speech',
    'I have to give a five-minute speech at my brother’s wedding.',
    'the canoe story',
    'the opening line',
    'our grandmother',
    'the toast',
    'anything about exes',
  ),
  topic(
    'Chess openings',
    'As Black against e4 I always end up cramped. What should I play?',
    'the Caro-Kann',
    'the Advance variation',
    'my dark bishop',
    'game 12',
    'the endgame',
  ),
];

export const CONTINUATIONS: readonly string[] = [
  'What about *?',
  'Tell me more about *, please.',
  'How much time should I allow for *?',
  'And if * does not work out?',
  'Is there a cheaper way to handle *?',
  'I tried that. * still bothers me; what else could it be?',
  'Could you put the steps for * in order, with rough times, so that I can print them and tick them off?',
  'Why does * matter so much here?',
  'OK.',
  'Who would know more about *?',
  'Make a short list of what I need for *.',
  'Thanks. Next: *.',
];

export const REVISIONS: readonly string[] = [
  'Actually, let’s do it without *.',
  'Instead of that: what if we start from *?',
  'Different idea. Suppose * is not possible at all, what then?',
  'Let me change one thing: twice as much for *.',
  'Go back a step: I was wrong about *.',
];

export const RETURNS: readonly string[] = [
  'Back to *: where were we?',
  'Coming back to *, I have news.',
  'One more thing about *.',
  'Returning to the other question: *.',
];

export const REPLIES: readonly string[] = [
  'Start small with * and look at it again after a week; most of what goes wrong shows by then.',
  'For * there are two sound ways. The first costs less, the second is easier to undo. I would take the second.',
  'Short answer: yes. * needs about two hours, and nothing you do today closes a door.\n\nWrite down what you see, so that next time you compare numbers and not impressions.',
  'It depends on *. If that holds, go on as planned; if it does not, wait for better conditions.',
  'Three things help with *:\n\n1. measure before you change anything,\n2. change one thing at a time,\n3. stop when it is good enough.',
  'I would leave * as it is for now, and settle the rest first.',
];
