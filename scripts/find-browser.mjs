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

/** Where `npx playwright install chromium` puts its own; null until dependencies are installed. */
const ofPlaywright = async () => {
  try {
    return (await import('@playwright/test')).chromium.executablePath();
  } catch {
    return null;
  }
};

/**
 * The Chromium or Chrome that tests, measurements and pictures run in: CHROME_PATH, else what the
 * system has, else Playwright's own. Null if there is none.
 *
 * @returns {Promise<string | null>}
 */
export const findBrowser = async () => {
  if (env.CHROME_PATH) return existsSync(env.CHROME_PATH) ? env.CHROME_PATH : null;
  const installed = platform === 'darwin' || platform === 'win32' ? INSTALLED[platform] : [];
  const found = [...onPath(NAMES), ...installed].find((file) => existsSync(file));
  if (found !== undefined) return found;
  const own = await ofPlaywright();
  return own !== null && existsSync(own) ? own : null;
};

/**
 * WebGPU by the processor: no `shader-f16`. Chromium takes a GPU that works for ten seconds on one thing for hung, and a processor may need so long.
 */
export const SOFTWARE_GPU = ['--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader', '--disable-gpu-watchdog'];

/**
 * A window of Chromium loads its address bar's pages into a process of their own, which takes as much work as a short test; nobody sees
 * them here. The last such switch holds, so what Playwright switches off for a reason that concerns us is among these.
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
 * How Playwright is to start it. Its sandbox needs rights that root and most containers lack.
 *
 * @param {string[]} [args]
 */
export const launchOptions = async (args = []) => {
  const executablePath = await findBrowser();
  // Without one, Playwright itself says what to do once a browser is needed.
  return {
    ...(executablePath === null ? {} : { executablePath }),
    chromiumSandbox: false,
    args: [`--disable-features=${WITHOUT_FEATURES}`, ...args],
  };
};

/**
 * For tests: the headless shell, where Debian's is installed. It is the same Chromium without windows, and a little quicker; else
 * as `launchOptions`. Where CHROME_PATH names a browser, that one is tested.
 *
 * @param {string[]} [args]
 */
export const shellOptions = async (args = []) => {
  const shell = env.CHROME_PATH ? undefined : onPath(['chromium-headless-shell']).find((file) => existsSync(file));
  if (shell === undefined) return launchOptions(args);
  // Asked whether speech is understood without a server, it crashes: it has nothing that could answer.
  return {
    executablePath: shell,
    chromiumSandbox: false,
    args: ['--disable-blink-features=OnDeviceWebSpeechAvailable', ...args],
  };
};
