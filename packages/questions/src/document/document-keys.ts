import { isId } from "@canvass/values";
import type { Question, SurveyDefinition } from "../definition.ts";
import { listNames } from "../list-names.ts";

/** Keys that differ from the default, by the id of a page, an element or an entry of a list. */
export type DocumentKeys = ReadonlyMap<string, string>;

const prefixes = { page: "p_", element: "q_", entry: "e_" } as const;
export type KeyedKind = keyof typeof prefixes;

/** The key of Other in the conditions of its question. */
export const otherKey = "other";

/** Returns the key of an item, which never changes: the stored one, otherwise one made of its id. */
export function keyOf(kind: KeyedKind, id: string, keys: Pick<DocumentKeys, "get">): string {
  return keys.get(id) ?? prefixes[kind] + id;
}

/** Returns the id that a default key of an element is made of. */
export function elementIdInKey(key: string): string | undefined {
  const id = key.startsWith(prefixes.element) ? key.slice(prefixes.element.length) : "";
  return isId(id) ? id : undefined;
}

export const isDefaultKey = (kind: KeyedKind, id: string, key: string): boolean => key === prefixes[kind] + id;

/** Returns the ids of all items that have a key. Yields after each question. */
export function* keyedIds({ pages }: SurveyDefinition): Generator<void, string[]> {
  const ids: string[] = [];
  for (const { pageId, elements } of pages) {
    ids.push(pageId);
    for (const question of elements) {
      ids.push(...keyedIdsOf(question));
      yield;
    }
  }
  return ids;
}

export function keyedIdsOf(question: Question): string[] {
  const ids = [question.elementId];
  for (const name of listNames) {
    for (const { id, options = [] } of (question[name] ?? []) as { id: string; options?: { id: string }[] }[]) {
      ids.push(id, ...options.map((option) => option.id));
    }
  }
  return ids;
}
