import { isJsonObject, type JsonObject } from "@canvass/values";
import { textAt } from "../json-values.ts";
import { NotSayable } from "../expressions/expression.ts";
import { recordLeftOut, putTexts, type FormBuilder, type FormElement, type FormRow } from "./form-builder.ts";
import { choiceName, entryNames, hasOther, writeCondition } from "./write-condition.ts";
import { unsaidSettings } from "./unsaid-settings.ts";
import { writeTemplate } from "./write-template.ts";

const plainTypes: Record<string, string> = {
  short_text: "text",
  long_text: "text",
  slider: "range",
  rating: "range",
  nps: "range",
  statement: "note",
  consent: "acknowledge",
  file_upload: "file",
};

/** Writes the rows of an element of a document. */
export function writeElement(builder: FormBuilder, { element, name }: FormElement): void {
  const settings = isJsonObject(element["typeSettings"]) ? element["typeSettings"] : {};
  const type = textAt(element, "type");
  for (const setting of unsaidSettings(element)) recordLeftOut(builder, name, `the setting ${setting}`);
  if (element["choicesFrom"]) recordLeftOut(builder, name, "choicesFrom");
  const row: FormRow = { type: "", name };
  const text =
    type === "nps"
      ? `How likely are you to recommend ${textAt(settings, "subject") || "us"} to a friend or colleague?`
      : textAt(element, "text") || name;
  const write = writeTemplate(builder, name);
  putTexts(builder, row, "label", text, element["translations"], "text", write);
  if (typeof element["helpText"] === "string")
    putTexts(builder, row, "hint", element["helpText"], element["translations"], "helpText", write);
  writeLogic(builder, element, name, row, settings);
  if (type === "matrix" || type === "form") return writeParts(builder, element, row, settings);
  const formType = typeOf(builder, element, name, row, settings);
  if (formType === undefined) return recordLeftOut(builder, name, `the question: a form has none of the type ${type}`);
  builder.survey.push({ ...row, type: formType });
}

function typeOf(
  builder: FormBuilder,
  element: JsonObject,
  name: string,
  row: FormRow,
  settings: JsonObject,
): string | undefined {
  const type = textAt(element, "type");
  if (settings["shuffle"] === true) row["parameters"] = "randomize=true";
  switch (type) {
    case "long_text":
      row["appearance"] = "multiline";
      return "text";
    case "number":
      return settings["decimals"] === 0 ? "integer" : "decimal";
    case "date_time":
      return { date: "date", time: "time", datetime: "dateTime" }[textAt(settings, "mode") || "date"];
    case "slider":
      row["parameters"] = rangeOf(settings["min"] ?? 0, settings["max"] ?? 100, settings["step"] ?? 1);
      return "range";
    case "rating":
      row["parameters"] = rangeOf(1, settings["steps"] ?? 5, 1);
      row["appearance"] = "rating";
      return "range";
    case "nps":
      row["parameters"] = rangeOf(0, 10, 1);
      return "range";
    case "yes_no": {
      const labels = isJsonObject(settings["labels"]) ? settings["labels"] : {};
      writeList(
        builder,
        name,
        [
          { key: "yes", text: labels["yes"] ?? "Yes" },
          { key: "no", text: labels["no"] ?? "No" },
        ],
        element,
        "settings.labels",
      );
      return `select_one ${name}`;
    }
    case "multiple_choice":
    case "image_choice":
    case "dropdown":
    case "ranking": {
      writeList(builder, name, element["choices"] as JsonObject[], element, "choices");
      if (type === "dropdown") row["appearance"] = "minimal";
      const other = hasOther(element) ? " or_other" : "";
      if (type === "ranking") return `rank ${name}`;
      return `${settings["multipleAnswers"] === true ? "select_multiple" : "select_one"} ${name}${other}`;
    }
    default:
      return plainTypes[type];
  }
}

const rangeOf = (start: unknown, end: unknown, step: unknown): string =>
  `start=${String(start)} end=${String(end)} step=${String(step)}`;

function writeList(
  builder: FormBuilder,
  list: string,
  entries: readonly JsonObject[],
  element: JsonObject,
  place: string,
): void {
  const names = entryNames(entries, place === "choices" && hasOther(element));
  for (const entry of entries) {
    const name = names.get(textAt(entry, "key"))!;
    if (entry["code"] !== undefined && entry["code"] !== name)
      recordLeftOut(builder, list, `the code ${textAt(entry, "code")}: in a form it is the code of Other`);
    for (const mark of ["showIf", "exclusive", "freeText", "pinned", "imageUrl"])
      if (entry[mark]) recordLeftOut(builder, list, `${mark} of ${place}`);
    const row: FormRow = { list_name: list, name };
    putTexts(
      builder,
      row,
      "label",
      textAt(entry, "text"),
      element["translations"],
      `${place}.${textAt(entry, "key")}`,
      writeTemplate(builder, list),
    );
    builder.choices.push(row);
  }
}

