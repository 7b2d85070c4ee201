import { Webhook } from "standardwebhooks";
import { Canvass } from "./client/sdk.gen.ts";
import { createClient } from "./client/client/index.ts";
import type {
  Answer,
  CreateSurveyFailure,
  CreateSurveyRequest,
  FeedEvent,
  PublicElement,
  Question,
  ResponseCompletedEvent,
} from "./client/types.gen.ts";
import type { ScenarioResult, ScenarioInput } from "../../run-scenario.ts";

const questions: Question[] = [
  { type: "rating", text: "How was lunch?", required: true, typeSettings: { steps: 5, style: "heart" } },
  { type: "multiple_choice", text: "Again?", choices: ["Yes", { text: "No" }] },
];
const survey: CreateSurveyRequest = { name: "Lunch", settings: { display: { progressStyle: "steps" } }, questions };

/** Runs the scenario with the client that @hey-api/openapi-ts made. */
export async function runScenario({ url, token, receiver }: ScenarioInput): Promise<ScenarioResult> {
  const client = createClient({ baseUrl: url, auth: token, throwOnError: true });
  const canvass = new Canvass({ client });
  const { data: feed } = await canvass.createSubscription({ body: { name: "Feed" } });
  const { data: hook } = await canvass.createSubscription({ body: { name: "Hook", url: receiver.url } });
  const webhook = new Webhook(hook.data.secret ?? "");
  const completed: string[] = [];
  receiver.listen(({ headers, body }) => {
    const event = webhook.verify(body, headers) as ResponseCompletedEvent;
    if (event.type === "response.completed") completed.push(event.data.survey_id);
  });
  const { data: tested } = await canvass.testSubscription({ path: { subscriptionId: hook.data.id } });
  const { data: made } = await canvass.createSurvey({ body: survey });
  const surveyId = made.data.id;
  const style: "none" | "bar" | "percentage" | "steps" | null | undefined = made.data.settings.display?.progressStyle;
  await canvass.publishSurvey({ path: { surveyId }, headers: { "If-Match": made.meta.etag! } });
  const { data: link } = await canvass.createDistributor({ path: { surveyId }, body: { name: "Link" } });
  await canvass.activateDistributor({ path: { distributorId: link.data.id } });
  const code = link.data.code!;
  const { data: opened } = await canvass.getPublicLink({ path: { code } });
  const elements = opened.data.definition!.pages.flatMap((page) => page.elements);
  const rating = elements.find((element: PublicElement) => element.typeName === "rating")!;
  const steps: number | undefined = rating.settings.steps;
  const { data: started } = await canvass.startLinkRespondent({ path: { code } });
  const { respondentId, sessionToken } = started.data;
  await canvass.submitLinkAnswers({
    path: { code, respondentId },
    headers: { "X-Respondent-Token": sessionToken },
    body: { responses: [{ elementId: rating.id, type: "rating", value: 4 }] },
  });
  const { data: listed } = await canvass.listAnswers({ path: { surveyId } });
  const ratings: number[] = listed.data.flatMap((answer: Answer) => (answer.type === "rating" ? [answer.value] : []));
  const { data: results } = await canvass.getAggregation({ path: { surveyId } });
  const means = results.data.questionStats.map((stats) =>
    stats.typeName === "rating" ? stats.distribution.mean : null,
  );
  const names: string[] = [];
  let cursor: string | undefined;
  do {
    const { data: page } = await canvass.listSurveys({ query: { limit: 1, ...(cursor && { cursor }) } });
    names.push(...page.data.map(({ name }) => name));
    cursor = page.pagination.cursor_next ?? undefined;
  } while (cursor);
  const refused: unknown = await canvass
    .createSurvey({ body: { ...survey, name: "" } })
    .catch((error: CreateSurveyFailure) =>
      error.error.code === "validation_failed" ? error.error.details["name"] : error,
    );
  return {
    style,
    mean: means[0] ?? null,
    steps,
    ratings,
    names,
    refused,
    feedId: feed.data.id,
    readEvents: async () => {
      const { data: page } = await canvass.listEvents({ query: { limit: 100 } });
      return page.data.map((event: FeedEvent) => event.data.survey_id);
    },
    surveyId,
    testOutcome: tested.data.outcome,
    readWebhooks: () => completed,
  };
}
