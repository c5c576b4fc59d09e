import { useEffect, useState } from 'react';
import { useActions } from '../app-context.ts';

/** How long "copied" shows, in milliseconds. */
const SAID_FOR = 1600;

/** Puts text on the clipboard, or says why not; `copied` holds for a moment after it has. */
export const useCopy = () => {
  const { announce } = useActions();
  const [copied, setCopied] = useState(false);

  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), SAID_FOR);
    return () => clearTimeout(timer);
  }, [copied]);

  const copy = async (text: string): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      announce('Copied.');
    } catch {
      announce('The browser did not allow copying. Select the text and copy it by hand.');
    }
  };
  return { copied, copy };
};
