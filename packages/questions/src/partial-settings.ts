import { Type, type TObject, type TSchema } from "typebox";
import { titleOf } from "./type-titles.ts";

/** A type's settings, each optional, for API documents. Nested ones have names of their own. */
export function partialSettings(schema: TObject, title: string): TSchema {
  const nested = Object.entries(schema.properties).map(([key, property]) => {
    if (!isObject(property)) return [key, property] as const;
    const { title: own } = property as { title?: string };
    return [
      key,
      own === undefined
        ? partialSettings(property, title + titleOf(key))
        : partialSettings(withoutDefaults(property), own),
    ] as const;
  });
  return Type.Object(optional(Object.fromEntries(nested)), { additionalProperties: false, title });
}

/** Of parts that share a schema, each has other defaults. */
function withoutDefaults({ properties }: TObject): TObject {
  const plain = Object.entries(properties).map(
    ([key, property]) => [key, { ...property, default: undefined }] as const,
  );
  return Type.Object(Object.fromEntries(plain));
}

function isObject(schema: TSchema): schema is TObject {
  return "properties" in schema;
}

export function optional(schemas: Record<string, TSchema>): Record<string, TSchema> {
  return Object.fromEntries(Object.entries(schemas).map(([key, schema]) => [key, Type.Optional(schema)]));
}
