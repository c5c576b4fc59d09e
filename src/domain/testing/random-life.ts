import * as fc from 'fast-check';
import { apply, fold } from '../apply.ts';
import type { Decision, Target } from '../decision.ts';
import { type Entry, LOG_VERSION } from '../entry.ts';
import { emptyForest, type Forest, PERSON } from '../forest.ts';
import { type Arrangement, handle, type Intent, type IntentOutcome } from '../handle.ts';
import { scrub } from '../scrub.ts';
import { idsOf } from '../table.ts';

/** A choice that turns into an intent on whatever forest it meets; numbers pick from what is there. */
export type Move =
  | { kind: 'say'; target: number; rootShare: number }
  | {
      kind: 'send' | 'place' | 'reply' | 'again' | 'resume' | 'summarise' | 'title' | 'undo' | 'redo' | 'rename';
      pick: number;
    }
  | { kind: 'move'; pick: number; target: number }
  | { kind: 'choose'; target: number; other: number }
  | { kind: 'activate' | 'confirm' | 'rewind'; pick: number }
  | { kind: 'edit'; edit: (typeof EDITS)[number]; pick: number; target: number };

/** Manual edits that consist of a single intent. */
const EDITS = [
  'hide',
  'show',
  'pin',
  'note',
  'refer',
  'unrefer',
  'delete',
  'cut',
  'extract',
  'branch',
  'reword',
  'arrange',
  'reconsider',
] as const;

const pick = fc.nat({ max: 1000 });
/** What may happen next in a conversation. */
const moves = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('say' as const), target: pick, rootShare: fc.nat({ max: 9 }) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        'send',
        'place',
        'reply',
        'again',
        'resume',
        'summarise',
        'title',
        'undo',
        'redo',
        'rename',
      ),
      pick,
    }) as fc.Arbitrary<Move>,
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('move' as const), pick, target: pick }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('activate' as const, 'confirm' as const), pick }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('choose' as const), target: pick, other: pick }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('rewind' as const), pick }) },
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('edit' as const), edit: fc.constantFrom(...EDITS), pick, target: pick }),
  },
);

// By default fast-check's arrays have ten items at most.
export const lives = fc.array(moves, { maxLength: 80, size: 'max' });
export const briefLives = fc.array(moves, { maxLength: 10 });
export const longLives = fc.array(moves, { minLength: 200, maxLength: 200 });

const byPerson: Decision = { topic: 'continue-topic', branch: null, by: 'person', trace: null };

/** A conversation in progress: its forest, its log, and intents carried out one by one. */
export class Life {
  readonly entries: Entry[] = [];
  readonly forest: Forest = emptyForest();
  /** Milliseconds that pass before the next entry. */
  pause = 0;
  #ids = 0;

  /** The time of the next entry. */
  get time(): number {
    return this.entries.length + this.pause;
  }

  id = (): string => `i${this.#ids++}`;

  do(intent: Intent): IntentOutcome {
    const handled = handle(this.forest, intent);
    if (!handled.ok) return handled;
    for (const event of handled.events) {
      const entry: Entry = {
        v: LOG_VERSION,
        seq: this.entries.length + 1,
        at: this.time,
        step: handled.step,
        event,
      };
      this.entries.push(entry);
      apply(this.forest, entry);
    }
    return handled;
  }

  /** Every text has words of its own, so that a test can tell where they came from. */
  send(message?: string, nodeId = this.id(), target: Target | null = null): string {
    this.do({
      type: 'record',
      step: this.id(),
      event: { type: 'message-sent', nodeId, message: message ?? `said-${nodeId}`, given: null, target },
    });
    return nodeId;
  }

  place(nodeId: string, parentId: string | null, engineParentId?: string | null): void {
    const fresh = { treeId: this.id(), branchId: this.id() };
    const instead = engineParentId === undefined ? {} : { engineParentId };
    this.do({ type: 'place', nodeId, parentId, fresh, decision: byPerson, ...instead });
  }

  /** A turn whose place the user chose in advance; `engineParentId` is where the engine would have put it. */
  choose(parentId: string | null, engineParentId: string | null): string {
    const target: Target = parentId === null ? { kind: 'new-topic' } : { kind: 'under', nodeId: parentId };
    const nodeId = this.send(undefined, this.id(), { ...target, chosen: true });
    this.place(nodeId, parentId, engineParentId);
    return nodeId;
  }

  say(parentId: string | null, message?: string): string {
    const nodeId = this.send(message);
    this.place(nodeId, parentId);
    return nodeId;
  }

  move(nodeId: string, parentId: string | null): IntentOutcome {
    const fresh = { treeId: this.id(), branchId: this.id() };
    return this.do({ type: 'move', nodeId, parentId, fresh, at: 0, step: this.id() });
  }

