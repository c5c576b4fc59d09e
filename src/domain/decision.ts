import * as z from 'zod/mini';

/** An id is used as a key of plain objects, so it must not be a key that every object already has. */
export const Id = z.string().check(
  z.minLength(1),
  z.refine((id) => !(id in {}), { error: 'an id that is free to be used as a key' }),
);

/** Milliseconds since 1970, within the range of a `Date`: formatting a later one would throw. */
export const Time = z
  .number()
  .check(z.refine((at) => Math.abs(at) <= 8.64e15, { error: 'a time in milliseconds since 1970' }));

/** Context-Agent §3.3, step 1. */
export const TopicAction = z.enum(['create-topic', 'switch-topic', 'continue-topic']);
export type TopicAction = z.infer<typeof TopicAction>;

/** Context-Agent §3.3, step 3. */
export const BranchAction = z.enum(['continue-branch', 'create-branch', 'switch-branch']);
export type BranchAction = z.infer<typeof BranchAction>;

/** One step of the engine's work, in milliseconds; `start` is relative to the beginning of the turn. */
export const Timing = z.object({ step: z.string(), start: z.number(), ms: z.number() });
export type Timing = z.infer<typeof Timing>;

/** Where a turn is or should be: under a node, or (`parentId` null) as the root of its topic. */
export const Placement = z.object({
  treeId: Id,
  branchId: Id,
  parentId: z.nullable(Id),
});
export type Placement = z.infer<typeof Placement>;

/**
 * Where the person wants a turn to go. `chosen`: they say that the message belongs there, which is stored as a label;
 * omitted if the place only follows from something else they did.
 */
export const Target = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('under'), nodeId: Id, chosen: z.optional(z.boolean()) }),
  z.object({ kind: z.literal('new-topic'), chosen: z.optional(z.boolean()) }),
]);
export type Target = z.infer<typeof Target>;

/** A turn that another turn needs although it is not on its path ("as we said about Japan, for the work trip"). */
export const Reference = z.object({
  to: Id,
  /** What is sent of it: its full path, or only its summary. */
  as: z.enum(['path', 'summary']),
  by: z.enum(['engine', 'person']),
});
export type Reference = z.infer<typeof Reference>;

/** A feature for or against an answer, in words, with its weight in log-odds. */
const Reason = z.object({ text: z.string(), weight: z.number() });
export type Reason = z.infer<typeof Reason>;

/** How the person's own corrections changed an answer. */
const PersonalEffect = z.object({
  /** The answer without them; `target` is the topic or turn it would have named, if any. Older versions name no turn. */
  without: z.object({
    action: z.union([TopicAction, BranchAction]),
    target: z.nullable(z.string()),
    confidence: z.number(),
  }),
  /** The lessons that favoured the answer over that one, or over the next likely one. */
  reasons: z.array(Reason),
});
export type PersonalEffect = z.infer<typeof PersonalEffect>;

/** Whether corrections changed an answer, and not only how sure it was. `target`: the topic or turn that it names. */
export const isChangedAnswer = (
  { without }: PersonalEffect,
  { action, target }: { readonly action: TopicAction | BranchAction; readonly target: string | null },
): boolean => {
  if (without.action !== action) return true;
  switch (action) {
    case 'switch-topic':
      return without.target !== target;
    case 'create-branch':
    case 'switch-branch':
      return without.target !== null && without.target !== target;
    default:
      return false;
  }
};

const Prompt = z.array(z.object({ role: z.enum(['system', 'user', 'assistant']), content: z.string() }));

const answerOf = <A extends z.core.$ZodType>(action: A) =>
  z.object({
    action,
    /** Probability of the chosen action, 0–1; null if the decider gives none. */
    confidence: z.nullable(z.number()),
    /** What favoured it over the next likely answer: the strongest few. */
    reasons: z.array(Reason),
    /**
     * The next likely answer, and the log-odds of the chosen one over it: the sum of the reasons and of everything they
     * do not name. `at`: the topic it would continue in, or the turn it would hang from; null for a new topic, and for
     * continuing. Omitted by a decider that weighs no alternatives.
     */
    against: z.optional(z.object({ action, at: z.nullable(z.string()), odds: z.number() })),
    /** The decider's answer, unparsed. */
    raw: z.string(),
    /** The prompt of a language model, verbatim; omitted by a decider that is not one. */
    prompt: z.optional(Prompt),
    /** Name of the decider that gave this answer. */
    decider: z.string(),
    /** Omitted if the person has taught it nothing relevant to this answer. */
    personal: z.optional(PersonalEffect),
  });

