import * as z from 'zod/mini';

/** An id is a key of plain objects, so it must not be one that every object has already. */
export const Id = z.string().check(
  z.minLength(1),
  z.refine((id) => !(id in {}), { error: 'an id that is free to be used as a key' }),
);

/** Milliseconds since 1970, within what a `Date` can be: to write a later one would throw. */
export const Time = z
  .number()
  .check(z.refine((at) => Math.abs(at) <= 8.64e15, { error: 'a time in milliseconds since 1970' }));

/** Context-Agent §3.3, step 1. */
export const TopicAction = z.enum(['create-topic', 'switch-topic', 'continue-topic']);
export type TopicAction = z.infer<typeof TopicAction>;

/** Context-Agent §3.3, step 3. */
export const BranchAction = z.enum(['continue-branch', 'create-branch', 'switch-branch']);
export type BranchAction = z.infer<typeof BranchAction>;

/** One step of the engine's work, in milliseconds; `start` counts from the turn's beginning. */
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
 * Where the person wants a turn to go. `chosen`: they say that the message belongs there, which is kept as a label; left
 * out where the place only follows from something else that they did.
 */
export const Target = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('under'), nodeId: Id, chosen: z.optional(z.boolean()) }),
  z.object({ kind: z.literal('new-topic'), chosen: z.optional(z.boolean()) }),
]);
export type Target = z.infer<typeof Target>;

/** A turn that another needs though it is not on its path ("as we said about Japan, for the work trip"). */
export const Reference = z.object({
  to: Id,
  /** What of it is sent: its path in full, or its summary alone. */
  as: z.enum(['path', 'summary']),
  by: z.enum(['engine', 'person']),
});
export type Reference = z.infer<typeof Reference>;

/** A feature that spoke for or against an answer, in words, with its weight in log-odds. */
const Reason = z.object({ text: z.string(), weight: z.number() });
export type Reason = z.infer<typeof Reason>;

/** What the person's own corrections did to an answer. */
const Personal = z.object({
  /** The answer as it would have been without them; `target` is the topic it would have named, if any. */
  without: z.object({
    action: z.union([TopicAction, BranchAction]),
    target: z.nullable(z.string()),
    confidence: z.number(),
  }),
  /** What of the lessons spoke for the answer against that one, or against the next likely one. */
  reasons: z.array(Reason),
});
export type Personal = z.infer<typeof Personal>;

const Prompt = z.array(z.object({ role: z.enum(['system', 'user', 'assistant']), content: z.string() }));

const answerOf = <A extends z.core.$ZodType>(action: A) =>
  z.object({
    action,
    /** Probability of the chosen action, 0–1; null if the decider gives none. */
    confidence: z.nullable(z.number()),
    /** What spoke for it against the next likely answer: the strongest few. */
    reasons: z.array(Reason),
    /**
     * That answer, and the log-odds of the chosen one over it: what the reasons come to with all that they do not name. `at`: the topic that
     * it would go on in, or the turn that it would hang from; null for a new topic, and for going on. Left out by a decider that weighs none.
     */
    against: z.optional(z.object({ action, at: z.nullable(z.string()), odds: z.number() })),
    /** What the decider answered, unparsed. */
    raw: z.string(),
    /** What a language model was asked, word for word; left out by a decider that is none. */
    prompt: z.optional(Prompt),
    /** Name of the decider that gave this answer. */
    decider: z.string(),
    /** Left out where the person has taught it nothing that bears on this answer. */
    personal: z.optional(Personal),
  });

const TopicAnswer = z.extend(answerOf(TopicAction), {
  /** The next likely answers, likeliest first. `target`: the topic that it would go on in; null for a new one. */
  alternatives: z.optional(
    z.array(z.object({ action: TopicAction, target: z.nullable(z.string()), confidence: z.number() })),
  ),
});
/** A decider's answer to the topic question. */
export type TopicAnswer = z.infer<typeof TopicAnswer>;

const BranchAnswer = z.extend(answerOf(BranchAction), {
  /** The turn that it named in place of n*: a new branch hangs from it, or goes on after it. */
  point: z.optional(z.string()),
  /** The next likely answers, likeliest first. `point`: the turn that it would hang from. */
  alternatives: z.optional(z.array(z.object({ action: BranchAction, point: z.string(), confidence: z.number() }))),
});
/** A decider's answer to the branch question. */
export type BranchAnswer = z.infer<typeof BranchAnswer>;

const TopicCandidate = z.object({
  treeId: z.string(),
  title: z.string(),
  /** Cosine of the message to the nearest node of the topic, −1…1. */
  similarity: z.number(),
  active: z.boolean(),
});
export type TopicCandidate = z.infer<typeof TopicCandidate>;

/** A node with its cosine to the message, −1…1. */
const NodeCandidate = z.object({ nodeId: z.string(), similarity: z.number() });
export type NodeCandidate = z.infer<typeof NodeCandidate>;

/** Which rule settled the branch. Everything but the `asked…` settles it without the decider. */
const BranchRule = z.enum([
  'new-topic', // no branch to decide
  'no-retrieval', // the topic has no embedded node yet
  'below-threshold', // sim(q, n*) < θ
  'on-tip', // n* is the active node
  'direct-parent', // n* is the active node's parent and the message revises nothing
  'nothing-revised', // nothing is retrieved, and the message revises nothing that has a parent to fork from
  'asked',
  'asked-ungated', // the decider is asked whatever the similarity, and weighs every turn it could fork from
  'asked-on-revision', // nothing is retrieved; the message revises something, so n* is the direct parent
  'not-above-threshold', // sim(q, n*) ≤ θ, and the policy wants more than θ
  'parent-excluded', // the policy leaves the active node's parent out, whatever the message; nothing else lies above θ
  'asked-top-candidate', // n* lies above θ; whichever node the decider names, n* is taken
  'person', // the person fixed where to go on from
]);
export type BranchRule = z.infer<typeof BranchRule>;

