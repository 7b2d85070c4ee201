import { parse } from "csv-parse/sync";
import { readFileSync } from "node:fs";
import { parse as parseYaml } from "yaml";
import { readBfiItems } from "../../src/index.ts";

// The tests' own view of a document (contract 6.14): they must not share code with the product.

export type Tree = Leaf | { all: Tree[] } | { any: Tree[] } | { not: Tree };
export interface Leaf {
  element: string;
  operator: string;
  value?: unknown;
  answerOf?: string;
}

export interface Entry {
  key: string;
  code: string;
  text: string;
  freeText?: boolean;
  exclusive?: boolean;
}

export interface Element {
  key: string;
  name: string;
  type: string;
  text?: string;
  required?: boolean;
  typeSettings?: Record<string, unknown>;
  choices?: Entry[];
  choicesFrom?: { element: string; which?: "selected" | "not_selected" | "shown" };
  rows?: Entry[];
  columns?: Entry[];
  showIf?: Tree;
  requiredIf?: Tree;
  constraints?: { must: Tree; message: string }[];
  translations?: Record<string, Record<string, string>>;
}

export interface Page {
  key: string;
  title?: string;
  loop?: { element: string };
  showIf?: Tree;
  skipLogic?: { when: Tree; goTo: string }[];
  shuffle?: boolean;
  elements: Element[];
}

export interface SurveyDocument {
  name: string;
  language: string;
  settings?: object;
  translations?: Record<string, Record<string, string>>;
  fields?: { name: string; type: "text" | "number"; default?: string }[];
  quotas?: { name: string; when: Tree; limit: number; onFull: string }[];
  pages: Page[];
}

const textOf = (file: string): string => readFileSync(new URL(file, import.meta.url), "utf8");

export function readDocument(file: string): SurveyDocument {
  return parseYaml(textOf(file)) as SurveyDocument;
}

/** Returns the document whose elements have the choices that they carry (contract 6.23). Chains are in order. */
export function withCarried(document: SurveyDocument): SurveyDocument {
  const known = new Map<string, Entry[]>();
  const carrying = (element: Element): Element => {
    const from = element.choicesFrom;
    const carried = from && known.get(from.element)!.filter(({ exclusive }) => !exclusive);
    const choices = carried?.map(({ key, code, text }) => ({ key, code, text })) ?? element.choices;
    if (!choices) return element;
    known.set(element.key, choices);
    return { ...element, choices };
  };
  return { ...document, pages: document.pages.map((page) => ({ ...page, elements: page.elements.map(carrying) })) };
}

const languages = ["de", "fr", "es"] as const;
type Texts = Record<"name" | (typeof languages)[number], string>;

const steps: Record<"en" | (typeof languages)[number], string[]> = {
  en: ["Very inaccurate", "Inaccurate", "Rather inaccurate", "Rather accurate", "Accurate", "Very accurate"],
  de: ["Gar nicht", "Nicht", "Eher nicht", "Eher", "Ja", "Ganz genau"],
  fr: ["Pas du tout", "Non", "Plutôt non", "Plutôt oui", "Oui", "Tout à fait"],
  es: ["Nada", "No", "Más bien no", "Más bien sí", "Sí", "Del todo"],
};

/**
 * Items with `Keying` -1 in the data set, without those of N: there N counts emotional stability, here neuroticism.
 */
const reversed = new Set(["A1", "C4", "C5", "E1", "E2", "O2", "O5"]);

/**
 * The Big Five in four languages, a page for each trait, with items in a random order. Choices have the codes of the
 * key, so that a scale is the mean of its codes whatever the wording.
 */
export function bigFiveDocument(): SurveyDocument {
  const texts = new Map(
    parse(textOf("big-five.csv"), { columns: true, skip_empty_lines: true }).map((row: unknown) => [
      (row as Texts).name,
      row as Texts,
    ]),
  );
  const items = readBfiItems().filter(({ kind }) => kind === "rating");
  const elements = items.map(({ key, text }): Element => {
    const choices = steps.en.map((label, at) => ({
      key: `step${at + 1}`,
      code: String(reversed.has(key) ? 6 - at : at + 1),
      text: label,
    }));
    const translations = languages.map((language) => {
      const own = steps[language].map((label, at) => [`choices.step${at + 1}`, label]);
      return [language, { text: texts.get(key)![language], ...Object.fromEntries(own) }];
    });
    return {
      key: key.toLowerCase(),
      name: key,
      type: "multiple_choice",
      text,
      choices,
      translations: Object.fromEntries(translations),
    };
  });
  const traits = Map.groupBy(elements, ({ name }) => name[0]!);
  return {
    name: "Big Five",
    language: "en",
    settings: { locale: { languages: [...languages], showSwitch: true } },
    translations: {
      de: { name: "Die großen Fünf" },
      fr: { name: "Les cinq grands" },
      es: { name: "Los cinco grandes" },
    },
    pages: [...traits].map(([trait, own]) => ({ key: trait.toLowerCase(), shuffle: true, elements: own })),
  };
}
