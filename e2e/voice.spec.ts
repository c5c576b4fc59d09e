import type { Page } from '@playwright/test';
import { expectNoViolations } from './support/axe.ts';
import { threeTopics } from './support/dialogues.ts';
import { expect, test } from './support/test.ts';

/** A browser that recognises speech locally once it is told to download it, with one local and one remote voice. */
const speakingBrowser = (page: Page) =>
  page.addInitScript(() => {
    let fetched = false;
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
        const result = Object.assign([{ transcript: said }], { isFinal: true });
        setTimeout(() => this.dispatchEvent(Object.assign(new Event('result'), { resultIndex: 0, results: [result] })));
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
    Object.assign(globalThis, { SpeechRecognition: Recognition, SpeechSynthesisUtterance: Utterance, spoken });
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
  await settings.getByRole('checkbox', { name: /online voices/ }).check();
  await voice.selectOption('away');
  await expect(voice).toHaveAccessibleDescription(/every reply that is read is sent/);
  await voice.selectOption('here');
  await expect(voice).toHaveAccessibleDescription(/nothing that is read leaves/);
  await expectNoViolations(page, { where: 'Voice' });
  await page.keyboard.press('Escape');

  await app.message.fill('Please');
  await app.button('Dictate: on this machine').click();
  await expect(app.message).toHaveValue('Please water the basil');
  await app.button('Stop dictating').click();
  await expect(app.button('Dictate: on this machine')).toHaveAttribute('aria-pressed', 'false');

  await app.button('Read aloud').click();
  await expect(app.button('Stop reading')).toBeVisible();
  const spoken = await page.evaluate(() => (globalThis as { spoken?: string[] }).spoken);
  expect(spoken).toHaveLength(1);
  expect(spoken?.[0]).toMatch(/^here: \S/);
  await app.button('Stop reading').click();
  await expect(app.button('Read aloud')).toBeVisible();
});
