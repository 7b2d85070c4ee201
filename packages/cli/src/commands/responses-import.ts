import type { Api } from "@canvass/sdk";
import { showRefused, type ImportOutcome } from "../answers/show-import.ts";
import { defineCommand } from "../define-command.ts";
import { survey } from "./options.ts";

export const responsesImport = defineCommand({
  words: ["responses", "import"],
  summary: "Import answers of a CSV file; ends with code 1 if rows were refused",
  example: "responses import 1a2b3c4d5e6f7g8h answers.csv --dry-run",
  options: {
    survey,
    file: {
      placeholder: "file",
      positional: true,
      required: true,
      help: "a row for each respondent, headings as in an export",
    },
    skipUnknown: { help: "leave columns out that the survey does not have" },
    dryRun: { help: "write nothing, and tell which rows would be refused" },
  },
  async run({ survey, file, skipUnknown, dryRun = false }, { canvass, progress, tell }) {
    const [{ readBytes }, { waitForImport }] = await Promise.all([
      import("../documents/whole-file.ts"),
      import("../answers/wait-for-import.ts"),
    ]);
    const answers = { csv: await readBytes(file), ...(skipUnknown && { skipUnknown }) };
    const { responses } = await canvass();
    const asked = { file, dryRun };
    if (dryRun) return { ...asked, surveyId: survey, ...(await responses.previewImport(survey, answers)) };
    const queued = await responses.import(survey, answers);
    tell(`Import ${queued.id} is queued. It goes on if this command ends early.`);
    return { ...asked, ...(await waitForImport(queued, { progress, tell })) };
  },
  show(result) {
    const outcome = result as unknown as ImportOutcome & Pick<Api.ResponseImport, "imported" | "skipped">;
    const { total, imported, skipped, failed } = outcome;
    const head =
      result["dryRun"] === true
        ? `Nothing was written. Of ${total} rows ${failed} would be refused.`
        : `Of ${total} rows ${imported} were imported, ${skipped} skipped (stored before) and ${failed} refused.`;
    const refused = showRefused(outcome);
    return refused === "" ? head : `${head}\n\n${refused}`;
  },
  isRefused: ({ failed }) => (failed as number) > 0,
});
