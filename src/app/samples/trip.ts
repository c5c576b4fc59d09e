import type { Dialogue } from '../../engine/ports.ts';

/** Planning with changes of mind: an alternative to the second turn is tried and abandoned, and two digressions return. */
export const trip: Dialogue = {
  title: 'Six days in Portugal',
  turns: [
    {
      message:
        'We have six days in northern Portugal at the end of May, flying in and out of Porto. Two adults and a seven-year-old. Where should we go?',
      reply: `Three places fit well into six days without rushing:

- **Porto** for two nights: the riverside, trams, and the bridge that a child will want to cross twice.
- **Pinhão** in the Douro Valley for a night or two: terraced vineyards and boat rides.
- **The coast at Viana do Castelo** for the rest: wide beaches and a funicular.

Late May is warm and not yet crowded. The Atlantic stays cold all year, though, so think of the beach for digging rather than swimming.`,
    },
    {
      message: 'Lovely. Can you make that a plan day by day, with the coast at the end?',
      reply: `| Day | Where | What |
| --- | --- | --- |
| 1 | Porto | Arrive, walk along the Ribeira |
| 2 | Porto | Tram to the sea at Foz, upper deck of the Dom Luís I bridge |
| 3 | Pinhão | Train up the Douro, walk among the vines |
| 4 | Pinhão to Viana do Castelo | Morning boat ride, afternoon train by way of Porto |
| 5 | Viana do Castelo | Beach, funicular to Santa Luzia |
| 6 | Porto | Train back, fly home |

Day 4 is the long one. A second night in Porto on the way would make it gentler.`,
    },
    {
      message: 'Can we do all of it by train?',
      reply:
        'Yes. The Douro line goes from Porto to Pinhão, and the Minho line from Porto to Viana do Castelo. Both start from Porto, so on day 4 you change at Campanhã station. At the airport, metro line E takes you into town. Regional trains have no reserved seats, which makes changing plans easy.',
    },
    {
      message: 'By the way, what makes port different from ordinary wine?',
      reply:
        'Port is fortified: while the grape juice is still fermenting, the maker adds a clear grape spirit. That stops the yeast before it has eaten all the sugar, so the wine stays sweet and ends up at about 19 to 22 percent alcohol. Ordinary wine ferments to the end and has 12 to 15 percent. By law the grapes for port come from the Douro region.',
    },
    {
      message: 'And tawny or ruby, which one is aged in small barrels?',
      reply:
        'Tawny. It spends years in small wooden casks, where air slowly turns it amber and gives it notes of nuts and caramel; labels such as 10 or 20 years tell the average style. Ruby is kept in large vats or tanks with little air, so it stays red and tastes of fresh fruit.',
    },
    {
      message: 'Back to our trip: how long is the train from Porto to Pinhão, and which side should we sit on?',
      reply:
        'About two and a half hours. Sit on the right-hand side on the way up from Porto: for the last hour or so the line runs right beside the river, and the river is on the right. On the way back it is the left. When you get off, look at the blue tiles of Pinhão station, which show the grape harvest.',
    },
    {
      message: 'Hmm. Instead of the coast, what would our last days look like in the mountains?',
      reply: `Then replace Viana with **Peneda-Gerês**, Portugal's only national park, north-east of Braga:

1. Day 4: train from Pinhão by way of Porto to Braga, drive to the park (about an hour).
2. Day 5: a short walk, a picnic, a swim in a river pool for the brave.
3. Day 6: drive back to Porto for the flight.

You would trade sand and tiles for oak woods, waterfalls and wild ponies.`,
    },
    {
      message: 'Would we need a car there?',
      reply:
        'For the mountains, yes. Buses from Braga reach Vila do Gerês, but the walks and waterfalls are scattered along small roads with no service. Renting in Braga for two days is enough, and the roads are paved but winding: bring something against car sickness.',
    },
    {
      message: 'Which short walks in the park would a seven-year-old enjoy?',
      reply: `Three that are short and have something at the end:

- **Arado waterfall**: a brief climb on steps to a viewpoint.
- **Mata da Albergaria**: an easy track through old oak forest, past Roman milestones.
- **Soajo**: hardly a walk, but two dozen stone granaries on stilts that look like tiny houses.`,
    },
    {
      message: 'Something else: how do I say in Portuguese that my daughter is allergic to nuts?',
      reply:
        'Say: **"A minha filha é alérgica a frutos secos."** In Portugal *frutos secos* covers almonds, walnuts, hazelnuts and the like. Peanuts are *amendoins*, so name them too if she must avoid them: *"e a amendoins"*. On labels you will also see *frutos de casca rija*, the formal term for tree nuts.',
    },
    {
      message: 'How do I pronounce it?',
      reply:
        'Roughly: *uh MEEN-yuh FEEL-yuh eh uh-LEHR-zhee-kuh uh FROO-toosh SEH-koosh*. An *s* at the end of a word sounds like *sh* in Portugal, and *lh* is like the *lli* in "million". Having the sentence written on your phone is a good safety net.',
    },
    {
      message:
        'We talked it over and the mountains are too much driving. Let us go back to the coast after all. Should we stay in Viana do Castelo or in Caminha?',
      reply:
        'Viana do Castelo. Without a car it has more within walking distance: the old town, the harbour, the funicular and frequent trains to Porto. Caminha is smaller and prettier in a quiet way, and its beach at Moledo is lovely, but evenings with a child are livelier in Viana. Caminha is a short train ride further north, so you can still go for an afternoon.',
    },
    {
      message: 'And if it rains on the beach day?',
      reply:
        'Then visit the *Gil Eannes* in the harbour, a former hospital ship of the cod fleet that children may explore from bridge to engine room. The costume museum on the main square is small and colourful. If the clouds lift, take the funicular up to Santa Luzia for the view.',
    },
    {
      message: 'One more thing about the port wine: which keeps longer once it is open, the tawny or the ruby?',
      reply:
        'The tawny. It has already met plenty of air in its cask, so an open bottle keeps for about a month in the fridge, an older one longer. A ruby is best within a week or two, and a vintage port within two or three days. Unopened, both can travel in checked luggage if wrapped well.',
    },
    {
      message: 'Now please put our final travel plan together: Porto, the Douro, then Viana, all by train.',
      reply: `| Day | Night in | Plan |
| --- | --- | --- |
| 1 | Porto | Metro from the airport, walk along the Ribeira |
| 2 | Porto | Tram to Foz, Dom Luís I bridge |
| 3 | Pinhão | Morning train, right-hand side, vineyard walk |
| 4 | Viana do Castelo | Boat ride, train by way of Porto Campanhã |
| 5 | Viana do Castelo | Beach and funicular; the *Gil Eannes* if it rains |
| 6 | | Train to Porto, metro to the airport |

No car, three beds, and only day 4 is long.`,
    },
    {
      message: 'What will that cost for the three of us, roughly, without the flights?',
      reply:
        'Count on 1,100 to 1,500 euros. Five nights in simple family rooms come to about 550 to 750, meals to 400 to 500, trains and metro to about 100, and the boat, tram, ship and funicular to another 80 or so. Children from 4 to 12 travel at half price on the trains. Prices change, so check the rooms first: they are the largest part.',
    },
    {
      message: 'Perfect. And how was that Portuguese sentence about the nut allergy again?',
      reply:
        '**"A minha filha é alérgica a frutos secos e a amendoins."** That says tree nuts and peanuts. To ask about a dish: *"Isto tem frutos secos?"*, which means "Does this contain nuts?". Have a good journey!',
    },
  ],
};
