import {
  CanvassError,
  createCanvass,
  memoryStore,
  StaleSurveyError,
  verifyWebhook,
  type Api,
  type Survey,
} from "@canvass/sdk";

// A caller's program that has to compile by the strictest rules.
const question: Api.Question = { type: "rating", text: "How was lunch?", typeSettings: { steps: 5 } };

export async function work(url: string, token: string): Promise<string[]> {
  const canvass = createCanvass({ url, token, workspaceId: "w", fetch: (request) => fetch(request) });
  const made = await canvass.surveys.create({ name: "Lunch", questions: [question] }, { deadlineMs: 5_000 });
  const elementId: string | undefined = made.questions?.[0]?.elementId;
  let survey: Survey = await made.update({ name: "Dinner" });
  try {
    survey = await survey.publish();
  } catch (error) {
    if (error instanceof StaleSurveyError) survey = await error.current.publish();
    if (error instanceof CanvassError && error.code === "acknowledgement_required") {
      const ids: string[] = error.details.changes.map(({ changeId }) => changeId);
      await survey.publish({ acknowledge: ids });
    }
    // @ts-expect-error: no code of the API or of the library
    if (error instanceof CanvassError && error.code === "not_a_code") throw error;
  }
  const found: string[] = [elementId ?? ""];
  for await (const answer of canvass.responses.list(survey.id, { completed: true })) found.push(answer.respondentId);
  for await (const row of canvass.responses.stream(survey.id)) found.push(row.cursor);
  for await (const event of canvass.events.follow({ store: memoryStore() })) found.push(event.data.survey_id);
  const event = verifyWebhook("{}", new Headers(), "whsec_");
  if (event.type === "response.completed") found.push(event.data.response_id);
  // @ts-expect-error: an unknown filter
  canvass.surveys.list({ colour: "red" });
  return found;
}
