import { Monitor, Moon, Sun } from 'lucide-react';
import { useLayoutEffect, useRef } from 'react';
import type { Theme } from '../../app/state.ts';
import { useActions, useApp } from '../app-context.ts';
import { IconButton } from '../parts/button.tsx';
import { createStored } from '../parts/hooks.ts';
import { Menu, MenuChoice } from '../parts/menu.tsx';

export const THEMES: readonly { readonly value: Theme; readonly label: string }[] = [
  { value: 'system', label: 'System' },
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

/** The choice of the last visit, which index.html reads before the first paint. */
const stored = createStored(
  'coppice-theme',
  (text): Theme => (text === 'light' || text === 'dark' ? text : 'system'),
  (theme) => theme,
);
const SYSTEM_DARK = '(prefers-color-scheme: dark)';

/** The part of a `theme-color` that is used. */
interface BarColour {
  content: string;
  readonly media: string;
  readonly dataset: { own?: string };
}

/**
 * Gives the browser's bars and the system's the colour of the theme: of the shown one, or, if it follows the system, each
 * colour to its own. As in `public/theme.js`.
 */
export const colourBars = (theme: Theme, bars: readonly BarColour[]): void => {
  for (const bar of bars) bar.dataset.own ??= bar.content;
  const shown = bars.find(({ media }) => media.includes(theme))?.dataset.own;
  for (const bar of bars) bar.content = shown ?? bar.dataset.own ?? bar.content;
};

/** Applies and stores the theme, and follows the system if it is set to. Returns a function that stops following. */
const applyTheme = (theme: Theme): (() => void) => {
  const system = matchMedia(SYSTEM_DARK);
  const show = () => {
    const dark = theme === 'dark' || (theme === 'system' && system.matches);
    document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  };
  show();
  colourBars(theme, [...document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')]);
  stored.set(theme);
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
    if (stored.get() === theme) return applyTheme(theme);
    session({ theme: stored.get() });
  }, [theme, session]);
};
