import { expect, test } from 'vitest';
import { contextAgent } from '../src/engine/context/policies/context-agent.ts';
import type { Decider } from '../src/engine/ports.ts';
import type { LabelledDialogue } from '../src/features/evaluate/datasets/dialogues.ts';
import { placeDialogue } from '../src/features/evaluate/measurement/placements.ts';
import type { Features } from '../src/models/embedded/boosted-trees.ts';
import { TextReader } from '../src/models/embedded/decider-texts.ts';
import { shippedLexicon } from '../src/models/embedded/lexicon.ts';
import { readTopicQuestion } from '../src/models/embedded/topic-features.ts';
import { alwaysContinue } from '../src/models/embedded/what-if-deciders.ts';
import { topicExamples } from './decision-examples.ts';

const vectorOf = (text: string): Float32Array => Float32Array.of(text.length, text === '' ? 0 : 1);

const DIALOGUE: LabelledDialogue = {
  set: 'made',
  id: 'd',
  group: 'd',
  labels: 'parents',
  turns: [
    { message: 'hi', reply: 'Hello!', parent: null, disputed: false },
    { message: 'how long does sourdough have to rise', reply: 'Twelve hours.', parent: 0, disputed: false },
    { message: 'which bus goes to the airport', reply: 'The 12.', parent: null, disputed: false },
    { message: 'and in a warm kitchen', reply: 'Eight hours.', parent: 1, disputed: false },
    { message: 'does it run at night', reply: 'Every hour.', parent: 2, disputed: false },
  ],
};

test('what is learned from is what the engine asks of a message that has been sent', async () => {
  const lexicon = await shippedLexicon();
  const reader = new TextReader(lexicon);
  const asked: Features[][] = [];
  const asking: Decider = {
    ...alwaysContinue,
    topic: (question) => {
      asked.push(readTopicQuestion(question, reader).choices.map(({ features }) => features));
      return alwaysContinue.topic(question);
    },
  };
  const subject = { subject: asking.name, deciderFor: () => asking, policy: contextAgent };
  await placeDialogue('made', DIALOGUE, subject, 'teacher-forced', vectorOf);

  const learned = topicExamples(DIALOGUE, { vectorOf, reader: new TextReader(lexicon), embedder: 'made' }).map(
    ({ choices }) => choices.map(({ features }) => features),
  );
  expect(learned).toEqual(asked);
  const ages = learned.map((choices) => choices.flatMap((features) => features['target age'] ?? []));
  expect(ages).toEqual([[], [], [Math.log(2)], [Math.log(2)]]);
});
