import type { ModelFile } from '../../store/model-files.ts';
import { specKey, specName, type WllamaSpec } from '../model-spec.ts';

const PART = /-(\d{5})-of-(\d{5})\.gguf(?=$|\?)/;

/** More parts than any model has: what names more is a mistake. */
const MAX_PARTS = 999;

/** The files of a model, in order: one, or the parts of a split one, which name how many they are. */
export const ggufFiles = (spec: WllamaSpec, hub: string): readonly ModelFile[] => {
  const model = { key: specKey(spec), name: specName(spec) };
  return partsOf(address(spec, hub)).map((url) => ({ model, url, sha256: null }));
};

const address = ({ source }: WllamaSpec, hub: string): string => {
  switch (source.kind) {
    case 'hub':
      return `${hub}/${source.repo}/resolve/main/${source.file}`;
    case 'url':
      return source.url;
    case 'file':
      return `own:${source.key}/${source.name}`;
  }
};

const partsOf = (first: string): readonly string[] => {
  const count = Number(PART.exec(first)?.[2] ?? 1);
  // The parts of a person's own model are one file each; only the hub and the web have them side by side.
  if (count < 2 || count > MAX_PARTS) return [first];
  return Array.from({ length: count }, (_, i) =>
    first.replace(PART, (_part, _number, of) => `-${String(i + 1).padStart(5, '0')}-of-${of}.gguf`),
  );
};
