import type { Choice, Column, Question } from "../definition.ts";
import { listNames } from "../list-names.ts";
import { keyOf, type DocumentKeys } from "./document-keys.ts";
import type { KeyedEntry } from "./read-entries.ts";

type Entry = Choice & Partial<Column>;
type Named = Partial<Record<(typeof listNames)[number], readonly KeyedEntry[]>>;

/**
 * Adds to a question's lists the entries that a document names and only the published version still has, so that they
 * come back with their ids.
 */
export function recallEntries(question: Question, published: Question | undefined, named: Named, keys: DocumentKeys) {
  if (!published) return question;
  const lists = listNames.flatMap((name) => {
    const list = named[name] && recall(question[name] ?? [], published[name] ?? [], named[name], keys);
    return list ? [[name, list] as const] : [];
  });
  return { ...question, ...Object.fromEntries(lists) };
}

function recall(
  list: readonly Entry[],
  published: readonly Entry[],
  named: readonly KeyedEntry[],
  keys: DocumentKeys,
): Entry[] {
  const namedByKey = new Map(named.map((entry) => [entry.key, entry]));
  const publishedById = new Map(published.map((entry) => [entry.id, entry]));
  const present = new Set(list.map(({ id }) => keyOf("entry", id, keys)));
  const kept = list.map((entry): Entry => {
    const options = namedByKey.get(keyOf("entry", entry.id, keys))?.options;
    const former = publishedById.get(entry.id)?.options;
    return options && entry.options && former
      ? { ...entry, options: recall(entry.options, former, options, keys) }
      : entry;
  });
  const isBack = ({ id }: Entry) => {
    const key = keyOf("entry", id, keys);
    return namedByKey.has(key) && !present.has(key);
  };
  return [...kept, ...published.filter(isBack)];
}
