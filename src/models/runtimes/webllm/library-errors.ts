import type * as errors from '@mlc-ai/web-llm/lib/error';
import type { ModelFailureKind } from '../../../engine/model-failure.ts';

/** Names of the library's error classes. Its own `RangeError` shares its name with JavaScript's. */
type LibraryError = keyof typeof errors;

/**
 * What each of the library's errors means to a person. It exports hardly any of the classes, but each sets its
 * name. What only a wrong call of ours could provoke is `unknown`.
 */
const KINDS = {
  WebGPUNotAvailableError: 'no-webgpu',
  WebGPUNotFoundError: 'no-webgpu',
  ShaderF16SupportError: 'no-shader-f16',
  FeatureSupportError: 'unsupported',
  DeviceLostError: 'device-lost',
  // What is asked of a model that the library put away when its device was lost.
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

  // Pictures, sounds, tools and embeddings: never asked for here.
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

/** The kind of an error of the library; null if it is none of its classes. */
export const libraryErrorKind = ({ name }: Error): ModelFailureKind | null =>
  Object.hasOwn(KINDS, name) ? KINDS[name as LibraryError] : null;
