import type { Page } from '@playwright/test';
import { expectNoViolations } from './support/axe.ts';
import { threeTopics } from './support/dialogues.ts';
import { expect, test } from './support/test.ts';

/**
 * A browser that recognises speech locally once it is told to download it, with one local and one remote voice. It hears
 * one sentence at first, and more by `hear`, also late: after it was told to stop.
 */
const speakingBrowser = (page: Page) =>
  page.addInitScript(() => {
    let fetched = false;
    let hear: (said: string) => void = () => undefined;
    class Recognition extends EventTarget {
      lang = '';
      continuous = false;
      interimResults = false;
      #local = false;
      static available = async () => (fetched ? 'available' : 'downloadable');
      static install = async () => {
        fetched = true;
        return true;
      };
      get processLocally() {
        return this.#local;
      }
      set processLocally(value: boolean) {
        this.#local = value;
      }
      start() {
        const said = this.#local ? 'water the basil' : 'sent away';
        const results: unknown[] = [];
        hear = (transcript) => {
          const resultIndex = results.push(Object.assign([{ transcript }], { isFinal: true })) - 1;
          this.dispatchEvent(Object.assign(new Event('result'), { resultIndex, results }));
        };
        setTimeout(() => hear(said));
      }
      stop() {
        this.dispatchEvent(new Event('end'));
      }
      abort() {
        this.stop();
      }
    }
    const voices = [
      { voiceURI: 'here', name: 'Ada', lang: 'en-GB', localService: true, default: true },
      { voiceURI: 'away', name: 'Cloud', lang: 'en-US', localService: false, default: false },
    ];
    const spoken: string[] = [];
    class Utterance extends EventTarget {
      voice: { voiceURI: string } | null = null;
      lang = '';
      readonly text: string;
      constructor(text: string) {
        super();
        this.text = text;
      }
    }
    const synthesis = Object.assign(new EventTarget(), {
      getVoices: () => voices,
      speak: ({ text, voice }: Utterance) => spoken.push(`${voice?.voiceURI}: ${text}`),
      cancel: () => undefined,
    });
    Object.assign(globalThis, {
      SpeechRecognition: Recognition,
      SpeechSynthesisUtterance: Utterance,
      spoken,
      hear: (said: string) => hear(said),
    });
    Object.defineProperty(globalThis, 'speechSynthesis', { value: synthesis, configurable: true });
  });

test('nothing listens or speaks until it is switched on, and each says where sound goes', async ({ app, page }) => {
  await speakingBrowser(page);
  await app.open();
  await app.send(threeTopics[0]);
  await expect(page.getByRole('button', { name: /^Dictate/ })).toHaveCount(0);
  await expect(app.button('Read aloud')).toHaveCount(0);

  const settings = await app.openDialog('Settings');
  const local = settings.getByRole('checkbox', { name: 'Dictate messages, understood on this machine' });
  await expect(local).toBeDisabled();
  await settings.getByRole('button', { name: /^Download .+ for the browser/ }).click();
  await local.check();
  await expect(settings).toContainText('What you say stays on this machine.');
  const voice = settings.getByRole('combobox', { name: 'Read replies aloud with' });
  await expect(voice.getByRole('option', { name: 'Cloud (en-US)' })).toHaveCount(0);
  const online = settings.getByRole('checkbox', { name: /online voices/ });
  await online.check();
  await voice.selectOption('away');
  await expect(voice).toHaveAccessibleDescription(/every reply that is read is sent/);
  await expect(online).toBeDisabled();
  await expect(settings).toContainText('choose another voice first');
  await voice.selectOption('here');
  await expect(online).toBeEnabled();
  await expect(voice).toHaveAccessibleDescription(/nothing that is read leaves/);
  await expectNoViolations(page, { where: 'Voice' });
  await page.keyboard.press('Escape');

  await app.message.fill('Please');
  await app.button('Dictate: on this machine').click();
  await expect(app.message).toHaveValue('Please water the basil');
  await app.button('Stop dictating').click();
  await expect(app.button('Dictate: on this machine')).toBeVisible();

  await app.button('Read aloud').click();
  await expect(app.button('Stop reading')).toBeVisible();
  const spoken = await page.evaluate(() => (globalThis as { spoken?: string[] }).spoken);
  expect(spoken).toHaveLength(1);
  expect(spoken?.[0]).toMatch(/^here: \S/);
  await app.button('Stop reading').click();
  await expect(app.button('Read aloud')).toBeVisible();
});

test.describe('while dictating', () => {
  const hear = (page: Page, said: string) =>
    page.evaluate((words) => (globalThis as { hear?: (words: string) => void }).hear?.(words), said);

  test.beforeEach(async ({ app, page }) => {
    await speakingBrowser(page);
    await app.open();
    const settings = await app.openDialog('Settings');
    await settings.getByRole('button', { name: /^Download .+ for the browser/ }).click();
    await settings.getByRole('checkbox', { name: 'Dictate messages, understood on this machine' }).check();
    await page.keyboard.press('Escape');
    await app.button('Dictate: on this machine').click();
    await expect(app.message).toHaveValue('water the basil');
    await hear(page, 'every morning');
    await expect(app.message).toHaveValue('water the basil every morning');
  });

  test('what was sent does not come back, and the next message is dictated by itself', async ({ app, page }) => {
    await app.message.press('Enter');
    await app.settled('water the basil every morning');
    await hear(page, 'and the mint');
    await expect(app.message).toHaveValue('');
    await app.button('Dictate: on this machine').click();
    await expect(app.message).toHaveValue('water the basil');
  });

  test('another conversation keeps its own draft', async ({ app, page }) => {
    await app.button('Stop dictating').click();
    await app.message.press('Enter');
    await app.settled('water the basil every morning');
    await app.message.fill('Please');
    await app.button('Dictate: on this machine').click();
    await expect(app.message).toHaveValue('Please water the basil');
    await app.button('New conversation').click();
    await expect(app.message).toHaveValue('');
    await hear(page, 'and the mint');
    await expect(app.message).toHaveValue('');
    await expect(app.button('Dictate: on this machine')).toBeVisible();
    const listed = await app.listConversations();
    await listed.getByRole('button', { name: /basil/ }).first().click();
    await expect(app.message).toHaveValue('Please water the basil');
  });

  test('a correction by hand stays', async ({ app, page }) => {
    await app.message.fill('water the thyme every morning');
    await hear(page, 'and the mint');
    await expect(app.message).toHaveValue('water the thyme every morning');
    await app.button('Dictate: on this machine').click();
    await expect(app.message).toHaveValue('water the thyme every morning water the basil');
  });

  test('it can be stopped in the past, too', async ({ app }) => {
    await app.message.press('Enter');
    await app.settled('water the basil every morning');
    await app.send(threeTopics[0]);
    await app.button('Dictate: on this machine').click();
    await expect(app.message).toHaveValue('water the basil');
    await app.timeline.fill('1');
    await expect(app.message).toBeDisabled();
    await app.button('Stop dictating').click();
    await expect(app.button('Dictate: on this machine')).toBeDisabled();
    await app.button('Back to now').click();
    await expect(app.message).toHaveValue('water the basil');
  });
});
