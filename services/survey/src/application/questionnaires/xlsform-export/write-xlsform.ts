import { isJsonObject, ownValue, type JsonObject } from "@canvass/values";
import { textAt } from "../json-values.ts";
import { writeSheets } from "../files/write-sheets.ts";
import {
  headingIn,
  recordLeftOut,
  putTexts,
  type FormBuilder,
  type FormElement,
  type FormRow,
} from "./form-builder.ts";
import { withCarriedChoices } from "./carried-choices.ts";
import { orLeaveOut, writeElement } from "./write-element.ts";
import { writeCondition } from "./write-condition.ts";
import { writeTemplate } from "./write-template.ts";

const surveyColumns = [
  "type",
  "name",
  "label",
  "hint",
  "required",
  "relevant",
  "constraint",
  "constraint_message",
  "appearance",
  "default",
  "parameters",
  "repeat_count",
];
const translated = new Set(["label", "hint", "constraint_message"]);

/** Writes a survey's document (contract 6.14) as an XLSForm. The sheet `left_out` lists what a form cannot express. */
export async function writeXlsform(documentJson: string): Promise<Uint8Array> {
  const document = JSON.parse(documentJson) as JsonObject;
  const pages = document["pages"] as (JsonObject & { elements: JsonObject[] })[];
  const fields = (Array.isArray(document["fields"]) ? document["fields"] : []) as JsonObject[];
  const take = createNames(fields.map((field) => textAt(field, "name")));
  const builder: FormBuilder = {
    take,
    survey: [],
    choices: [],
    leftOut: [],
    elements: namedElements(pages, take),
    languages: languagesOf(document),
  };
  writeFields(builder, fields);
  const isPlain = pages.length === 1 && Object.keys(pages[0]!).every((name) => name === "key" || name === "elements");
  for (const page of pages) {
    if (isPlain) for (const { key } of page.elements) writeElement(builder, builder.elements.get(String(key))!);
    else writePage(builder, page);
  }
  recordLeftOutLanguages(builder, document);
  recordLeftOutParts(builder, document);
  const columns = (names: readonly string[]) =>
    names.flatMap((name) =>
      translated.has(name) ? builder.languages.map((_, at) => headingIn(builder, name, at)) : [name],
    );
  const [own] = builder.languages;
  return writeSheets([
    { name: "survey", columns: columns(surveyColumns), rows: builder.survey },
    { name: "choices", columns: columns(["list_name", "name", "label"]), rows: builder.choices },
    {
      name: "settings",
      columns: ["form_title", "form_id", "default_language"],
      rows: [
        {
          form_title: textAt(document, "name"),
          form_id: formId(textAt(document, "name")),
          default_language: own!.heading,
        },
      ],
    },
    ...(builder.leftOut.length > 0
      ? [
          {
            name: "left_out",
            columns: ["source", "what"],
            rows: builder.leftOut.map((each): FormRow => ({ ...each })),
          },
        ]
      : []),
  ]);
}

/** References are by name anywhere in a form, so each name occurs once. Hidden fields keep theirs. */
function createNames(ofFields: readonly string[]): (wanted: string) => string {
  const taken = new Set(ofFields.map((name) => name.toLowerCase()));
  return (wanted) => {
    let name = wanted;
    for (let at = 2; taken.has(name.toLowerCase()); at += 1) name = `${wanted}_${at}`;
    taken.add(name.toLowerCase());
    return name;
  };
}

/** Returns the elements by key. Those with a name keep it; then the others are named after their keys. */
function namedElements(
  pages: readonly { elements: JsonObject[] }[],
  take: (wanted: string) => string,
): Map<string, FormElement> {
  const hasName = (element: JsonObject) => textAt(element, "name") !== "";
  const elements = elementsWithChoices(pages);
  return new Map(
    [...elements.filter(hasName), ...elements.filter((each) => !hasName(each))].map((element) => [
      textAt(element, "key"),
      { element, name: take(textAt(element, "name") || textAt(element, "key")) },
    ]),
  );
}

