import {
  addWeights,
  emptyWeight,
  listsWeight,
  pageWeight,
  questionWeight,
  type SurveyDefinition,
} from "@canvass/questions";

export interface WrittenDefinition {
  /** As JSON. */
  definition: string;
  /** Of the JSON without translations. */
  definitionBytes: number;
  /** Languages into which a page, question or quota is translated. */
  languages: string[];
}

/** Yields after each question, because a definition with its translations may hold many megabytes. */
export function* writingDefinition({ pages, ...lists }: SurveyDefinition): Generator<void, WrittenDefinition> {
  const languages = new Set<string>();
  const written: string[] = [];
  let weight = addWeights([emptyWeight, listsWeight(lists)]);
  for (const { elements, ...page } of pages) {
    const questions: string[] = [];
    for (const question of elements) {
      questions.push(JSON.stringify(question));
      weight = addWeights([weight, questionWeight(question)]);
      for (const language of Object.keys(question.translations ?? {})) languages.add(language);
      yield;
    }
    for (const language of Object.keys(page.translations ?? {})) languages.add(language);
    weight = addWeights([weight, pageWeight(page)]);
    written.push(`${JSON.stringify(page).slice(0, -1)},"elements":[${questions.join(",")}]}`);
  }
  for (const { translations } of lists.quotas ?? []) {
    for (const language of Object.keys(translations ?? {})) languages.add(language);
  }
  const others = Object.entries(lists).map(([name, list]) => `,${JSON.stringify(name)}:${JSON.stringify(list)}`);
  const definition = `{"pages":[${written.join(",")}]${others.join("")}}`;
  return { definition, definitionBytes: weight.bytes, languages: [...languages].toSorted() };
}
