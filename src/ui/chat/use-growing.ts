import { type RefObject, useLayoutEffect } from 'react';

/** `field-sizing: content`, which the style sheets say, costs nothing; asking for its height lays the page out at every key. */
const growsByItself = CSS.supports('field-sizing', 'content');

/** A field is as tall as its text, up to the style sheet's limit. */
export const useGrowing = (field: RefObject<HTMLTextAreaElement | null>, text: string): void => {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is what makes it grow
  useLayoutEffect(() => {
    const element = field.current;
    if (element === null || growsByItself) return;
    element.style.height = 'auto';
    element.style.height = `${element.scrollHeight}px`;
  }, [field, text]);
};
