/** Languages whose everyday words are put into English for embedders that know no other (`glossary.ts`), as ISO 639-1. */
export const GLOSSED: ReadonlySet<string> = new Set(
  'ar cs da de es fr hi id it ja ko nl pl pt ru sv tr uk zh'.split(' '),
);
