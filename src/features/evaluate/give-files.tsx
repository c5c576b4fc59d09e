import { FolderOpen } from 'lucide-react';
import { type DragEvent, type ReactNode, useRef, useState } from 'react';
import { Button } from '../../ui/parts/button.tsx';
import type { GivenFile } from './evaluation-port.ts';
import styles from './files.module.css';
import { droppedFiles, pickedFiles } from './given-files.ts';

/** Where files and folders are dropped or chosen. */
export const GiveFiles = ({
  small,
  disabled,
  onFiles,
  onUnreadable,
  children,
}: {
  small: boolean;
  disabled: boolean;
  onFiles: (files: readonly GivenFile[]) => void;
  onUnreadable: (message: string) => void;
  children?: ReactNode;
}) => {
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const give = (found: readonly GivenFile[]) => found.length > 0 && !disabled && onFiles(found);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    droppedFiles(event.dataTransfer).then(give, (error: unknown) =>
      onUnreadable(error instanceof Error ? error.message : String(error)),
    );
  };
  return (
    <div
      role="group"
      aria-label="Drop files or a folder"
      className={styles.drop}
      data-over={over}
      data-small={small}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={(event) => !event.currentTarget.contains(event.relatedTarget as Node | null) && setOver(false)}
      onDrop={drop}
    >
      {!small && <FolderOpen size={26} strokeWidth={1.4} aria-hidden />}
      <p>{small ? 'Drop more here, or' : 'Drop a folder of labelled dialogues here, or single files of it'}</p>
      <div className={styles.pick}>
        <Button
          look={small ? 'outline' : 'primary'}
          size={small ? 'small' : 'medium'}
          disabled={disabled}
          onClick={() => folder.current?.click()}
        >
          Choose a folder
        </Button>
        <Button size={small ? 'small' : 'medium'} disabled={disabled} onClick={() => files.current?.click()}>
          Choose files
        </Button>
      </div>
      {children}
      <input
        ref={files}
        type="file"
        multiple
        aria-label="Files"
        tabIndex={-1}
        className="visually-hidden"
        onChange={({ currentTarget }) => {
          give(pickedFiles(currentTarget.files));
          currentTarget.value = '';
        }}
      />
      <input
        ref={folder}
        type="file"
        // React's types do not know it, browsers do.
        {...{ webkitdirectory: '' }}
        aria-label="Folder"
        tabIndex={-1}
        className="visually-hidden"
        onChange={({ currentTarget }) => {
          give(pickedFiles(currentTarget.files));
          currentTarget.value = '';
        }}
      />
    </div>
  );
};
