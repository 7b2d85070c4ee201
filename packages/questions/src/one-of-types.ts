import { Type, type TSchema } from "typebox";
import type { QuestionType } from "./question-type.ts";
import { discriminatorOf, titleOf } from "./type-titles.ts";

/** What differs by question type, for API documents: a variant per type, told apart by its name in `property`. */
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
