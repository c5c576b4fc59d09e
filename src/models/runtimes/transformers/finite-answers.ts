/** More answers than this are no choice: the tree of their tokens would take longer than the answer. */
const MOST = 2000;

/**
 * Every JSON text that satisfies a schema, where they are few: objects whose properties are enumerations, constants,
 * booleans and small ranges. null for any other schema, which then constrains nothing here.
 */
export const finiteAnswers = (schema: object): readonly string[] | null => {
  const values = valuesOf(schema as Schema);
  return values === null || values.length === 0 || values.length > MOST ? null : values;
};

interface Schema {
  readonly type?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
}

const valuesOf = (schema: Schema): readonly string[] | null => {
  if (schema.enum !== undefined) return schema.enum.map((one) => JSON.stringify(one));
  if (schema.const !== undefined) return [JSON.stringify(schema.const)];
  if (schema.anyOf !== undefined) return joined(schema.anyOf.map(valuesOf));
  if (schema.type === 'boolean') return ['true', 'false'];
  if (schema.type === 'null') return ['null'];
  if (schema.type === 'integer') return integers(schema.minimum, schema.maximum);
  if (schema.type === 'object' && schema.properties !== undefined) return objects(schema.properties);
  return null;
};

const joined = (parts: readonly (readonly string[] | null)[]): readonly string[] | null => {
  const known = parts.filter((part) => part !== null);
  return known.length === parts.length ? known.flat() : null;
};

const integers = (minimum?: number, maximum?: number): readonly string[] | null => {
  if (minimum === undefined || maximum === undefined || maximum - minimum > MOST) return null;
  return Array.from({ length: maximum - minimum + 1 }, (_, i) => String(minimum + i));
};

/** All properties, in their order, spaced as models are used to. */
const objects = (properties: Readonly<Record<string, Schema>>): readonly string[] | null => {
  let texts: readonly string[] = [''];
  for (const [key, schema] of Object.entries(properties)) {
    const values = valuesOf(schema);
    if (values === null || texts.length * values.length > MOST) return null;
    texts = texts.flatMap((text) =>
      values.map((value) => `${text}${text === '' ? '' : ', '}${JSON.stringify(key)}: ${value}`),
    );
  }
  return texts.map((text) => `{${text}}`);
};
