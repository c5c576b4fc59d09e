/** What kept a model from loading or answering. */
const KINDS = [
  'no-webgpu', // the browser, or this machine, gives no GPU
  'no-shader-f16', // the GPU lacks what this build of the model needs
  'out-of-memory',
  'device-lost', // the GPU was taken away while it worked
  'worker-died', // the model's worker crashed or was killed
  'unreachable', // no such host, refused, or the network is down
  'cors', // the server is there but lets no page of this origin read it
  'not-found', // no such file or model
  'unauthorised',
  'rate-limited',
  'server-error',
  'download-interrupted', // what came is kept; it goes on from there
  'corrupt', // a file is not what it should be
  'storage-full',
  'stream-cut', // an answer broke off before its end
  'nonsense', // an answer that cannot be read
  'empty', // no answer at all
  'too-long', // the prompt is longer than the model's window
  'unreadable-picture', // of a format that the browser does not know, or damaged
  'timeout',
  'unsupported', // the browser or the runtime lacks it
  'untrusted', // a known text did not give the known vector
  'closed', // another model took its place, or the person cancelled
  'unknown',
] as const;
export type ModelFailureKind = (typeof KINDS)[number];

/** The kind that a log names; null where it names none, or one of another version. */
export const kindNamed = (name: string | undefined): ModelFailureKind | null =>
  KINDS.find((kind) => kind === name) ?? null;

/** What a person can do about it, the likeliest help first. */
export type Remedy = 'retry' | 'smaller-model' | 'embedded' | 'free-space' | 'settings';

/** Every failure of a model. `message` is for the person: what happened, and what to do. */
export class ModelFailure extends Error {
  readonly kind: ModelFailureKind;
  /** What a server that refused said in figures, as 401. */
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

/** What an error says, whatever was thrown. */
export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** What went wrong, as the log keeps it. */
export const failureIn = (error: unknown): { failure: string; failureKind?: ModelFailureKind } => ({
  failure: errorMessage(error),
  ...(error instanceof ModelFailure && { failureKind: error.kind }),
});

export const remediesOf = (kind: ModelFailureKind): readonly Remedy[] => {
  switch (kind) {
    case 'no-webgpu':
    case 'no-shader-f16':
    case 'out-of-memory':
    case 'unsupported':
    case 'untrusted':
    case 'too-long':
      return ['smaller-model', 'embedded'];
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
    case 'corrupt':
    case 'nonsense':
    case 'empty':
      return ['retry', 'smaller-model', 'embedded'];
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
