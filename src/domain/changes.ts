import type { Change, EditableTable, Forest, Node, Records, Step, StepId, Tables, Values } from './forest.ts';
import { copyOf } from './long-list.ts';
import { changedNode } from './stored-forest.ts';
import { freezeTable, layered, type Table, write } from './table.ts';

/**
 * Tracks which parts of a forest it may write to when it continues from another forest that stays unchanged. The rest
 * is shared; a part gets a layer of its own on the first write to it.
 */
export class WritableParts {
  readonly #forest: Forest;
  readonly #parts = new Set<keyof Tables | 'history'>();
  /** The changes of steps that may be added to. */
  readonly #changes = new Set<readonly Change[]>();

  constructor(forest: Forest) {
    this.#forest = forest;
  }

  table<T extends keyof Tables>(name: T): void {
    if (this.#parts.has(name)) return;
    this.#parts.add(name);
    const tables: Tables = this.#forest;
    tables[name] = layered(tables[name]) as Tables[T];
  }

  history(): void {
    if (this.#parts.has('history')) return;
    this.#parts.add('history');
    const { past, future } = this.#forest.history;
    this.#forest.history = { past: copyOf(past), future: copyOf(future) };
  }

  /** The changes of the done step at an index of the history, to be added to. */
  changesOf(index: number): Change[] {
    const { past } = this.#forest.history;
    const step = past[index] as Step;
    if (this.#changes.has(step.changes)) return step.changes as Change[];
    const changes = [...step.changes];
    past[index] = { ...step, changes };
    this.#changes.add(changes);
    return changes;
  }

  /** Marks the owned tables as no longer written to. */
  freeze(): void {
    for (const part of this.#parts) if (part !== 'history') freezeTable(this.#forest[part]);
  }
}

export const freezeTables = ({ nodes, children, trees, branches, pending, overviews }: Forest): void =>
  [nodes, children, trees, branches, pending, overviews].forEach(freezeTable);

/**
 * A writable forest. Every write goes through here, so that each history step records how to undo it. Without `own`, it
 * writes in place, for a replay that folds a plain object. With `own`, nodes, topics and branches are replaced by
 * changed copies, for readers that cache by object identity.
 */
export class Draft {
  readonly forest: Forest;
  readonly #own: WritableParts | null;
  /** Index in the history of the step that the writes belong to; null if they belong to none. */
  readonly #step: number | null;
  /** Changes of that step, once something has been written. */
  #changes: Change[] | null = null;

  constructor(forest: Forest, step: Pick<Step, 'id' | 'type'> | null, own: WritableParts | null = null) {
    this.forest = forest;
    this.#own = own;
    if (step !== null) own?.history();
    this.#step = step === null ? null : begin(forest, step);
  }

  set<K extends keyof Values>(key: K, value: Values[K]): void {
    this.#write({ kind: 'value', key, value } as Change);
  }

  put<T extends keyof Records>(table: T, id: string, record: Records[T]): void {
    this.#write({ kind: 'record', table, id, record } as Change);
  }

  remove(table: keyof Records, id: string): void {
    this.#write({ kind: 'record', table, id, record: undefined });
  }

  /** Does nothing if the record is gone. */
  edit<T extends EditableTable>(table: T, id: string, fields: Partial<Records[T]>): void {
    this.#write({ kind: 'fields', table, id, fields } as Change);
  }

  /** Forgets the steps so far: none of them can be undone or redone any more. */
  endHistory(): void {
    this.forest.history = { past: [], future: [] };
  }

  /**
   * Undoes (`past`) or redoes (`future`) the newest step on that side and pushes its inverse onto the other. Does nothing
   * if that is not the step meant: it was forgotten.
   */
  shift(side: 'past' | 'future', id: StepId): void {
    if (this.forest.history[side].at(-1)?.id !== id) return;
    this.#own?.history();
    const { history } = this.forest;
    const step = history[side].pop();
    if (step === undefined) return;
    const changes = step.changes
      .toReversed()
      .flatMap((change) => replace(this.forest, withGrownReplies(this.forest, change), this.#own) ?? []);
    history[side === 'past' ? 'future' : 'past'].push({ ...step, changes });
  }

  #write(change: Change): void {
    const inverse = replace(this.forest, change, this.#own);
    if (this.#step === null || inverse === null) return;
    this.#changes ??= this.#own?.changesOf(this.#step) ?? (this.forest.history.past[this.#step]?.changes as Change[]);
    this.#changes.push(inverse);
  }
}

/** Only the newest step can still grow: `handle` allows nothing undoable between a message and its placement. */
const begin = ({ history }: Forest, { id, type }: Pick<Step, 'id' | 'type'>): number => {
  if (history.past.at(-1)?.id !== id) {
    history.past.push({ id, type, changes: [] });
    history.future = [];
  }
  return history.past.length - 1;
};

/** The change with replies as they are by now: what one was given after the step was taken or undone is not part of it. */
const withGrownReplies = ({ nodes }: Forest, change: Change): Change => {
  if (change.kind !== 'fields' || change.table !== 'nodes' || change.fields.replies === undefined) return change;
  const now = nodes[change.id]?.replies ?? [];
  const replies = change.fields.replies.map((reply) => now.find(({ id }) => id === reply.id) ?? reply);
  return { ...change, fields: { ...change.fields, replies } };
};

/** Applies a change and returns its inverse; null if there is nothing to change. */
const replace = (forest: Forest, change: Change, own: WritableParts | null): Change | null => {
  switch (change.kind) {
    case 'value':
      return replaceValue(forest, change);
    case 'record':
      return replaceRecord(forest, change, own);
    case 'fields':
      return replaceFields(forest, change, own);
  }
};

const replaceValue = <K extends keyof Values>(forest: Forest, { key, value }: { key: K; value: Values[K] }): Change => {
  const values: Values = forest;
  const before = values[key];
  values[key] = value;
  return { kind: 'value', key, value: before } as Change;
};

const replaceRecord = <T extends keyof Records>(
  forest: Forest,
  { table, id, record }: { table: T; id: string; record: Records[T] | undefined },
  own: WritableParts | null,
): Change => {
  own?.table(table);
  const tables: Tables = forest;
  const records: Tables[T] = tables[table];
  const before = records[id];
  write(records, id, record);
  return { kind: 'record', table, id, record: before } as Change;
};

const replaceFields = <T extends EditableTable>(
  forest: Forest,
  { table, id, fields }: { table: T; id: string; fields: Partial<Records[T]> },
  own: WritableParts | null,
): Change | null => {
  const tables: Tables = forest;
  const record = tables[table][id];
  if (record === undefined) return null;
  own?.table(table);
  const before = Object.fromEntries(Object.keys(fields).map((field) => [field, record[field as keyof Records[T]]]));
  if (own === null) Object.assign(record, fields);
  else write(tables[table] as Table<Records[T]>, id, changed(table, record, fields));
  return { kind: 'fields', table, id, fields: before } as Change;
};

const changed = <T extends EditableTable>(table: T, record: Records[T], fields: Partial<Records[T]>): Records[T] =>
  table === 'nodes' ? (changedNode(record as Node, fields as Partial<Node>) as Records[T]) : { ...record, ...fields };
