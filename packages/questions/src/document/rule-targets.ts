import { carriedOther } from "../carried-choices.ts";
import { choicesAndOtherById } from "../chosen-choices.ts";
import { withoutRetired } from "../choice-list.ts";
import type { Question } from "../definition.ts";
import { keyOf, otherKey, type DocumentKeys } from "./document-keys.ts";

interface EntryNames {
  byId: ReadonlyMap<string, string>;
  byKey: ReadonlyMap<string, string>;
}

const known = new WeakMap<DocumentKeys, WeakMap<Question, EntryNames>>();

/** Cached, because many rules may depend on a question with many entries. */
function entryNames(question: Question, keys: DocumentKeys): EntryNames {
  const byQuestion = known.get(keys) ?? new WeakMap<Question, EntryNames>();
  known.set(keys, byQuestion);
  let names = byQuestion.get(question);
  if (!names) {
    const named = namedEntries(question, keys);
    names = { byId: new Map(named), byKey: new Map(named.map(([id, name]) => [name, id])) };
    byQuestion.set(question, names);
  }
  return names;
}

/** Choices, columns, and options as `column.option`, since several columns may have options of the same keys. */
function namedEntries(question: Question, keys: DocumentKeys): [id: string, name: string][] {
  const [own, other] = [new Set(question.choices?.map(({ id }) => id)), carriedOther(question)];
  const choices = withoutRetired([...choicesAndOtherById(question).values()]).map(({ id }): [string, string] => [
    id,
    own.has(id) && id !== other ? keyOf("entry", id, keys) : otherKey,
  ]);
  const columns = withoutRetired(question.columns).flatMap(({ id, options }): [string, string][] => {
    const column = keyOf("entry", id, keys);
    return [
      [id, column],
      ...withoutRetired(options).map((option): [string, string] => [
        option.id,
        `${column}.${keyOf("entry", option.id, keys)}`,
      ]),
    ];
  });
  return [...choices, ...columns];
}

/** Replaces the ids of entries that a rule compares with by their keys. */
export function keyedTarget(question: Question | undefined, target: unknown, keys: DocumentKeys): unknown {
  if (!question) return target;
  const { byId } = entryNames(question, keys);
  return replaceTexts(target, (text) => byId.get(text) ?? text);
}

/** Replaces keys of entries by their ids; undefined if one is no key of an entry of a question that has entries. */
export function targetWithIds(question: Question, target: unknown, keys: DocumentKeys): unknown {
  const { byKey } = entryNames(question, keys);
  if (byKey.size === 0) return target;
  const isKnown = (item: unknown) => typeof item !== "string" || byKey.has(item);
  const isWhole = Array.isArray(target) ? target.every(isKnown) : isKnown(target);
  return isWhole ? replaceTexts(target, (text) => byKey.get(text) ?? text) : undefined;
}

function replaceTexts(target: unknown, replace: (text: string) => string): unknown {
  if (Array.isArray(target)) return target.map((item: unknown) => replaceTexts(item, replace));
  return typeof target === "string" ? replace(target) : target;
}
