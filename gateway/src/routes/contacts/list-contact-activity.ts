import { contactActivityQuery } from "@canvass/inputs";
import type { ContactActivity } from "@canvass/proto/distribution-contacts";
import { Type } from "typebox";
import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { cursorPagination, cursorList } from "../pages.ts";
import { dateTime, id, named, nullableText } from "../schemas.ts";
import { isoTime } from "../../plugins/responses/timestamps.ts";
import { contactParams } from "./contact-view.ts";

const activitySchema = named("ContactActivity", {
  id: { ...id, description: "letters and digits" },
  type: Type.String({
    enum: [
      "created",
      "updated",
      "imported",
      "unsubscribed",
      "anonymized",
      "link_issued",
      "link_opened",
      "respondent_started",
      "respondent_completed",
    ],
  }),
  at: dateTime,
  changedFields: Type.Array(Type.String(), { description: "names of fields, never their values" }),
  importId: { ...nullableText, description: "the import that made the change" },
  distributorId: { ...nullableText, description: "of a personal link" },
  surveyId: { ...nullableText, description: "of a respondent" },
  respondentId: { ...nullableText, description: "of a respondent" },
});

function activityView({ activityId, kind, at, changedFields, ...ids }: ContactActivity) {
  return {
    id: activityId,
    type: kind,
    at: isoTime(at),
    changedFields,
    importId: ids.importId || null,
    distributorId: ids.distributorId || null,
    surveyId: ids.surveyId || null,
    respondentId: ids.respondentId || null,
  };
}

export function registerListContactActivityRoute(api: Api, context: GatewayContext): void {
  api.get(
    "/contacts/:contactId/activity",
    {
      config: { scope: "contacts:read", errors: ["contact_not_found"] },
      schema: {
        operationId: "listContactActivity",
        tags: ["Contacts"],
        summary: "List a contact's activity",
        description:
          "Newest first: changes, personal links issued and first opened, respondents started and completed. For anonymous surveys, " +
          "only issued links are listed. The answers of the contact are in " +
          "`GET /response/surveys/{surveyId}/respondents?contactId=`.",
        params: contactParams,
        querystring: contactActivityQuery,
        response: { 200: cursorList("A page of the activity", activitySchema) },
      },
    },
    async (request, reply) => {
      const { limit, cursor = "" } = request.query;
      const wanted = { ...request.params, limit, cursor };
      const page = await context.clients.contacts.listContactActivity(wanted, rpcOptions(context, request));
      return respond(context, reply, { data: page.activities.map(activityView), pagination: cursorPagination(page) });
    },
  );
}