const TopicAnswer = z.extend(answerOf(TopicAction), {
  /** The next likely answers, likeliest first. `target`: the topic the turn would continue in; null for a new one. */
  alternatives: z.optional(
    z.array(z.object({ action: TopicAction, target: z.nullable(z.string()), confidence: z.number() })),
  ),
});
/** A decider's answer to the topic question. */
export type TopicAnswer = z.infer<typeof TopicAnswer>;

const BranchAnswer = z.extend(answerOf(BranchAction), {
  /** The turn it named in place of n*: a new branch hangs from it, or continues after it. */
  point: z.optional(z.string()),
  /** The next likely answers, likeliest first. `point`: the turn it would hang from. */
  alternatives: z.optional(z.array(z.object({ action: BranchAction, point: z.string(), confidence: z.number() }))),
});
/** A decider's answer to the branch question. */
export type BranchAnswer = z.infer<typeof BranchAnswer>;

const TopicCandidate = z.object({
  treeId: z.string(),
  title: z.string(),
  /** Cosine similarity of the message to the nearest node of the topic, −1…1. */
  similarity: z.number(),
  active: z.boolean(),
});
export type TopicCandidate = z.infer<typeof TopicCandidate>;

/** A node with its cosine similarity to the message, −1…1. */
const NodeCandidate = z.object({ nodeId: z.string(), similarity: z.number() });
export type NodeCandidate = z.infer<typeof NodeCandidate>;

/** Which rule settled the branch. All except the `asked…` rules settle it without the decider. */
const BranchRule = z.enum([
  'new-topic', // no branch to decide
  'no-retrieval', // the topic has no embedded node yet
  'below-threshold', // sim(q, n*) < θ
  'on-tip', // n* is the active node
  'direct-parent', // n* is the active node's parent and the message revises nothing
  'nothing-revised', // nothing is retrieved, and the message does not revise anything that has a parent to fork from
  'asked',
  'asked-ungated', // the decider is asked regardless of similarity, about a few of the turns it could fork from
  'asked-on-revision', // nothing is retrieved; the message revises something, so n* is the direct parent
  'not-above-threshold', // sim(q, n*) ≤ θ, and the policy requires more than θ
  'parent-excluded', // the policy always excludes the active node's parent; nothing else is above θ
  'asked-top-candidate', // n* is above θ; whichever node the decider names, n* is taken
  'person', // the person fixed where to continue
]);
export type BranchRule = z.infer<typeof BranchRule>;

export const Role = z.enum(['chat', 'decide', 'summarise', 'embed']);
export type Role = z.infer<typeof Role>;

/** A model that failed, timed out or gave an unusable answer, and its fallback. */
export const Fallback = z.object({
  role: Role,
  from: z.string(),
  to: z.string(),
  why: z.string(),
  /** The prompt of a language model, verbatim, if one was sent. */
  prompt: z.optional(Prompt),
  /** Its answer, unparsed. */
  raw: z.optional(z.string()),
});
export type Fallback = z.infer<typeof Fallback>;

/** Whether a message continues a path of turns: a decider's answer for one path. */
const PathQuestionRecord = z.object({
  /** The path's last turn. */
  leaf: z.string(),
  yes: z.boolean(),
  /** Probability of the answer, 0–1; null if the decider gives none. */
  confidence: z.nullable(z.number()),
  /** Name of the decider that gave it. */
  decider: z.string(),
  /** Its answer, unparsed; omitted by a decider that answers for all topics at once, in the topic's answer. */
  raw: z.optional(z.string()),
  /** The prompt of a language model, verbatim; omitted by a decider that is not one. */
  prompt: z.optional(Prompt),
});
export type PathQuestionRecord = z.infer<typeof PathQuestionRecord>;

