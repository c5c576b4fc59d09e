import type { Theme } from '../../app/state.ts';

/** Where the choice is kept; index.html reads it before anything is painted. */
const KEY = 'coppice-theme';
const DARK = '(prefers-color-scheme: dark)';

/** The choice of the last visit; a browser that keeps nothing follows the system. */
export const storedTheme = (): Theme => {
  try {
    const stored = localStorage.getItem(KEY);
    return stored === 'light' || stored === 'dark' ? stored : 'system';
  } catch {
    return 'system';
  }
};

/** Shows the theme, keeps the choice, and follows the system where it says so. Returns how to stop following. */
export const applyTheme = (theme: Theme): (() => void) => {
  const system = matchMedia(DARK);
  const show = () => {
    const dark = theme === 'dark' || (theme === 'system' && system.matches);
    document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  };
  show();
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // Kept for this visit only: the settings say that nothing can be stored.
  }
  system.addEventListener('change', show);
  return () => system.removeEventListener('change', show);
};
