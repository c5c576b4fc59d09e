import { apply, applyEntries, frozen } from '../../domain/apply.ts';
import type { Fallback, SettingsUsed } from '../../domain/decision.ts';
import type { Entry } from '../../domain/entry.ts';
import { emptyForest, type Forest, type Node, type NodeId, type ReplyId } from '../../domain/forest.ts';
import { replyOf } from '../../domain/queries.ts';
import { changedIds, recordsOf } from '../../domain/table.ts';
import type { Policy } from '../context/policy.ts';
import type { EngineCore } from '../core.ts';
import type { IngestListener } from '../memories/memory-access.ts';
import { errorMessage } from '../model-failure.ts';
import { createYielder } from '../tasks.ts';
import type { Cost } from '../text/token-cache.ts';
import {
  type PastNearness,
  type PastTurn,
  pastContextInputs,
  pastSettings,
  pastSimilarity,
  rebuildContext,
  recounted,
  sentContext,
} from './past-contexts.ts';
import { asSorted } from './sort-topics.ts';

/** Token counts of every policy's context for a turn. */
export interface TurnContexts {
  readonly nodeId: NodeId;
  readonly number: number;
  /** By policy name; for the policy that was used, what was actually sent. */
  readonly tokens: Readonly<Record<string, number>>;
  /** Cost of each policy's own bookkeeping, by policy name; with the current models, except for where turns were placed. */
  readonly costs: Readonly<Record<string, Cost>>;
  /** What stood in for models that failed, by policy name; only of policies for which any did. */
  readonly fallbacks: Readonly<Record<string, readonly Fallback[]>>;
  /** The policy that was used; null if nothing was sent or it is unknown. */
  readonly sent: string | null;
  /** Tokens of what was sent, counted like the others; null like `sent`. */
  readonly sentTokens: number | null;
  /** What all of them were built with: not the current settings, if the turn recorded its own. */
  readonly settings: Pick<SettingsUsed, 'version' | 'parameters'>;
  /** Name of the tokenizer that counted. */
  readonly unit: string;
}

/** Called when a policy's memory fails, with the reason in words: the policy has no results from that turn on, the others continue. */
export type PolicyFailed = (policy: string, why: string) => void;

/** Number of entries; takes a few milliseconds. */
const FOLDED_AT_ONCE = 512;
/** Number of turns embedded together; takes a good part of a second. */
const KNOWN_AT_ONCE = 64;

/**
 * Returns what `contextsFor` gives, as token counts only, for every wanted turn that exists now, in the order in which
 * the chosen replies began. Delivered in parts, between which the page can breathe. Rejects if tokens cannot be counted
 * or the signal fires, and, without `onFailed`, if a memory's model fails.
 */
export const contextsOverTime = async (
  core: EngineCore,
  entries: readonly Entry[],
  policies: readonly Policy[],
  onTurns: (turns: readonly TurnContexts[]) => void,
  signal: AbortSignal,
  onFailed?: PolicyFailed,
  wanted: (node: Node) => boolean = () => true,
): Promise<void> => {
  const { now } = core.parts;
  let part: TurnContexts[] = [];
  const deliver = () => {
    if (part.length > 0) onTurns(part);
    part = [];
  };
  const rest = createYielder(now, signal, deliver);
  let log = entries;
  let conversation = await foldedWhole(log, rest);
  if (conversation.isArranged) {
    // As in `contextsFor`.
    log = await asSorted(entries, rest);
    if (log !== entries) conversation = await foldedWhole(log, rest);
  }
  const near = pastSimilarity(core, signal);
  let known = 0;
  let repliesKnown = 0;
  let remaining = policies;
  const failed = (policy: Policy, error: unknown): undefined => {
    signal.throwIfAborted();
    if (policy.remember === undefined || onFailed === undefined) throw error;
    remaining = remaining.filter((one) => one !== policy);
    onFailed(policy.name, errorMessage(error));
  };
  let forest = frozen(emptyForest());
  let reached = 0;
  let compared = forest;
  for (let moment = 0; moment <= log.length; moment++) {
    const turns = (conversation.turnsAt.get(moment) ?? []).filter(wanted);
    if (turns.length > 0 || moment - reached === FOLDED_AT_ONCE) {
      forest = applyEntries(forest, log.slice(reached, moment));
      reached = moment;
    }
    const { everyTurn, latest, placedAt } = conversation;
    const first = known;
    if (turns.length > 0) while ((placedAt[known] ?? moment) < moment) known++;
    // Embeds a few more than needed, so that the embedder is not called turn by turn.
    if (known > first) {
      known = Math.min(everyTurn.length, Math.max(known, first + KNOWN_AT_ONCE));
      await near.know(everyTurn.slice(first, known));
    }
    const knowReplies = async (): Promise<void> => {
      const ahead = latest.slice(repliesKnown, known);
      repliesKnown = known;
      await near.knowReplies(ahead);
      // A turn may have had another reply at the time.
      const changed = changedNodes(compared, forest);
      compared = forest;
      await near.knowReplies(changed.filter(({ id }) => turns.every((turn) => turn.id !== id)));
    };
    const nearTo = (nodeId: NodeId): PastNearness => ({ ...near.to(nodeId), knowReplies });
    for (const node of turns) {
      // A turn that was undone and came back later does not exist at the moment of its first words.
      if (forest.nodes[node.id] === undefined) continue;
      const then = { forest, node, sent: sentContext(node), model: replyOf(node)?.model ?? null };
      const turn = await tokensThen(core, then, remaining, { signal, nearTo, taken: rest, failed });
      // Not in one expression: the part may have been delivered meanwhile.
      part.push(turn);
    }
    await rest();
  }
  deliver();
};

