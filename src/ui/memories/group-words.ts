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
