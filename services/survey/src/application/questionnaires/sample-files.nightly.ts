import { existsSync, globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readQuestionnaire } from "./read-questionnaire.ts";
import { writeXlsform } from "./xlsform-export/write-xlsform.ts";

// Files of other projects, which are not copied into this one. There may be none.
const beside = join(import.meta.dirname, "../../../../../../shared/data/questionnaires");
const folder = process.env["CANVASS_SAMPLE_QUESTIONNAIRES"] ?? beside;
const formats = { xlsx: "xlsform", lss: "lss", qsf: "qsf" } as const;

test("each sample file next to the checkout becomes a survey, which exports to a form", async () => {
  const files = existsSync(folder) ? globSync("**/*.{xlsx,lss,qsf}", { cwd: folder }).toSorted() : [];
  const faults: string[] = [];
  for (const file of files) {
    const format = formats[file.split(".").at(-1) as keyof typeof formats];
    try {
      const read = await readQuestionnaire(format, new Uint8Array(await readFile(join(folder, file))));
      expect(read.items).not.toEqual([]);
      const again = await readQuestionnaire("xlsform", await writeXlsform(read.documentJson));
      const form = await writeXlsform(again.documentJson);
      const third = await readQuestionnaire("xlsform", form);
      expect(JSON.parse(third.documentJson)).toEqual(JSON.parse(again.documentJson));
    } catch (error) {
      faults.push(`${file}: ${(error as Error).message} ${JSON.stringify((error as { details?: unknown }).details)}`);
    }
  }
  expect(faults).toEqual([]);
});