export const Role = z.enum(['chat', 'decide', 'summarise', 'embed']);
export type Role = z.infer<typeof Role>;

/** A model that failed, timed out or answered nonsense, and what stood in for it. */
export const Fallback = z.object({
  role: Role,
  from: z.string(),
  to: z.string(),
  why: z.string(),
  /** What a language model was asked, word for word, where it came to that. */
  prompt: z.optional(Prompt),
  /** What came of its answer, unparsed. */
  raw: z.optional(z.string()),
});
export type Fallback = z.infer<typeof Fallback>;

/** Whether a message goes on in a path of turns: what a decider said of one. */
const PathAsked = z.object({
  /** The path's last turn. */
  leaf: z.string(),
  yes: z.boolean(),
  /** Probability of the answer, 0–1; null if the decider gives none. */
  confidence: z.nullable(z.number()),
  /** Name of the decider that gave it. */
  decider: z.string(),
  /** What it answered, unparsed; left out by one that answers for all topics at once, in the topic's answer. */
  raw: z.optional(z.string()),
  /** What a language model was asked, word for word; left out by a decider that is none. */
  prompt: z.optional(Prompt),
});
export type PathAsked = z.infer<typeof PathAsked>;

/** The engine's settings that a decision was made with: their version (0: as shipped), and what differs from the shipped ones. */
const SettingsUsed = z.object({
  version: z.number(),
  /** By name. */
  parameters: z.record(z.string(), z.union([z.number(), z.boolean(), z.null()])),
  /** Names of the prompts; their words stand with the answers. */
  prompts: z.array(z.string()),
  /** Turns were looked at again once they had been replied to; left out by versions that did not. */
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
     * `first-turn`: nothing to choose from. `asked-by-path`: about one path after the other, the first yes wins.
     * `person`: the person fixed where to go on from.
     */
    rule: z.enum(['asked', 'asked-by-path', 'first-turn', 'person']),
    answer: z.nullable(TopicAnswer),
    /** The topic chosen; null for a new one. */
    target: z.nullable(z.string()),
    candidates: z.array(TopicCandidate),
    /** The paths that were asked about, in that order; left out where paths are not. */
    paths: z.optional(z.array(PathAsked)),
    /** How many more there were than are ever asked about; left out where there were none. */
    pathsLeftOut: z.optional(z.number()),
  }),
  fork: z.object({
    /** θ: the similarity that a node must reach to be a fork point; null under a policy that retrieves nothing. */
    theta: z.nullable(z.number()),
    /** Top k nodes of the topic, most similar first. */
    candidates: z.array(NodeCandidate),
    /** n*: the node the gate looked at; null if there was none. */
    point: z.nullable(z.string()),
  }),
  branch: z.object({
    rule: BranchRule,
    answer: z.nullable(BranchAnswer),
    /** What happened to the answer where a settled rule spoke last, in words; null otherwise. */
    settled: z.nullable(z.string()),
  }),
  /** Left out by versions that had no settings: as shipped. */
  settings: z.optional(SettingsUsed),
  /** What the message alone had come to, where its reply showed that it belongs elsewhere and it was moved; left out elsewhere. */
  beforeReply: z.optional(
    z.object({
      topic: TopicAction,
      branch: z.nullable(BranchAction),
      /** null: it had opened a topic. */
      parentId: z.nullable(z.string()),
      confidence: z.nullable(z.number()),
    }),
  ),
  /** Turns off the path that the message points at; left out where there are none. */
  references: z.optional(z.array(NodeCandidate)),
  fallbacks: z.array(Fallback),
  timings: z.array(Timing),
});
export type Trace = z.infer<typeof Trace>;

/** What placed a turn. `trace` is null when no engine was asked. */
export const Decision = z.object({
  topic: TopicAction,
  /** null in a new topic, where there is no branch to decide. */
  branch: z.nullable(BranchAction),
  /** `import`: it stands where a file had it. */
  by: z.enum(['engine', 'person', 'import']),
  trace: z.nullable(Trace),
});
export type Decision = z.infer<typeof Decision>;

/**
 * A person's word on a decision, kept for learning: where the engine put the turn and where the person says it
 * belongs. The same place twice is a confirmation, anything else a correction.
 */
export const Label = z.object({
  engine: Placement,
  person: Placement,
  at: Time,
  /** The person chose before the message was sent: `engine` is where the embedded decider would have put it. */
  beforehand: z.optional(z.boolean()),
});
export type Label = z.infer<typeof Label>;

/** Whether the person agrees with the engine. By parents: the ids of a topic or branch are made anew by a move. */
export const isConfirmation = ({ engine, person }: Label): boolean => engine.parentId === person.parentId;

/** What kind of word on a decision a label is. */
export const wordOf = (label: Label): 'chosen' | 'confirmed' | 'corrected' => {
  if (label.beforehand === true) return 'chosen';
  return isConfirmation(label) ? 'confirmed' : 'corrected';
};
