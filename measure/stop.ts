/** Something that the person who called can put right; told in one line. */
export class Stop extends Error {}
