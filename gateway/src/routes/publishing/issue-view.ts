import type { DraftIssue } from "@canvass/proto/survey-drafts";
import { Type } from "typebox";
import { named } from "../schemas.ts";

/** What keeps a draft from being published (contract 6.10). */
export const issuesSchema = Type.Array(
  named("DraftIssue", {
    path: Type.String({ description: "path in the draft", examples: ["pages.0.elements.2.text"] }),
    code: Type.String({ examples: ["empty_text"] }),
    message: Type.String(),
    suggestion: Type.String(),
  }),
  { description: "the first 1,000" },
);

/** Warnings, which do not prevent a publication: missing and outdated translations (contract 6.17). */
export const warningsSchema = Type.Array(
  named("DraftWarning", {
    path: Type.String({ description: "path of a translation", examples: ["elements.01h8x3k9q2w7d1ej.text"] }),
    code: Type.String({ examples: ["translation_missing"] }),
    message: Type.String(),
    suggestion: Type.String(),
  }),
  { description: "the first 1,000" },
);

export function issueView({ path, code, message, suggestion }: DraftIssue) {
  return { path, code, message, suggestion };
}
