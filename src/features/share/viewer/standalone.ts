import type { Still } from '../../../ui/still/draw-still.ts';
import { mountViewer } from './mount.ts';

/* The script of a conversation that is a file: it stands in the file itself, and shows what stands beside it there. */

const host = document.getElementById('viewer');
const page = document.getElementById('conversation')?.textContent;
if (host !== null && page != null) {
  const still: Still = JSON.parse(page);
  mountViewer(host, still, { embed: new URLSearchParams(location.search).has('embed') });
}