/** Writes a matrix or form as a group with a question for each of its rows. */
function writeParts(builder: FormBuilder, element: JsonObject, row: FormRow, settings: JsonObject): void {
  const { name = "" } = row;
  const isMatrix = element["type"] === "matrix";
  recordLeftOut(builder, name, `the question as one: it is a group with a question for each row`);
  const { required, constraint, default: byDefault, ...group } = row;
  if (constraint !== undefined) recordLeftOut(builder, name, "its constraints: a group has none");
  if (byDefault !== undefined) recordLeftOut(builder, name, "its default answer: a group has none");
  if (required !== undefined && !isMatrix) recordLeftOut(builder, name, "required: a group cannot be required");
  builder.survey.push({ ...group, type: "begin_group", ...(isMatrix && { appearance: "table-list" }) });
  if (isMatrix) writeList(builder, name, element["columns"] as JsonObject[], element, "columns");
  for (const part of element["rows"] as JsonObject[]) {
    const format = textAt(part, "format") || "text";
    const type = isMatrix
      ? `${settings["multiple"] === true ? "select_multiple" : "select_one"} ${name}`
      : ({ number: "decimal", date: "date" }[format] ?? "text");
    if (!/^(text|number|date)$/.test(format)) recordLeftOut(builder, name, `the format ${format} of rows`);
    const own: FormRow = { type, name: builder.take(`${name}_${textAt(part, "key")}`) };
    if (part["required"] === true) own["required"] = "yes";
    else if (isMatrix && required !== undefined) own["required"] = required;
    if (part["showIf"]) recordLeftOut(builder, name, "showIf of rows");
    putTexts(
      builder,
      own,
      "label",
      textAt(part, "text"),
      element["translations"],
      `rows.${textAt(part, "key")}`,
      writeTemplate(builder, name),
    );
    builder.survey.push(own);
  }
  builder.survey.push({ type: "end_group", name });
}

function writeLogic(builder: FormBuilder, element: JsonObject, name: string, row: FormRow, settings: JsonObject): void {
  const key = textAt(element, "key");
  const put = (column: string, condition: unknown, self?: string) => {
    const written = orLeaveOut(builder, name, column, () => writeCondition(builder, condition, self));
    if (written !== undefined) row[column] = written;
  };
  if (element["showIf"]) put("relevant", element["showIf"]);
  if (element["required"] === true) row["required"] = "yes";
  else if (element["requiredIf"]) put("required", element["requiredIf"]);
  const constraints = (Array.isArray(element["constraints"]) ? element["constraints"] : []) as {
    must: unknown;
    message: string;
  }[];
  const limits = limitsOf(element, settings);
  const written = constraints.flatMap(({ must, message }, at) => {
    const text = orLeaveOut(builder, name, "a constraint", () => writeCondition(builder, must, key));
    return text === undefined ? [] : [{ text, message, place: `constraints.${at}.message` }];
  });
  const all = [...written.map(({ text }) => text), ...limits];
  if (all.length > 0) row["constraint"] = all.length === 1 ? all[0]! : all.map((each) => `(${each})`).join(" and ");
  if (written.length > 0) {
    const write = writeTemplate(builder, name);
    const [{ message, place }] = written as [(typeof written)[number]];
    putTexts(builder, row, "constraint_message", message, element["translations"], place, write);
    if (limits.length > 0) recordLeftOut(builder, name, "its limits as settings: they are part of its constraint");
  }
  if (constraints.length > 1) recordLeftOut(builder, name, "messages of constraints but the first");
  const byDefault = element["defaultValue"];
  if (byDefault === undefined) return;
  const text = (value: unknown) =>
    typeof value === "boolean"
      ? element["type"] === "consent"
        ? "OK"
        : value
          ? "yes"
          : "no"
      : choiceName(element, String(value));
  const cell = Array.isArray(byDefault) ? byDefault.map(text).join(" ") : text(byDefault);
  if (/\$\{|\w\(/.test(cell)) recordLeftOut(builder, name, "its default answer: a form would calculate it");
  else row["default"] = cell;
}

function limitsOf(
  { type }: JsonObject,
  { min, max, minSelections, maxSelections, mode = "date" }: JsonObject,
): string[] {
  if (type === "multiple_choice") {
    return [
      ...(typeof minSelections === "number" ? [`count-selected(.) >= ${minSelections}`] : []),
      ...(typeof maxSelections === "number" ? [`count-selected(.) <= ${maxSelections}`] : []),
    ];
  }
  if (type !== "number" && type !== "date_time") return [];
  const literal = (value: unknown) =>
    type === "number" ? String(value) : mode === "date" ? `date('${String(value)}')` : `'${String(value)}'`;
  return [
    ...(min === undefined || min === null ? [] : [`. >= ${literal(min)}`]),
    ...(max === undefined || max === null ? [] : [`. <= ${literal(max)}`]),
  ];
}

/** Returns the written expression, or undefined after recording why a form cannot express it. */
export function orLeaveOut(
  builder: FormBuilder,
  source: string,
  what: string,
  write: () => string,
): string | undefined {
  try {
    return write();
  } catch (error) {
    if (!(error instanceof NotSayable)) throw error;
    recordLeftOut(builder, source, `${what}: it ${error.message}`);
    return undefined;
  }
}
