import { Check, Copy } from 'lucide-react';
import { IconButton } from './icon-button.tsx';
import { useCopy } from './use-copy.ts';

/** Copies a text; `label` says which, e.g. `Copy reply`. */
export const CopyIconButton = ({ label, text }: { label: string; text: string }) => {
  const { copied, copy } = useCopy();
  return (
    <IconButton
      size="small"
      label={copied ? 'Copied' : label}
      icon={copied ? Check : Copy}
      onClick={() => void copy(text)}
    />
  );
};
