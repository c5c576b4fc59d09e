// The theme of the last visit, before the first paint: no flash of the other one.
const keptTheme = () => {
  try {
    return localStorage.getItem('coppice-theme');
  } catch {
    return null; // Storage is blocked: the system's theme will do.
  }
};
const systemTheme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
document.documentElement.dataset.theme = ['light', 'dark'].includes(keptTheme()) ? keptTheme() : systemTheme;
