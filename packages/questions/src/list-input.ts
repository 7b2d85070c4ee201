import { checkShape, closed, codeText, type Violation, joinPath, word } from "@canvass/inputs";
import { Type, type TSchema } from "typebox";
import { checkEntryConditions, entryShowIf } from "./conditions/entry-conditions.ts";
import type { Condition } from "./conditions/condition.ts";
import { conditionInput } from "./conditions/condition-input.ts";
import { fieldFormats, type Choice, type Column } from "./definition.ts";
import { mergeMarks, markFields, type EntryMark, type EntryMarks } from "./entry-marks.ts";
import { isWebUrl } from "./formats.ts";

export type ListContext = {
  newId: () => string;
  isAnswered: (choiceId: string) => boolean;
  /** Name keys of the survey's other elements. Default: none. */
  takenNames?: ReadonlySet<string>;
  /** The question carries the choices of another one, so it has no own choices. */
  carries?: boolean;
  /** Collects what entries are given as their conditions, by id. Null takes one away. Default: collects none. */
  conditions?: Map<string, Condition | null>;
};

export type ListRule = {
  max: number;
  images?: boolean;
  fields?: boolean;
  marks?: readonly EntryMark[];
  options?: { max: number };
  /** Entries may be shown by conditions. */
  showIf?: true;
};
type Entry = Choice & Column;
type EntryInput = string | EntryFields;

interface EntryFields extends EntryMarks {
  id?: string;
  text: string;
  /** Absent: the same as the previous entry. */
  code?: string | null;
  imageUrl?: string | null;
  format?: "text" | (typeof fieldFormats)[number];
  required?: boolean;
  retired?: boolean;
  options?: EntryInput[];
  showIf?: Condition | null;
}

export const entryText = Type.String({
  minLength: 1,
  maxLength: 500,
  pattern: "\\S",
  description: "text of 1 to 500 characters",
});

export const codeField = {
  code: Type.Optional(
    Type.Union([codeText(32, "its value in exports; unique in its list, also from retired entries"), Type.Null()]),
  ),
};
const editFields = { id: Type.Optional(Type.String()), retired: Type.Optional(Type.Boolean()) };
export const imageField = {
  imageUrl: Type.Optional(
    Type.Union([
      Type.String({ pattern: "^(https://\\S+)?$", maxLength: 2_048, description: "a URL starting with https://" }),
      Type.Null(),
    ]),
  ),
};

/** Of a form's field. */
export const formField = {
  format: Type.Optional(word(["text", ...fieldFormats], { default: "text" })),
  required: Type.Optional(Type.Boolean({ default: false, description: "must be part of every answer" })),
};

/**
 * The schema of a list in a request: texts or objects. With `editing`, an object may name an entry by id; without, it
 * may call the text `label`.
 */
export function listSchema(rule: ListRule, editing: boolean): TSchema {
  const fields = {
    ...codeField,
    ...markFields(rule.marks ?? []),
    ...(editing ? editFields : {}),
    ...(rule.images ? imageField : {}),
    ...(rule.fields ? formField : {}),
    ...(rule.options ? { options: Type.Optional(listSchema(rule.options, editing)) } : {}),
    ...(rule.showIf ? entryShowIf("ConditionInput") : {}),
  };
  const title = `${editing ? "Edited" : "New"}${entryTitle(rule)}`;
  const entry = closed({ text: entryText, ...fields }, { title: `${title}Fields` });
  const labelled = closed({ label: entryText, ...fields }, { title: `Labelled${title}Fields` });
  const variants = editing ? [entryText, entry] : [entryText, entry, labelled];
  return Type.Array(Type.Union(variants, { title }), { minItems: 1, maxItems: rule.max });
}

/** Names the fields that entries of a list have, in API documents. */
export function entryTitle({ images, fields, options, showIf, marks = [] }: ListRule): string {
  if (images) return "Picture";
  if (fields) return "Field";
  if (options) return "Column";
  if (marks.includes("freeText")) return "Choice";
  if (showIf) return "Entry";
  return marks.length > 0 ? "MatrixColumn" : "Option";
}

const schemas = new WeakMap<ListRule, { creating: TSchema; editing: TSchema }>();

function schemaFor(rule: ListRule, editing: boolean): TSchema {
  const known = schemas.get(rule) ?? { creating: listSchema(rule, false), editing: listSchema(rule, true) };
  schemas.set(rule, known);
  return editing ? known.editing : known.creating;
}

