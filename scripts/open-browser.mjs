import { spawn } from 'node:child_process';

const OPENERS = { darwin: ['open'], win32: ['cmd', '/c', 'start', ''] };

/**
 * Opens an address in the user's browser, if there is one. BROWSER names a different one, or `none`.
 *
 * @param {string} address
 */
export const openBrowser = (address) => {
  const { BROWSER: chosen, CI, DISPLAY, WAYLAND_DISPLAY } = process.env;
  const { platform } = process;
  if (chosen === 'none' || CI) return;
  const hasScreen = platform === 'darwin' || platform === 'win32' || DISPLAY || WAYLAND_DISPLAY;
  if (!hasScreen) return;
  const system = platform === 'darwin' || platform === 'win32' ? OPENERS[platform] : ['xdg-open'];
  const [command, ...args] = chosen ? [chosen] : system;
  const child = spawn(/** @type {string} */ (command), [...args, address], { stdio: 'ignore', detached: true });
  // The address has been printed, so without a browser the user can open it by hand.
  child.on('error', () => console.log('No browser could be opened; open the address above in one.'));
  child.unref();
};
