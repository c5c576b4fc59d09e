/**
 * For a model that brings no chat template, and so was never taught one: a transcript, which any model that was
 * trained on text can go on with. (llama.cpp would take ChatML, whose marks such a model has never seen.)
 */
export const PLAIN_TEMPLATE = [
  "{%- for message in messages -%}{%- if message['role'] == 'system' -%}{{ message['content'] + '\\n\\n' }}",
  "{%- elif message['role'] == 'user' -%}{{ 'User: ' + message['content'] + '\\n' }}",
  "{%- else -%}{{ 'Assistant: ' + message['content'] + '\\n' }}{%- endif -%}{%- endfor -%}",
  "{%- if add_generation_prompt -%}{{ 'Assistant:' }}{%- endif -%}",
].join('');

/** Where such a model begins to speak for the person, its answer has ended. */
export const PLAIN_STOPS: readonly string[] = ['\nUser:', '\nAssistant:'];
