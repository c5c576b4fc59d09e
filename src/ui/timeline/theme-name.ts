import { useSyncExternalStore } from 'react';

const subscribe = (changed: () => void): (() => void) => {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  return () => observer.disconnect();
};

/** The theme that is on, for what is painted by script and does not follow the style sheet by itself. */
export const useThemeName = (): string =>
  useSyncExternalStore(subscribe, () => document.documentElement.dataset.theme ?? 'light');
