import { docComment } from "./doc-comment.ts";
import { member, memberName, type ValueSchema } from "./value-type.ts";

/** A schema of answers as the API gives it (contract 6.15). */
export interface AnswersSchema {
  title: string;
  oneOf: readonly { title: string; properties: { elementId: { const: string }; type: { const: string } } }[];
  $defs: Readonly<Record<string, ValueSchema>>;
}

/** Returns the schema of answers as a module of TypeScript. */
export function renderTypes({ title, oneOf, $defs }: AnswersSchema, surveyId: string): string {
  const members = oneOf.map(({ title: key }) => member(key, $defs[key] ?? {}, { pad: "  ", isRequired: true }));
  const ids = oneOf.map(
    ({ title: key, properties }) => `  ${memberName(key)}: ${JSON.stringify(properties.elementId.const)},`,
  );
  const module = `${docComment(`${title}. Made by \`canvass types ${surveyId}\`: do not edit.`)}

/** Values of answers by the name of their element, or by its key where it has none. */
export interface Answers {
${members.join("\n")}
}

/** Ids of elements, by the same names. */
export const elementIds = {
${ids.join("\n")}
} as const;

/** An item of a list or stream of answers: \`elementId\` determines the type of \`value\`. */
export type Answer = {
  [Key in keyof Answers]: { elementId: (typeof elementIds)[Key]; value: Answers[Key] };
}[keyof Answers];
`;
  // A union starts on its own line.
  return module.replaceAll(/ +$/gm, "");
}
