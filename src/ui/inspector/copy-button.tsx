import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useActions } from '../app-context.ts';
import { Button } from '../parts/button.tsx';

/** How long the button says that it has copied; milliseconds. */
const SAID_FOR = 1600;

/** Puts text on the clipboard; `text` is only made when asked for. */
export const CopyButton = ({ label, text }: { label: string; text: () => string }) => {
  const { announce } = useActions();
  const [copied, setCopied] = useState(false);

  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), SAID_FOR);
    return () => clearTimeout(timer);
  }, [copied]);

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text());
      setCopied(true);
      announce('Copied.');
    } catch {
      announce('The browser did not allow copying. Select the text and copy it by hand.');
    }
  };
  const Icon = copied ? Check : Copy;
  return (
    <Button look="quiet" size="small" onClick={() => void copy()}>
      <Icon size={13} aria-hidden />
      {copied ? 'Copied' : label}
    </Button>
  );
};
