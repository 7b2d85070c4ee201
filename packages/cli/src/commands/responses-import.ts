import { showImport, withRefused, type ImportOutcome } from "../answers/show-import.ts";
import { defineCommand } from "../define-command.ts";
import { survey } from "./options.ts";

export const responsesImport = defineCommand({
  words: ["responses", "import"],
  summary: "Import answers from a CSV file; exits with code 1 if rows were refused",
  example: "responses import 1a2b3c4d5e6f7g8h answers.csv --dry-run",
  options: {
    survey,
    file: {
      placeholder: "file",
      positional: true,
      required: true,
      help: "a row for each respondent, headings as in an export",
    },
    skipUnknown: { help: "skip columns that the survey does not have" },
    dryRun: { help: "write nothing, and show which rows would be refused" },
  },
  async run({ survey, file, skipUnknown, dryRun = false }, { canvass, progress, note }) {
    const [{ readBytes }, { waitForImport }] = await Promise.all([
      import("../documents/whole-file.ts"),
      import("../answers/wait-for-import.ts"),
    ]);
    const answers = { csv: await readBytes(file), ...(skipUnknown && { skipUnknown }) };
    const { responses } = await canvass();
    const asked = { file, dryRun };
    progress(`sending ${file}`);
    if (dryRun) return { ...asked, surveyId: survey, ...(await responses.previewImport(survey, answers)) };
    const queued = await responses.import(survey, answers);
    progress(undefined);
    note(`Import ${queued.id} is queued. It goes on if this command ends early: canvass imports show ${queued.id}`);
    return { ...asked, ...(await waitForImport(queued, { progress, note })) };
  },
  show(result) {
    if (result["dryRun"] !== true) return showImport(result);
    const outcome = result as unknown as ImportOutcome;
    return withRefused(`Nothing was written. Of ${outcome.total} rows ${outcome.failed} would be refused.`, outcome);
  },
  isRefused: ({ failed }) => (failed as number) > 0,
});
