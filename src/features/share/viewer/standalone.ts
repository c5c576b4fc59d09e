import type { StaticForest } from '../../../ui/static-forest/draw-static-forest.ts';
import { mountViewer } from './mount.ts';

/* The script of a conversation saved as a file: it is embedded in the file and shows the conversation stored beside it. */

const host = document.getElementById('viewer');
const page = document.getElementById('conversation')?.textContent;
if (host !== null && page != null) {
  const still: StaticForest = JSON.parse(page);
  const embed = new URLSearchParams(location.search).has('embed');
  mountViewer(host, still, { embed, alone: !embed });
}
