import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import * as z from 'zod/mini';
import { expectationOf, parsedJson } from '../../domain/expectation.ts';
import { bytesInWords } from '../../domain/numbers.ts';
import { errorMessage } from '../../engine/model-failure.ts';
import { fileName } from '../../ui/parts/download.ts';
import { hashOfText, itemHash, itemText, type Study, StudySchema, StudyTurnSchema } from './study.ts';

/*
 * A study as one file: `study.json` (everything but the texts, with the SHA-256 of every text), its own SHA-256 alongside,
 * `guidelines.md` and `dialogues/ID.json`. The annotators' version contains gold labels only for training and, in blind
 * mode, no engine labels.
 */

const VERSION = 1;
const [MANIFEST, SEAL, GUIDELINES] = ['study.json', 'study.sha256', 'guidelines.md'];
const dialogueFile = (id: string): string => `dialogues/${id}.json`;

export type PackageRole = 'annotator' | 'coordinator';

/** Explains in whole sentences why a package cannot be opened. */
class PackageFailure extends Error {}

/** The parts of a study that annotators may see. */
const forAnnotators = (study: Study): Study => ({
  ...study,
  dialogues: study.dialogues.map(({ gold, engine, ...dialogue }) => ({
    ...dialogue,
    ...(gold !== undefined && dialogue.part === 'training' ? { gold } : {}),
    ...(engine !== undefined && study.mode === 'assisted' ? { engine } : {}),
  })),
});

export const packageName = (study: Study, role: PackageRole): string =>
  `${fileName(study.name)}.${role === 'annotator' ? 'study' : 'coordinator'}.zip`;

export const packStudy = (whole: Study, role: PackageRole): Uint8Array<ArrayBuffer> => {
  const { guidelines, dialogues, ...study } = role === 'annotator' ? forAnnotators(whole) : whole;
  const manifest = JSON.stringify({
    ...study,
    role,
    sha256: {
      [GUIDELINES]: hashOfText(guidelines),
      ...Object.fromEntries(dialogues.map((dialogue) => [dialogueFile(dialogue.id), itemHash(dialogue)])),
    },
    dialogues: dialogues.map(({ turns: _, ...dialogue }) => dialogue),
  });
  const files = {
    [MANIFEST]: manifest,
    [SEAL]: hashOfText(manifest),
    [GUIDELINES]: guidelines,
    ...Object.fromEntries(dialogues.map((dialogue) => [dialogueFile(dialogue.id), itemText(dialogue)])),
  };
  const bytes = zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])), {
    // A fixed date makes the bytes reproducible.
    mtime: new Date(2000, 0, 1),
  });
  return new Uint8Array(bytes);
};

const Head = z.looseObject({ format: z.literal('coppice-study'), version: z.int().check(z.positive()) });

const Manifest = z.object({
  role: z.enum(['annotator', 'coordinator']),
  sha256: z.record(z.string(), z.string()),
  dialogues: z.array(z.looseObject({ id: z.string() })),
});

const Item = z.object({ id: z.string(), turns: z.array(StudyTurnSchema) });

/** Maximum bytes that a package may unpack to: far more than the texts of any study. */
const MOST_UNPACKED = 200_000_000;

/** Throws a PackageFailure that says what to do. */
export const readPackage = (
  bytes: Uint8Array,
  mostUnpacked = MOST_UNPACKED,
): { readonly study: Study; readonly role: PackageRole } => {
  const files = unzipped(bytes, mostUnpacked);
  const text = (name: string): string => {
    const found = files[name];
    if (found === undefined) throw damaged(`${name} is missing`);
    return strFromU8(found);
  };
  if (files[MANIFEST] === undefined) {
    throw new PackageFailure(
      'This is not a study file: it contains no study.json. Study files end in .study.zip or .coordinator.zip.',
    );
  }
  const raw = parsedJson(text(MANIFEST));
  const head = Head.safeParse(raw);
  if (!head.success) throw new PackageFailure('This is not a study file: its study.json has another format.');
  if (head.data.version > VERSION) {
    throw new PackageFailure(
      'This study was made by a newer version of Coppice. Reload the page to update, then open it again.',
    );
  }
  if (hashOfText(text(MANIFEST)) !== text(SEAL).trim()) throw damaged('study.json does not match its checksum');
  const manifest = Manifest.safeParse(raw);
  if (!manifest.success) throw damaged(`study.json: expected ${expectationOf(manifest.error).text}`);
  const { role, sha256, dialogues } = manifest.data;
  const checked = (name: string): string => {
    const found = text(name);
    if (hashOfText(found) !== sha256[name]) throw damaged(`${name} does not match its checksum`);
    return found;
  };
  const study = StudySchema.safeParse({
    ...head.data,
    guidelines: checked(GUIDELINES),
    dialogues: dialogues.map((dialogue) => {
      const item = Item.safeParse(parsedJson(checked(dialogueFile(dialogue.id))));
      if (!item.success || item.data.id !== dialogue.id)
        throw damaged(`${dialogueFile(dialogue.id)} contains no dialogue`);
      return { ...dialogue, turns: item.data.turns };
    }),
  });
  if (!study.success) throw damaged(`study.json: expected ${expectationOf(study.error).text}`);
  return { study: study.data, role };
};

const damaged = (how: string): PackageFailure =>
  new PackageFailure(`The file is damaged (${how}). Ask the sender for it again. Nothing was changed here.`);

/** A file of a study, perhaps in a folder: Safari unpacks a zip as it arrives, and packed again, all of it is in one. */
const IN_FOLDER = new RegExp(`^(?:[^/]+/)?(${MANIFEST}|${SEAL}|${GUIDELINES}|dialogues/.*)$`);

/** Unpacks only the files of a study. None becomes larger than the size that it states. */
const unzipped = (bytes: Uint8Array, most: number): Readonly<Record<string, Uint8Array | undefined>> => {
  let unpacked = 0;
  try {
    const files = unzipSync(bytes, {
      filter: ({ name, compression, size, originalSize }) => {
        if (!IN_FOLDER.test(name)) return false;
        unpacked += compression === 0 ? size : originalSize;
        if (unpacked > most) throw new RangeError(`it unpacks to more than ${bytesInWords(most)}`);
        return true;
      },
    });
    return Object.fromEntries(Object.entries(files).map(([name, file]) => [IN_FOLDER.exec(name)?.[1] ?? name, file]));
  } catch (error) {
    const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b;
    if (isZip) throw damaged(errorMessage(error));
    throw new PackageFailure(
      'This is not a study file. Study files are zips that end in .study.zip or .coordinator.zip.',
    );
  }
};
