import { expect, test } from 'vitest';
import { decodedText } from './attachment.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);

test('a text is decoded by its mark, else as UTF-8', () => {
  expect(decodedText(utf8('Ünïcode, 漢字'))).toBe('Ünïcode, 漢字');
  expect(decodedText(utf8('\ufeffname'))).toBe('name');
  expect(decodedText(Uint8Array.of(0xff, 0xfe, 0x48, 0, 0xe9, 0))).toBe('Hé');
  expect(decodedText(Uint8Array.of(0xfe, 0xff, 0, 0x48, 0, 0xe9))).toBe('Hé');
  expect(decodedText(Uint8Array.of())).toBe('');
});

test('what is not UTF-8 is windows-1252', () => {
  expect(decodedText(Uint8Array.of(0x63, 0x61, 0x66, 0xe9, 0x20, 0xab, 0xfc, 0xbb))).toBe('café «ü»');
});

test('UTF-8 with a damaged letter stays UTF-8', () => {
  expect(decodedText(Uint8Array.of(...utf8('für 漢字 '), 0xe6, 0x20, ...utf8('é')))).toBe('für 漢字 \ufffd é');
});
