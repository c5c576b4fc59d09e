import type { Actions } from '../../app/actions.ts';
import type { Feature } from '../../ui/feature.ts';
import { importFiles } from '../../ui/shell/dropped-files.ts';
import { update, updateWaits } from './updates.ts';

/** The page as an installed app: kept for use without a network, updated when the person wants it, opened with files. */
export const installed: Feature<never, 'update'> = {
  dialogs: {},
  commands: {
    update: {
      group: 'Coppice',
      words: 'Update to the new version',
      also: 'reload offline service worker',
      unless: () => (updateWaits() ? null : 'No newer version is known.'),
      run: update,
    },
  },
};

/** What the browser hands to an installed app that a file is opened with. */
interface LaunchQueue {
  setConsumer(take: (launch: { readonly files: readonly FileSystemFileHandle[] }) => void): void;
}

/**
 * Does what the page was opened for, once: a file opened with the installed app is imported, what another app shares
 * becomes the draft, a shortcut does its command. What the address says of it is removed, so that a reload does not do it again.
 */
export const followLaunch = (actions: Pick<Actions, 'session' | 'newConversation' | 'reportFailure'>): void => {
  const { launchQueue } = window as { launchQueue?: LaunchQueue };
  launchQueue?.setConsumer(({ files }) => {
    if (files.length === 0) return;
    Promise.all(files.map((file) => file.getFile())).then(
      (read) => importFiles(read, actions.session),
      (error) => actions.reportFailure('Opening the file', error),
    );
  });

  const asked = new URLSearchParams(location.search);
  const draft = sharedText(asked);
  const command = asked.get('do');
  if (draft === '' && command === null) return;
  history.replaceState(history.state, '', location.pathname + location.hash);
  if (command === 'new-conversation') void actions.newConversation();
  if (command === 'import') actions.session({ dialog: 'import' });
  if (draft !== '') actions.session({ draft });
};

/** The manifest's `share_target` names these. */
const SHARED = ['share-title', 'share-text', 'share-url'];

const sharedText = (asked: URLSearchParams): string =>
  [...new Set(SHARED.flatMap((name) => asked.get(name)?.trim() || []))].join('\n');
