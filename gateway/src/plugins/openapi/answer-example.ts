import { isFitting, type ShownSchema } from "./fitting-value.ts";
import { rareProperties, exampleId, exampleKeys, exampleValues } from "./example-values.ts";

/** Where a value stands: in the schema of this name, as this property. */
interface Place {
  schema: string;
  property: string;
}

const moment = "2026-01-31T12:00:00.000Z";

/**
 * Returns a typical answer of an operation, made of the examples of its parts. Throws for a part without one: give it
 * `examples`, or its name a line in `exampleValues`.
 */
export function answerExample(
  answer: ShownSchema,
  operationId: string,
  schemas: Readonly<Record<string, ShownSchema>>,
): unknown {
  function valueOf(shown: ShownSchema, place: Place): unknown {
    const name = shown.$ref?.slice(shown.$ref.lastIndexOf("/") + 1);
    const schema = name === undefined ? shown : schemas[name]!;
    if (schema.examples) return schema.examples[0];
    const keys = [`${place.schema}.${place.property}`, place.property, name ?? ""];
    const typical = keys.flatMap((key) => exampleValues[key] ?? []).find((value) => isFitting(schema, value));
    return typical === undefined ? made(schema, { ...place, ...(name !== undefined && { schema: name }) }) : typical;
  }

  function made(schema: ShownSchema, place: Place): unknown {
    const { enum: words, oneOf, items, additionalProperties: others } = schema;
    if (oneOf) return valueOf(exampleVariant(schema) ?? oneOf[0]!, place);
    if (schema.properties) return objectOf(schema, place.schema);
    if (items) return [valueOf(items, place)];
    if (typeof others === "object") return { [keyAt(place)]: valueOf(others, place) };
    return words ? words[0] : scalarOf(schema, place);
  }

  function objectOf({ properties = {}, required = [] }: ShownSchema, schema: string): object {
    const shown = Object.entries(properties).filter(
      ([property]) => required.includes(property) || !rareProperties.has(property),
    );
    return Object.fromEntries(shown.map(([property, each]) => [property, valueOf(each, { schema, property })]));
  }

  return valueOf(answer, { schema: operationId, property: operationId });
}

const keyAt = ({ schema, property }: Place): string =>
  exampleKeys[`${schema}.${property}`] ?? exampleKeys[property] ?? exampleId;

function exampleVariant({ discriminator }: ShownSchema): ShownSchema | undefined {
  if (!discriminator) return undefined;
  const { propertyName, mapping } = discriminator;
  const $ref = (exampleValues[propertyName] ?? []).map((value) => mapping[String(value)]).find(Boolean);
  return $ref === undefined ? undefined : { $ref };
}

function scalarOf({ type, format, minimum = 0 }: ShownSchema, { schema, property }: Place): unknown {
  const [only] = [type].flat();
  if (only === "object") return {};
  if (only === "boolean") return true;
  if (only === "integer" || only === "number") return Math.max(12, minimum);
  if (format === "date") return moment.slice(0, 10);
  if (format === "date-time" || /(At|_at|timestamp)$/.test(property)) return moment;
  if (/^id$|Ids?$|_id$/.test(property)) return exampleId;
  throw new Error(`${schema} has no example of ${property}`);
}
