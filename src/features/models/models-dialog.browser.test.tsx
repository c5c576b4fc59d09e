import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { ModelFailure } from '../../engine/model-failure.ts';
import { openModels, QWEN, SMOL } from './testing/open-models.tsx';

const button = (name: string) => page.getByRole('button', { name, exact: true });
const now = () => page.getByRole('region', { name: 'Now' });
const failure = new ModelFailure('storage-full', 'There is no room left. Delete a model first.');

beforeEach(() => page.viewport(1280, 900));

test('a chosen model is followed while it loads, and can be cancelled', async () => {
  const { asked, put } = openModels('chat');
  await button('Use Qwen3 1.7B').click();
  expect(asked).toContain(`choose chat ${QWEN}`);
  put('chat', { progress: { phase: 'downloading', loaded: 482e6, total: 1.12e9, speed: 8.3e6, timeLeft: 77 } });
  await expect.element(now()).toHaveTextContent('loading 43 %');
  await expect.element(now()).toHaveTextContent('482 MB of 1.1 GB8.3 MB/s1 min left');
  await expect.element(button('Use Qwen3 1.7B')).not.toBeInTheDocument();
  await button('Cancel').click();
  expect(asked).toContain('cancel chat');
  await expect.element(button('Cancel')).not.toBeInTheDocument();
});

test('a model that was too large gives way to the next smaller one in one click', async () => {
  const { asked, put } = openModels('chat');
  put('chat', {
    choice: { kind: 'model', key: 'webllm:Qwen3-8B-q4f16_1-MLC' },
    name: 'Qwen3 8B',
    state: 'failed',
    failure: { kind: 'out-of-memory', message: 'The GPU has not enough memory.' },
  });
  await expect.element(now()).toHaveTextContent('The GPU has not enough memory.');
  await now().getByRole('button', { name: 'Use Llama 3.2 3B' }).click();
  expect(asked).toContain('choose chat webllm:Llama-3.2-3B-Instruct-q4f16_1-MLC');
});

test('where a swap failed, it is said which model stays in use and where that sends the text', async () => {
  const { put } = openModels('chat');
  put('chat', {
    choice: { kind: 'model', key: QWEN },
    name: 'Qwen3 1.7B',
    state: 'failed',
    failure: { kind: 'out-of-memory', message: 'The GPU has not enough memory.' },
    previous: { name: 'llama3.2:3b', leavesFor: 'http://localhost:11434/v1' },
  });
  await expect.element(now()).toHaveTextContent('llama3.2:3b stays in use.');
  await expect
    .element(now())
    .toHaveTextContent('Text of the conversation leaves this browser for http://localhost:11434/v1.');
});

test('where space ran out a failure leads to what is kept, and deleting tells why it did not work', async () => {
  const { asked, put, fail } = openModels('chat');
  put('chat', {
    choice: { kind: 'model', key: QWEN },
    name: 'Qwen3 1.7B',
    state: 'failed',
    failure: { kind: 'storage-full', message: 'There is no room left.' },
  });
  await now().getByRole('button', { name: 'Free space' }).click();
  await expect.element(page.getByRole('region', { name: 'Downloaded models' })).toBeVisible();
  fail.set('remove', failure);
  await button('Delete SmolLM2 360M').click();
  await expect.element(page.getByRole('alert')).toHaveTextContent(failure.message);
  fail.clear();
  await button('Delete SmolLM2 360M').click();
  await expect.element(page.getByText('Nothing has been downloaded yet.')).toBeVisible();
  expect(asked.filter((one) => one === `remove ${SMOL}`)).toHaveLength(2);
});

test('what does not fit is listed below with why, and may be tried all the same', async () => {
  const { asked } = openModels('chat');
  const unfit = page.getByRole('group', { name: 'Models that do not fit' });
  await expect.element(unfit).toHaveTextContent('this one gives 4.3 GB. Qwen3 1.7B fits.');
  await button('Try Qwen3 8B anyway').click();
  expect(asked).toContain('choose chat webllm:Qwen3-8B-q4f16_1-MLC');
});

