/* Injected at build time; undefined in tests and on the command line. */
declare const __VERSION__: string | undefined;
declare const __COMMIT__: string | undefined;
declare const __DECIDER_WEIGHTS__: string | undefined;

const UNKNOWN = 'unknown';

/** What produced a file, so that figures from two versions of the app, or of two deciders, are not mistaken for the same. */
interface Provenance {
  /** Version of the app. */
  readonly version: string;
  /** Commit of the sources it was built from, with `+` if they were modified; `unknown` if there was no repository. */
  readonly commit: string;
  /** The first 12 hexadecimal digits of the SHA-256 of the embedded decider's weights. */
  readonly deciderWeights: string;
}

export const PROVENANCE: Provenance = {
  version: typeof __VERSION__ === 'string' ? __VERSION__ : UNKNOWN,
  commit: typeof __COMMIT__ === 'string' ? __COMMIT__ : UNKNOWN,
  deciderWeights: typeof __DECIDER_WEIGHTS__ === 'string' ? __DECIDER_WEIGHTS__ : UNKNOWN,
};

/** Formats it for a table cell: `0.1.0 (1a2b3c4d5e6f; weights 0f1e2d3c4b5a)`. */
export const provenanceWords = ({ version: app, commit, deciderWeights }: Provenance = PROVENANCE): string =>
  `${app} (${commit}; weights ${deciderWeights})`;
