import { expectNoViolations } from './support/axe.ts';
import { ModelsDialog } from './support/models-dialog.ts';
import { expect, test } from './support/test.ts';

const spanish = '¿Cuánto tiempo tengo que cocer los huevos para la ensalada de patata?';

test('a conversation in a language that the embedder does not know is told so once, and the Models dialog says what it means', async ({
  app,
  page,
}) => {
  await app.open();
  const line = page.getByRole('note', { name: 'Language' });
  await app.send('How long do I boil the eggs for a potato salad for six people?');
  await expect(line).toHaveCount(0);
  await app.button('New conversation').click();
  await expect(app.turns).toHaveCount(0);
  await app.send(spanish);
  await app.send('¿Y los meto después en agua fría o los dejo enfriar así?');
  await expect(line).toHaveCount(1);
  await expect(line).toContainText(
    'use-lite-en int8 only understands English. Your Spanish is translated word by word',
  );
  await expectNoViolations(page, { where: 'a conversation in Spanish' });

  await line.getByRole('button', { name: 'Choose another embedder' }).click();
  const models = new ModelsDialog(app);
  const languages = models.root.getByRole('region', { name: 'Languages' });
  await expect(languages).toContainText('use-lite-en int8 only understands English.');
  await expect(languages).toContainText(
    'This conversation is in Spanish. It is translated word by word for comparison',
  );
  await expect(models.root.getByText(/of about a hundred languages/)).toBeAttached();
  await models.go('decide');
  await expect(languages).toContainText('This conversation is in Spanish.');
  await languages.getByRole('button', { name: 'Choose another embedder' }).click();
  await expect(models.root.getByRole('region', { name: 'Embeds', exact: true })).toBeVisible();
  await models.close();

  await line.getByRole('button', { name: 'Do not show this again in this conversation' }).click();
  await expect(line).toHaveCount(0);
  await app.reload();
  await expect(app.turn(2)).toBeVisible();
  await app.send('¿Cuánta mayonesa hace falta para seis personas?');
  await expect(line).toHaveCount(0);
});
