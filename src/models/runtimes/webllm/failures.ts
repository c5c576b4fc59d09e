import type * as errors from '@mlc-ai/web-llm/lib/error';
import { errorMessage, ModelFailure, type ModelFailureKind } from '../../../engine/model-failure.ts';

/** Converts any error thrown while loading or running a model into a failure that the user can act on. */
export const failureFrom = (error: unknown, model: string): ModelFailure => {
  if (error instanceof ModelFailure) return error;
  const kind = kindOf(error);
  return new ModelFailure(kind, inWords(kind, model, error), { cause: error });
};

/** Milliseconds to wait for a GPU loss to be reported after an error that it may have caused. */
const LOSS_PATIENCE = 200;

/** Like `failureFrom`, but waits for a possible GPU loss behind the error: the library may then throw anything. */
export const explainFailure = async (
  error: unknown,
  model: string,
  lost: Promise<ModelFailure>,
): Promise<ModelFailure> => {
  const failure = failureFrom(error, model);
  if (failure.kind !== 'unknown' && failure.kind !== 'worker-died' && failure.kind !== 'device-lost') return failure;
  const late = new Promise<ModelFailure>((resolve) => setTimeout(() => resolve(failure), LOSS_PATIENCE));
  return Promise.race([lost, late]);
};

/** Whether the engine can no longer be trusted after this and must be recreated. */
export const isFatal = (error: unknown): boolean =>
  error instanceof WebAssembly.RuntimeError ||
  (error instanceof ModelFailure
    ? FATAL.has(error.kind) || isFatal(error.cause)
    : isMemory(error) || (error instanceof Error && libraryErrorKind(error) === 'device-lost'));

const FATAL: ReadonlySet<ModelFailureKind> = new Set(['device-lost', 'out-of-memory', 'worker-died']);

const kindOf = (error: unknown): ModelFailureKind => {
  // JavaScript's built-in classes first: one of the library's shares a name with one of them.
  if (isMemory(error)) return 'out-of-memory';
  if (error instanceof WebAssembly.RuntimeError) return 'worker-died';
  if (error instanceof WebAssembly.CompileError || error instanceof WebAssembly.LinkError) return 'corrupt';
  if (error instanceof SyntaxError) return 'corrupt';
  if (error instanceof DOMException) return DOM_KINDS[error.name] ?? 'unknown';
  return error instanceof Error ? (libraryErrorKind(error) ?? 'unknown') : 'unknown';
};

/** WASM or the GPU is out of memory; a failed allocation throws `RangeError`. */
const isMemory = (error: unknown): boolean =>
  error instanceof RangeError || (typeof GPUOutOfMemoryError !== 'undefined' && error instanceof GPUOutOfMemoryError);

const DOM_KINDS: Readonly<Record<string, ModelFailureKind>> = {
  QuotaExceededError: 'storage-full',
  AbortError: 'closed',
  GPUPipelineError: 'unsupported',
};

const inWords = (kind: ModelFailureKind, model: string, error: unknown): string => {
  const said = errorMessage(error);
  switch (kind) {
    case 'no-webgpu':
      return `${model} needs WebGPU, which this browser does not have. Use a recent Chrome or Edge on a machine with a GPU, or choose a model that runs without one.`;
    case 'no-shader-f16':
      return `${model} needs 16-bit shaders (shader-f16), which this GPU lacks. Choose its q4f32 build.`;
    case 'out-of-memory':
      return `There is not enough memory for ${model}. Close other tabs, or choose a smaller model.`;
    case 'device-lost':
      return `${model} lost the GPU: it ran out of memory, its driver restarted, or the machine slept. Try again; if it happens again, choose a smaller model.`;
    case 'worker-died':
      return `${model} crashed (${said}). Try again; if it happens again, choose a smaller model.`;
    case 'corrupt':
      return `A file of ${model} is damaged (${said}). It was deleted. Try again, or choose another model.`;
    case 'storage-full':
      return `The browser has no room left for ${model}. Delete models that you no longer use, free disk space, or choose a smaller model. The part received is kept.`;
    case 'too-long':
      return `The conversation is longer than ${model} can read (${said}). Choose a model with a larger window.`;
    case 'not-found':
      return `WebLLM has no model named ${model}. Check the name.`;
    case 'closed':
      return `${model} was unloaded before it answered. Try again.`;
    default:
      return `${model} failed: ${said}. Try again, or choose another model.`;
  }
};

/** Names of the library's error classes. Its `RangeError` shares its name with JavaScript's. */
type LibraryError = keyof typeof errors;

