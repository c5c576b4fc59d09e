import type { Locator } from '@playwright/test';
import { expect, GENERATORS, test } from './support/model-test.ts';

const STORY = 'Once upon a time there was a dog';

/** A decision in the schema's form. */
const FORM = /\{\s*"action"\s*:\s*"(create|continue|switch)"\s*,\s*"target"\s*:\s*\d\s*\}/;

const replyIn = (turn: Locator): Locator => turn.locator('[data-streaming]');

test('a model of the hub is downloaded with progress, cancelled, and goes on after a reload from where it was', async ({
  app,
  page,
  hub,
  models,
}) => {
  const { own, name } = GENERATORS['llama.cpp'];
  await app.open();
  hub.fail({ path: 'local/', bytesPerSecond: 50_000 });
  await models.useFromHub(hub, own, 'chat');
  await expect(models.now.getByRole('progressbar')).toBeVisible();
  await expect(models.now.getByText(/^loading [1-9]\d %$/)).toBeVisible();
  await expect(models.now).toContainText(/\d+ kB of 1\.2 MB/);
  await expect(page.getByLabel(/^Replies: stories260K-f32\.gguf, loading \d+ %, \d+ kB of 1\.2 MB/)).toBeVisible();
  await models.cancel('chat');
  await expect(await models.stateOf('chat')).toHaveText('ready');
  await expect(models.now).toContainText('recall');
  await models.go('kept');
  await expect(models.kept).toContainText('downloaded; choosing it again continues from there');

  hub.fail();
  hub.clearLog();
  await app.reload();
  await models.choose('chat', name);
  await expect(await models.stateOf('chat')).toHaveText('ready');
  await expect(models.now).toContainText(name);
  const { range, status, sent } = hub.log.findLast(({ path }) => path.endsWith('.gguf')) ?? {};
  const from = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1]);
  expect({ status, there: from > 0, whole: from + (sent ?? 0) }).toEqual({
    status: 206,
    there: true,
    whole: 1_185_472,
  });
  await models.go('kept');
  await expect(models.kept).toContainText('1.2 MB');
});

test('a page that is closed in the middle of a download goes on with it when it is opened; a message waits for the model', async ({
  app,
  page,
  hub,
  models,
}) => {
  const { own, author } = GENERATORS['transformers.js'];
  await app.open();
  hub.fail({ path: 'local/stories260K/onnx', bytesPerSecond: 40_000 });
  await models.useFromHub(hub, own, 'chat');
  await expect(models.now.getByText(/^loading [3-9]\d %$/)).toBeVisible();
  hub.clearLog();
  await app.reload();
  await expect(page.getByLabel(/^Replies: stories260K, loading/)).toBeVisible();
  await app.message.fill(STORY);
  await app.button('Send').click();
  await expect(app.turn(1)).toContainText('waiting for stories260K to load…');
  await expect(page.getByLabel(/^Replies: stories260K, loading/)).toHaveCount(0, { timeout: 100_000 });
  await app.settled();
  await expect(app.turn(1).getByText(author)).toBeVisible();
  expect(hub.log.filter(({ path }) => path.endsWith('.onnx')).map(({ range }) => range)).toContainEqual(
    expect.stringMatching(/^bytes=[1-9]\d*-/),
  );
});

