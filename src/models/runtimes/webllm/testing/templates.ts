import type { Template } from '../model-files.ts';

/** Chat templates of the kinds that models have, as their mlc-chat-config.json has them. */
export const CHATML: Template = {
  system_template: '<|im_start|>system\n{system_message}<|im_end|>\n',
  system_message: 'Be brief.',
  roles: { user: '<|im_start|>user', assistant: '<|im_start|>assistant' },
  role_templates: { user: '{user_message}', assistant: '{assistant_message}' },
  seps: ['<|im_end|>\n'],
  role_content_sep: '\n',
  role_empty_sep: '\n',
  ...{ stop_str: ['<|im_end|>'], stop_token_ids: [2] },
};

/** The first question stands in the system's own frame; questions and answers end differently. */
export const LLAMA_2: Template = {
  system_template: '[INST] <<SYS>>\n{system_message}\n<</SYS>>\n\n',
  system_message: '',
  roles: { user: '<s>[INST]', assistant: '[/INST]' },
  role_templates: { user: '{user_message}', assistant: '{assistant_message}' },
  seps: [' ', ' </s>'],
  role_content_sep: ' ',
  role_empty_sep: ' ',
  system_prefix_token_ids: [1],
  add_role_after_system_message: false,
  ...{ stop_str: ['[INST]'], stop_token_ids: [2] },
};

/** No separators given, no system message unless one is set. */
export const PLAIN: Template = {
  system_template: '{system_message}\n',
  system_message: '',
  roles: { user: 'User', assistant: 'Assistant' },
  seps: ['\n'],
  render_empty_system_message: false,
  ...{ stop_str: ['User:'], stop_token_ids: [0] },
};
