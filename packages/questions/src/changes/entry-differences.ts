import { affectsResults, type ChangeClass } from "../change-class.ts";
import type { Choice, Column, Question } from "../definition.ts";
import { entryMarks, type EntryMark } from "../entry-marks.ts";
import type { DifferenceDraft } from "./translation-differences.ts";
import { nameEntries, nameOfQuestion, quoted } from "./wording.ts";
import type { AnsweredCounts, ChangeKind, EntryList } from "./change.ts";

type Entry = Choice & Column;
type Pair = readonly [Entry | null, Entry | null];
type Lists = readonly [before: readonly Entry[], after: readonly Entry[]];

/** Removing a choice keeps the meaning of a question; removing a row or column changes it. */
const removal: Record<EntryList, ChangeClass> = {
  choices: affectsResults,
  options: affectsResults,
  rows: "breaking",
  columns: "breaking",
};

export function entryDifferences(before: Question, after: Question, answered: AnsweredCounts): DifferenceDraft[] {
  const listsOf = (name: "choices" | "rows" | "columns"): Lists[] => [[before[name] ?? [], after[name] ?? []]];
  const all = {
    choices: listsOf("choices"),
    rows: listsOf("rows"),
    columns: listsOf("columns"),
    options: optionLists(before, after),
  };
  return Object.entries(all).flatMap(([name, lists]) =>
    differencesOf(name as EntryList, lists, answered, nameOfQuestion(after)),
  );
}

/** Returns the options of columns in both versions; others are added and removed with their column. */
function optionLists(before: Question, after: Question): Lists[] {
  const columns = new Map((after.columns ?? []).map((column) => [column.id, column]));
  return (before.columns ?? []).flatMap(({ id, options = [] }): Lists[] => {
    const column = columns.get(id);
    return column ? [[options, column.options ?? []]] : [];
  });
}

function differencesOf(
  name: EntryList,
  lists: readonly Lists[],
  answered: AnsweredCounts,
  question: string,
): DifferenceDraft[] {
  const pairs = lists.flatMap(pairUp);
  const added = pairs.filter(([old]) => old === null);
  const restored = pairs.filter(([old, now]) => old?.retired && now?.retired === false);
  const removed = pairs.filter(([old, now]) => old && (now === null || (now.retired && !old.retired)));
  const reworded = pairs.filter(([old, now]) => old && now && !isSameWording(old, now));
  const recoded = pairs.filter(([old, now]) => old && now && old.code !== now.code);
  const marked = pairs.filter(([old, now]) => old && now && changedMarksOf([old, now]).length > 0);
  const marks = entryMarks.filter((mark) => marked.some((pair) => changedMarksOf(pair).includes(mark)));
  const ruled = pairs.filter(([old, now]) => old && now && !isSameRule(old, now));
  const reordered = lists.map(activeOrders).filter(([old, now]) => old.some((id, at) => now[at] !== id));
  // A new entry affects all answers, a removed one only answers that have it.
  const unretired = removed.filter(([old]) => !old!.retired);
  const advice = removal[name] === "breaking" ? "; where they were answered, add a new question instead" : "";
  const affected = added.some(([, now]) => !now!.retired) ? answered.responses : 0;
  const named = (some: readonly Pair[]) => `${namesOf(name, some)} of ${question}`;
  return [
    buildDifference(`${name}_added`, added, affectsResults, affected, `Adds ${namesOf(name, added)} to ${question}.`),
    buildDifference(
      `${name}_reworded`,
      reworded,
      affectsResults,
      countNaming(reworded, answered),
      rewording(reworded, named),
    ),
    // Exports number values by codes only if all entries have one, so a code concerns answers with other entries, too.
    buildDifference(
      `${name}_recoded`,
      recoded,
      affectsResults,
      answered.responses,
      `Changes the ${recoded.length === 1 ? "code" : "codes"} of ${named(recoded)}.`,
    ),
    // Pinning affects no answers. The other marks affect answers that have the entry.
    buildDifference(
      `${name}_marked`,
      marked,
      affectsResults,
      countNaming(
        marked.filter((pair) => changedMarksOf(pair).some((mark) => mark !== "pinned")),
        answered,
      ),
      `Changes ${marks.join(", ")} of ${named(marked)}.`,
    ),
    buildDifference(
      "rows_rules_changed",
      ruled,
      ruled.some(isOtherKind) ? "breaking" : affectsResults,
      ruled.some(([old, now]) => now!.required && !old!.required) ? answered.responses : countNaming(ruled, answered),
      `Changes what ${named(ruled)} ${ruled.length === 1 ? "takes" : "take"}.`,
    ),
    buildDifference(
      `${name}_removed`,
      removed,
      removal[name],
      countNaming(unretired, answered),
      `Removes ${named(removed)}${advice}.`,
    ),
    buildDifference(`${name}_restored`, restored, affectsResults, answered.responses, `Restores ${named(restored)}.`),
    ...(reordered.length > 0 ? [reordering(name, reordered, answered.responses, question)] : []),
  ].filter((difference) => difference !== null);
}