for (const [runtime, { own, long, name, author }] of Object.entries(GENERATORS)) {
  test.describe(`a model that ${runtime} runs`, () => {
    test('replies in a stream that can be stopped and gone on with, again and again, as the settings say', async ({
      app,
      hub,
      models,
      answers,
    }) => {
      await app.open();
      await models.useFromHub(hub, own, 'chat');
      await expect(await models.stateOf('chat')).toHaveText('ready');
      await models.close();
      // What is held back is written all the same, and must not fill the window.
      await app.setReplies({ 'Longest reply': '200' });

      await answers.after(6);
      await app.message.fill(STORY);
      await app.button('Send').click();
      const turn = app.turn(1);
      await expect(replyIn(turn)).toHaveAttribute('data-streaming', 'true');
      await expect(app.page.getByLabel(new RegExp(`^Replies: ${name}, busy`))).toBeVisible();
      await app.button('Stop').click();
      await expect(turn).toContainText('Stopped before the reply was complete.');
      const kept = await replyIn(turn).innerText();
      expect(kept.length).toBeGreaterThan(3);
      await app.settled();

      await answers.letGo();
      await turn.getByRole('button', { name: 'Continue' }).click();
      await expect(turn).not.toContainText('Stopped before');
      await app.settled();
      const whole = await replyIn(turn).innerText();
      expect(whole.startsWith(kept)).toBe(true);
      expect(whole.length).toBeGreaterThan(kept.length);
      await expect(turn.getByText(author)).toBeVisible();
      await expect(turn).toContainText(/[\d.]+ tokens\/s · first token after .* prefilled · \d+ reused/);

      await app.setReplies({ Temperature: '0', 'Longest reply': '20' });
      const said: string[] = [];
      for (const of of ['2/2', '3/3']) {
        await turn.getByRole('button', { name: 'Regenerate' }).click();
        await expect(turn).toContainText(of);
        await app.settled();
        said.push(await replyIn(turn).innerText());
      }
      expect(said[1]).toBe(said[0]);
      expect(said[0]).not.toBe(whole);
      expect((said[0] as string).length).toBeLessThan(whole.length);
      await app.inspector.getByRole('tab', { name: 'Decision' }).click();
      // A rate stands beside it where the tokens did not come all at once.
      await expect(app.inspector.getByRole('definition').filter({ hasText: /^20(?: · |$)/ })).toBeVisible();
      await expect(turn).toContainText('Stopped at the limit of 20 tokens.');
      await turn.getByRole('button', { name: 'Continue' }).click();
      await app.settled();
      await expect(replyIn(turn)).not.toHaveText(said[1] as string);
      expect((await replyIn(turn).innerText()).startsWith(said[1] as string)).toBe(true);
      await turn.getByRole('button', { name: 'Previous reply' }).click();
      await turn.getByRole('button', { name: 'Previous reply' }).click();
      await expect(turn).toContainText('1/3');
      await expect(replyIn(turn)).toHaveText(whole);
    });

    test('decides, too, in a form that it cannot leave; the trace shows what it was asked', async ({
      app,
      hub,
      models,
    }) => {
      await app.open();
      await models.useFromHub(hub, long, 'chat');
      await models.choose('decide', 'Same as chat');
      await expect(await models.stateOf('decide')).toHaveText('ready');
      await models.close();
      await app.setReplies({ 'Longest reply': '12' });
      await app.send(STORY);
      await app.send('The dog ran to the park with a red ball');
      await app.inspector.getByRole('tab', { name: 'Decision' }).click();
      await expect(app.inspector).toContainText('The dog ran to the park');
      await expect(app.inspector).toContainText('to decide');
      // A model this small may choose what was not listed, so that the embedded decider stands in. It does keep the form.
      const fellBack = app.inspector.getByRole('region', { name: 'Fallbacks' });
      if (await fellBack.isVisible()) {
        await expect(fellBack).toContainText(FORM);
        await expect(fellBack).toContainText(/names a topic|Used instead: embedded decider/);
        return;
      }
      const trace = app.inspector.getByRole('region', { name: 'Trace' });
      await trace.getByText('Prompt').click();
      await expect(trace).toContainText('New message: "The dog ran to the park with a red ball"');
      await trace.getByText('Raw answer').click();
      await expect(trace.locator('pre').last()).toHaveText(FORM);
    });

    test('is there with the network off', async ({ app, hub, models, page }) => {
      await app.open();
      await models.useFromHub(hub, own, 'chat');
      await expect(await models.stateOf('chat')).toHaveText('ready');
      await hub.stop();
      await app.reload();
      await expect(page.getByLabel(new RegExp(`^Replies: ${name}, ready`))).toBeVisible();
      await app.send(STORY);
      await expect(app.turn(1).getByText(author)).toBeVisible();
      await expect(app.turn(1)).not.toContainText('Try again');
    });
  });
}
