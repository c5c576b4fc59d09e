import { describe, expect, test } from 'vitest';
import { defaultReplySettings } from '../../domain/reply.ts';
import { emptyForm, formOf, readForm, settingsWords } from './reply-settings-form.ts';

describe('the form of the reply settings', () => {
  test('that is empty leaves all to the model', () => {
    expect(readForm(emptyForm)).toEqual({ ok: true, settings: defaultReplySettings });
    expect(readForm({ ...emptyForm, systemPrompt: ' \n ' })).toEqual({ ok: true, settings: defaultReplySettings });
  });

  test('gives back what was set', () => {
    const settings = { systemPrompt: 'Be brief.', temperature: 0, topP: 0.95, maxTokens: 200 };
    expect(readForm(formOf(settings))).toEqual({ ok: true, settings });
  });

  test('takes a comma for a point', () => {
    expect(readForm({ ...emptyForm, temperature: ' 0,7 ' })).toMatchObject({ settings: { temperature: 0.7 } });
  });

  test.each(['2,000', '2.000', '2 000'])('takes %s for two thousand tokens', (maxTokens) => {
    expect(readForm({ ...emptyForm, maxTokens })).toMatchObject({ settings: { maxTokens: 2000 } });
  });

  test.each([
    ['temperature', '2.1'],
    ['temperature', '-1'],
    ['temperature', 'hot'],
    ['temperature', '1e0'],
    ['topP', '0'],
    ['topP', '1.5'],
    ['maxTokens', '0'],
    ['maxTokens', '12.5'],
    ['maxTokens', '999999999'],
  ] as const)('refuses a %s of %s, with words', (field, typed) => {
    const read = readForm({ ...emptyForm, [field]: typed });
    expect(read.ok).toBe(false);
    expect(Object.keys((read as { wrong: object }).wrong)).toEqual([field]);
  });

  test('says how many tokens are allowed', () => {
    expect(readForm({ ...emptyForm, maxTokens: '200000' })).toMatchObject({
      wrong: { maxTokens: expect.stringContaining('from 1 to 131,072') },
    });
  });
});

test('what is set is said in a few words', () => {
  expect(settingsWords(defaultReplySettings)).toBeNull();
  expect(settingsWords({ systemPrompt: 'x', temperature: 0.2, topP: null, maxTokens: 90 })).toBe(
    'own prompt · temperature 0.2 · at most 90 tokens',
  );
});
