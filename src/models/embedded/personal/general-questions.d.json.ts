import type { PackedQuestion } from './general-questions.ts';

/** Declared here because inferring the types of 800 questions would take half of the compiler's time. */
declare const shipped: { readonly wordings: readonly string[]; readonly questions: readonly PackedQuestion[] };
// biome-ignore lint/style/noDefaultExport: as a JSON module has it
export default shipped;
