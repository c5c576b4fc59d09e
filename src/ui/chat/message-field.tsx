import { type ComponentProps, type KeyboardEvent, type RefObject, useLayoutEffect } from 'react';

interface Props extends ComponentProps<'textarea'> {
  readonly ref: RefObject<HTMLTextAreaElement | null>;
  readonly value: string;
  readonly onSend: () => void;
}

/** A field for a message, as tall as its text: Enter sends, Shift Enter is a new line. */
export const MessageField = ({ ref, value, onSend, onKeyDown, ...rest }: Props) => {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is what makes it grow
  useLayoutEffect(() => {
    const element = ref.current;
    // `field-sizing: content`, which the style sheets say, costs nothing; asking for the height lays the page out at every key.
    if (element === null || CSS.supports('field-sizing', 'content')) return;
    element.style.height = 'auto';
    element.style.height = `${element.scrollHeight}px`;
  }, [ref, value]);

  return (
    <textarea
      ref={ref}
      rows={1}
      value={value}
      onKeyDown={(event) => {
        if (!isSend(event)) return onKeyDown?.(event);
        event.preventDefault();
        onSend();
      }}
      {...rest}
    />
  );
};

const isSend = (event: KeyboardEvent): boolean =>
  // Enter that chooses a word of an input method is not meant for us (229: Safari says so after the fact).
  event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing && event.keyCode !== 229;
