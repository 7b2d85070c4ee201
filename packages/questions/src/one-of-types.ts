import { Type, type TSchema } from "typebox";
import type { QuestionType } from "./question-type.ts";
import { discriminatorOf, titleOf } from "./type-titles.ts";

/**
 * A schema that differs by question type, for the OpenAPI document: a variant per type, discriminated by its name in
 * `property`.
 */
export function oneOfTypes(
  title: string,
  property: "type" | "typeName",
  types: readonly QuestionType[],
  variantOf: (type: QuestionType, name: string) => TSchema,
) {
  const variants = types.map((type) => ({
    typeName: type.typeName,
    schema: variantOf(type, titleOf(type.typeName)),
  }));
  return Type.Unsafe<Record<string, unknown>>({
    title,
    oneOf: variants.map(({ schema }) => schema),
    discriminator: discriminatorOf(property, variants),
  });
}
