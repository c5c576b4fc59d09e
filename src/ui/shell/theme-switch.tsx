import { Monitor, Moon, Sun } from 'lucide-react';
import type { Theme } from '../../app/state.ts';
import { useActions, useApp } from '../app-context.ts';
import { IconButton } from '../parts/button.tsx';
import { Menu, MenuChoice } from '../parts/menu.tsx';

export const themes: readonly { readonly value: Theme; readonly label: string }[] = [
  { value: 'system', label: 'Like the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];
const ICONS = { system: Monitor, light: Sun, dark: Moon };

export const ThemeSwitch = () => {
  const { session } = useActions();
  const theme = useApp((state) => state.session.theme);
  return (
    <Menu align="end" trigger={<IconButton label="Theme" icon={ICONS[theme]} />}>
      {themes.map(({ value, label }) => (
        <MenuChoice key={value} chosen={value === theme} onChoose={() => session({ theme: value })}>
          {label}
        </MenuChoice>
      ))}
    </Menu>
  );
};
