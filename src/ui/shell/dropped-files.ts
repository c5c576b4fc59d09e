import { useEffect } from 'react';
import type { Actions } from '../../app/actions.ts';
import { useActions } from '../app-context.ts';

type TakeFiles = (files: readonly File[]) => void;

/** Files dropped before the dialog that takes them was mounted, and that dialog while it is. */
let waiting: readonly File[] = [];
let taker: TakeFiles | null = null;

/** Receives files dropped anywhere on the page, including those waiting, until the returned function is called. */
export const takeDroppedFiles = (take: TakeFiles): (() => void) => {
  taker = take;
  if (waiting.length > 0) take(waiting);
  waiting = [];
  return () => {
    taker = null;
  };
};

/** Imports files that did not come through the dialog itself. */
export const importFiles = (files: readonly File[], session: Actions['session']): void => {
  if (taker !== null) return taker(files);
  waiting = files;
  session({ dialog: 'import' });
};

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') === true;

/** Shows the import overlay while files are held over the page. */
const showWouldImport = (would: boolean): void => {
  document.documentElement.toggleAttribute('data-dropping', would);
};

/** Imports a file dropped anywhere; otherwise the browser would leave the page to show it. */
export const useDroppedFiles = (): void => {
  const { session } = useActions();
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      // The element under the pointer may take them.
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
