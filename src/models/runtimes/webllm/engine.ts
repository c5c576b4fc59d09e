import type {
  ChatCompletionChunk,
  ChatCompletionRequestStreaming,
  Completion,
  CompletionCreateParamsStreaming,
  MLCEngine,
} from '@mlc-ai/web-llm';

/** What of the library's engine is used. A test's stand-in implements it and misbehaves (testing/). */
export interface Engine extends Pick<MLCEngine, 'reload' | 'interruptGenerate'> {
  chatCompletion(request: ChatCompletionRequestStreaming): Promise<AsyncIterable<ChatCompletionChunk>>;
  completion(request: CompletionCreateParamsStreaming): Promise<AsyncIterable<Completion>>;
}
