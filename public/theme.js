// The theme of the last visit, before the first paint: no flash of the other one.
const keptTheme = () => {
  try {
    return localStorage.getItem('coppice-theme');
  } catch {
    return null; // Storage is blocked: the system's theme will do.
  }
};
const systemTheme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
const chosenTheme = ['light', 'dark'].find((one) => one === keptTheme());
document.documentElement.dataset.theme = chosenTheme ?? systemTheme;
// The browser's bars have it, too.
const bars = [...document.querySelectorAll('meta[name="theme-color"]')];
for (const bar of bars) bar.dataset.own = bar.content;
const chosenBar = bars.find(({ media }) => chosenTheme !== undefined && media.includes(chosenTheme));
for (const bar of bars) bar.content = chosenBar?.dataset.own ?? bar.content;
