import { numberViolation, UsageError } from "@canvass/command-line";
import type { AnswersSchema } from "../types/render-types.ts";
import { defineCommand } from "../define-command.ts";
import { survey } from "./options.ts";

const formats = ["typescript", "json-schema"] as const;

export const types = defineCommand({
  words: ["types"],
  summary: "Write types of a published survey's answers, as TypeScript or JSON Schema",
  example: "types 1a2b3c4d5e6f7g8h --out src/lunch-answers.ts",
  options: {
    survey,
    version: {
      placeholder: "number",
      help: "number of a published version (default: the latest)",
      violation: numberViolation(1, 2 ** 31 - 1),
    },
    format: {
      placeholder: "format",
      help: "output format (default: typescript)",
      choices: formats,
      violation: (text) => (formats.some((format) => format === text) ? undefined : `is one of ${formats.join(", ")}`),
    },
    out: { placeholder: "file", help: "output file (default: prints)" },
    check: { help: "write nothing; the exit code says whether --out is still current" },
  },
  async run({ survey, version, format = "typescript", out, check }, { canvass }) {
    if (check && out === undefined) throw new UsageError("Give --out, too: which file to check.");
    const [{ renderTypes }, { isCurrent, writeIfChanged }, client] = await Promise.all([
      import("../types/render-types.ts"),
      import("../types/generated-file.ts"),
      canvass(),
    ]);
    const query = version === undefined ? {} : { version: Number(version) };
    const { data } = await client.api.getAnswersSchema({ path: { surveyId: survey }, query });
    const content =
      format === "typescript"
        ? renderTypes(data as unknown as AnswersSchema, survey)
        : `${JSON.stringify(data, null, 2)}\n`;
    if (out === undefined) return { surveyId: survey, format, content };
    if (check) return { surveyId: survey, file: out, current: await isCurrent(out, content) };
    return { surveyId: survey, file: out, changed: await writeIfChanged(out, content) };
  },
  show({ content, file, changed, current }) {
    if (typeof content === "string") return content.trimEnd();
    if (current === false) return `${String(file)} is not current; run the command without --check.`;
    return changed ? `${String(file)} is written.` : `${String(file)} is current.`;
  },
  isRefused: ({ current }) => current === false,
});
