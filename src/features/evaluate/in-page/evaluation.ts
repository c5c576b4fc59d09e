import { contextAgent } from '../../../engine/context/policies/context-agent.ts';
import { errorMessage } from '../../../engine/model-failure.ts';
import type { Decider, Embedder, TokenCounter } from '../../../engine/ports.ts';
import type { Storage } from '../../../engine/storage.ts';
import { createYielder } from '../../../engine/tasks.ts';
import { loadGlossaries } from '../../../engine/text/glossary.ts';
import { contentHash } from '../../../engine/vectors/node-vectors.ts';
import { cacheEmbeddings } from '../../../models/runtimes/embedding.ts';
import { ABOUT_POLICY, aboutDecider, subjectName } from '../../../ui/parts/policies.tsx';
import type { VectorOf } from '../measurement/embedded-texts.ts';
import { measure, textsToEmbed } from '../measurement/measure.ts';
import type { PlacementSubject } from '../measurement/placements.ts';
import {
  byPaths,
  CONTEXT_NAMES,
  MEMORY_NAMES,
  type Subjects,
  subjectsNamed,
  withStandIn,
} from '../measurement/subjects.ts';
import type { Evaluation, EvaluationData, SubjectChoice, SubjectNames, TaskMonitor } from './evaluation-port.ts';
import { measuredOf, summariesOf } from './measured.ts';
import { BrokenFile, KINDS, type ReadFiles, readUploads } from './read-uploads.ts';

interface EvaluationParts extends VectorParts {
  readonly tokens: TokenCounter;
  readonly userAgent: string;
  /** The decider chosen in Models; null if it is the embedded one. */
  chosenDecider(): Decider | null;
  /** Whether that decider may be on a server. */
  deciderLeaves(): boolean;
}

/** `npm run eval` in a page: runs on files that the user provides, with the page's own embedder and cache. */
export const createEvaluation = (parts: EvaluationParts): Evaluation => ({
  kinds: KINDS.map(({ name, about, files }) => ({ name, about, files })),
  deciders: () => deciderChoices(parts.chosenDecider(), parts.deciderLeaves()),
  policies: policyChoices,
  memories: memoryChoices,
  read: async (files, namedKinds, monitor) => {
    try {
      const read = await readUploads(files, namedKinds, monitor);
      return {
        ok: true,
        data: dataOf(
          read,
          files.map(({ path }) => path),
          parts,
        ),
      };
    } catch (error) {
      if (!(error instanceof BrokenFile)) throw error;
      const { path, line, message } = error;
      return { ok: false, failure: { path, line, message } };
    }
  },
});

const dataOf = (read: ReadFiles, given: readonly string[], parts: EvaluationParts): EvaluationData => {
  const { data, leftOut, unknown } = read;
  const notRead = new Set([...unknown, ...leftOut.map(({ path }) => path)]);
  const files = given.filter((path) => !notRead.has(path));
  const labelled = new Set(data.ntm.map(({ id }) => id));
  return {
    sets: summariesOf(data),
    unlabelled: [...data.conversations.keys()].filter((id) => !labelled.has(id)).length,
    leftOut,
    unknown,
    measure: (subjects, monitor, skippedSets = new Set()) =>
      measureInPage(data, files, { subjects, skippedSets }, monitor, parts),
  };
};

const measureInPage = async (
  data: ReadFiles['data'],
  files: readonly string[],
  { subjects, skippedSets }: { readonly subjects: SubjectNames; readonly skippedSets: ReadonlySet<string> },
  { progress, signal }: TaskMonitor,
  parts: EvaluationParts,
) => {
  await loadGlossaries();
  const { vectorOf, unkept } = await embedTexts(textsToEmbed(data, skippedSets), parts, { progress, signal });
  const breathe = createYielder(() => performance.now(), signal);
  const embed = cacheEmbeddings(async (texts) => {
    const more = await embedTexts(texts, parts, { progress: () => undefined, signal });
    return texts.map(more.vectorOf);
  });
  const chosen = parts.chosenDecider();
  // One that is no longer chosen in Models may still be selected.
  const listed = deciderChoices(chosen, parts.deciderLeaves()).map(({ name }) => name);
  const deciders = subjects.deciders.filter((name) => listed.includes(name));
  const own = chosen !== null && subjects.deciders.includes(chosen.name) ? withStandIn(chosen) : null;
  const measurement = await measure(data, {
    vectorOf,
    embed,
    tokens: {
      name: parts.tokens.name,
      count: async (texts) => {
        await breathe();
        return parts.tokens.count(texts);
      },
    },
    skippedSets,
    subjects: subjectsOf(subjects, own, signal, breathe),
    signal,
    progress: (done, of, what) => {
      progress(done, of, what);
      return breathe();
    },
  });
  const notes = [...(own === null ? [] : [own.summary()]), ...(unkept === null ? [] : [unkeptWords(unkept)])];
  return measuredOf(measurement, data, notes, parts.userAgent, {
    embedder: parts.embed.name,
    unit: parts.tokens.name,
    ...subjects,
    deciders,
    skippedSets,
    files,
  });
};

const unkeptWords = (why: string): string =>
  `Could not save the embeddings for the next run (${why}). The figures are not affected.`;

