import type { JsonObject } from "@canvass/values";

/** A row of a sheet: its cells by heading. */
export type FormRow = Record<string, string>;

/** An element of a document, to which conditions and texts of the form refer by its name. */
export interface FormElement {
  /** With the choices that it carries. */
  element: JsonObject;
  /** Its name in the form. */
  name: string;
}

/** A form in the making. */
export interface FormBuilder {
  survey: FormRow[];
  choices: FormRow[];
  leftOut: { source: string; what: string }[];
  /** Returns a name that no row has yet. */
  take: (wanted: string) => string;
  elements: ReadonlyMap<string, FormElement>;
  /** Own language first. */
  languages: { tag: string; heading: string }[];
}

/** Records what a form cannot express. */
export function recordLeftOut({ leftOut }: FormBuilder, source: string, what: string): void {
  if (!leftOut.some((known) => known.source === source && known.what === what)) leftOut.push({ source, what });
}

/** Returns the heading of a text in the language at `at`; without a language if the survey has only one. */
export const headingIn = ({ languages }: FormBuilder, column: string, at: number): string =>
  languages.length === 1 ? column : `${column}::${languages[at]!.heading}`;

/** Adds a text with its translations to a row. `place` is its path in the document. */
export function putTexts(
  builder: FormBuilder,
  row: FormRow,
  column: string,
  text: string,
  translations: unknown,
  place: string,
  write: (text: string) => string,
): void {
  for (const [at, { tag }] of builder.languages.entries()) {
    const own = at === 0 ? text : ((translations ?? {}) as Record<string, Record<string, string>>)[tag]?.[place];
    if (own !== undefined) row[headingIn(builder, column, at)] = write(own);
  }
}
