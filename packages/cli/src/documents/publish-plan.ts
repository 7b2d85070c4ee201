import { OperationalError } from "@canvass/provisioning";
import { CanvassError, type Api, type Canvass, type RequestOptions } from "@canvass/sdk";
import type { SurveyPlan } from "./plan-survey.ts";
import { toAcknowledge } from "./publication.ts";

/**
 * Publishes a planned draft that was written, with the changes that were acknowledged. Returns undefined if there was
 * nothing to publish.
 */
export async function publishPlan(
  canvass: Canvass,
  plan: SurveyPlan,
  options: RequestOptions,
): Promise<{ versionNumber: number; etag: string } | undefined> {
  const { surveyId, etag } = plan;
  const acknowledge = await acknowledgementOf(canvass, plan, options);
  try {
    const { data } = await canvass.api.publishSurvey({
      path: { surveyId },
      headers: { "If-Match": etag },
      body: { acknowledge },
      ...(options.signal && { signal: options.signal }),
    });
    return { versionNumber: data.data.versionNumber, etag: data.meta.etag! };
  } catch (error) {
    if (error instanceof CanvassError && error.code === "nothing_to_publish") return undefined;
    throw error;
  }
}

/** New items have other ids in the plan than in the draft, so changes are compared by their content. */
async function acknowledgementOf(
  canvass: Canvass,
  { surveyId, changes }: SurveyPlan,
  { signal }: RequestOptions,
): Promise<string[]> {
  const acknowledged = new Set(toAcknowledge(changes).map(sentenceOf));
  if (acknowledged.size === 0) return [];
  const { data } = await canvass.api.listChanges({ path: { surveyId }, ...(signal && { signal }) });
  const open = toAcknowledge(data.data.changes);
  if (open.every((change) => acknowledged.has(sentenceOf(change)))) return [data.data.changesId];
  throw new OperationalError(
    "Answers came meanwhile, so publishing affects more than was acknowledged. The draft is written; run canvass apply again.",
  );
}

const sentenceOf = ({ kind, message }: Api.DraftChange): string => `${kind} ${message}`;
