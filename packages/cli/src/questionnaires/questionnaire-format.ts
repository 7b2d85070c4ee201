import { UsageError } from "@canvass/command-line";
import type { Questionnaire } from "@canvass/sdk";

export const questionnaireFormats = ["xlsform", "lss", "qsf", "surveyjs"] as const;

const byEnding: Readonly<Record<string, Questionnaire["format"]>> = { xlsx: "xlsform", lss: "lss", qsf: "qsf" };

/**
 * Tells the format of a questionnaire by its file's name. Throws UsageError where that is not clear: a `.json` may be a
 * survey of SurveyJS, or a survey's own document.
 */
export function formatOfName(path: string): Questionnaire["format"] {
  const ending = /\.([^./\\]+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
  if (Object.hasOwn(byEnding, ending)) return byEnding[ending]!;
  const choice = `give --format: ${questionnaireFormats.join(", ")}`;
  if (!["json", "yaml", "yml"].includes(ending)) throw new UsageError(`The format of ${path} is not known; ${choice}.`);
  throw new UsageError(
    `${path} does not tell its format; ${choice}. If it is a survey's document: canvass apply ${path} --draft`,
  );
}
