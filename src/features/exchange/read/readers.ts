import { piSession } from './readers/agent-sessions.ts';
import { aiStudio } from './readers/ai-studio.ts';
import { benchmarkDialogues, speakerTurns, userTurns } from './readers/benchmarks.ts';
import { chatUi } from './readers/chat-ui.ts';
import { chatbox } from './readers/chatbox.ts';
import { chatGpt, deepSeek } from './readers/chatgpt.ts';
import { claude } from './readers/claude.ts';
import {
  betterChatGpt,
  bigAgi,
  chatbotUi,
  messageLists,
  messageRow,
  nextChat,
  roleMessages,
  shareGpt,
  typingMind,
} from './readers/flat-chats.ts';
import { grok } from './readers/grok.ts';
import { libreChat } from './readers/librechat.ts';
import { llamaCppJson, llamaCppLines } from './readers/llama-cpp.ts';
import { lmStudio } from './readers/lm-studio.ts';
import { loom, loomsidian } from './readers/loom.ts';
import { flatMessages, messageTrees } from './readers/open-assistant.ts';
import { openWebUi } from './readers/open-webui.ts';
import { preferences } from './readers/preferences.ts';
import { sillyTavern } from './readers/silly-tavern.ts';
import { convoKit, genericThread, molweni } from './readers/threads.ts';
import type { Reader } from './source.ts';

/** The available readers, specific ones before general ones. A new tool needs a file and a line here. */
export const READERS: readonly Reader[] = [
  preferences,
  deepSeek,
  chatGpt,
  claude,
  openWebUi,
  libreChat,
  llamaCppLines,
  llamaCppJson,
  piSession,
  sillyTavern,
  lmStudio,
  grok,
  aiStudio,
  chatUi,
  chatbox,
  chatbotUi,
  nextChat,
  betterChatGpt,
  typingMind,
  shareGpt,
  bigAgi,
  messageTrees,
  flatMessages,
  convoKit,
  molweni,
  loomsidian,
  loom,
  genericThread,
  speakerTurns,
  benchmarkDialogues,
  userTurns,
  roleMessages,
  messageLists,
  messageRow,
];
