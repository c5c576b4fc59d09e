import { Check, Copy } from 'lucide-react';
import { Button, useCopy } from '../parts/button.tsx';

/** Puts text on the clipboard; `text` is only made when asked for. */
export const CopyButton = ({ label, text }: { label: string; text: () => string }) => {
  const { copied, copy } = useCopy();
  const Icon = copied ? Check : Copy;
  return (
    <Button look="quiet" size="small" onClick={() => void copy(text())}>
      <Icon size={13} aria-hidden />
      {copied ? 'Copied' : label}
    </Button>
  );
};
