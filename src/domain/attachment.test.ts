import { expect, test } from 'vitest';
import { decodedText } from './attachment.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);

test('a text is decoded by its mark, else as UTF-8', () => {
  expect(decodedText(utf8('Ünïcode, 漢字'), [])).toBe('Ünïcode, 漢字');
  expect(decodedText(utf8('\ufeffname'), [])).toBe('name');
  expect(decodedText(Uint8Array.of(0xff, 0xfe, 0x48, 0, 0xe9, 0), [])).toBe('Hé');
  expect(decodedText(Uint8Array.of(0xfe, 0xff, 0, 0x48, 0, 0xe9), [])).toBe('Hé');
  expect(decodedText(Uint8Array.of(), [])).toBe('');
});

test('what is not UTF-8 is windows-1252', () => {
  expect(decodedText(Uint8Array.of(0x63, 0x61, 0x66, 0xe9, 0x20, 0xab, 0xfc, 0xbb), [])).toBe('café «ü»');
});

test.each([
  [['ru'], [0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2], 'Привет'],
  [['en-GB', 'uk-UA'], [0xcf, 0xf0, 0xe8, 0xe2, 0xb3, 0xf2], 'Привіт'],
  [['pl'], [0xb3, 0xf3, 0x64, 0x9f], 'łódź'],
  [['de', 'ru'], [0xfc, 0x62, 0xe9], 'übé'],
  [['ja'], [0x82, 0xa9, 0x82, 0xac], 'かぎ'],
  [['zh-CN'], [0xc4, 0xe3, 0xba, 0xc3], '你好'],
  [['zh-Hant-TW'], [0xa7, 0x41, 0xa6, 0x6e], '你好'],
  [['ko'], [0xc7, 0xd1, 0xb1, 0xb9], '한국'],
  // Nothing that is valid in euc-kr.
  [['ko'], [0x63, 0x61, 0x66, 0xe9], 'café'],
])('or, for readers of %j, in the encoding of their language', (languages, bytes, text) => {
  expect(decodedText(Uint8Array.from(bytes), languages)).toBe(text);
});

test('UTF-8 with a damaged letter stays UTF-8', () => {
  expect(decodedText(Uint8Array.of(...utf8('für 漢字 '), 0xe6, 0x20, ...utf8('é')), [])).toBe('für 漢字 \ufffd é');
});
