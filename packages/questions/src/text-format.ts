import { Type } from "typebox";
import type { Question } from "./definition.ts";
import type { QuestionType } from "./question-type.ts";
import { markdownToText } from "./texts/render-markdown.ts";
import { perQuestion } from "./type-settings.ts";

export const textFormat = Type.Enum(["plain", "markdown"], {
  default: "plain",
  description: "format of text, help text and the text of a statement (contract 6.22)",
});

/** Whether the texts of a question or an element are Markdown, by its settings. */
export const isMarkdown = (settings: Record<string, unknown>): boolean => settings["textFormat"] === "markdown";

/** The question with its text as it reads, without marks. For exports and all that shows no HTML. */
export const withPlainText = perQuestion((question: Question): Question => {
  if (question.text === null || !isMarkdown(question.typeSettings)) return question;
  return { ...question, text: markdownToText(question.text) };
});

/** Gives a type the setting that all types have. */
export function withTextFormat(type: QuestionType): QuestionType {
  return {
    ...type,
    settings: Type.Object({ ...type.settings.properties, textFormat }, { additionalProperties: false }),
    shorthands: { ...type.shorthands, textFormat: "textFormat" },
    settingEffects: (before, after) => ({ ...type.settingEffects(before, after), textFormat: "safe" }),
    exportColumns: (question) => type.exportColumns(withPlainText(question)),
  };
}
