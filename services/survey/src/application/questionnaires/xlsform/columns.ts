import { languageTagOf } from "../languages.ts";

/** A heading such as `label::Deutsch (de)`. */
export interface Heading {
  name: string;
  /** As written; empty: of the form's default language. */
  language: string;
}

const aliases: Record<string, string> = {
  relevance: "relevant",
  read_only: "readonly",
  calculation: "calculation",
  calculate: "calculation",
  "constraint message": "constraint_message",
  constraintmsg: "constraint_message",
  "list name": "list_name",
  caption: "label",
  value: "name",
  command: "type",
  "choice filter": "choice_filter",
};

export interface SheetRow {
  /** As spreadsheets count: the headings are row 1. */
  number: number;
  /** By the name of the heading, then by its language. */
  cells: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

/** Reads the rows below the headings of a sheet; empty ones are left out. `isChoices`: the sheet is `choices`. */
export function rowsOf(sheet: readonly string[][] = [], isChoices = false): { headings: Heading[]; rows: SheetRow[] } {
  const [first = [], ...others] = sheet;
  const headings = first.map((heading) => headingOf(heading, isChoices));
  const rows = others.flatMap((values, at): SheetRow[] => {
    const cells = new Map<string, Map<string, string>>();
    for (const [index, { name, language }] of headings.entries()) {
      const value = values[index] ?? "";
      if (name === "" || value === "") continue;
      const byLanguage = cells.get(name) ?? new Map<string, string>();
      cells.set(name, byLanguage);
      if (!byLanguage.has(language)) byLanguage.set(language, value);
    }
    return cells.size === 0 ? [] : [{ number: at + 2, cells }];
  });
  return { headings, rows };
}

const translated = /^(label|hint|constraint_message|required_message|guidance_hint|image|audio|video|media)$/;

function headingOf(heading: string, isChoices: boolean): Heading {
  const text = heading.trim();
  const [head = "", ...rest] = text.includes("::") ? text.split("::") : text.split(":");
  const plain = head.trim().toLowerCase().replaceAll(/\s+/g, " ");
  const alias = Object.hasOwn(aliases, plain) && !(isChoices && plain === "calculation") ? aliases[plain]! : plain;
  const name = alias.replaceAll(" ", "_");
  if (rest.length === 0) return { name: isChoices ? columnName(alias, head) : name, language: "" };
  const parts = name === "media" ? rest.slice(1) : rest;
  return translated.test(name)
    ? { name, language: parts.join("::").trim() }
    : { name: text.toLowerCase(), language: "" };
}

/** Columns of choices that filters name keep their case. */
const columnName = (alias: string, head: string): string =>
  /^(list_name|name|label|image|audio|video)$/.test(alias) ? alias : head.trim();

export const plainCell = ({ cells }: SheetRow, name: string): string => cells.get(name)?.get("") ?? "";

export interface FormLanguages {
  /** The survey's own language. */
  own: string;
  /** How the headings of the survey's own language call it. */
  ownName: string;
  /** Tags of the other headings' languages, by their names. */
  others: ReadonlyMap<string, string>;
  /** Names in headings whose texts are left out: they name no known language, or one that another heading has. */
  unknown: string[];
}

/** Finds the languages of a form by the headings of its survey and choices, and its `default_language`. */
export function languagesOf(
  survey: readonly Heading[],
  choices: readonly Heading[],
  defaultLanguage: string,
): FormLanguages {
  const all = [...survey, ...choices].map(({ language }) => language);
  const names = [...new Set(all)].filter((name) => name !== "" && name.toLowerCase() !== "default");
  const hasPlain = survey.some(({ name, language }) => name === "label" && /^(|default)$/i.test(language));
  const english = names.find((name) => languageTagOf(name) === "en");
  const defaultTag = languageTagOf(defaultLanguage);
  const named =
    names.find((name) => name === defaultLanguage) ??
    names.find((name) => defaultTag !== undefined && languageTagOf(name) === defaultTag);
  // Without a language of their own, plain headings are those of the default language.
  const ownName = named ?? (hasPlain ? (defaultLanguage === "" ? (english ?? "") : "") : (names[0] ?? ""));
  const own = languageTagOf(ownName) ?? defaultTag ?? "en";
  const others = new Map<string, string>();
  const unknown: string[] = [];
  for (const name of names.filter((each) => each !== ownName)) {
    const tag = languageTagOf(name);
    if (tag === undefined || tag === own || [...others.values()].includes(tag)) unknown.push(name);
    else others.set(name, tag);
  }
  return { own, ownName, others, unknown };
}

/** Returns a text in the form's own language: below a heading in it, else below one without a language. */
export function ownCell({ cells }: SheetRow, name: string, { ownName }: FormLanguages): string {
  const values = cells.get(name);
  return values?.get(ownName) ?? values?.get("") ?? values?.get("default") ?? "";
}
