import type { Kernel } from '../../app/kernel.ts';
import { engineSettings } from '../../app/saved-settings.ts';
import type { WhatIfDeciders } from '../../engine/history/parts.ts';
import type { WhatIf } from '../../engine/history/question.ts';
import { Workshop } from '../../engine/history/workshop.ts';
import type { Lesson } from '../../engine/place/lessons.ts';
import type { Embedder } from '../../engine/ports.ts';
import type { Origin } from './what-if-run.ts';

/** What re-runs have beside the models of the app. */
export interface OwnModels {
  /** The embedded embedder. */
  readonly embed: Embedder;
  readonly deciders: WhatIfDeciders;
}

/** What a re-run works with, as things are now. */
export const workshopFor = async (
  kernel: Kernel,
  { embed, deciders }: OwnModels,
  { conversationId, entries }: Origin,
  question: WhatIf,
): Promise<Workshop> => {
  const { ports, store } = kernel;
  const { settings } = store.getState();
  const { on } = store.getState().learning;
  const lessons = on ? await kernel.storage.lessons() : [];
  const workshop = new Workshop({
    models: ports.models(),
    embedded: { ...ports.embedded, embed },
    deciders,
    lessons: lessonsFor(lessons, conversationId, entries, question),
    settings: engineSettings(settings),
    settingsOf: (version) =>
      settings.versions.some((saved) => saved.version === version)
        ? engineSettings({ ...settings, current: version })
        : null,
    // By way of the kernel, for the storage may become another.
    vectors: {
      readVectors: (model, hashes) => kernel.storage.readVectors(model, hashes),
      saveVectors: (model, vectors) => kernel.storage.saveVectors(model, vectors),
    },
    now: ports.elapsed,
    newId: ports.newId,
  });
  await workshop.prepare(entries, question);
  return workshop;
};

/** Corrections that a re-run leaves out teach nothing in it. */
const lessonsFor = (
  lessons: readonly Lesson[],
  conversationId: string,
  entries: Origin['entries'],
  { byHand, from }: WhatIf,
): readonly Lesson[] => {
  if (byHand === 'again') return lessons;
  const begins = entries.find(({ event }) => event.type === 'message-sent' && event.nodeId === from);
  const since = begins?.at ?? 0;
  return lessons.filter((lesson) => lesson.conversationId !== conversationId || lesson.at < since);
};
