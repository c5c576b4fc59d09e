import { useEffect } from 'react';
import { useActions } from '../app-context.ts';

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
      session({ dialog: 'import', with: [...(event.dataTransfer?.files ?? [])] });
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
