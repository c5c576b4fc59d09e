import { strToU8, zipSync } from 'fflate';

/*
 * Documents made from scratch, as small as their formats allow, so that a test knows every word in them.
 */

type Bytes = Uint8Array<ArrayBuffer>;

const file = (bytes: string): Bytes => Uint8Array.from(bytes, (letter) => letter.charCodeAt(0));

/** A PDF of numbered objects, the first of which is its catalogue. */
const pdfOf = (objects: readonly string[], trailer = ''): Bytes => {
  let text = '%PDF-1.4\n';
  const places = objects.map((object, at) => {
    const place = text.length;
    text += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return `${place}`.padStart(10, '0');
  });
  const table = text.length;
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.map((place) => `${place} 00000 n \n`).join('')}`;
  text += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${table}\n%%EOF`;
  return file(text);
};

const HELVETICA = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';

/** One page per text, line by line: pdf.js reads nothing beyond the page's edge. A text in hex is in the given font. */
const pagesOf = (texts: readonly string[], fonts: readonly string[] = [HELVETICA]): string[] => {
  const first = 3 + fonts.length;
  const kids = texts.map((_, at) => `${first + 2 * at} 0 R`).join(' ');
  const pages = texts.flatMap((text, at) => {
    const shown = (line: string) => (line.startsWith('<') ? line : `(${line.replace(/[()\\]/g, '\\$&')})`);
    const lines = text === '' ? [] : text.split('\n');
    // After fifty, over each other.
    const drawn = lines.map((line, at) => `BT /F1 12 Tf 40 ${700 - 12 * (at % 50)} Td ${shown(line)} Tj ET`).join('\n');
    return [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${first + 2 * at + 1} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
      `<< /Length ${drawn.length} >>\nstream\n${drawn}\nendstream`,
    ];
  });
  return [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${texts.length} >>`,
    ...fonts,
    ...pages,
  ];
};

/** One page per text; an empty text gives a page without text, like a scan. */
export const pdf = (...texts: string[]): Bytes => pdfOf(pagesOf(texts));

/** A PDF whose second page is none. */
export const brokenPdf = (): Bytes =>
  pdfOf(pagesOf(['one', 'two']).map((object) => object.replace('6 0 R]', '12345]')));

/** A PDF that needs a password to open. */
export const lockedPdf = (): Bytes => {
  const lock = `<< /Filter /Standard /V 1 /R 2 /O <${'41'.repeat(32)}> /U <${'42'.repeat(32)}> /P -4 >>`;
  const objects = [...pagesOf(['secret']), lock];
  return pdfOf(objects, `/Encrypt ${objects.length} 0 R /ID [<${'43'.repeat(16)}> <${'43'.repeat(16)}>]`);
};

/** A PDF in Chinese that names a character map but does not include it. */
export const chinesePdf = (text: string): Bytes => {
  const hex = Array.from(text, (letter) => letter.charCodeAt(0).toString(16).padStart(4, '0')).join('');
  return pdfOf(
    pagesOf(
      [`<${hex}>`],
      [
        '<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /UniGB-UCS2-H /DescendantFonts [4 0 R] >>',
        '<< /Type /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 2 >> /FontDescriptor 5 0 R >>',
        '<< /Type /FontDescriptor /FontName /STSong-Light /Flags 6 /FontBBox [-25 -254 1000 880] /ItalicAngle 0 /Ascent 880 /Descent -120 /CapHeight 880 /StemV 93 >>',
      ],
    ),
  );
};

/** A Word document with these paragraphs. */
export const docx = (...paragraphs: string[]): Bytes => {
  const words = paragraphs.map((text) => `<w:p><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`).join('');
  const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
  return zipSync({
    '[Content_Types].xml': strToU8(
      `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    ),
    '_rels/.rels': strToU8(
      `${head}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
    ),
    'word/document.xml': strToU8(
      `${head}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${words}</w:body></w:document>`,
    ),
  }) as Bytes;
};

/** A one-pixel picture. */
export const PNG: Bytes = file(
  atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='),
);
