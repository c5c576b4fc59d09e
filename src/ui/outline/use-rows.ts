import { useCallback, useMemo, useState } from 'react';
import type { Forest } from '../../domain/forest.ts';
import { type OutlineRow, outlineRows } from './rows.ts';

const NONE: ReadonlySet<string> = new Set();

interface Rows {
  readonly rows: readonly OutlineRow[];
  readonly expand: (keys: readonly string[]) => void;
  readonly collapse: (key: string) => void;
}

/** The rows of a forest, and what of it is expanded: everything that nobody collapsed. */
export const useRows = (forest: Forest): Rows => {
  const [collapsed, setCollapsed] = useState(NONE);
  const rows = useMemo(() => outlineRows(forest, collapsed), [forest, collapsed]);
  const expand = useCallback((keys: readonly string[]) => {
    setCollapsed((before) => {
      const after = new Set(before);
      for (const key of keys) after.delete(key);
      return after.size === before.size ? before : after;
    });
  }, []);
  const collapse = useCallback((key: string) => setCollapsed((before) => new Set(before).add(key)), []);
  return { rows, expand, collapse };
};
