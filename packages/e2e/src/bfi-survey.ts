import type { ApiClient } from "./api-client.ts";
import type { BfiItem, BfiRespondent } from "./bfi.ts";

interface AddedQuestion {
  elementId: string;
  questionId: string;
  pageId: string;
  type: number;
  typeName: string;
  choices?: { id: string; text: string }[];
}

/** A published survey and the added question of each item. */
export interface BfiSurvey {
  surveyId: string;
  questions: Map<string, AddedQuestion>;
}

export async function publishBfiSurvey(api: ApiClient, items: readonly BfiItem[]): Promise<BfiSurvey> {
  const survey = await api.post<{ id: string }>("/surveys", {
    name: "Big Five Inventory (25 items)",
    description: "How accurately does each statement describe you? 1 = very inaccurate, 6 = very accurate.",
  });
  const added = await api.post<AddedQuestion[]>(`/surveys/${survey.data.id}/questions`, {
    questions: items.map(toQuestion),
  });
  const read = await api.get(`/surveys/${survey.data.id}`);
  await api.post(`/surveys/${survey.data.id}/publish`, { note: "first" }, { "if-match": read.headers.get("etag")! });
  const questions = new Map(items.map(({ key }, index) => [key, added.data[index]!]));
  return { surveyId: survey.data.id, questions };
}

/** Names the question by the item's key. Choices have the codes of the file. */
function toQuestion({ key: name, text, kind, choices }: BfiItem) {
  if (kind === "choice") {
    const coded = choices!.map((label, index) => ({ label, code: String(index + 1) }));
    return { type: "multiple_choice", name, text, choices: coded };
  }
  if (kind === "number") return { type: "number", name, text };
  return { type: "rating", name, text, typeSettings: { steps: 6, style: "number" } };
}

/** Converts one respondent's codes to answers in the API's format. */
export function bfiAnswers({ questions }: BfiSurvey, items: readonly BfiItem[], respondent: BfiRespondent) {
  return items.flatMap(({ key, kind }) => {
    const code = respondent.get(key);
    if (code === undefined) return [];
    const { elementId, typeName, choices } = questions.get(key)!;
    return [{ elementId, type: typeName, value: kind === "choice" ? choices![code - 1]!.id : code }];
  });
}
