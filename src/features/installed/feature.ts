import { joinDrafts } from '../../app/attachments.ts';
import { type AppState, coveringDialog, holdsUnsaved, paneInView } from '../../app/state.ts';
import { errorMessage } from '../../engine/model-failure.ts';
import { whenIdle } from '../../engine/tasks.ts';
import type { App } from '../../ui/app-context.ts';
import { defineFeature } from '../../ui/commands/feature.ts';
import { mayReplaceDialogs } from '../../ui/parts/dialog.tsx';
import { keepForOffline, update, updateWaits, whenNothingRuns } from './updates.ts';

/** The page as an installed app: available offline, updated when the person wants it, and able to open files. */
export const installed = defineFeature({
  dialogs: {},
  commands: {
    update: {
      group: 'Coppice',
      words: 'Update to the new version',
      also: 'reload offline service worker',
      unless: () => (updateWaits() ? null : 'No newer version is available.'),
      run: update,
    },
  },
  start: (app) => {
    followLaunch(app);
    if (import.meta.env.PROD && 'serviceWorker' in navigator) whenIdle(() => keepOffline(app));
  },
});

const keepOffline = ({ store, actions }: App): void => {
  const isReplying = (): boolean => store.getState().turn !== null || store.getState().replay !== null;
  // Caching hundreds of files takes a processor for seconds, which the first message needs.
  const isLoading = (): boolean => {
    const { phase, models } = store.getState();
    return phase === 'opening' || !['ready', 'failed'].includes(models.embed.state);
  };
  whenNothingRuns(
    () => isReplying() || isLoading(),
    store.subscribe,
    () =>
      keepForOffline({
        isReplying,
        unfinished: () => unfinishedIn(store.getState()),
        holdsUnsaved: () => holdsUnsaved(store.getState()),
        watch: store.subscribe,
        onReplaced: () => store.setState({ isOutdated: true }),
        tell: actions.announce,
      }).then(
        () => store.setState({ offline: 'kept' }),
        (error) => store.setState({ offline: { failure: errorMessage(error) } }),
      ),
  );
};

/** What a reload would end besides a reply, as the subject and verb of a sentence; null for nothing. */
const unfinishedIn = ({ session, longTasks }: AppState): string | null => {
  if (longTasks > 0) return 'an import, an evaluation or something else was still running';
  if (coveringDialog(session) !== null) return 'a dialog was open';
  return session.attaching.length > 0 ? 'a file was being attached' : null;
};

/**
 * What the browser passes to the installed app whenever it is opened: with files, or at an address. An open window only
 * gets the focus then and is not loaded anew (`launch_handler` in the manifest), since somebody may be writing in it.
 */
interface Launch {
  readonly targetURL?: string | null;
  readonly files: readonly FileSystemFileHandle[];
}

interface LaunchQueue {
  setConsumer(take: (launch: Launch) => void): void;
}

/**
 * Carries out what the page was opened for, once: a file opened with the installed app is imported, content shared by
 * another app is added to the draft, a shortcut runs its command, a link to a shared conversation shows it. The request is
 * removed from the address, so that a reload does not repeat it.
 */
const followLaunch = (app: App): void => {
  const { actions } = app;
  const { launchQueue } = window as { launchQueue?: LaunchQueue };
  /** The first launch names the address that the page is at anyway. */
  let here: string | null = location.href;
  launchQueue?.setConsumer(({ targetURL, files }) => {
    if (targetURL != null && targetURL !== here) {
      const { search, hash } = new URL(targetURL);
      carryOut(app, search);
      if (hash !== '') location.hash = hash;
    }
    here = null;
    if (files.length === 0 || !mayReplaceDialogs()) return;
    Promise.all(files.map((file) => file.getFile())).then(
      (read) => actions.session({ dialog: 'import', with: read }),
      (error) => actions.reportFailure('Opening the file', error),
    );
  });

  if (carryOut(app, location.search)) history.replaceState(history.state, '', location.pathname + location.hash);
};

/** Does what an address asks for; returns whether it asks for anything. */
const carryOut = ({ store, actions }: App, search: string): boolean => {
  const asked = new URLSearchParams(search);
  const draft = sharedText(asked);
  const command = asked.get('do');
  // Another conversation would close a dialog about a turn.
  if (command === 'new-conversation' && mayReplaceDialogs()) void actions.newConversation();
  if (command === 'import' && mayReplaceDialogs()) actions.session({ dialog: 'import' });
  if (draft !== '') {
    const { session } = store.getState();
    // To be seen where it went.
    actions.session({ draft: joinDrafts(session.draft.trimEnd(), draft), ...paneInView('chat', session) });
    if (coveringDialog(session) !== null) actions.announce('What you shared is in the message.');
  }
  return draft !== '' || command !== null;
};

/** Names used by the manifest's `share_target`. */
const SHARED = ['share-title', 'share-text', 'share-url'];

const sharedText = (asked: URLSearchParams): string =>
  [...new Set(SHARED.flatMap((name) => asked.get(name)?.trim() || []))].join('\n');