  #edit(edit: (typeof EDITS)[number], nodeId: string, to: string, step: string): Intent {
    const record = (event: (Intent & { type: 'record' })['event']): Intent => ({ type: 'record', step, event });
    switch (edit) {
      case 'hide':
      case 'show':
        return record({ type: 'turns-hidden', nodeIds: [nodeId, to], hidden: edit === 'hide' });
      case 'pin':
        return record({ type: 'turn-pinned', nodeId, pinned: true });
      case 'note':
        return record({ type: 'turn-noted', nodeId, note: `noted-${step}` });
      case 'refer':
        return record({ type: 'reference-added', nodeId, reference: { to, as: 'path', by: 'person' } });
      case 'unrefer':
        return record({ type: 'reference-removed', nodeId, to });
      case 'delete':
      case 'cut':
        return { type: 'delete', nodeIds: [nodeId, to], alone: edit === 'cut', step };
      case 'extract':
        return { type: 'extract', nodeId, fresh: { treeId: this.id(), branchId: this.id() }, at: 0, step };
      case 'branch':
        return record({
          type: 'branch-titled',
          branchId: this.forest.nodes[nodeId]?.branchId ?? 'none',
          title: step,
        });
      case 'reword':
        return record({ type: 'summarised', nodeId, text: `summed-${nodeId}`, by: PERSON });
      case 'reconsider': {
        const fresh = { treeId: this.id(), branchId: this.id() };
        const parentId = nodeId === to ? null : to;
        return { type: 'reconsider', nodeId, parentId, fresh, decision: byPerson, step };
      }
      case 'arrange':
        return { type: 'arrange', step, turns: [nodeId, to].map((id, at) => this.#arrangement(id, at)) };
    }
  }

  /** Moves a turn to its grandparent, or makes it a topic of its own. */
  #arrangement(nodeId: string, at: number): Arrangement {
    const above = this.forest.nodes[this.forest.nodes[nodeId]?.parentId ?? '']?.parentId ?? null;
    const fresh = { treeId: this.id(), branchId: this.id() };
    const title = at === 0 ? `titled-${nodeId}` : null;
    return { nodeId, parentId: at === 0 ? null : above, fresh, decision: byPerson, title };
  }

  /** Does what the app does: rewrites the log without the words and folds the forest from it. */
  purge(nodeIds: readonly string[]): void {
    const event = { type: 'turns-purged' as const, nodeIds: [...nodeIds] };
    if (!handle(this.forest, { type: 'record', step: null, event }).ok) return;
    const purged: Entry = { v: LOG_VERSION, seq: this.entries.length + 1, at: this.entries.length, step: null, event };
    this.entries.splice(0, this.entries.length, ...scrub(this.entries, nodeIds), purged);
    Object.assign(this.forest, fold(this.entries));
  }

  #receive(nodeId: string, replyId: string, text: string, state: 'done' | 'stopped'): void {
    this.do({ type: 'record', step: null, event: { type: 'reply-received', nodeId, replyId, text } });
    this.do({
      type: 'record',
      step: null,
      event: { type: 'reply-ended', nodeId, replyId, state, failure: null, timings: [] },
    });
  }

  live(move: Move): void {
    const ids = idsOf(this.forest.nodes);
    const some = (n: number): string => ids[n % ids.length] ?? 'nobody';
    const step = this.id();
    switch (move.kind) {
      case 'say':
        this.say(move.rootShare === 0 || ids.length === 0 ? null : some(move.target));
        return;
      case 'choose':
        if (ids.length > 0) this.choose(some(move.target), move.other % 5 === 0 ? null : some(move.other));
        return;
      case 'send':
        this.send();
        return;
      case 'place':
        for (const nodeId of idsOf(this.forest.pending)) this.place(nodeId, ids.length > 0 ? some(move.pick) : null);
        return;
      case 'move':
        this.move(some(move.pick), move.target % 7 === 0 ? null : some(move.target));
        return;
      case 'confirm':
        this.do({ type: 'confirm', nodeId: some(move.pick), at: 0, step });
        return;
      case 'rewind': {
        const { past, future } = this.forest.history;
        this.do({ type: 'rewind', to: move.pick % (past.length + future.length + 1) });
        return;
      }
      case 'activate':
        this.do({ type: 'record', step, event: { type: 'activated', nodeId: some(move.pick) } });
        return;
      case 'reply':
      case 'again': {
        const nodeId = some(move.pick);
        const replyId = this.id();
        const by = move.kind === 'again' ? step : null;
        this.do({
          type: 'record',
          step: by,
          event: { type: 'reply-started', nodeId, replyId, model: 'm', context: null },
        });
        this.#receive(nodeId, replyId, `answered-${nodeId}`, move.pick % 2 === 0 ? 'done' : 'stopped');
        return;
      }
      case 'resume': {
        const nodeId = some(move.pick);
        const replyId = this.forest.nodes[nodeId]?.replyId ?? 'none';
        this.do({ type: 'record', step: null, event: { type: 'reply-resumed', nodeId, replyId } });
        this.#receive(nodeId, replyId, ` more-${replyId}`, 'stopped');
        return;
      }
      case 'summarise':
        this.do({
          type: 'record',
          step: null,
          event: { type: 'summarised', nodeId: some(move.pick), text: `summed-${some(move.pick)}`, by: 'm' },
        });
        return;
      case 'title': {
        const treeId = this.forest.nodes[some(move.pick)]?.treeId ?? 'none';
        this.do({ type: 'record', step, event: { type: 'topic-titled', treeId, title: step, by: 'person' } });
        return;
      }
      case 'rename':
        this.do({ type: 'record', step, event: { type: 'conversation-titled', title: step } });
        return;
      case 'edit':
        this.do(this.#edit(move.edit, some(move.pick), some(move.target), step));
        return;
      case 'undo':
      case 'redo':
        this.do({ type: move.kind });
    }
  }
}
