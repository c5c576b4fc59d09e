import { Ellipsis, Rewind, Split } from 'lucide-react';
import { useActions } from '../app-context.ts';
import { IconButton } from '../parts/button.tsx';
import { Menu, MenuItem } from '../parts/menu.tsx';

/** What can be done with the moment that is shown, where the chat with its bar may be folded away. */
export const MomentMenu = ({ count, onChoose }: { count: number; onChoose: () => void }) => {
  const { branchOff, restore } = useActions();
  const choose = (run: () => Promise<void>) => () => {
    onChoose();
    void run();
  };
  return (
    <Menu
      align="end"
      side="top"
      label="This moment"
      trigger={<IconButton size="small" label="With this moment" icon={Ellipsis} />}
    >
      <MenuItem icon={<Split size={14} aria-hidden />} onSelect={choose(() => branchOff(count))}>
        Start a new conversation from here
      </MenuItem>
      <MenuItem icon={<Rewind size={14} aria-hidden />} onSelect={choose(() => restore(count))}>
        Restore this
      </MenuItem>
    </Menu>
  );
};
