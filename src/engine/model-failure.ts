/** What kept a model from loading or answering. */
const KINDS = [
  'no-webgpu', // the browser or the machine provides no GPU
  'no-shader-f16', // the GPU lacks what this build of the model needs
  'out-of-memory',
  'device-lost', // the GPU was lost while in use
  'worker-died', // the model's worker crashed or was killed
  'unreachable', // no such host, refused, or the network is down
  'cors', // the server responds but denies this origin
  'not-found', // no such file or model
  'unauthorised',
  'rate-limited',
  'server-error',
  'download-interrupted', // what arrived is kept, and the download resumes from there
  'corrupt', // a file does not have the expected content
  'storage-full',
  'stream-cut', // an answer broke off before its end
  'nonsense', // an answer that cannot be read
  'empty', // no answer at all
  'too-long', // the prompt is longer than the model's window
  'unreadable-picture', // in a format the browser does not support, or damaged
  'timeout',
  'unsupported', // the browser or the runtime lacks it
  'untrusted', // a known text did not yield its known vector
  'closed', // another model took its place, or the person cancelled
  'unknown',
] as const;
export type ModelFailureKind = (typeof KINDS)[number];

/** Returns the kind named in a log; null if there is none, or it is from another version. */
export const kindNamed = (name: string | undefined): ModelFailureKind | null =>
  KINDS.find((kind) => kind === name) ?? null;

/** What a person can do about it, most promising first. */
export type Remedy = 'retry' | 'smaller-model' | 'another-model' | 'embedded' | 'free-space' | 'settings';

/** Every failure of a model. `message` is for the person: what happened, and what to do. */
export class ModelFailure extends Error {
  readonly kind: ModelFailureKind;
  /** HTTP status of a server that refused, e.g. 401. */
  readonly status: number | undefined;

  constructor(
    kind: ModelFailureKind,
    message: string,
    options?: ErrorOptions & { readonly status?: number | undefined },
  ) {
    super(message, options);
    this.name = 'ModelFailure';
    this.kind = kind;
    this.status = options?.status;
  }
}

/** Returns the message of whatever was thrown. */
export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Messages written for the user are whole sentences and say what to do; those of the browser or a library are not. */
const isSentence = (message: string): boolean => /[.!?…][”"’)]?$/.test(message);

/** An error message as a sentence, to be followed by others. */
export const asSentence = (message: string): string => (isSentence(message) ? message : `${message}.`);

/** An error message, followed by advice if it has none of its own. */
export const withAdvice = (message: string, advice: string): string =>
  isSentence(message) ? message : `${message}. ${advice}`;

/** Describes a failure as the log stores it. */
export const failureIn = (error: unknown): { failure: string; failureKind?: ModelFailureKind } => ({
  failure: errorMessage(error),
  ...(error instanceof ModelFailure && { failureKind: error.kind }),
});

/** Only a model that is too big for the machine is helped by a smaller one. */
export const remediesOf = (kind: ModelFailureKind): readonly Remedy[] => {
  switch (kind) {
    case 'no-webgpu':
    case 'out-of-memory':
      return ['smaller-model', 'embedded'];
    case 'no-shader-f16':
    case 'unsupported':
    case 'untrusted':
    case 'too-long':
      return ['another-model', 'embedded'];
    case 'storage-full':
      return ['free-space', 'smaller-model', 'embedded'];
    case 'unreadable-picture':
      return ['embedded'];
    case 'unauthorised':
    case 'cors':
    case 'not-found':
      return ['settings', 'embedded'];
    case 'unreachable':
      return ['retry', 'settings', 'embedded'];
    case 'device-lost':
    case 'worker-died':
      return ['retry', 'smaller-model', 'embedded'];
    case 'corrupt':
    case 'nonsense':
    case 'empty':
      return ['retry', 'another-model', 'embedded'];
    case 'rate-limited':
    case 'server-error':
    case 'download-interrupted':
    case 'stream-cut':
    case 'timeout':
    case 'closed':
    case 'unknown':
      return ['retry', 'embedded'];
  }
};
