import { otherOf } from "../chosen-choices.ts";
import type { Choice, Column, Question, SurveyDefinition, Translations } from "../definition.ts";
import { listNames } from "../list-names.ts";
import { knownTranslations } from "../translations/known-translations.ts";
import { textsOfQuestion } from "../translations/text-places.ts";

/**
 * Returns the definition that restores a stored one: answered entries that only the former questions have are retired
 * (contract 6.13). Of former questions of one element the last counts. Yields per page.
 */
export function* restoringDefinition(
  stored: SurveyDefinition,
  former: readonly Question[],
  isAnswered: (entryId: string) => boolean,
): Generator<void, SurveyDefinition> {
  const byId = new Map(former.map((question) => [question.elementId, question]));
  const pages = [];
  for (const page of stored.pages) {
    const elements = page.elements.map((question) => {
      const before = byId.get(question.elementId);
      return before ? restoreQuestion(question, before, isAnswered) : question;
    });
    pages.push({ ...page, elements });
    yield;
  }
  return { ...stored, pages };
}

function restoreQuestion(stored: Question, former: Question, isAnswered: (entryId: string) => boolean): Question {
  const codes = new Set([otherOf(stored)?.code]);
  const lists = listNames.flatMap((name) => {
    const list = stored[name] && restoreList(stored[name], former[name] ?? [], codes, isAnswered);
    return list && list !== stored[name] ? [[name, list] as const] : [];
  });
  const other = restoreOther(stored, former, isAnswered);
  if (lists.length === 0 && !other) return stored;
  const typeSettings = other ? { ...stored.typeSettings, other } : stored.typeSettings;
  return withFormerTexts({ ...stored, ...Object.fromEntries(lists), typeSettings }, stored, former);
}

type Entry = Choice & Partial<Column>;

/** Returns `stored` itself if it has all answered entries. An entry whose code another one has got back loses it. */
function restoreList(
  stored: readonly Entry[],
  former: readonly Entry[],
  otherCodes: ReadonlySet<string | null | undefined>,
  isAnswered: (entryId: string) => boolean,
): readonly Entry[] {
  const formerById = new Map(former.map((entry) => [entry.id, entry]));
  const list = stored.map((entry) => {
    const options = formerById.get(entry.id)?.options;
    const restored = entry.options && options && restoreList(entry.options, options, new Set(), isAnswered);
    return restored && restored !== entry.options ? { ...entry, options: [...restored] } : entry;
  });
  const codes = new Set([...otherCodes, ...stored.map(({ code }) => code)]);
  const ids = new Set(stored.map(({ id }) => id));
  const lost = former.filter(({ id }) => !ids.has(id) && isAnswered(id));
  if (lost.length === 0) return list.every((entry, at) => entry === stored[at]) ? stored : list;
  const retired = lost.map((entry) => ({ ...withFreeCode(entry, codes), retired: true }));
  return [
    ...list.filter((entry) => !entry.retired),
    // Sorted by id, as edits leave them.
    ...[...list.filter((entry) => entry.retired), ...retired].toSorted((one, other) => (one.id < other.id ? -1 : 1)),
  ];
}

/** An answered Other keeps its id, although the stored question had none yet. */
function restoreOther(stored: Question, former: Question, isAnswered: (entryId: string) => boolean) {
  const other = otherOf(former);
  if (!other?.choiceId || otherOf(stored)?.choiceId || !isAnswered(other.choiceId)) return undefined;
  return { ...withFreeCode(other, new Set(stored.choices?.map(({ code }) => code))), enabled: false };
}

function withFreeCode<Coded extends { code?: string | null }>(
  { code, ...entry }: Coded,
  taken: ReadonlySet<string | null | undefined>,
) {
  return code && !taken.has(code) ? { ...entry, code } : entry;
}

/** Retired entries keep their translations. */
function withFormerTexts(restored: Question, stored: Question, { translations = {} }: Question): Question {
  const own = new Set(textsOfQuestion(stored).map(({ place }) => place));
  const added = textsOfQuestion(restored).filter(({ place }) => !own.has(place));
  const merged: Translations = { ...stored.translations };
  for (const [language, texts] of Object.entries(knownTranslations(added, translations)))
    merged[language] = { ...texts, ...merged[language] };
  return Object.keys(merged).length > 0 ? { ...restored, translations: merged } : restored;
}
