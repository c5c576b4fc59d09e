import { BaseStreamer, type PreTrainedTokenizer } from '@huggingface/transformers';

/** Tokens before the new ones that are read with them: a word's first piece has its space only after another. */
const CONTEXT = 4;
/** Tokens that are read again with each new one. */
const MOST_PENDING = 48;
/** What a letter of several tokens looks like until the last has come. */
const UNFINISHED = '\uFFFD';

/** Text of tokens, as they come. */
export class TokenStream extends BaseStreamer {
  readonly #tokenizer: PreTrainedTokenizer;
  readonly #piece: (text: string) => void;
  #context: bigint[] = [];
  #pending: bigint[] = [];
  #told = '';
  #isPrompt = true;
  /** Tokens that were generated. */
  count = 0;

  constructor(tokenizer: PreTrainedTokenizer, piece: (text: string) => void) {
    super();
    this.#tokenizer = tokenizer;
    this.#piece = piece;
  }

  override put([tokens = []]: bigint[][]): void {
    if (this.#isPrompt) {
      this.#isPrompt = false;
      this.#rebase(tokens);
      return;
    }
    this.count += tokens.length;
    this.#pending.push(...tokens);
    const text = this.#decode([...this.#context, ...this.#pending]);
    if (text.endsWith(UNFINISHED)) return;
    this.#tell(text);
    if (this.#pending.length >= MOST_PENDING) this.#rebase(this.#pending);
  }

  /** What is left of an unfinished letter is not text. */
  override end(): void {
    this.#pending = [];
  }

  #tell(text: string): void {
    if (text.length <= this.#told.length) return;
    this.#piece(text.slice(this.#told.length));
    this.#told = text;
  }

  #rebase(tokens: readonly bigint[]): void {
    this.#context = tokens.slice(-CONTEXT);
    this.#pending = [];
    this.#told = this.#decode(this.#context);
  }

  #decode(tokens: bigint[]): string {
    return tokens.length === 0 ? '' : this.#tokenizer.decode(tokens, { skip_special_tokens: true });
  }
}
