import createClient from "openapi-fetch";
import { Webhook } from "standardwebhooks";
import type { components, paths } from "./client.ts";
import type { ScenarioResult, ScenarioInput } from "../../run-scenario.ts";

type Survey = components["schemas"]["CreateSurveyRequest"];
type Completed = components["schemas"]["ResponseCompletedEvent"];

const survey: Survey = {
  name: "Lunch",
  settings: { display: { progressStyle: "steps" } },
  questions: [
    { type: "rating", text: "How was lunch?", required: true, typeSettings: { steps: 5, style: "heart" } },
    { type: "multiple_choice", text: "Again?", choices: ["Yes", { text: "No" }] },
  ],
};

function unwrap<Data>({ data, error }: { data?: Data; error?: unknown }): Data {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

/** Runs the scenario with the types that openapi-typescript made. */
export async function runScenario({ url, token, receiver }: ScenarioInput): Promise<ScenarioResult> {
  const client = createClient<paths>({ baseUrl: url, headers: { authorization: `Bearer ${token}` } });
  const feed = unwrap(await client.POST("/api/v1/event-subscriptions", { body: { name: "Feed" } }));
  const hook = unwrap(await client.POST("/api/v1/event-subscriptions", { body: { name: "Hook", url: receiver.url } }));
  const webhook = new Webhook(hook.data.secret ?? "");
  const completed: string[] = [];
  receiver.listen(({ headers, body }) => {
    const event = webhook.verify(body, headers) as Completed;
    if (event.type === "response.completed") completed.push(event.data.survey_id);
  });
  const tested = unwrap(
    await client.POST("/api/v1/event-subscriptions/{subscriptionId}/test", {
      params: { path: { subscriptionId: hook.data.id } },
    }),
  );
  const made = unwrap(await client.POST("/api/v1/surveys", { body: survey }));
  const surveyId = made.data.id;
  unwrap(
    await client.POST("/api/v1/surveys/{surveyId}/publish", {
      params: { path: { surveyId }, header: { "If-Match": made.meta.etag! } },
    }),
  );
  const params = { path: { surveyId } };
  const link = unwrap(await client.POST("/api/v1/distribution/surveys/{surveyId}", { params, body: { name: "Link" } }));
  const distributor = { params: { path: { distributorId: link.data.id } } };
  unwrap(await client.POST("/api/v1/distribution/{distributorId}/activate", distributor));
  const code = link.data.code!;
  const opened = unwrap(await client.GET("/public/v1/links/{code}", { params: { path: { code } } }));
  const rating = opened.data
    .definition!.pages.flatMap(({ elements }) => elements)
    .find((element) => element.typeName === "rating")!;
  const steps: number | undefined = rating.settings.steps;
  const started = unwrap(await client.POST("/public/v1/links/{code}/respondents", { params: { path: { code } } }));
  const { respondentId, sessionToken } = started.data;
  unwrap(
    await client.POST("/public/v1/links/{code}/respondents/{respondentId}/answers", {
      params: { path: { code, respondentId }, header: { "X-Respondent-Token": sessionToken } },
      body: { responses: [{ elementId: rating.id, type: "rating", value: 4 }] },
    }),
  );
  const listed = unwrap(await client.GET("/api/v1/response/surveys/{surveyId}", { params }));
  const ratings: number[] = listed.data.flatMap((answer) => (answer.type === "rating" ? [answer.value] : []));
  const results = unwrap(await client.GET("/api/v1/response/surveys/{surveyId}/aggregation", { params }));
  const means = results.data.questionStats.map((stats) =>
    stats.typeName === "rating" ? stats.distribution.mean : null,
  );
  const names: string[] = [];
  let cursor: string | null = null;
  do {
    const query: { limit: number; cursor?: string } = { limit: 1, ...(cursor !== null && { cursor }) };
    const page = unwrap(await client.GET("/api/v1/surveys", { params: { query } }));
    names.push(...page.data.map(({ name }) => name));
    cursor = page.pagination.cursor_next;
  } while (cursor !== null);
  const { error } = await client.POST("/api/v1/surveys", { body: { ...survey, name: "" } });
  const failure = error?.error;
  return {
    style: made.data.settings.display?.progressStyle,
    mean: means[0] ?? null,
    steps,
    ratings,
    names,
    refused: failure?.code === "validation_failed" ? failure.details["name"] : error,
    feedId: feed.data.id,
    readEvents: async () => {
      const page = unwrap(await client.GET("/api/v1/events", { params: { query: { limit: 100 } } }));
      return page.data.map(({ data }) => data.survey_id);
    },
    surveyId,
    testOutcome: tested.data.outcome,
    readWebhooks: () => completed,
  };
}
