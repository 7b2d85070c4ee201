import { idPattern } from "@canvass/values";
import { Type, type Static, type TNever, type TSchema } from "typebox";

export const operators = [
  "answered",
  "not_answered",
  "equals",
  "not_equals",
  "in",
  "not_in",
  "contains",
  "not_contains",
  "starts_with",
  "greater_than",
  "less_than",
  "at_least",
  "at_most",
  "between",
] as const;
export type Operator = (typeof operators)[number];

/** A condition about one thing, or several joined (contract 6.9). */
export type ConditionTree<Leaf> =
  | Leaf
  | { all: ConditionTree<Leaf>[] }
  | { any: ConditionTree<Leaf>[] }
  | { not: ConditionTree<Leaf> };

/** Limits of one condition: levels of all, any and not, with that of the leaf; and the number of leaves. */
export const conditionLimits = { levels: 5, leaves: 50 } as const;

/**
 * The schema of a condition whose leaves ask answers (also by the name of the element, if `named` is given), a hidden
 * field or the language. It does not look into the parts of all, any and not, so that it is finite; `checkCondition`
 * does. `x-in-words` stands for it where a schema has no references and would be repeated for each of its uses.
 */
export function conditionSchemaOf<
  Leaf extends TSchema,
  Field extends TSchema,
  Language extends TSchema,
  Named extends TSchema = TNever,
>(leaf: Leaf, { field, language }: { field: Field; language: Language }, title: string, named?: Named) {
  const part = Type.Unsafe<object>({
    type: "object",
    additionalProperties: true,
    description: "a condition",
    "x-shown-as": title,
    "x-judged-by": "condition",
  });
  const parts = Type.Array(part, { minItems: 1, maxItems: conditionLimits.leaves });
  const group = (name: "all" | "any" | "not", kind: TSchema, about: string) =>
    Type.Object(
      { [name]: kind },
      { additionalProperties: false, title: `${name[0]!.toUpperCase()}${name.slice(1)}Of${title}`, description: about },
    );
  const asked = [leaf, ...(named ? [named] : [])].map(
    (each) => Object.keys((each as unknown as { properties: object }).properties)[0],
  );
  return Type.Unsafe<ConditionTree<Static<Leaf> | Static<Field> | Static<Language> | Static<Named>>>({
    title,
    "x-in-words":
      `{${asked.join(" | ")} | field | language: true, operator, value | answerOf}, or {all: [...]}, {any: [...]} or {not: ...} ` +
      `of such; operators are ${operators.join(", ")}`,
    description: `at most ${conditionLimits.levels} levels and ${conditionLimits.leaves} comparisons`,
    anyOf: [
      leaf,
      field,
      language,
      group("all", parts, "holds if all of them hold"),
      group("any", parts, "holds if one of them holds"),
      group("not", part, "holds if it does not hold"),
      ...(named ? [named] : []),
    ],
  });
}

/**
 * The schema of a condition or null. Its variants have titles of their own, because OpenAPI documents add null to the type
 * of the first.
 */
export function nullableCondition(condition: TSchema, options: object = {}) {
  const { title, anyOf, ...rest } = condition as unknown as { title: string; anyOf: TitledSchema[] };
  const variants = anyOf.map((variant) => ({ ...variant, title: `${variant.title}OrNull` }));
  return Type.Unsafe<unknown>({ ...rest, title: `${title}OrNull`, ...options, anyOf: [...variants, Type.Null()] });
}

type TitledSchema = TSchema & { title: string };

/** Compares the answers to a question. */
export const answerConditionSchema = Type.Object(
  {
    elementId: Type.String({ pattern: idPattern, description: "an id of 16 lower-case letters and digits" }),
    operator: Type.Enum(operators),
    value: Type.Optional(Type.Unknown({ description: "the value to compare with" })),
    answerOf: Type.Optional(
      Type.String({
        pattern: idPattern,
        description: "instead of a value: the id of an element, whose answer is compared with",
      }),
    ),
  },
  { additionalProperties: false, title: "AnswerCondition" },
);

const compared = {
  operator: Type.Enum(operators),
  value: Type.Optional(Type.Unknown({ description: "the value to compare with" })),
};

/** Compares a hidden field of the respondent. */
export const fieldConditionSchema = Type.Object(
  { field: Type.String({ description: "name of a hidden field" }), ...compared },
  { additionalProperties: false, title: "FieldCondition" },
);

/** Compares the respondent's language. */
export const languageConditionSchema = Type.Object(
  { language: Type.Literal(true), ...compared },
  { additionalProperties: false, title: "LanguageCondition" },
);

export const conditionSchema = conditionSchemaOf(
  answerConditionSchema,
  { field: fieldConditionSchema, language: languageConditionSchema },
  "Condition",
);

export type AnswerCondition = Static<typeof answerConditionSchema>;
export type FieldCondition = Static<typeof fieldConditionSchema>;
export type LanguageCondition = Static<typeof languageConditionSchema>;
/** A condition on properties of a respondent other than its answers. */
export type ContextCondition = FieldCondition | LanguageCondition;
export type Comparison = AnswerCondition | ContextCondition;

/** Compares the answers to an element with that name, as callers may write it. */
export type NamedCondition = Omit<AnswerCondition, "elementId"> & { name: string };

export const namesElement = (leaf: Comparison | NamedCondition): leaf is NamedCondition => "name" in leaf;
export type Condition = ConditionTree<Comparison>;
