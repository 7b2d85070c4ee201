import type { Api, Questionnaire } from "@canvass/sdk";
import { defineCommand } from "../define-command.ts";
import { formatOfName, questionnaireFormats } from "../questionnaires/questionnaire-format.ts";
import { countOutcomes, showReport } from "../questionnaires/show-report.ts";

export const surveysImport = defineCommand({
  words: ["surveys", "import"],
  summary: "Create a draft from a questionnaire of ODK, Kobo, LimeSurvey, Qualtrics or SurveyJS",
  example: "surveys import lunch.xlsx --dry-run",
  options: {
    file: { placeholder: "file", positional: true, required: true, help: "the questionnaire's file" },
    format: {
      placeholder: "format",
      help: "xlsform (ODK, Kobo), lss (LimeSurvey), qsf (Qualtrics) or surveyjs (default: by the file's name)",
      choices: questionnaireFormats,
      violation: (text) =>
        questionnaireFormats.some((format) => format === text)
          ? undefined
          : `is one of ${questionnaireFormats.join(", ")}`,
    },
    dryRun: { help: "write nothing, and show the result; --json has the document, too" },
  },
  async run({ file, format = formatOfName(file), dryRun = false }, { canvass }) {
    const { readBytes } = await import("../documents/whole-file.ts");
    const questionnaire = { format: format as Questionnaire["format"], bytes: await readBytes(file) };
    const { surveys } = await canvass();
    const asked = { file, format, dryRun };
    if (dryRun) {
      const { document, report } = await surveys.previewQuestionnaire(questionnaire);
      return { ...asked, surveyId: null, ...countOutcomes(report), report, document };
    }
    const { survey, report } = await surveys.importQuestionnaire(questionnaire);
    return { ...asked, surveyId: survey.id, name: survey.name, ...countOutcomes(report), report };
  },
  show(result) {
    const { surveyId, name, report } = result as unknown as Imported;
    const made = surveyId === null ? "Nothing was written." : `Made the draft ${surveyId} (${name}).`;
    return `${made}\n${showReport(report)}`;
  },
});

interface Imported {
  surveyId: string | null;
  name: string;
  report: readonly Api.QuestionnaireItem[];
}