/**
 * Maps each of the library's errors to a failure kind. It exports hardly any of the classes, but each sets its name. Errors
 * that only a wrong call of ours could cause are `unknown`.
 */
const KINDS = {
  WebGPUNotAvailableError: 'no-webgpu',
  WebGPUNotFoundError: 'no-webgpu',
  ShaderF16SupportError: 'no-shader-f16',
  FeatureSupportError: 'unsupported',
  DeviceLostError: 'device-lost',
  // Thrown for requests to a model that the library unloaded when its device was lost.
  ModelNotLoadedError: 'device-lost',
  ContextWindowSizeExceededError: 'too-long',
  TextCompletionExpectsKVEmptyError: 'unknown',

  ModelNotFoundError: 'not-found',
  MissingModelWasmError: 'not-found',
  SpecifiedModelNotFoundError: 'unknown',
  UnclearModelToUseError: 'unknown',

  IntegrityError: 'corrupt',
  ArtifactManifestError: 'corrupt',
  UnsupportedTokenizerFilesError: 'corrupt',
  WindowSizeConfigurationError: 'corrupt',
  WindowSizeSpecificationError: 'corrupt',
  AttentionSinkSizeError: 'corrupt',

  GrammarMatcherInitError: 'unsupported',
  InvalidResponseFormatError: 'unknown',
  InvalidResponseFormatGrammarError: 'unknown',
  InvalidResponseFormatStructuralTagError: 'unknown',
  CustomResponseFormatError: 'unknown',

  MessageOrderError: 'unknown',
  SystemMessageOrderError: 'unknown',
  UnsupportedRoleError: 'unknown',
  ContentTypeError: 'unknown',
  UnknownMessageKindError: 'unknown',
  TextCompletionConversationError: 'unknown',
  TextCompletionConversationExpectsPrompt: 'unknown',

  ConfigValueError: 'unknown',
  MinValueError: 'unknown',
  RangeError: 'unknown',
  NonNegativeError: 'unknown',
  InvalidNumberStringError: 'unknown',
  DependencyError: 'unknown',
  UnsupportedFieldsError: 'unknown',
  SeedTypeError: 'unknown',
  StreamingCountError: 'unknown',
  InvalidStreamOptionsError: 'unknown',
  ConfigurationNotInitializedError: 'unknown',
  EngineNotLoadedError: 'unknown',
  IncorrectPipelineLoadedError: 'unsupported',
  ReloadArgumentSizeUnmatchedError: 'unknown',
  ReloadModelIdNotUniqueError: 'unknown',
  WorkerEngineModelNotLoadedError: 'unknown',
  NonWorkerEnvironmentError: 'unknown',
  NoServiceWorkerAPIError: 'unknown',
  ServiceWorkerInitializationError: 'unknown',

  // Pictures, audio, tools and embeddings: never requested here.
  AudioInputError: 'unsupported',
  CannotFindImageEmbedError: 'unsupported',
  MultipleTextContentError: 'unsupported',
  PrefillChunkSizeSmallerThanImageError: 'unsupported',
  UnsupportedContentPartError: 'unsupported',
  UnsupportedDetailError: 'unsupported',
  UnsupportedImageURLError: 'unsupported',
  UserMessageContentErrorForNonVLM: 'unsupported',
  CustomSystemPromptError: 'unsupported',
  FunctionNotFoundError: 'unsupported',
  InvalidToolChoiceError: 'unsupported',
  ToolCallOutputInvalidTypeError: 'unsupported',
  ToolCallOutputMissingFieldsError: 'unsupported',
  ToolCallOutputParseError: 'unsupported',
  UnsupportedModelIdError: 'unsupported',
  UnsupportedToolChoiceTypeError: 'unsupported',
  UnsupportedToolTypeError: 'unsupported',
  EmbeddingChunkingUnsupportedError: 'unsupported',
  EmbeddingExceedContextWindowSizeError: 'too-long',
  EmbeddingInputEmptyError: 'unsupported',
  EmbeddingSlidingWindowError: 'unsupported',
  EmbeddingUnsupportedEncodingFormatError: 'unsupported',
  EmbeddingUnsupportedModelError: 'unsupported',
} as const satisfies Record<LibraryError, ModelFailureKind>;

/** The kind of a library error; null if it is not one of its classes. */
const libraryErrorKind = ({ name }: Error): ModelFailureKind | null =>
  Object.hasOwn(KINDS, name) ? KINDS[name as LibraryError] : null;
