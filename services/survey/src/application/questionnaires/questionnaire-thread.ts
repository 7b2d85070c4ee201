import { answerOwner } from "@canvass/fairness/threads";
import type { QuestionnaireWork } from "./questionnaires.ts";
import { readQuestionnaire } from "./read-questionnaire.ts";
import { writeXlsform } from "./xlsform-export/write-xlsform.ts";

// Runs in a thread, because files come from anywhere, and may take long and much memory.
answerOwner((work: QuestionnaireWork) =>
  "file" in work ? readQuestionnaire(work.format, work.file) : writeXlsform(work.documentJson),
);
