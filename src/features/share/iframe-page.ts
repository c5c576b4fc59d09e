import { createYielder } from '../../engine/tasks.ts';
import { staticForestOf } from '../../ui/static-forest/static-forest-of.tsx';
import { readSharedLink } from './shared-link.ts';
import { mountViewer } from './viewer/mount.ts';

/** Shows the conversation in the page's address, canvas only, for a page that embeds this one in a frame. */
export const showEmbedded = async (root: HTMLElement): Promise<void> => {
  const read = await readSharedLink(location.hash);
  if (!read.ok) {
    root.textContent = read.why;
    return;
  }
  const { title, forest, entries } = read.conversation;
  document.title = title;
  const still = await staticForestOf(
    title,
    forest,
    entries,
    createYielder(() => performance.now()),
  );
  mountViewer(root, still, { embed: true });
};
