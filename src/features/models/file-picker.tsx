import { useRef } from 'react';
import { Button } from '../../ui/parts/button.tsx';
import forms from './forms.module.css';

/** A file, or a folder of them, from this machine. */
export const FilePicker = ({
  label,
  folder = false,
  accept,
  chosen,
  onFiles,
}: {
  label: string;
  folder?: boolean;
  accept?: string;
  /** What is chosen now, in words. */
  chosen: string | null;
  onFiles: (files: readonly File[]) => void;
}) => {
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className={forms.pick}>
      <Button onClick={() => input.current?.click()}>{label}</Button>
      {chosen !== null && <span>{chosen}</span>}
      <input
        ref={input}
        type="file"
        aria-label={folder ? 'Folder' : 'File'}
        tabIndex={-1}
        className="visually-hidden"
        {...(accept === undefined ? {} : { accept })}
        // React's types do not know it, browsers do.
        {...(folder ? { webkitdirectory: '' } : {})}
        onChange={({ currentTarget }) => {
          if (currentTarget.files !== null && currentTarget.files.length > 0) onFiles([...currentTarget.files]);
          currentTarget.value = '';
        }}
      />
    </div>
  );
};