/** The engine settings used for a decision: their version (0: as shipped), and what differs from the shipped ones. */
export const SettingsUsed = z.object({
  version: z.number(),
  /** By name. Other versions of the app know others, or other values: `knownParameters` tells which can be used. */
  parameters: z.record(z.string(), z.union([z.number(), z.boolean(), z.string(), z.null()])),
  /** Names of the prompts; their text is stored with the answers. */
  prompts: z.array(z.string()),
  /** Turns were reconsidered after their reply; omitted by versions that did not do this. */
  reconsiders: z.optional(z.literal(true)),
});
export type SettingsUsed = z.infer<typeof SettingsUsed>;

/** Everything that led to a decision. */
const Trace = z.object({
  policy: z.string(),
  embedder: z.string(),
  decider: z.string(),
  topic: z.object({
    /**
     * `first-turn`: nothing to choose from. `asked-by-path`: one path after another, the first yes wins.
     * `person`: the person fixed where to continue.
     */
    rule: z.enum(['asked', 'asked-by-path', 'first-turn', 'person']),
    answer: z.nullable(TopicAnswer),
    /** The topic chosen; null for a new one. */
    target: z.nullable(z.string()),
    candidates: z.array(TopicCandidate),
    /** The paths that were asked about, in that order; omitted if paths are not asked about. */
    paths: z.optional(z.array(PathQuestionRecord)),
    /** How many more paths there were beyond the limit of what is asked about; omitted if none. */
    pathsLeftOut: z.optional(z.number()),
  }),
  fork: z.object({
    /** θ: the similarity a node must reach to be a fork point; null under a policy that retrieves nothing. */
    theta: z.nullable(z.number()),
    /** Top k nodes of the topic, most similar first. */
    candidates: z.array(NodeCandidate),
    /** n*: the node the gate looked at; null if there was none. */
    point: z.nullable(z.string()),
  }),
  branch: z.object({
    rule: BranchRule,
    answer: z.nullable(BranchAnswer),
    /** What happened to the answer if a fixed rule had the last word, in words; null otherwise. */
    settled: z.nullable(z.string()),
  }),
  /** Omitted by versions that had no settings: as shipped. */
  settings: z.optional(SettingsUsed),
  /** The result for the message alone, if its reply showed that it belongs elsewhere and it was moved; omitted otherwise. */
  beforeReply: z.optional(
    z.object({
      topic: TopicAction,
      branch: z.nullable(BranchAction),
      /** null: it had opened a topic. */
      parentId: z.nullable(z.string()),
      confidence: z.nullable(z.number()),
    }),
  ),
  /** Turns off the path that the message points at; omitted if there are none. */
  references: z.optional(z.array(NodeCandidate)),
  fallbacks: z.array(Fallback),
  timings: z.array(Timing),
});
export type Trace = z.infer<typeof Trace>;

/** What placed a turn. `trace` is null if no engine was asked. */
export const Decision = z.object({
  topic: TopicAction,
  /** null in a new topic, where there is no branch to decide. */
  branch: z.nullable(BranchAction),
  /** `import`: the place comes from an imported file. */
  by: z.enum(['engine', 'person', 'import']),
  trace: z.nullable(Trace),
});
export type Decision = z.infer<typeof Decision>;

/** The turn that a decider started a new branch from, which may be gone or elsewhere by now; null if none did. */
export const forkedFrom = ({ branch, trace }: Decision): string | null =>
  branch === 'create-branch' && trace?.branch.answer?.action === 'create-branch' ? trace.fork.point : null;

/**
 * A person's judgement on a decision, kept for learning: where the engine put the turn and where the person says it
 * belongs. The same place twice is a confirmation, anything else a correction.
 */
export const Label = z.object({
  engine: Placement,
  person: Placement,
  at: Time,
  /** The person chose before sending the message: `engine` is where the embedded decider would have put it. */
  beforehand: z.optional(z.boolean()),
});
export type Label = z.infer<typeof Label>;

/** Whether the person agrees with the engine. Compares parents, as a move creates new topic or branch ids. */
export const isConfirmation = ({ engine, person }: Label): boolean => engine.parentId === person.parentId;

/** Which kind of judgement on a decision a label is. */
export const wordOf = (label: Label): 'chosen' | 'confirmed' | 'corrected' => {
  if (label.beforehand === true) return 'chosen';
  return isConfirmation(label) ? 'confirmed' : 'corrected';
};
