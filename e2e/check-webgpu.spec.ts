import { execFile } from 'node:child_process';
import { expect, test } from '@playwright/test';
import { measure } from '../scripts/check-webgpu/measure.ts';
import { faultsOf, tableOf } from '../scripts/check-webgpu/report.ts';
import { root } from '../scripts/run.mjs';
import type { WebLlmSpec } from '../src/models/runtimes/model-spec.ts';
import type { Runtime } from '../src/models/runtimes/runtime.ts';
import { standInModel } from '../src/models/runtimes/webllm/testing/stand-in-model.ts';

/** Nothing listens there. */
const NOWHERE = 'http://127.0.0.1:9';

const check = (...args: string[]): Promise<{ code: number; said: string }> =>
  new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ['scripts/check-webgpu.mjs', '--headless', '--hub', NOWHERE, ...args],
      { cwd: root },
      (_, out, err) => resolve({ code: child.exitCode ?? -1, said: out + err }),
    );
  });

test('npm run check:webgpu checks nothing without a GPU, and says so', async () => {
  const { code, said } = await check();
  // On a machine with a GPU, the internet is what is missing.
  expect(said).toMatch(/^No (GPU|internet): .+\.$/m);
  expect(code).toBe(2);
});

test('npm run check:webgpu checks nothing without the internet, and says so', async () => {
  const { code, said } = await check('--software');
  expect(said).toContain(`No internet: ${NOWHERE} cannot be reached`);
  expect(code).toBe(2);
});

/** The whole check, with a stand-in for the library's engine instead of a GPU. */
const measured = (says: string) => {
  const runtime: Runtime<WebLlmSpec> = {
    loadGenerator: (_, options) => {
      const { engine, load } = standInModel({
        tokenizer: { encode: (text) => text.split(' ').map((_, i) => i), idToToken: String },
      });
      engine.says = says;
      return load(options);
    },
  };
  return measure(runtime, 'any', () => undefined);
};

test('the check of a model that does all that it should finds no fault', async () => {
  const all = await measured('{"action":"create","target":0}');
  expect(faultsOf(all)).toEqual([]);
  expect(all.decisions).toMatchObject({ asked: 100, valid: 100 });
  const { prefilled, reused, cold } = all.secondTurn;
  // Only the three words of the second question; the rest was cached.
  expect([prefilled, prefilled + reused]).toEqual([3, cold]);
  expect(all.prefill.tokens).toBeGreaterThan(700);
  const table = tableOf('a GPU', all);
  expect(table).toContainEqual(
    expect.stringMatching(/^Second turn +\d+ tokens reused, 3 prefilled \(\d+ without the cache\)$/),
  );
  expect(table).toContainEqual(expect.stringMatching(/^Schema-valid decisions +100 of 100, /));
});

test('the check of a model that decides nonsense finds the fault', async () => {
  expect(faultsOf(await measured('let me think'))).toEqual(['Decisions broke out of their schema.']);
});
