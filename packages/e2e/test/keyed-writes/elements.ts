import type { ApiClient } from "../../src/index.ts";
import { publishSmallSurvey, type SmallSurvey } from "../small-survey.ts";
import { auditedWrite } from "./audited-write.ts";
import type { KeyedWrite } from "./keyed-operation.ts";

const anyRevision = { "if-match": "*" };

/** Writes of pages and elements in a draft. The other edits of an element pass the same RPC as its settings. */
export const elementWrites = [
  write("patching a page", "page.updated", ({ surveyId, pageId }) => ({
    resource: pageId,
    method: "PATCH",
    path: `/surveys/${surveyId}/pages/${pageId}`,
    body: { title: "Replayed" },
    invalidBody: { title: 1 },
  })),
  write("ordering elements", "survey.elements_ordered", ({ surveyId, pageId, ratingId, choiceId, textId }) => ({
    resource: surveyId,
    method: "PUT",
    path: `/surveys/${surveyId}/elements/order`,
    body: { pageId, elementIds: [textId, ratingId, choiceId] },
    invalidBody: { pageId: 1 },
  })),
  write("replacing an element's settings", "element.updated", ({ textId }) => ({
    resource: textId,
    method: "PUT",
    path: `/elements/${textId}/settings`,
    body: { settings: { responseValidation: { required: true } } },
    headers: anyRevision,
    invalidBody: { settings: 1 },
  })),
  write("deleting an element", "element.deleted", ({ textId }) => ({
    resource: textId,
    method: "DELETE",
    path: `/elements/${textId}`,
    headers: anyRevision,
    invalidBody: { unexpected: true },
  })),
];

function write(
  name: string,
  action: string,
  of: (survey: SmallSurvey) => Omit<KeyedWrite, "effects"> & { resource: string },
) {
  return auditedWrite(name, "survey", action, async ({ api }: { api: ApiClient }) => of(await publishSmallSurvey(api)));
}
