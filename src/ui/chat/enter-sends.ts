import type { KeyboardEvent } from 'react';

/** Whether a key sends what is in a field: Enter does, Shift Enter is a new line. */
export const sends = (event: KeyboardEvent): boolean =>
  // Enter that chooses a word of an input method is not meant for us (229: Safari says so after the fact).
  event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing && event.keyCode !== 229;
