import type { PackedQuestion } from './general-questions.ts';

/** Said here, for the compiler would take half its time to work out what each of 800 questions looks like. */
declare const shipped: { readonly wordings: readonly string[]; readonly questions: readonly PackedQuestion[] };
// biome-ignore lint/style/noDefaultExport: as a JSON module has it
export default shipped;