const changedNodes = (before: Forest, { nodes }: Forest): readonly Node[] =>
  changedIds(before.nodes, nodes)?.flatMap((id) => nodes[id] ?? []) ?? recordsOf(nodes);

interface CountOptions {
  readonly signal: AbortSignal;
  readonly nearTo: (nodeId: NodeId) => PastNearness;
  readonly taken: IngestListener;
  /** Throws if the error does not concern this policy alone. */
  readonly failed: (policy: Policy, error: unknown) => undefined;
}

const tokensThen = async (
  core: EngineCore,
  then: PastTurn,
  policies: readonly Policy[],
  { signal, nearTo, taken, failed }: CountOptions,
): Promise<TurnContexts> => {
  const { node, sent } = then;
  const builtWith = pastContextInputs(core, then);
  const near = nearTo(node.id);
  const tokens: Record<string, number> = {};
  const costs: Record<string, Cost> = {};
  const fallbacks: Record<string, readonly Fallback[]> = {};
  const sentTokens = sent === null ? null : (await recounted(then, sent, builtWith)).tokens;
  for (const policy of policies) {
    const building = rebuildContext(core, then, policy, { signal, near, builtWith, taken });
    const built = await building.catch((error: unknown) => failed(policy, error));
    if (built === undefined) continue;
    tokens[policy.name] = (sent?.policy === policy.name ? sentTokens : null) ?? built.context.tokens;
    costs[policy.name] = await built.cost();
    if (built.context.fallbacks !== undefined) fallbacks[policy.name] = built.context.fallbacks;
  }
  const { version, parameters } = pastSettings(core, then);
  return {
    nodeId: node.id,
    number: node.number,
    settings: { version, parameters },
    tokens,
    costs,
    fallbacks,
    sent: sent?.policy ?? null,
    sentTokens,
    unit: builtWith.tokens.unit,
  };
};

interface Conversation {
  /** Every turn that was ever placed, as it was then. */
  readonly everyTurn: readonly Node[];
  /** The same turns as they are now, if they exist. */
  readonly latest: readonly Node[];
  /** For each of these, the index of the entry that placed it. */
  readonly placedAt: readonly number[];
  /** The turns that exist now, by the number of entries before their contexts were built. */
  readonly turnsAt: ReadonlyMap<number, readonly Node[]>;
  /** Whether turns were ever sorted into topics. */
  readonly isArranged: boolean;
}

const foldedWhole = async (entries: readonly Entry[], rest: () => Promise<void>): Promise<Conversation> => {
  const forest = emptyForest();
  const everyTurn: Node[] = [];
  const placedAt: number[] = [];
  const placed = new Map<NodeId, number>();
  const begun = new Map<ReplyId, number>();
  let isArranged = false;
  for (const [i, entry] of entries.entries()) {
    apply(forest, entry);
    const { event } = entry;
    if (event.type === 'reply-started') begun.set(event.replyId, i);
    if (event.type === 'turns-arranged') isArranged = true;
    if (event.type === 'turn-placed') {
      const node = forest.nodes[event.nodeId];
      if (node !== undefined) {
        everyTurn.push(node);
        placedAt.push(i);
      }
      placed.set(event.nodeId, i + 1);
    }
    if (i % 64 === 0) await rest();
  }
  const turnsAt = new Map<number, Node[]>();
  for (const node of recordsOf(forest.nodes)) {
    const moment = (node.replyId === null ? undefined : begun.get(node.replyId)) ?? placed.get(node.id);
    if (moment !== undefined) turnsAt.set(moment, [...(turnsAt.get(moment) ?? []), node]);
  }
  const latest = everyTurn.map((node) => forest.nodes[node.id] ?? node);
  return { everyTurn, latest, placedAt, turnsAt, isArranged };
};
