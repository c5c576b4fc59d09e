/** The browser and its version as its user agent has it, e.g. `Firefox 144`. */
export const browserName = (userAgent: string): string => {
  const [, name, version] = /\b(Edg|Firefox|Chrome|Version)\/(\d+)/.exec(userAgent) ?? [];
  if (name === undefined) return 'a browser';
  const edge = /\bEdg\/(\d+)/.exec(userAgent)?.[1];
  if (edge !== undefined) return `Edge ${edge}`;
  return `${name === 'Version' ? 'Safari' : name} ${version}`;
};
