import { numberViolation, UsageError } from "@canvass/command-line";
import { defineCommand } from "../define-command.ts";
import { survey } from "./options.ts";

const formats = ["xlsform"] as const;

export const surveysExport = defineCommand({
  words: ["surveys", "export"],
  summary: "Write a survey as an XLSForm, for ODK and Kobo",
  example: "surveys export 1a2b3c4d5e6f7g8h --out lunch.xlsx",
  options: {
    survey,
    out: { placeholder: "file", required: true, help: "output file" },
    format: {
      placeholder: "format",
      help: "xlsform (default: by the file's name)",
      choices: formats,
      violation: (text) => (text === "xlsform" ? undefined : "is xlsform"),
    },
    version: {
      placeholder: "number",
      help: "number of a published version (default: the draft)",
      violation: numberViolation(1, 2 ** 31 - 1),
    },
    force: { help: "replace an existing file" },
  },
  async run({ survey, out, format = formatOf(out, survey), version, force }, { canvass }) {
    const { writeWhole } = await import("../documents/whole-file.ts");
    const query = version === undefined ? {} : { version: Number(version) };
    const form = await (await canvass()).surveys.form(survey, query);
    await writeWhole(out, form, { replace: force === true });
    return { file: out, surveyId: survey, format, bytes: form.length };
  },
  show: ({ file, surveyId }) =>
    `Wrote survey ${String(surveyId)} to ${String(file)}. What a form cannot say stands in its sheet left_out.`,
});

function formatOf(path: string, surveyId: string): (typeof formats)[number] {
  if (/\.xlsx$/i.test(path)) return "xlsform";
  if (/\.(ya?ml|json)$/i.test(path))
    throw new UsageError(`A survey's own document is written by: canvass pull ${surveyId} ${path}`);
  throw new UsageError(`The format of ${path} is not known; give --format: ${formats.join(", ")}.`);
}