/** Reads a full list. Named entries keep their ids. Others are removed, or retired if answered or already retired. */
export function readList(
  rule: ListRule,
  input: unknown,
  path: string,
  previous: readonly Entry[] | undefined,
  context: ListContext,
  violations: Violation[],
): Entry[] {
  const before = violations.length;
  checkShape(schemaFor(rule, previous !== undefined), input, path, violations);
  if (violations.length > before) return [];
  checkEntryConditions(conditionInput, input as object[], path, violations);
  if (violations.length > before) return [];
  const entries = (input as (EntryInput | LabelledFields)[]).map(fieldsOf);
  const old = new Map((previous ?? []).map((entry) => [entry.id, entry]));
  const given = entries.map((item, index) => readEntry(rule, item, joinPath(path, index), old, context, violations));
  if (given.every((entry) => entry.retired))
    violations.push({ path, message: "must have an entry that is not retired" });
  const kept = [...old.values()]
    .filter((entry) => entry.retired || context.isAnswered(entry.id))
    // Sorted by id, because the order in which entries were retired must not look like a change.
    .toSorted((one, other) => (one.id < other.id ? -1 : 1));
  checkCodes(entries, given, kept, path, violations);
  return [...given, ...kept.map((entry) => ({ ...entry, retired: true }))];
}

type LabelledFields = Omit<EntryFields, "text"> & { label: string };

function fieldsOf(input: EntryInput | LabelledFields): EntryFields {
  if (typeof input === "string") return { text: input };
  if ("text" in input) return input;
  const { label, ...fields } = input;
  return { text: label, ...fields };
}

/** Refuses codes that repeat, where they were sent. */
function checkCodes(
  sent: readonly EntryFields[],
  given: readonly Entry[],
  kept: readonly Entry[],
  path: string,
  violations: Violation[],
): void {
  const seen = new Set(kept.map(({ code }) => code));
  for (const [index, { code }] of given.entries()) if (sent[index]!.code === undefined) seen.add(code);
  for (const [index, { code }] of sent.entries()) {
    if (typeof code !== "string") continue;
    if (seen.has(code))
      violations.push({ path: joinPath(joinPath(path, index), "code"), message: "is the code of another entry" });
    seen.add(code);
  }
}

function readEntry(
  rule: ListRule,
  fields: EntryFields,
  path: string,
  old: Map<string, Entry>,
  context: ListContext,
  violations: Violation[],
): Entry {
  const previous = takePrevious(fields.id, path, old, violations);
  const retired = fields.retired ?? false;
  const code = fields.code === undefined ? previous?.code : fields.code;
  const entry: Entry = {
    id: previous?.id ?? context.newId(),
    text: fields.text,
    ...(code && { code }),
    ...mergeMarks(fields, previous),
    retired,
  };
  if (fields.showIf !== undefined) context.conditions?.set(entry.id, fields.showIf);
  if (rule.images) entry.imageUrl = readImage(fields.imageUrl, path, violations);
  if (rule.fields) Object.assign(entry, readField(fields));
  if (rule.options) entry.options = readOptions(rule.options, fields.options, path, previous, context, violations);
  return entry;
}

/** Fields are stored without defaults. */
function readField({ format = "text", required = false }: EntryFields): Partial<Entry> {
  return { ...(format !== "text" && { format }), ...(required && { required }) };
}

/** Returns the previous entry with that id and removes it from `old`, so that only one input can name it. */
function takePrevious(id: string | undefined, path: string, old: Map<string, Entry>, violations: Violation[]) {
  if (id === undefined) return undefined;
  const previous = old.get(id);
  if (!previous)
    violations.push({ path: joinPath(path, "id"), message: "is not an entry of this list, or is named twice" });
  old.delete(id);
  return previous;
}

function readImage(imageUrl: string | null | undefined, path: string, violations: Violation[]): string | null {
  if (imageUrl && !(imageUrl.startsWith("https://") && isWebUrl(imageUrl))) {
    violations.push({ path: joinPath(path, "imageUrl"), message: "must be a URL starting with https://" });
  }
  return imageUrl ?? null;
}

function readOptions(
  rule: ListRule,
  input: unknown,
  path: string,
  previous: Entry | undefined,
  context: ListContext,
  violations: Violation[],
): Choice[] {
  if (input !== undefined) {
    return readList(rule, input, joinPath(path, "options"), previous?.options, context, violations);
  }
  return previous?.options ?? defaultList("options", rule, context.newId);
}

const singular = { choices: "Choice", rows: "Row", columns: "Column", options: "Option" };

export function defaultList(name: keyof typeof singular, rule: ListRule, newId: () => string): Entry[] {
  return [1, 2].map((position) => {
    const entry = { id: newId(), text: `${singular[name]} ${position}`, retired: false } as Entry;
    if (rule.images) entry.imageUrl = null;
    if (rule.options) entry.options = defaultList("options", rule.options, newId);
    return entry;
  });
}