function elementsWithChoices(pages: readonly { elements: JsonObject[] }[]): JsonObject[] {
  const known = new Map<string, JsonObject>();
  for (const element of pages.flatMap((page) => page.elements))
    known.set(
      textAt(element, "key"),
      withCarriedChoices(element, (key) => known.get(key)),
    );
  return [...known.values()];
}

function languagesOf(document: JsonObject): FormBuilder["languages"] {
  const translated = new Set<string>();
  addTranslated(document, translated);
  // A language without texts would have no columns.
  const shown = [textAt(document, "language"), ...otherLanguages(document).filter((tag) => translated.has(tag))];
  return shown.map((tag) => ({ tag, heading: languageHeading(tag) }));
}

function otherLanguages(document: JsonObject): string[] {
  const locale = isJsonObject(document["settings"]) ? ownValue(document["settings"], "locale") : undefined;
  return isJsonObject(locale) && Array.isArray(locale["languages"]) ? (locale["languages"] as string[]) : [];
}

const languageHeading = (tag: string): string =>
  `${new Intl.DisplayNames("en", { type: "language" }).of(tag) ?? tag} (${tag})`;

/** A form knows a language by its columns alone. */
function recordLeftOutLanguages(builder: FormBuilder, document: JsonObject): void {
  const used = new Set([...builder.survey, ...builder.choices].flatMap((row) => Object.keys(row)));
  for (const heading of otherLanguages(document).map(languageHeading)) {
    const hasTexts = [...used].some((column) => column.endsWith(`::${heading}`));
    if (!hasTexts) recordLeftOut(builder, "survey", `the language ${heading}: a form has no text in it`);
  }
}

/** Adds the languages of all translations in a part of a document. */
function addTranslated(part: unknown, languages: Set<string>): void {
  if (typeof part !== "object" || part === null) return;
  for (const [key, value] of Object.entries(part)) {
    if (key === "translations" && isJsonObject(value)) Object.keys(value).forEach((tag) => languages.add(tag));
    else addTranslated(value, languages);
  }
}

function writeFields(builder: FormBuilder, fields: readonly JsonObject[]): void {
  for (const field of fields) {
    const name = textAt(field, "name");
    if (field["type"] === "number") recordLeftOut(builder, name, "that the hidden field is a number");
    builder.survey.push({
      type: "hidden",
      name,
      ...(field["default"] !== undefined && { default: textAt(field, "default") }),
    });
  }
}

function writePage(builder: FormBuilder, page: JsonObject & { elements: JsonObject[] }): void {
  const name = builder.take(textAt(page, "key"));
  const loop = isJsonObject(page["loop"]) ? builder.elements.get(textAt(page["loop"], "element")) : undefined;
  const word = loop ? "repeat" : "group";
  const row: FormRow = { type: `begin_${word}`, name, ...(!loop && { appearance: "field-list" }) };
  if (loop) row["repeat_count"] = `count-selected(\${${loop.name}})`;
  if (typeof page["title"] === "string")
    putTexts(builder, row, "label", page["title"], page["translations"], "title", writeTemplate(builder, name));
  const { showIf } = page;
  const relevant = showIf ? orLeaveOut(builder, name, "relevant", () => writeCondition(builder, showIf)) : undefined;
  if (relevant !== undefined) row["relevant"] = relevant;
  for (const part of ["skipLogic", "shuffle", "block"]) if (page[part]) recordLeftOut(builder, name, part);
  builder.survey.push(row);
  for (const { key } of page.elements) writeElement(builder, builder.elements.get(String(key))!);
  builder.survey.push({ type: `end_${word}`, name });
}

function recordLeftOutParts(builder: FormBuilder, { description, quotas, settings }: JsonObject): void {
  if (description) recordLeftOut(builder, "survey", "the description");
  if (quotas) recordLeftOut(builder, "survey", "quotas");
  for (const group of Object.keys(isJsonObject(settings) ? settings : {}))
    if (group !== "locale") recordLeftOut(builder, "survey", `settings.${group}`);
}

function formId(name: string): string {
  const id = name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9_]+/g, "_")
    .replaceAll(/^_+|_+$/g, "")
    .slice(0, 60);
  return /^[a-z]/.test(id) ? id : `survey_${id}`;
}
