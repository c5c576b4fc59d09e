import { Ellipsis } from 'lucide-react';
import { lazy, Suspense } from 'react';
import type { Node } from '../../domain/forest.ts';
import { IconButton } from '../parts/button.tsx';
import { Menu } from '../parts/menu.tsx';

// Nobody opens a menu before the first paint; who points at its button is about to.
const load = () => import('../shell/commands/turn-actions.tsx');
const TurnMenuItems = lazy(() => load().then((module) => ({ default: module.TurnMenuItems })));
const ahead = () => void load();

/** Everything else that can be done with a turn. */
export const TurnMenu = ({ node }: { node: Node }) => (
  <Menu
    align="end"
    label={`Turn ${node.number}`}
    trigger={
      <IconButton
        size="small"
        label={`More for turn ${node.number}`}
        icon={Ellipsis}
        onPointerEnter={ahead}
        onFocus={ahead}
      />
    }
  >
    <Suspense fallback={null}>
      <TurnMenuItems nodeIds={[node.id]} />
    </Suspense>
  </Menu>
);
