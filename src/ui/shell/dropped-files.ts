import { useEffect } from 'react';
import type { Actions } from '../../app/actions.ts';
import { useActions } from '../app-context.ts';

type TakeFiles = (files: readonly File[]) => void;

/** Files dropped before the dialog that takes them was there, and that dialog while it is. */
let waiting: readonly File[] = [];
let taker: TakeFiles | null = null;

/** Has the files dropped anywhere on the page, now and from now on, until what it returns is called. */
export const takeDroppedFiles = (take: TakeFiles): (() => void) => {
  taker = take;
  if (waiting.length > 0) take(waiting);
  waiting = [];
  return () => {
    taker = null;
  };
};

/** Imports files that came by another way than the dialog's own. */
export const importFiles = (files: readonly File[], session: Actions['session']): void => {
  if (taker !== null) return taker(files);
  waiting = files;
  session({ dialog: 'import' });
};

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') === true;

/** Says over the page that it would be imported, as long as it is held there. */
const showWouldImport = (would: boolean): void => {
  document.documentElement.toggleAttribute('data-dropping', would);
};

/** A file dropped anywhere is imported; without this the browser would leave the page to show it. */
export const useDroppedFiles = (): void => {
  const { session } = useActions();
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      // What lies under the pointer may take them.
      showWouldImport(!event.defaultPrevented);
      event.preventDefault();
    };
    const leave = ({ relatedTarget }: DragEvent) => {
      if (relatedTarget === null) showWouldImport(false);
    };
    const drop = (event: DragEvent) => {
      showWouldImport(false);
      // As above.
      if (!hasFiles(event) || event.defaultPrevented) return;
      event.preventDefault();
      importFiles([...(event.dataTransfer?.files ?? [])], session);
    };
    window.addEventListener('dragover', over);
    window.addEventListener('dragleave', leave);
    window.addEventListener('drop', drop);
    return () => {
      window.removeEventListener('dragover', over);
      window.removeEventListener('dragleave', leave);
      window.removeEventListener('drop', drop);
    };
  }, [session]);
};
