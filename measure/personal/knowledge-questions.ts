const FORMS: readonly ((thing: string) => string)[] = [
  (thing) => `What is ${thing}?`,
  (thing) => `Who invented ${thing}?`,
  (thing) => `How does ${thing} work?`,
  (thing) => `Why is ${thing} so famous?`,
  (thing) => `When was ${thing} first used?`,
  (thing) => `Explain ${thing} in one sentence.`,
  (thing) => `Is it true that nobody understands ${thing}?`,
];

const THINGS: readonly string[] = [
  'a sextant',
  'the doppler effect',
  'a lathe',
  'photosynthesis',
  'the abacus',
  'a heat pump',
  'the printing press',
  'a black hole',
  'sonar',
  'the gold standard',
  'vulcanised rubber',
  'a suspension bridge',
  'the rosetta stone',
  'plate tectonics',
  'a carburettor',
  'braille',
  'the steam turbine',
  'pasteurisation',
  'a gyroscope',
  'the metric system',
  'aspirin',
  'a pendulum clock',
  'the morse code',
  'concrete',
  'a periscope',
  'the barometer',
  'quinine',
  'a fresnel lens',
  'the zip fastener',
  'gunpowder',
];

/** A question that has nothing to do with anything at hand. `random`: uniform in [0, 1). */
export const knowledgeQuestion = (random: () => number): string => {
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  return pick(FORMS)(pick(THINGS));
};
