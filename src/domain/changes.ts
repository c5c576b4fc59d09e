import type { Change, Edited, Forest, Records, Step, Tables, Values } from './forest.ts';

/**
 * A forest that is written to. Every write goes through here, so that a step of the history knows what it takes to undo
 * it. In place, for a replay that folds a plain object and for an Immer draft; where `copies` says so, nodes, topics and
 * branches are replaced by changed copies, for those who know what they read of one by the object.
 */
export class Draft {
  readonly forest: Forest;
  readonly #copies: boolean;
  /** Where in the history the step stands that what is written belongs to; null where it belongs to none. */
  readonly #step: number | null;

  constructor(forest: Forest, step: Pick<Step, 'id' | 'type'> | null, copies: boolean) {
    this.forest = forest;
    this.#copies = copies;
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

  /** Does nothing where the record is gone. */
  edit<T extends Edited>(table: T, id: string, fields: Partial<Records[T]>): void {
    this.#write({ kind: 'fields', table, id, fields } as Change);
  }

  /** Undoes (`past`) or redoes (`future`) the newest step of that side, and lays what reverts that on the other. */
  shift(side: 'past' | 'future'): void {
    const { history } = this.forest;
    const step = history[side].pop();
    if (step === undefined) return;
    const changes = step.changes.toReversed().flatMap((change) => replace(this.forest, change, this.#copies) ?? []);
    history[side === 'past' ? 'future' : 'past'].push({ ...step, changes });
  }

  #write(change: Change): void {
    const inverse = replace(this.forest, change, this.#copies);
    if (this.#step === null || inverse === null) return;
    const { past } = this.forest.history;
    const step = past[this.#step] as Step;
    past[this.#step] = { ...step, changes: [...step.changes, inverse] };
  }
}

/** Only the newest step can still grow: `handle` lets nothing undoable in between a message and its place. */
const begin = ({ history }: Forest, { id, type }: Pick<Step, 'id' | 'type'>): number => {
  if (history.past.at(-1)?.id !== id) {
    history.past.push({ id, type, changes: [] });
    history.future = [];
  }
  return history.past.length - 1;
};

/** Carries a change out, and returns the one that reverts it; null where there is nothing to change. */
const replace = (forest: Forest, change: Change, copies: boolean): Change | null => {
  switch (change.kind) {
    case 'value':
      return replaceValue(forest, change);
    case 'record':
      return replaceRecord(forest, change);
    case 'fields':
      return replaceFields(forest, change, copies);
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
): Change => {
  const tables: Tables = forest;
  const records: Record<string, Records[T]> = tables[table];
  const before = records[id];
  if (record === undefined) delete records[id];
  else records[id] = record;
  return { kind: 'record', table, id, record: before } as Change;
};

const replaceFields = <T extends Edited>(
  forest: Forest,
  { table, id, fields }: { table: T; id: string; fields: Partial<Records[T]> },
  copies: boolean,
): Change | null => {
  const tables: Tables = forest;
  const records: Record<string, Records[T]> = tables[table];
  const record = records[id];
  if (record === undefined) return null;
  const before = Object.fromEntries(Object.keys(fields).map((field) => [field, record[field as keyof Records[T]]]));
  if (copies) records[id] = { ...record, ...fields };
  else Object.assign(record, fields);
  return { kind: 'fields', table, id, fields: before } as Change;
};
