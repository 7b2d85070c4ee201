import type { ApiClient, Json } from "@canvass/e2e";
import type { Pool } from "pg";

/** Thirty questions: two of choices, NPS, and ratings. */
export interface TabledSurvey {
  surveyId: string;
  /** Elements in order, by name: `gender`, `region`, `recommend`, `rating3` and so on. */
  elements: ReadonlyMap<string, string>;
  /** Answers of a man in the north. */
  answers: { elementId: string; value: string }[];
}

const questions = [
  { type: "multiple_choice", name: "gender", text: "Gender", choices: ["Woman", "Man", "Other"] },
  { type: "multiple_choice", name: "region", text: "Region", choices: ["North", "East", "South", "West"] },
  { type: "nps", name: "recommend", text: "-", subject: "us" },
  ...Array.from({ length: 27 }, (_, at) => ({ type: "rating", name: `rating${at + 3}`, text: `Statement ${at + 3}` })),
];

/**
 * Creates a survey and copies the answers of one respondent for as many as are asked for, with other values, into the
 * response service's database: so many through the API would take hours. Counters stay as they are, since computations
 * over answers do not read them.
 */
export async function makeTabledSurvey(api: ApiClient, response: Pool, respondents: number): Promise<TabledSurvey> {
  const { id: surveyId } = (await api.post("/surveys", { name: `Of ${respondents} respondents`, questions })).data;
  await api.post(`/surveys/${surveyId}/publish`, undefined, { "if-match": "*" });
  const listed: Json[] = (await api.get(`/surveys/${surveyId}/elements?include=content&limit=100`)).data;
  const elements = new Map(listed.map(({ id, name }) => [name as string, id as string]));
  const path = `/response/surveys/${surveyId}`;
  const { respondentId } = (await api.post(`${path}/respondents`, {})).data;
  const choicesOf = (name: string): string[] =>
    listed.find((element) => element.name === name)!.choices.map((choice: Json) => choice.id as string);
  const [genders, regions] = [choicesOf("gender"), choicesOf("region")];
  const responses = [...elements].map(([name, elementId]) => ({
    elementId,
    value: name === "gender" ? genders[0] : name === "region" ? regions[0] : 3,
  }));
  await api.post(path, { respondentId, responses });
  await response.query(
    `INSERT INTO respondents (workspace_id, survey_id, respondent_id, version_id, version_number, is_test, is_anonymous,
       started_at, last_seen_at, completed_at, answer_weight)
     SELECT workspace_id, survey_id, lpad(n::text, 16, '0'), version_id, version_number, false, false,
       started_at - n % 129600 * interval '1 minute', last_seen_at, completed_at, answer_weight
     FROM respondents, generate_series(1, $2::int) AS n WHERE respondent_id = $1`,
    [respondentId, respondents],
  );
  await response.query(
    `INSERT INTO answer_sets (workspace_id, survey_id, respondent_id, part, submitted_at, answers)
     SELECT workspace_id, survey_id, lpad(n::text, 16, '0'), part, submitted_at, answers
       || jsonb_build_object($3::text, ($4::text[])[1 + h % 3], $5::text, ($6::text[])[1 + h / 3 % 4], $7::text, h / 12 % 11)
       || (SELECT jsonb_object_agg(id, 1 + (h + at * at) % 5) FROM unnest($8::text[]) WITH ORDINALITY AS rating (id, at))
     FROM answer_sets, generate_series(1, $2::int) AS n, LATERAL (SELECT abs(hashint4(n)::int8)::int4 % 100000 AS h) AS hashed
     WHERE respondent_id = $1`,
    [
      respondentId,
      respondents,
      elements.get("gender"),
      genders,
      elements.get("region"),
      regions,
      elements.get("recommend"),
      [...elements].flatMap(([name, id]) => (name.startsWith("rating") ? [id] : [])),
    ],
  );
  await response.query("VACUUM ANALYZE respondents, answer_sets");
  const answers = [
    { elementId: elements.get("gender")!, value: genders[1]! },
    { elementId: elements.get("region")!, value: regions[0]! },
  ];
  return { surveyId, elements, answers };
}
