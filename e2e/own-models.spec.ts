import { join } from 'node:path';
import { MODELS } from './support/hub-files.ts';
import { expect, test } from './support/model-test.ts';

const given = [
  ['a GGUF file', { runtime: 'wllama', file: join(MODELS, 'stories260K-gguf/stories260K-f32.gguf') }, /wllama, WASM/],
  [
    'an ONNX folder',
    { runtime: 'transformers', folder: join(MODELS, 'stories260K'), task: 'generate' },
    /transformers\.js, WASM/,
  ],
] as const;

for (const [what, own, author] of given) {
  test(`${what} of one’s own replies without a network, and again after a reload; deleted, the role goes back`, async ({
    app,
    page,
    models,
  }) => {
    await app.open();
    await models.addOwn(own);
    await models.useAdded('chat');
    await expect(await models.stateOf('chat')).toHaveText('ready');
    await app.reload();
    await expect(page.getByLabel(/^Replies: stories260K.*, ready/)).toBeVisible();
    await app.send('Once upon a time there was a dog');
    await expect(app.turn(1).getByText(author)).toBeVisible();

    await models.open('kept');
    await expect(models.kept).toContainText('in use: replies. Deleting it switches back to the embedded model.');
    await models.kept.getByRole('button', { name: /^Delete/ }).click();
    await expect(models.root).toContainText('Nothing has been downloaded yet.');
    await models.go('chat');
    await expect(models.now).toContainText('recall');
    await models.close();
    await app.send('Once upon a time there was a cat');
    await expect(app.turn(2)).toContainText('recall');
    await expect(app.turn(1).getByText(author)).toBeVisible();
  });
}
