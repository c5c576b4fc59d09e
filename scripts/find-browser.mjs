import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { env, platform } from 'node:process';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome', 'microsoft-edge'];

const INSTALLED = {
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ],
  win32: [env.PROGRAMFILES, env['PROGRAMFILES(X86)'], env.LOCALAPPDATA]
    .filter((folder) => folder !== undefined)
    .map((folder) => join(folder, 'Google', 'Chrome', 'Application', 'chrome.exe')),
};

/** @param {string[]} names */
const onPath = (names) =>
  (env.PATH ?? '').split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));

/** @type {Set<string>} */
const started = new Set();

/**
 * Whether a browser starts: a package may be a stub, or lack libraries. On Windows a file that exists is believed to,
 * because Chrome opens a window there when asked for its version.
 *
 * @param {string} file
 */
export const isStartable = (file) => {
  if (!existsSync(file)) return false;
  if (platform === 'win32' || started.has(file)) return true;
  const { status } = spawnSync(file, ['--version'], { stdio: 'ignore', timeout: 60_000 });
  if (status === 0) started.add(file);
  return status === 0;
};

/** Path of the Chromium that `npx playwright install chromium` installs; null until dependencies are installed. */
const ofPlaywright = async () => {
  try {
    return (await import('@playwright/test')).chromium.executablePath();
  } catch {
    return null;
  }
};

/**
 * Finds the Chromium or Chrome for tests, measurements and screenshots: CHROME_PATH, else an installed one that starts,
 * else Playwright's own. Null if there is none.
 *
 * @returns {Promise<string | null>}
 */
export const findBrowser = async () => {
  if (env.CHROME_PATH) return existsSync(env.CHROME_PATH) ? env.CHROME_PATH : null;
  const installed = platform === 'darwin' || platform === 'win32' ? INSTALLED[platform] : [];
  const found = [...onPath(NAMES), ...installed].find(isStartable);
  if (found !== undefined) return found;
  const own = await ofPlaywright();
  return own !== null && existsSync(own) ? own : null;
};

/**
 * WebGPU on the CPU: no `shader-f16`. Chromium treats a GPU busy with one task for ten seconds as hung, and a CPU
 * may need that long.
 */
export const SOFTWARE_GPU = ['--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader', '--disable-gpu-watchdog'];

/**
 * A Chromium window loads its address bar's pages into a separate process, which takes as much work as a short
 * test; nobody sees them here. Only the last such switch applies, so this list repeats those of Playwright's
 * disabled features that matter here.
 */
const WITHOUT_FEATURES = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'TcpPortRandomizationWin',
  'ThirdPartyStoragePartitioning',
];

/**
 * Options for launching it with Playwright. Its sandbox needs privileges that root and most containers lack.
 *
 * @param {string[]} [args]
 */
export const launchOptions = async (args = []) => {
  const executablePath = await findBrowser();
  // Without one, Playwright itself explains what to do once a browser is needed.
  return {
    ...(executablePath === null ? {} : { executablePath }),
    chromiumSandbox: false,
    args: [`--disable-features=${WITHOUT_FEATURES}`, ...args],
  };
};

/**
 * Options for tests: uses the headless shell if Debian's is installed. It is the same Chromium without windows and
 * slightly faster; otherwise same as `launchOptions`. If CHROME_PATH names a browser, that one is tested.
 *
 * @param {string[]} [args]
 */
export const shellOptions = async (args = []) => {
  const shell = env.CHROME_PATH ? undefined : onPath(['chromium-headless-shell']).find((file) => existsSync(file));
  if (shell === undefined) return launchOptions(args);
  // The shell crashes when asked whether on-device speech recognition is available, since it has nothing to answer that.
  return {
    executablePath: shell,
    chromiumSandbox: false,
    args: ['--disable-blink-features=OnDeviceWebSpeechAvailable', ...args],
  };
};