test('the list is filtered by words and by what runs a model', async () => {
  openModels('chat');
  const fit = page.getByRole('list', { name: 'Models that fit' }).getByRole('listitem');
  await expect.element(button('Use Gemma 3 270M')).toBeVisible();
  await page.getByRole('combobox', { name: 'Run by' }).selectOptions('llama.cpp');
  await expect.element(button('Use Gemma 3 270M')).not.toBeInTheDocument();
  expect(fit.elements()).toHaveLength(3);
  await page.getByRole('searchbox', { name: 'Find a model' }).fill('nothing like it');
  await button('Show all').click();
  await expect.element(button('Use Gemma 3 270M')).toBeVisible();
});

test('the recommended set is one click, and so is the way back', async () => {
  const { asked } = openModels('overview');
  await button('Use these · 1.1 GB to download').click();
  expect(asked).toContain('chooseAll');
  await expect.element(button('In use')).toBeDisabled();
  await expect.element(page.getByRole('navigation')).toHaveTextContent('Qwen3 1.7Bloading');
  await button('Use the embedded models').click();
  await expect.element(button('Use these · 1.1 GB to download')).toBeEnabled();
  await expect.element(button('Use the embedded models')).not.toBeInTheDocument();
});

test('the way back also leads from a model that is only asked when the embedded decider is unsure', async () => {
  const { put } = openModels('overview');
  await expect.element(button('Use these · 1.1 GB to download')).toBeEnabled();
  put('consult', { choice: { kind: 'model', key: SMOL } });
  await button('Use the embedded models').click();
  await expect.element(button('Use the embedded models')).not.toBeInTheDocument();
});

test('a server lends a model: connected, picked, used, forgotten', async () => {
  const { asked, fail } = openModels('server');
  await button('LM Studio').click();
  await page.getByLabelText('Key', { exact: true }).fill('secret');
  fail.set('connect', new ModelFailure('cors', 'It does not let this page read it.'));
  await button('Connect').click();
  await expect.element(page.getByRole('alert')).toHaveTextContent('It does not let this page read it.');
  fail.clear();
  await button('Connect').click();
  expect(asked.at(-1)).toBe('connect http://localhost:1234/v1 secret false');
  await button('Add qwen3:4b').click();
  await expect.element(button('Add qwen3:4b')).not.toBeInTheDocument();
  await page.getByRole('group', { name: 'Use qwen3:4b for' }).getByRole('button', { name: 'replies' }).click();
  expect(asked).toContain('choose chat server:qwen3:4b');
  await expect.element(now()).toHaveTextContent('leaves this browser for http://localhost:1234/v1.');
  await page
    .getByRole('navigation')
    .getByRole('button', { name: /^Server/ })
    .click();
  await button('Forget http://localhost:1234/v1').click();
  await expect.element(button('Forget http://localhost:1234/v1')).not.toBeInTheDocument();
});

test('a server is connected also by an address without a scheme', async () => {
  const { asked } = openModels('server');
  await page.getByLabelText('Address', { exact: true }).fill('192.168.1.5:11434');
  await button('Connect').click();
  await expect.element(button('Add qwen3:4b')).toBeVisible();
  expect(asked.at(-1)).toBe('connect 192.168.1.5:11434  false');
});

test('a server whose key is kept can be forgotten before a model of it is added', async () => {
  openModels('server');
  await button('LM Studio').click();
  await page.getByLabelText('Key', { exact: true }).fill('secret');
  await page.getByLabelText('Keep the key on this machine').click();
  await button('Connect').click();
  await button('Forget http://localhost:1234/v1').click();
  await expect.element(button('Forget http://localhost:1234/v1')).not.toBeInTheDocument();
});

