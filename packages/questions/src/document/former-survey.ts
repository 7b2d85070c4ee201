import type { Choice, Column, Page, Question, SurveyDefinition, Translations } from "../definition.ts";
import type { SurveySettingsPatch } from "../survey-settings.ts";
import { keyOf, type DocumentKeys } from "./document-keys.ts";

type Entry = Choice & Partial<Column>;

/** The survey that a document is compared with: the current draft, and what the document may restore. */
export interface FormerSurvey {
  definition: SurveyDefinition;
  /** The published version. */
  published: SurveyDefinition;
  retired: readonly Question[];
  /** As stored. Undefined: not known. */
  settings: SurveySettingsPatch | undefined;
  /** Translations of the texts of the survey itself, such as its name. */
  translations: Translations;
  /** Custom keys of all pages, elements and entries above, by id. */
  keys: DocumentKeys;
  /**
   * Element ids by name key: of retired elements, and of answered ones, which are retired if the document leaves them
   * out. Their names stay reserved.
   */
  keptNames: ReadonlyMap<string, string>;
}

const noPages: SurveyDefinition = { pages: [] };
export const noFormer: FormerSurvey = {
  definition: noPages,
  published: noPages,
  retired: [],
  settings: {},
  translations: {},
  keys: new Map(),
  keptNames: new Map(),
};

/** Indexes the former pages, elements and entries by key. An element that changes its type is a new one. */
export function indexFormer({ definition, published, retired, keys }: FormerSurvey) {
  const pages = [...published.pages, ...definition.pages];
  const pagesByKey = new Map(pages.map((page) => [keyOf("page", page.pageId, keys), page]));
  const elements = new Map<string, Question>();
  // The last of equal keys wins, so the draft comes last.
  const questionsOf = ({ pages: list }: SurveyDefinition) => list.flatMap((page) => page.elements);
  for (const question of [...questionsOf(published), ...retired, ...questionsOf(definition)]) {
    elements.set(nameOf(keyOf("element", question.elementId, keys), question.type), question);
  }
  const publishedById = new Map(questionsOf(published).map((question) => [question.elementId, question]));
  return {
    keys,
    publishedById,
    page: (key: string): Page | undefined => pagesByKey.get(key),
    element: (key: string, type: number): Question | undefined => elements.get(nameOf(key, type)),
    /** Indexes a list by key. Current entries win over retired ones with the same key. */
    entries: (list: readonly Entry[] | undefined): Map<string, Entry> =>
      new Map(
        (list ?? [])
          .toSorted((one, other) => Number(other.retired) - Number(one.retired))
          .map((entry) => [keyOf("entry", entry.id, keys), entry]),
      ),
  };
}

export type FormerByKey = ReturnType<typeof indexFormer>;

const nameOf = (key: string, type: number): string => `${key} ${type}`;
