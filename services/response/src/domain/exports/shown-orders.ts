import {
  questionTypeOf,
  shownEntries,
  shuffledLists,
  type Question,
  type ShuffledList,
  type SurveyDefinition,
} from "@canvass/questions";

/** Returns the ids of a list's entries in the order that a respondent of a version saw; null without a seed. */
export type ReadOrder = (versionNumber: number, seed: number | null) => string[] | null;

export interface ShownOrders {
  add(versionNumber: number, definition: SurveyDefinition): void;
  /** The lists of a question that any version shuffles. */
  of(question: Question): { list: ShuffledList; read: ReadOrder }[];
}

/** Keeps of each version the lists that it shuffles. */
export function createShownOrders(): ShownOrders {
  const versions = new Map<string, Map<number, Question>>();
  const keyOf = ({ questionId, type }: Question, list: ShuffledList) => `${questionId} ${type} ${list}`;

  function add(versionNumber: number, { pages }: SurveyDefinition): void {
    for (const question of pages.flatMap(({ elements }) => elements)) {
      for (const list of shuffledLists(question.typeSettings)) {
        const key = keyOf(question, list);
        versions.set(key, (versions.get(key) ?? new Map<number, Question>()).set(versionNumber, question));
      }
    }
  }

  function of(question: Question) {
    const { lists } = questionTypeOf(question);
    return (Object.keys(lists) as ShuffledList[]).flatMap((list) => {
      const byVersion = versions.get(keyOf(question, list));
      if (!byVersion) return [];
      const read: ReadOrder = (versionNumber, seed) => {
        const asked = byVersion.get(versionNumber);
        if (!asked || !seed) return null;
        return shownEntries(asked.elementId, asked, list, seed).map(({ id }) => id);
      };
      return [{ list, read }];
    });
  }

  return { add, of };
}
