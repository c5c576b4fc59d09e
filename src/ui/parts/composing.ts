/** `keyCode` of a key that an input method has handled; Safari reports only this once the composition has ended. */
const HANDLED = 229;

/** Whether a key is an input method's, such as Escape that discards what is being composed. */
export const isComposing = (event: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean =>
  event.isComposing || event.keyCode === HANDLED;

/** Whether characters typed while it has the focus are its own. */
export const isTypedIn = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.matches('textarea, select, input:not([type=range], [type=checkbox], [type=radio])'));

/** For `onEscapeKeyDown` of a part of the page that Escape closes. */
export const stayWhileComposing = (event: KeyboardEvent): void => {
  if (isComposing(event)) event.preventDefault();
};
