import type { Dialogue } from '../../engine/ports.ts';

/** Reading up on four subjects: each is left and resumed, and two of them fork at an earlier turn. */
export const research: Dialogue = {
  title: 'Reefs, sleep, gears and tokens',
  turns: [
    {
      message: 'I am preparing a few lessons for my class. First: what actually happens to a coral when it bleaches?',
      reply:
        'A coral is an animal that lives with microscopic algae inside its tissue. The algae feed it with sugars, up to 90 percent of its energy, and give it its colour. When the water gets too warm, the algae produce harmful by-products and the coral expels them. What you then see is clear tissue over a white skeleton. A bleached coral is starving but not yet dead.',
    },
    {
      message: 'How much warming does it take?',
      reply:
        'Surprisingly little: about 1 °C above the usual summer maximum, if it lasts for weeks. Scientists add up heat over time in *degree heating weeks*. At 4 °C-weeks bleaching is likely, and at 8 corals begin to die in large numbers.',
    },
    {
      message: 'Do bleached corals recover?',
      reply:
        'Single corals can take up algae again within weeks to months if the water cools in time, though they grow and breed less for a while. Where many have died, the reef as a whole needs 10 to 15 years for the fast growers and decades for the massive, slow ones. The trouble is that marine heat waves now often come back sooner than that.',
    },
    {
      message: 'Now a new subject: what does sleep do for memory?',
      reply:
        'It stabilises what was learnt during the day. In sleep the hippocampus replays recent patterns of activity, and these are gradually built into networks of the cortex. People who sleep after learning usually remember more than people who stay awake for the same time, and are less disturbed by learning something similar afterwards.',
    },
    {
      message: 'Is it the deep sleep or the dreaming that matters?',
      reply:
        'For facts and events the best evidence points to deep, slow-wave sleep, above all to slow waves in step with short bursts called spindles. REM sleep, in which most vivid dreams happen, has been linked to emotional memories, but the findings there are mixed. The two alternate all night, so it is hard to separate them cleanly.',
    },
    {
      message: 'How would one test that sleep experiment in a lab?',
      reply: `A classic design:

1. Everybody learns 40 pairs of words in the evening and is tested at once.
2. One group sleeps in the laboratory, with electrodes recording the stages of sleep; the other stays awake or learns in the morning instead.
3. Twelve hours later all are tested again.

One compares how much each group lost, and whether the minutes of slow-wave sleep predict it.`,
    },
    {
      message: 'Another subject: tell me about the Antikythera mechanism.',
      reply:
        'It is a Greek device of bronze gears, raised in 1901 from a shipwreck near the island of Antikythera and made in the second or early first century BC. Turning a handle moved pointers that showed the positions of the Sun and Moon, the phases of the Moon and coming eclipses, and even the cycle of the games. Thirty gears survive. Nothing as intricate is known for more than a thousand years after it.',
    },
    {
      message: 'How do we know what its gears did?',
      reply:
        'From counting teeth and reading its inscriptions. X-ray tomography in 2005 looked inside the corroded lumps. One large gear has 223 teeth, and 223 lunar months is the Saros, the period after which eclipses repeat. The same scans revealed thousands of letters, part of a manual engraved on the device itself.',
    },
    {
      message: 'Back to the corals. Can they adapt to the heat?',
      reply:
        'To some degree. Some corals change to more heat-tolerant algae after bleaching, at the price of slower growth. Corals that live in warm lagoons tolerate more, and part of that is inherited, so breeding selected parents gives hardier young. Whether any of this keeps pace with the warming is doubtful.',
    },
    {
      message: 'Let me return to how bleached corals recover: what makes some reefs recover faster than others?',
      reply:
        'Three things stand out: plant-eating fish that keep seaweed from taking the free space, healthy reefs upstream that send larvae, and clean water without too much soil and fertiliser from land. Reefs with all three have come back within about a decade. Cooler years in between are the condition for everything else.',
    },
    {
      message: 'Which of those could a small marine park do something about?',
      reply:
        'The fish and the water. It can close areas to fishing, above all for parrotfish and surgeonfish, and it can work with its neighbours on land to hold back sewage and soil. Larvae it can only protect by being one of several parks along the same current. Against the heat itself it can do nothing.',
    },
    {
      message: 'And the breeding of heat-tolerant corals you mentioned, has anybody tried it in the sea?',
      reply:
        'Yes, on a small scale. In Palau, researchers bred from selected colonies of a branching coral and found that their offspring stood about one degree heating week more than others. On the Great Barrier Reef, young corals with selected parents or algae have been put out on reefs. The gains are real but modest, and raising enough corals for a whole reef is costly.',
    },
    {
      message: 'Quite another topic: why do language models split words into pieces?',
      reply:
        'Because neither letters nor whole words work well. Letters make texts very long, and a list of words can never be complete: names, typing errors and new words would be missing. Pieces, called tokens, are the middle way. Common words get a token of their own, and rare ones are put together from several.',
    },
    {
      message: 'How does byte-pair encoding choose the pieces?',
      reply: `It starts from single bytes or letters and merges greedily:

1. Count all neighbouring pairs in a large body of text.
2. Merge the most frequent pair into a new token.
3. Repeat until the list has the size you want, often 30,000 to 200,000 tokens.

To split a new text, the same merges are applied in the same order.`,
    },
    {
      message: 'Is that why language models are bad at spelling?',
      reply:
        'It is a large part of it. A model sees a token as one number, not as a row of letters, so it must have learnt elsewhere how "strawberry" is spelt. Counting letters, rhyming and reversing words all suffer. Ask it to write the word letter by letter first, and it usually does better.',
    },
    {
      message: 'Returning to sleep and memory: does a nap count?',
      reply:
        'It does. Naps of 60 to 90 minutes contain slow-wave sleep and improve memory for what was learnt before, in some studies about as much as a night. Even short naps help a little, mainly by restoring attention. Late in the afternoon they make it harder to fall asleep at night.',
    },
    {
      message: 'For the lab experiment on sleep: instead of word pairs, what would it look like with a motor skill?',
      reply:
        'Replace the words by finger tapping. People type a sequence such as 4-1-3-2-4 as fast and correctly as they can, twelve times for 30 seconds, and again after sleep or wakefulness. Speed often rises overnight without practice. Some of that is recovery from tiredness, so allow a pause before both tests and keep the time of day equal.',
    },
    {
      message: 'Back to the Antikythera mechanism: who might have built it?',
      reply:
        'Nobody knows. The names of the months belong to a calendar of Corinth and its colonies, which has made people think of Syracuse, the city of Archimedes, or of north-western Greece. Rhodes is another candidate: Hipparchus worked there, the ship may have called there, and one of the games named on it was held there. The skill in it suggests a tradition, not a single genius.',
    },
    {
      message: 'To finish with the reefs: what are three points about coral bleaching that I should tell my class?',
      reply: `1. **Bleached is not dead.** The coral has lost the algae that feed it and can recover if the water cools soon.
2. **Little heat, long enough, does it.** About 1 °C above the summer maximum for several weeks.
3. **Time is what is missing.** A reef needs ten years or more to come back. Protecting fish and clean water helps it, but only less warming gives it the time.`,
    },
  ],
};