const namesOf = (name: EntryList, pairs: readonly Pair[]): string =>
  nameEntries(
    name,
    pairs.map(([old, now]) => (old ?? now)!.text),
  );

function rewording(pairs: readonly Pair[], named: (pairs: readonly Pair[]) => string): string {
  if (pairs.every(([old, now]) => old!.text === now!.text)) return `Changes the picture of ${named(pairs)}.`;
  return pairs.length === 1 ? `Rewords ${named(pairs)} to ${quoted(pairs[0]![1]!.text)}.` : `Rewords ${named(pairs)}.`;
}

function buildDifference(
  kind: ChangeKind,
  pairs: readonly Pair[],
  worst: ChangeClass,
  affectedResponses: number,
  message: string,
): DifferenceDraft | null {
  if (pairs.length === 0) return null;
  const side = (at: 0 | 1) => pairs.flatMap((pair) => (pair[at] ? [shown(pair[at])] : []));
  const change = { kind, class: affectedResponses > 0 ? worst : ("safe" as const), affectedResponses };
  return { ...change, subject: "", before: side(0), after: side(1), message };
}

function shown(entry: Entry): object {
  const { options: _, ...own } = entry;
  return own;
}

function reordering(
  name: EntryList,
  orders: readonly (readonly [string[], string[]])[],
  responses: number,
  question: string,
): DifferenceDraft {
  return {
    kind: `${name}_reordered`,
    class: responses > 0 ? affectsResults : "safe",
    affectedResponses: responses,
    subject: "",
    before: orders.flatMap(([old]) => old),
    after: orders.flatMap(([, now]) => now),
    message: `Reorders the ${name} of ${question}.`,
  };
}

/** Counts answers that have one of the entries, at most all answers. An answer with several counts for each. */
function countNaming(pairs: readonly Pair[], { responses, byKey }: AnsweredCounts): number {
  const named = pairs.reduce((sum, [old]) => sum + (byKey.get(old!.id) ?? 0), 0);
  return Math.min(named, responses);
}

function pairUp([before, after]: Lists): Pair[] {
  const rest = new Map(after.map((entry) => [entry.id, entry]));
  const kept = before.map((old): Pair => {
    const now = rest.get(old.id) ?? null;
    rest.delete(old.id);
    return [old, now];
  });
  return [...kept, ...[...rest.values()].map((now): Pair => [null, now])];
}

function isSameWording(old: Entry, now: Entry): boolean {
  return old.text === now.text && (old.imageUrl ?? null) === (now.imageUrl ?? null);
}

function changedMarksOf([old, now]: Pair): EntryMark[] {
  return entryMarks.filter((mark) => (old?.[mark] ?? false) !== (now?.[mark] ?? false));
}

/** Whether a form's field takes the same answers. */
const isSameRule = (old: Entry, now: Entry): boolean => old.format === now.format && old.required === now.required;

/** Results of different kinds (number, date, text) cannot be added up. */
function isOtherKind([old, now]: Pair): boolean {
  const kinds = [old, now].map((entry) => (["number", "date"].includes(entry?.format ?? "") ? entry!.format : "text"));
  return kinds[0] !== kinds[1];
}

function activeOrders([before, after]: Lists): readonly [string[], string[]] {
  const keptIds = (list: readonly Entry[]) => list.filter(({ retired }) => !retired).map(({ id }) => id);
  const [old, now] = [keptIds(before), keptIds(after)];
  const [inOld, inNow] = [new Set(old), new Set(now)];
  return [old.filter((id) => inNow.has(id)), now.filter((id) => inOld.has(id))];
}
