import { zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { FILE_LIMITS, MOST_TEXT, readFile } from './read-file.ts';
import { brokenPdf, chinesePdf, docx, lockedPdf, PNG, pdf } from './testing/made-files.ts';

const read = (bytes: BlobPart, name: string, type = '') => readFile(new File([bytes], name, { type }));

/** A file that claims this size. */
const sized = (bytes: BlobPart, name: string, size: number): File =>
  Object.defineProperty(new File([bytes], name), 'size', { value: size });

/** A Word document whose text claims to unpack to this size. */
const claiming = (size: number): File => {
  const bytes = docx('x');
  // The last mention of its name is in the directory, 22 bytes after its size (APPNOTE 4.3.12).
  const name = String.fromCharCode(...bytes).lastIndexOf('word/document.xml');
  new DataView(bytes.buffer).setUint32(name - 22, size, true);
  return new File([bytes], 'a.docx');
};

describe('text is read', () => {
  test.each([
    ['in UTF-8', 'Ünïcode, 漢字', 'Ünïcode, 漢字'],
    ['in UTF-8 with a mark', '\ufeffname,age\nAnn,7', 'name,age\nAnn,7'],
    ['in UTF-16', Uint8Array.of(0xff, 0xfe, 0x48, 0, 0x69, 0), 'Hi'],
    ['that mentions PDF', 'A PDF begins with\n%PDF-1.7, ünless…', 'A PDF begins with\n%PDF-1.7, ünless…'],
    ['in an older encoding', Uint8Array.of(0x63, 0x61, 0x66, 0xe9), 'café'],
    ['in an older encoding, with typographic quotes', Uint8Array.of(0x93, 0xe9, 0x94, 0x20, 0x80), '“é” €'],
  ])('%s', async (_, bytes, text) => {
    expect(await read(bytes, 'a.csv', 'text/csv')).toMatchObject({
      ok: true,
      attachment: { name: 'a.csv', mediaType: 'text/csv', text },
    });
  });

  test('under the SHA-256 of its bytes, which are kept as they are', async () => {
    const answer = await read('hello', 'a.txt');
    expect(answer).toMatchObject({
      ok: true,
      attachment: {
        id: '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
        size: 5,
        mediaType: 'text/plain',
      },
    });
    expect(answer.ok && (await answer.bytes.text())).toBe('hello');
  });
});

test.each(['NotReadableError', 'NotFoundError'])('a file that is gone, or is a folder: %s', async (name) => {
  const gone = Object.assign(new File(['x'], 'a.txt'), {
    slice: () => ({ arrayBuffer: () => Promise.reject(new DOMException('gone', name)) }),
  });
  expect(await readFile(gone as never)).toEqual({ ok: false, why: expect.stringContaining('is a folder') });
});

describe('documents are read', () => {
  test('PDF, page by page', async () => {
    expect(await read(pdf('One page (only).'), 'a.pdf')).toMatchObject({
      ok: true,
      attachment: { mediaType: 'application/pdf', text: 'One page (only).' },
    });
    expect(await read(pdf('First.', '', 'Third.'), 'told by its bytes.txt')).toMatchObject({
      attachment: { text: '[page 1]\nFirst.\n\n[page 3]\nThird.' },
    });
  });

  test('PDF that names a map of letters, which is shipped', async () => {
    expect(await read(chinesePdf('你好'), 'a.pdf')).toMatchObject({ attachment: { text: '你好' } });
  });

  test('Word', async () => {
    expect(await read(docx('First paragraph.', 'Second &amp; last.'), 'a.docx')).toMatchObject({
      ok: true,
      attachment: { text: 'First paragraph.\n\nSecond & last.' },
    });
  });
});

test.each([
  ['a.pdf', pdf('One page.')],
  ['a.docx', docx('One paragraph.')],
])('reading ends when it is stopped: %s', async (name, bytes) => {
  const stop = new AbortController();
  const file = new File([bytes], name);
  file.arrayBuffer = async () => {
    setTimeout(() => stop.abort(new Error('removed')));
    return bytes.slice().buffer;
  };
  await expect(readFile(file, stop.signal)).rejects.toThrow('removed');
});

test('a picture is told by its bytes, and has no text', async () => {
  const answer = await read(PNG, 'photo.jpg', 'image/jpeg');
  expect(answer).toMatchObject({ ok: true, attachment: { mediaType: 'image/png', size: PNG.length } });
  expect(answer.ok && answer.attachment).not.toHaveProperty('text');
  expect(answer.ok && answer.bytes.type).toBe('image/png');
});

test.each([
  ['an empty file', new File([], 'a.txt'), /nothing in it/],
  ['blanks', new File([' \n '], 'a.txt'), /no words in it/],
  ['a locked PDF', new File([lockedPdf()], 'a.pdf'), /locked with a password/],
  ['a scanned PDF', new File([pdf('', '')], 'a.pdf'), /no text in it: its pages are pictures/],
  ['a damaged PDF', new File(['%PDF-1.4\nnothing'], 'a.pdf'), /PDF is damaged/],
  ['a PDF damaged further on', new File([brokenPdf()], 'a.pdf'), /PDF is damaged/],
  [
    'too long a PDF',
    new File(
      [
        pdf(
          ...Array(7).fill(
            'half of the line '
              .repeat(4)
              .concat('\n')
              .repeat(MOST_TEXT / 400),
          ),
        ),
      ],
      'a.pdf',
    ),
    /It has more than 600,000 characters of text/,
  ],
  ['a damaged Word document', new File([docx('x').slice(0, 200)], 'a.docx'), /not a Word document/],
  ['a Word document that unpacks to far too much', claiming(100_000_000), /unpacks to too much for a browser/],
  ['an empty Word document', new File([docx('')], 'a.docx'), /no text in it/],
  [
    'an archive',
    new File([zipSync({ 'a.txt': Uint8Array.of(1, 0, 2) }) as Uint8Array<ArrayBuffer>], 'a.zip'),
    /archive/,
  ],
  ['an older Word document', new File([Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0)], 'a.doc'), /older Office format/],
  [
    'a Word document with a password',
    new File([Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0)], 'a.docx'),
    /locked with a password/,
  ],
  ['a picture that models do not take', new File([Uint8Array.of(0, 0, 0, 1)], 'a.heic'), /PNG, JPEG, WebP or GIF/],
  ['a damaged picture', new File([PNG.slice(0, 40)], 'a.png'), /damaged/],
  ['a program', new File([Uint8Array.of(0x7f, 0x45, 0x4c, 0x46, 0)], 'a.out'), /none of them/],
  ['too large a picture', sized(PNG, 'a.png', FILE_LIMITS.picture + 1), /It is 21 MB; a picture may be at most 20 MB/],
  ['too large a document', sized(pdf('x'), 'a.pdf', FILE_LIMITS.document + 1), /a document may be at most 50 MB/],
  ['too large a text', sized('x', 'a.log', FILE_LIMITS.text + 1), /a text file may be at most 5 MB/],
  [
    'too long a text',
    new File(['word '.repeat(MOST_TEXT / 5 + 1)], 'a.txt'),
    /600,005 characters of text.* at most 600,000/,
  ],
])('%s is refused in its own words', async (_, file, why) => {
  expect(await readFile(file)).toEqual({ ok: false, why: expect.stringMatching(why) });
});