test('a key goes to the server it was typed for, and to no other', async () => {
  const { asked, fail } = openModels('server');
  const key = page.getByLabelText('Key', { exact: true });
  const address = page.getByLabelText('Address', { exact: true });
  await button('LM Studio').click();
  await key.fill('secret');
  await page.getByLabelText('Keep the key on this machine').click();
  await button('Connect').click();
  await button('Ollama').click();
  await expect.element(key).toHaveValue('');
  await button('Connect').click();
  await expect.poll(() => asked.at(-1)).toBe('connect http://localhost:11434/v1  false');

  await key.fill('another');
  fail.set('connect', failure);
  await button('Connect').click();
  await expect.element(page.getByRole('alert')).toBeVisible();
  await address.fill('http://localhost:11434/api');
  await expect.element(key).toHaveValue('another');
  await address.fill('http://elsewhere.example/api');
  await expect.element(key).toHaveValue('');
  await key.fill('a third');
  await button('vLLM').click();
  await expect.element(key).toHaveValue('');
});

test('a model of one’s own is added by id or file, and removed', async () => {
  const { asked } = openModels('add');
  await page.getByLabelText('Hub id or address').fill(' owner/name/tiny.gguf ');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('group', { name: 'Use tiny.gguf for' })).toBeVisible();
  expect(asked.at(-1)).toBe('addOwn {"runtime":"wllama","hub":"owner/name/tiny.gguf","embeds":false}');
  await page.getByLabelText('File', { exact: true }).upload(new File(['x'], 'given.gguf'));
  await button('Add').click();
  await expect.element(page.getByRole('group', { name: 'Use given.gguf for' })).toBeVisible();
  await button('Remove tiny.gguf').click();
  await expect.element(button('Remove tiny.gguf')).not.toBeInTheDocument();
  await button('WebLLM').click();
  await expect.element(button('Add')).toBeDisabled();
});

test('whom the embedded decider asks, and where models come from, are kept', async () => {
  const { asked, put } = openModels('decide');
  const unsure = page.getByRole('region', { name: 'When unsure' });
  const chosen = unsure.getByRole('combobox', { name: 'When unsure, ask' });
  await chosen.selectOptions('SmolLM2 360M');
  expect(asked).toContain(`set {"consult":{"kind":"model","key":"${SMOL}"}}`);
  // It can be cancelled, or another chosen, while it loads.
  const progress = { phase: 'downloading', loaded: 10e6, total: 40e6, speed: null, timeLeft: null } as const;
  put('consult', { progress });
  await expect.element(unsure.getByRole('progressbar', { name: 'SmolLM2 360M under way' })).toBeVisible();
  await expect.element(unsure).toHaveTextContent('10 MB of 40 MB');
  await expect.element(chosen).toBeEnabled();
  await unsure.getByRole('button', { name: 'Cancel' }).click();
  expect(asked.at(-1)).toBe('cancel consult');
  await expect.element(unsure.getByRole('progressbar')).not.toBeInTheDocument();
  put('consult', { state: 'failed', failure: { kind: 'unreachable', message: 'Nobody answers.' } });
  await expect.element(unsure.getByRole('alert')).toHaveTextContent('Nobody answers.');
  await unsure.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => asked.at(-1)).toBe(`set {"consult":{"kind":"model","key":"${SMOL}"}}`);
  await page
    .getByRole('navigation')
    .getByRole('button', { name: /^Downloaded/ })
    .click();
  await expect.element(page.getByText('in use: asked when unsure.')).toBeVisible();
  await page
    .getByRole('navigation')
    .getByRole('button', { name: /^Add a model/ })
    .click();
  await page.getByLabelText('Address that models are downloaded from').fill('http://localhost:8090');
  await button('Save').click();
  expect(asked).toContain('set {"hub":"http://localhost:8090"}');
  await expect.element(button('Save')).toBeDisabled();
});

test('a failure whose place is gone by then is told elsewhere', async () => {
  const { fail, problems } = openModels('chat');
  fail.set('choose', failure);
  await button('Use Gemma 3 270M').click();
  await expect.poll(() => problems).toEqual(['Choosing the model']);
});
