import { checkShape, type Violation, joinPath, noViolations } from "@canvass/inputs";
import { counted, isJsonObject, ownValue } from "@canvass/values";
import { Type, type Static } from "typebox";
import { affectsIf, upperLimit } from "../change-class.ts";
import { listCellFormat, oneColumn } from "../export-cells.ts";
import { isNull } from "../plain-text.ts";
import type { FileFacts, QuestionType } from "../question-type.ts";
import { settingsObject, settingsReader } from "../type-settings.ts";

const mostFiles = 20;
const megabyte = 1_048_576;

const settings = settingsObject({
  maxFiles: Type.Integer({ minimum: 1, maximum: mostFiles, default: 1 }),
  maxSizeMb: Type.Number({
    exclusiveMinimum: 0,
    maximum: 1_024,
    default: 10,
    description: "a number of megabytes up to 1024",
  }),
  // Without the dot. An empty list allows all.
  extensions: Type.Array(
    Type.String({ pattern: "^[A-Za-z0-9]{1,10}$", description: "a file extension without its dot" }),
    {
      maxItems: 50,
      default: [],
    },
  ),
});
const settingsOf = settingsReader(settings);

const file = Type.Object(
  {
    fileId: Type.String({ minLength: 1, maxLength: 100 }),
    name: Type.String({ minLength: 1, maxLength: 255 }),
    size: Type.Integer({ minimum: 0 }),
    mimeType: Type.String({
      pattern: "^[\\w.+-]{1,100}/[\\w.+-]{1,100}$",
      description: "a media type such as image/png",
    }),
  },
  { additionalProperties: false },
);
type File = Static<typeof file>;
const files = Type.Array(file, { minItems: 1, maxItems: mostFiles });
/** Callers may omit the facts of the upload. */
const givenFiles = Type.Array(
  Type.Object(
    {
      fileId: Type.String({ ...file.properties.fileId, description: "from the response to the upload" }),
      name: Type.Optional(Type.String({ description: "always the value of the upload; a given one is ignored" })),
      size: Type.Optional(
        Type.Integer({ minimum: 0, description: "always the value of the upload; a given one is ignored" }),
      ),
      mimeType: Type.Optional(Type.String({ description: "always the value of the upload; a given one is ignored" })),
    },
    { additionalProperties: false, title: "AnswerFile" },
  ),
  { minItems: 1, maxItems: mostFiles },
);

export const fileUpload: QuestionType<typeof settings> = {
  number: 16,
  typeName: "file_upload",
  summary: "Uploaded files.",
  answerable: true,
  // A file may show or name the person.
  isPersonal: true,
  settings,
  lists: {},
  shorthands: {},
  valueSchema: givenFiles,
  answerSchema: () => files,
  distributionShape: "files",
  conditions: {},

  settingEffects: (before, after) => ({
    maxFiles: upperLimit(before.maxFiles, after.maxFiles),
    maxSizeMb: upperLimit(before.maxSizeMb, after.maxSizeMb),
    extensions: affectsIf(refusesMore(before.extensions, after.extensions)),
  }),

  checkValue(question, value) {
    const violations: Violation[] = [];
    checkShape(files, value, "", violations);
    if (!Array.isArray(value) || value.length > mostFiles) return violations;
    const misshapen = new Set(violations.map(({ path }) => path.split(".", 1)[0]));
    const { maxFiles, ...limits } = settingsOf(question);
    if (value.length > maxFiles)
      violations.push({ path: "", message: `must have at most ${counted(maxFiles, "item")}` });
    const seen = new Set<string>();
    value.forEach((item: File, index) => {
      if (misshapen.has(String(index))) return;
      checkFile(item, limits, String(index), violations);
      if (seen.has(item.fileId))
        violations.push({ path: joinPath(String(index), "fileId"), message: "is given twice" });
      seen.add(item.fileId);
    });
    return violations.length > 0 ? violations : noViolations;
  },

  fileIds: fileIdsIn,
  fileRules(question) {
    const { maxSizeMb, extensions } = settingsOf(question);
    return { maxBytes: Math.floor(maxSizeMb * megabyte), extensions };
  },
  withFiles: (value, find) => (Array.isArray(value) ? value.map((item: unknown) => withFacts(item, find)) : value),

  // Sample files would have to be uploaded first.
  sample: () => undefined,
  isEmpty: isNull,
  tally: (_question, value) => ({ buckets: { files: (value as unknown[]).length } }),
  distribution: (_question, { buckets }) => ({ files: buckets.get("files") ?? 0 }),
  exportColumns: (question) => oneColumn(question, listCellFormat),
  exportCells: (_question, value) => [fileNames(value)],
};

export function fileIdsIn(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  const ids = value.slice(0, mostFiles).map((item: unknown) => (isJsonObject(item) ? ownValue(item, "fileId") : null));
  return ids.filter((id) => typeof id === "string");
}

function withFacts(item: unknown, find: (fileId: string) => FileFacts | undefined): unknown {
  const fileId = isJsonObject(item) ? ownValue(item, "fileId") : undefined;
  const facts = typeof fileId === "string" ? find(fileId) : undefined;
  return facts ? { fileId, name: facts.name, size: facts.size, mimeType: facts.mimeType } : item;
}

type FileLimits = { maxSizeMb: number; extensions: readonly string[] };

function checkFile(
  { name, size }: File,
  { maxSizeMb, extensions }: FileLimits,
  path: string,
  violations: Violation[],
): void {
  if (size > maxSizeMb * megabyte) {
    violations.push({ path: joinPath(path, "size"), message: `must be at most ${maxSizeMb} MB` });
  }
  if (!hasExtension(name, extensions)) {
    violations.push({ path: joinPath(path, "name"), message: `must end in one of ${extensions.join(", ")}` });
  }
}

export function hasExtension(name: string, extensions: readonly string[]): boolean {
  if (extensions.length === 0) return true;
  const lower = name.toLowerCase();
  return extensions.some((extension) => lower.endsWith(`.${extension.toLowerCase()}`));
}

function refusesMore(before: readonly string[], after: readonly string[]): boolean {
  if (after.length === 0) return false;
  return before.length === 0 || !before.every((extension) => hasExtension(`.${extension}`, after));
}

function fileNames(value: unknown): string[] | null {
  if (!Array.isArray(value)) return null;
  const names = value.map((item: unknown) => (isJsonObject(item) ? ownValue(item, "name") : null));
  return names.filter((name) => typeof name === "string");
}