/** Number of texts looked up, embedded and stored per batch. */
const BATCH = 64;

interface VectorParts {
  readonly embed: Embedder;
  /** The page's vector cache. */
  readonly cache: Pick<Storage, 'readVectors' | 'saveVectors'>;
}

/**
 * Returns the vectors of texts: cached ones if available, otherwise computed and stored. Rejects if the embedder fails or
 * the signal is aborted. A cache that fails to store only slows down the next run and affects no figure: `unkept` says why.
 */
const embedTexts = async (
  texts: Iterable<string>,
  { embed, cache }: VectorParts,
  { progress, signal }: TaskMonitor,
): Promise<{ readonly vectorOf: VectorOf; readonly unkept: string | null }> => {
  const all = [...new Set(texts)].filter((text) => text !== '');
  const known = new Map<string, Float32Array>([['', new Float32Array(embed.dimensions)]]);
  let unkept: string | null = null;
  const whyNot = (error: unknown) => {
    unkept = errorMessage(error);
  };
  for (let at = 0; at < all.length; at += BATCH) {
    progress(at, all.length, 'embedding the messages');
    const batch = all.slice(at, at + BATCH).map((text) => ({ text, hash: contentHash(text) }));
    const hashes = batch.map(({ hash }) => hash);
    const cached = unkept === null ? await cache.readVectors(embed.name, hashes).catch(whyNot) : undefined;
    signal.throwIfAborted();
    const missing = batch.filter((_, index) => cached?.[index] === undefined);
    const vectors = await embed.embed(
      missing.map(({ text }) => text),
      signal,
    );
    const made = new Map(missing.map(({ hash }, index) => [hash, vectors[index] as Float32Array]));
    for (const [index, { text, hash }] of batch.entries()) {
      known.set(text, cached?.[index] ?? (made.get(hash) as Float32Array));
    }
    if (made.size > 0 && unkept === null) await cache.saveVectors(embed.name, made).catch(whyNot);
    signal.throwIfAborted();
  }
  const vectorOf: VectorOf = (text) => {
    const vector = known.get(text);
    if (vector === undefined) throw new Error('a text was not embedded');
    return vector;
  };
  return { vectorOf, unkept };
};

const EQUAL = /-equal-tokens$/;

/** A short description of a subject. */
const about = (name: string): string => {
  if (EQUAL.test(name)) return `${name.replace(EQUAL, '')} with as many tokens as context-agent`;
  return ABOUT_POLICY[name] ?? aboutDecider(name);
};

const choiceOf = (name: string): SubjectChoice => ({ name, title: subjectName(name), about: about(name) });
/** All available subjects, including memories. */
const allSubjects = (): Subjects => subjectsNamed([], [...CONTEXT_NAMES, ...MEMORY_NAMES]);
/** A policy with its own way to find fork points is also measured for placement, under its own name. */
const isDecider = ({ policy }: PlacementSubject) => policy === contextAgent;

/** `own`: the decider chosen in Models, unless it is the embedded one; `leaves`: whether it may be on a server. */
const deciderChoices = (own: Decider | null, leaves: boolean): SubjectChoice[] => {
  const names = allSubjects()
    .placings.filter(isDecider)
    .map(({ subject }) => subject);
  return [
    ...names.map(choiceOf),
    ...(own === null
      ? []
      : [
          {
            name: own.name,
            title: own.name,
            about: `chosen in Models; asked for every decision, which can take a while${leaves ? '. The dialogues’ text leaves this browser for its server' : ''}`,
            leaves,
          },
        ]),
  ];
};

const policyChoices = (): SubjectChoice[] => CONTEXT_NAMES.map(choiceOf);

/** They embed and condense at every turn, so they are only measured on request. */
const memoryChoices = (): SubjectChoice[] => MEMORY_NAMES.map(choiceOf);

/**
 * The chosen subjects; none if none are chosen. Every decision awaits `yieldToPage`, so the page does not block for a whole
 * dialogue; calls to the user's own decider are cancelled with the signal.
 */
const subjectsOf = (
  { deciders, policies }: SubjectNames,
  own: ReturnType<typeof withStandIn> | null,
  signal: AbortSignal,
  breathe: () => Promise<void>,
): Subjects => {
  const { placings, contexts } = allSubjects();
  const breathing = ({ path, ...decider }: Decider): Decider => ({
    ...decider,
    ...(path && {
      path: async (question) => {
        await breathe();
        return path(question, signal);
      },
    }),
    topic: async (question) => {
      await breathe();
      return decider.topic(question, signal);
    },
    branch: (question) => decider.branch(question, signal),
  });
  const breathingIn = (placing: PlacementSubject): PlacementSubject => ({
    ...placing,
    deciderFor: (dialogue) => breathing(placing.deciderFor(dialogue)),
  });
  const wanted = contexts.filter(({ subject }) => policies.includes(subject));
  const asked =
    own === null ? [] : [breathingIn({ subject: own.name, deciderFor: own.deciderFor, policy: contextAgent })];
  return {
    placings: [
      ...placings
        .filter((placing) => (isDecider(placing) ? deciders : policies).includes(placing.subject))
        .map(breathingIn),
      ...asked,
      ...asked.flatMap((one) => byPaths(one, wanted)),
    ],
    contexts: wanted,
  };
};
