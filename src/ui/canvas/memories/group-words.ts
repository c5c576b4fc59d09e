/** What pieces that go by such names are together. */
const HEADINGS: Readonly<Record<string, string>> = {
  slot: 'Slots',
  importance: 'Stream, in order of time',
  turn: 'Word for word',
  fact: 'Facts',
};

/** The heading of what goes by a name, whatever is counted in it: “slot 2” is one of the slots. */
export const groupName = (name: string): string => {
  const kind = name.replace(/[\d.,]+/g, '').trim();
  return HEADINGS[kind] ?? `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`;
};

/** Cells that are steps of a structure go by what they are about, others by what they are: “main context”. */
const STEP = /^(depth|level|layer|cluster|turn|fact)\b/;

/** The heading of a tree by the name of its root; null where it goes by its topic. */
export const treeName = (root: string): string | null => (STEP.test(root) ? null : groupName(root));
