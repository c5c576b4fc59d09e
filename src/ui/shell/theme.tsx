import { Monitor, Moon, Sun } from 'lucide-react';
import { useLayoutEffect, useRef } from 'react';
import type { Theme } from '../../app/state.ts';
import { useActions, useApp } from '../app-context.ts';
import { IconButton } from '../parts/button.tsx';
import { Menu, MenuChoice } from '../parts/menu.tsx';

export const THEMES: readonly { readonly value: Theme; readonly label: string }[] = [
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
      {THEMES.map(({ value, label }) => (
        <MenuChoice key={value} chosen={value === theme} onChoose={() => session({ theme: value })}>
          {label}
        </MenuChoice>
      ))}
    </Menu>
  );
};

/** The storage key of the choice; index.html reads it before the first paint. */
const STORED_AS = 'coppice-theme';
const SYSTEM_DARK = '(prefers-color-scheme: dark)';

/** The choice of the last visit; a browser that stores nothing follows the system. */
const storedTheme = (): Theme => {
  try {
    const stored = localStorage.getItem(STORED_AS);
    return stored === 'light' || stored === 'dark' ? stored : 'system';
  } catch {
    return 'system';
  }
};

/** Applies and stores the theme, and follows the system if it is set to. Returns a function that stops following. */
const applyTheme = (theme: Theme): (() => void) => {
  const system = matchMedia(SYSTEM_DARK);
  const show = () => {
    const dark = theme === 'dark' || (theme === 'system' && system.matches);
    document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  };
  show();
  try {
    localStorage.setItem(STORED_AS, theme);
  } catch {
    // Kept for this visit only: the settings say that nothing can be stored.
  }
  system.addEventListener('change', show);
  return () => system.removeEventListener('change', show);
};

/** Starts with the choice of the last visit; applies and stores every later one. */
export const useTheme = (): void => {
  const { session } = useActions();
  const theme = useApp((state) => state.session.theme);
  const restored = useRef(false);
  useLayoutEffect(() => {
    if (restored.current) return applyTheme(theme);
    restored.current = true;
    const stored = storedTheme();
    if (stored === theme) return applyTheme(theme);
    session({ theme: stored });
  }, [theme, session]);
};
