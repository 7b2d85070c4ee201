import type { Canvass } from "@canvass/sdk";
import type { ValueSchema } from "../types/value-type.ts";
import type { AnswersSchema } from "../types/render-types.ts";

export interface Element {
  elementId: string;
  key: string;
  type: string;
  text: string | null;
  schema: ValueSchema;
}

/** Elements by version, which never changes. Kept for as long as the program runs. */
export type KnownVersions = Map<number, readonly Element[]>;

/** Returns the elements of all versions, newest version first. */
export async function readElements(
  canvass: Canvass,
  { surveyId, known, signal }: { surveyId: string; known: KnownVersions; signal: AbortSignal },
): Promise<Element[]> {
  const { publishedVersion } = await canvass.surveys.get(surveyId, { signal });
  const found = new Map<string, Element>();
  for (let version = publishedVersion ?? 0; version > 0; version--) {
    const elements = known.get(version) ?? (await readVersion(canvass, { surveyId, version, signal }));
    known.set(version, elements);
    for (const element of elements) if (!found.has(element.elementId)) found.set(element.elementId, element);
  }
  return [...found.values()];
}

async function readVersion(
  canvass: Canvass,
  { surveyId, version, signal }: { surveyId: string; version: number; signal: AbortSignal },
): Promise<Element[]> {
  const { data } = await canvass.api.getAnswersSchema({ path: { surveyId }, query: { version }, signal });
  const { oneOf, $defs } = data as unknown as AnswersSchema;
  return oneOf.map(({ title: key, properties: { elementId, type } }) => {
    const schema = $defs[key] ?? {};
    return { elementId: elementId.const, key, type: type.const, text: schema.description ?? null, schema };
  });
}
