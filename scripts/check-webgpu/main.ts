import { parseArgs } from 'node:util';
import { type Browser, chromium, type Page } from '@playwright/test';
import { launchOptions, SOFTWARE_GPU } from '../find-browser.mjs';
import { faultsOf, tableOf } from './report.ts';
import { servePage } from './serve-page.ts';

/*
 * npm run check:webgpu -- [--model ID] [--hub ADDRESS] [--headless] [--software]
 *
 * Runs all of WebLLM in a real browser on this machine's GPU, with a model from the internet, and prints what it
 * did. Exits with 2 if there is no GPU or no internet, so nothing was checked, and with 1 if something is wrong.
 */

const NOT_CHECKED = 2;
const MODEL = 'Qwen3-0.6B-q4f16_1-MLC';
const HUB = 'https://huggingface.co';
/** In milliseconds: allows for a download over a slow line and a hundred decisions on a slow GPU. */
const PATIENCE = 60 * 60_000;

class NotChecked extends Error {}

const { values } = parseArgs({
  options: {
    model: { type: 'string', default: MODEL },
    // Used instead of Hugging Face.
    hub: { type: 'string', default: HUB },
    headless: { type: 'boolean', default: false },
    // Also accept WebGPU on the CPU: slow, and without 16-bit shaders.
    software: { type: 'boolean', default: false },
  },
});

/**
 * Flags Chromium needs to expose the machine's GPU to a headless page, and to any page on Linux, where it also
 * withholds 16-bit shaders on NVIDIA GPUs.
 */
const FLAGS = [
  '--enable-features=Vulkan',
  '--enable-dawn-features=vulkan_enable_f16_on_nvidia',
  '--ignore-gpu-blocklist',
  ...(values.software ? SOFTWARE_GPU : ['--enable-unsafe-webgpu']),
];

/** The old headless mode has no GPU; Chromium's new one does. The driver of a server without a screen has no surface to draw on. */
const WITHOUT_WINDOW = [
  '--headless=new',
  ...(values.software ? [] : ['--use-angle=vulkan', '--disable-vulkan-surface']),
];

const open = async (): Promise<Browser> => {
  const options = await launchOptions(FLAGS);
  if (!values.headless) {
    const headed = await chromium.launch({ ...options, headless: false }).catch(() => null);
    if (headed !== null) return headed;
    console.log('No window can be opened here; trying without one.');
  }
  return chromium.launch({ ...options, args: [...options.args, ...WITHOUT_WINDOW] });
};

const requireGpu = async (page: Page): Promise<string> => {
  const found = await page.evaluate(() => window.webllm.gpu());
  if (found === null) {
    throw new NotChecked('No GPU: the browser gives this page no WebGPU adapter. Run it on a machine with one.');
  }
  if (found.software && !values.software) {
    throw new NotChecked(`No GPU: WebGPU here is done by the processor (${found.name}). Run it on a machine with one.`);
  }
  return `${found.name}, ${found.f16 ? 'with' : 'without'} shader-f16`;
};

const requireInternet = async (page: Page): Promise<void> => {
  const answers = await page.evaluate(
    (url) =>
      fetch(url, { method: 'HEAD', mode: 'no-cors', signal: AbortSignal.timeout(15_000) }).then(
        () => true,
        () => false,
      ),
    values.hub,
  );
  if (!answers) throw new NotChecked(`No internet: ${values.hub} cannot be reached, and the model comes from there.`);
};

const served = await servePage();
const browser = await open();
try {
  const page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE);
  await page.goto(served.address);
  const gpu = await requireGpu(page);
  await requireInternet(page);
  await page.exposeFunction('say', (text: string) => {
    if (process.stdout.isTTY) process.stdout.write(`\r\x1b[K${text}`);
  });
  const measured = await page.evaluate(async ({ model, hub }) => {
    new MutationObserver(() => Reflect.get(window, 'say')(document.title)).observe(document.head, {
      subtree: true,
      childList: true,
      characterData: true,
    });
    return window.webllm.measure(model, hub);
  }, values);
  if (process.stdout.isTTY) process.stdout.write('\r\x1b[K');
  for (const line of tableOf(gpu, measured)) console.log(line);
  const faults = faultsOf(measured);
  for (const fault of faults) console.error(`✗ ${fault}`);
  process.exitCode = faults.length > 0 ? 1 : 0;
} catch (error) {
  process.exitCode = error instanceof NotChecked ? NOT_CHECKED : 1;
  console.error(error instanceof Error ? error.message : error);
} finally {
  await browser.close();
  await served.close();
}
