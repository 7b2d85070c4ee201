import type { Page, SurveyDefinition } from "../definition.ts";
import { declaredName } from "../fields/declared-name.ts";
import { nameKey } from "../name-key.ts";
import { referenceOf } from "./reference.ts";
import { mapTranslations } from "./piped-texts.ts";
import { hasBraces, renamePlaceholders } from "./template.ts";

/** Replaces names of elements in a text by ids, and writes names of fields as declared. Unknown names stay. */
export type ResolveNames = (text: string) => string;

export function nameResolver({ pages, fields }: Pick<SurveyDefinition, "pages" | "fields">): ResolveNames {
  let names: ReadonlyMap<string, string> | undefined;
  const find = () => {
    const elements = pages.flatMap((page) => page.elements);
    const named = elements.flatMap(({ name, elementId }) =>
      name === undefined ? [] : [[nameKey(name), elementId] as const],
    );
    return new Map([...named, ...elements.map(({ elementId }) => [elementId, elementId] as const)]);
  };
  return (text) =>
    renamePlaceholders(text, (name) => {
      const reference = referenceOf(name);
      if (reference?.kind === "element") return (names ??= find()).get(nameKey(reference.name));
      if (reference?.kind !== "field") return undefined;
      const declared = declaredName(fields, reference.name);
      return declared && `field.${declared}`;
    });
}

/**
 * Returns a function that writes names of elements where a text has their ids, for people. Its texts resolve to what they
 * were: a placeholder for which that does not hold stays, and so do those of elements without a name.
 */
export function namesForIds(definition: Pick<SurveyDefinition, "pages" | "fields">): (text: string) => string {
  const resolve = nameResolver(definition);
  const named = definition.pages.flatMap(({ elements }) =>
    elements.flatMap(({ elementId, name }) => (name === undefined ? [] : [[elementId, name] as const])),
  );
  const names = new Map(named);
  return (text) => {
    const written = renamePlaceholders(text, (id) => names.get(id));
    return resolve(written) === text ? written : text;
  };
}

export function resolvePageTitle<Part extends Pick<Page, "title" | "translations">>(
  page: Part,
  resolve: ResolveNames,
): Part {
  const { title, translations } = page;
  if (title === null || !hasBraces(title)) return page;
  return {
    ...page,
    title: resolve(title),
    ...(translations && { translations: mapTranslations(translations, resolve) }),
  };
}
