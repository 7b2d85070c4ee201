import {
  mergeVersions,
  questionTypeOf,
  type ExportName,
  type Question,
  type SurveyDefinition,
} from "@canvass/questions";
import { growCodeLists, codeListsOf, type CodeLists } from "./code-lists.ts";

export interface MergedQuestion {
  question: Question;
  elementIds: ReadonlySet<string>;
  /** Items of the loops that contain it. Null stands for a page outside of loops. */
  items: readonly (ExportName | null)[];
  codes: CodeLists;
}

interface Group {
  merged: Question;
  elementIds: Set<string>;
  /** Elements over whose choices its pages loop; "" for a page without a loop. */
  loops: Set<string>;
  codes: CodeLists;
  /** The newest version that contains it. `place` is its position there. */
  version: number;
  place: number;
}

export interface QuestionMerger {
  /** Adds the next version, oldest first, so that only one version is in memory. */
  add(definition: SurveyDefinition): void;
  /** Returns questions in the order of the newest version, then removed ones, the latest first. */
  questions(): MergedQuestion[];
}

export function createQuestionMerger(): QuestionMerger {
  const groups = new Map<string, Group>();
  const keys = new Map<string, string>();
  let version = 0;

  function add({ pages }: SurveyDefinition): void {
    version += 1;
    let place = 0;
    for (const { elements, loop } of pages) {
      for (const question of elements) {
        place += 1;
        const key = `${question.questionId} ${question.type}`;
        const earlier = groups.get(key);
        const merged = earlier ? mergeVersions([earlier.merged, question]) : question;
        const { elementIds = new Set<string>(), loops = new Set<string>() } = earlier ?? {};
        const codes = growCodeLists(earlier?.codes ?? [], codeListsOf(questionTypeOf(merged).exportColumns(merged)));
        groups.set(key, { merged, version, place, elementIds, loops, codes });
        elementIds.add(question.elementId);
        loops.add(loop?.elementId ?? "");
        keys.set(question.elementId, key);
      }
    }
  }

  function itemsOf(loop: string): readonly (ExportName | null)[] {
    const source = groups.get(keys.get(loop) ?? "")?.merged;
    if (!source) return [null];
    return questionTypeOf(source)
      .exportColumns(source)
      .flatMap(({ chosen, kind, values }) => chosen ?? (kind === "value" ? values : []));
  }

  return {
    add,
    questions: () =>
      [...groups.values()]
        .toSorted((a, b) => b.version - a.version || a.place - b.place)
        .map(({ merged, elementIds, loops, codes }) => ({
          question: merged,
          elementIds,
          codes,
          items: [...loops].flatMap(itemsOf),
        })),
  };
}
