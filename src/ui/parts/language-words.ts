const names = new Intl.DisplayNames('en', { type: 'language' });
const list = new Intl.ListFormat('en');

/** `Spanish`, of `es`. */
export const spokenName = (language: string): string => names.of(language) ?? language;

/** `English`, `English and German` */
export const spokenNames = (languages: readonly string[]): string => list.format(languages.map(spokenName));
