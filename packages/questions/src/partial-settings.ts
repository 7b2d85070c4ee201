import { Type, type TObject, type TSchema } from "typebox";
import { titleOf } from "./type-titles.ts";

/** Settings of a question type for the OpenAPI document, each optional. Nested objects get their own title. */
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

/** Types that share a nested schema differ in its defaults, so they are left out. */
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
