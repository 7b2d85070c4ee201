import { UsageError } from "@canvass/command-line";
import { defineCommand } from "../define-command.ts";
import { exportOptions, exportRequest } from "../exports/export-options.ts";
import { survey } from "./options.ts";

const formats = ["csv", "xlsx", "json", "ndjson", "sav", "parquet"] as const;
type Format = (typeof formats)[number];

export const responsesExport = defineCommand({
  words: ["responses", "export"],
  summary: "Export a survey's answers to a file; run it again to resume an interrupted download",
  example: "responses export 1a2b3c4d5e6f7g8h --out answers.csv",
  options: {
    survey,
    out: { placeholder: "file", required: true, help: "output file; its extension selects the format" },
    format: { placeholder: "format", help: "(default: by the file's name)", choices: formats },
    ...exportOptions,
    force: { help: "replace an existing file" },
  },
  async run({ survey, out, format = out.split(".").at(-1)!, force, ...options }, { env, access, canvass, progress }) {
    if (!formats.includes(format as Format)) {
      throw new UsageError(`The format of ${out} is not known; give --format: ${formats.join(", ")}.`);
    }
    const wish = exportRequest(format as Format, options);
    const [{ exportToFile }, { url }, client] = await Promise.all([
      import("../exports/export-to-file.ts"),
      access(),
      canvass(),
    ]);
    return exportToFile(client, { env, url, surveyId: survey, wish, path: out, replace: force === true, progress });
  },
});
