import { namesContact, publicDefinitionSchema } from "@canvass/questions";
import { AppError, notCollectingReasons } from "@canvass/errors";
import type { Link } from "@canvass/proto/distribution-links";
import type { Collection } from "@canvass/proto/survey";
import { Type } from "typebox";
import type { Opened } from "../../batches/opened-counter.ts";
import type { GatewayContext } from "../../context.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import { respond, RenderedData } from "../../plugins/responses/envelope.ts";
import { respondentTokenOf } from "../../plugins/authentication/respondent-token.ts";
import type { Api } from "../api.ts";
import { envelope, id, named, nullableText, words } from "../schemas.ts";
import { findLinkAvailability } from "./link-availability.ts";
import { languageQuery, linkParams, publicErrors } from "./public-params.ts";
import {
  translationLanguage,
  publicSurveySchema,
  publicSurveyView,
  readSettings,
  wantedLanguages,
} from "./public-survey-view.ts";

const exampleChoice = "01h8x3k9q2y0r3fm";

const linkSchema = named("PublicLink", {
  state: words(["open", "closed"]),
  reason: Type.Optional(
    words(notCollectingReasons, { description: "only while closed: the reason, as in `survey_not_collecting`" }),
  ),
  message: Type.Optional({ ...nullableText, description: "only while closed: a message for people" }),
  requiresPassword: Type.Boolean({ description: "the start requires a password, and returns the definition" }),
  allowsMultiple: Type.Boolean({
    description:
      "one device may answer again: the link allows it, the survey does not prevent it, and the link is not personal",
  }),
  goesOn: Type.Boolean({
    description:
      "a personal link that was started before: the start continues as that respondent, whose answers can then be read",
  }),
  isPersonal: Type.Boolean({ description: "a personal link: its code identifies one respondent on all devices" }),
  contact: Type.Optional(
    named(
      "PublicLinkContact",
      { firstName: Type.String({ examples: ["Ada"] }) },
      { description: "the contact of a personal link, if texts use the first name and the survey is not anonymous" },
    ),
  ),
  prefill: Type.Optional(
    Type.Record(
      Type.String(),
      named("PrefillName", {
        elementId: id,
        codes: Type.Record(Type.String(), Type.String(), {
          description: "ids of choices by code",
          examples: [{ soup: exampleChoice }],
        }),
      }),
      { description: "by name: questions that the query string of a link with `prefill` may answer" },
    ),
  ),
  survey: publicSurveySchema,
  definition: Type.Unsafe<object | null>({
    ...publicDefinitionSchema,
    title: "OpenedDefinition",
    description: "null while closed, or if a password is required",
    type: ["object", "null"],
  }),
});

export function registerGetLinkRoute(api: Api, context: GatewayContext): void {
  api.get(
    "/links/:code",
    {
      config: { scope: "public", limit: "links", errors: publicErrors },
      schema: {
        operationId: "getPublicLink",
        tags: ["Public"],
        summary: "Open a link",
        description:
          "Returns what a page needs to start. Counts an opening of the link, unless a session token is sent. Starts no respondent.",
        params: linkParams,
        querystring: languageQuery,
        response: { 200: envelope("The link and its survey", linkSchema) },
      },
    },
    async (request, reply) => {
      const link = await context.findLink(request.params.code);
      if (!link) throw new AppError("distributor_not_found");
      const { workspaceId, surveyId } = link;
      const options = rpcOptions(context, request);
      const survey = await context.clients.surveys.getPublicSurvey(
        { workspaceId, surveyId, ...wantedLanguages(request.query.language, link) },
        options,
      );
      const { collection } = survey;
      if (!collection?.found) throw new AppError("distributor_not_found");
      // A respondent who continues causes two requests: one before the page's script runs, then one with the token.
      if (respondentTokenOf(request) === "") context.countOpened(openedBy(link, collection));
      const { reason, goesOn } = await findLinkAvailability(context, request, link, collection);
      const view = publicSurveyView(link, survey);
      const requiresPassword = link.hasPassword || collection.hasPassword;
      const message = link.closedMessage || view.closedMessage;
      const { versionId } = collection;
      const isShown = !reason && !requiresPassword;
      const language = translationLanguage(view.survey);
      const definition = isShown
        ? await context.publicDefinition({ workspaceId, surveyId, versionId, language })
        : "null";
      const texts = `${JSON.stringify(view.survey.settings.completion)}${definition}`;
      const contact = requiresPassword ? null : contactIn(texts, link, collection);
      const fields = JSON.stringify({
        state: reason ? "closed" : "open",
        ...(reason && { reason, message }),
        requiresPassword,
        allowsMultiple: view.allowsMultiple,
        goesOn,
        isPersonal: link.type === "personal_link",
        ...(contact && { contact }),
        survey: view.survey,
      });
      const prefill =
        isShown && link.prefill ? `,"prefill":${await context.prefillNames({ workspaceId, surveyId, versionId })}` : "";
      return respond(context, reply, {
        data: new RenderedData(`${fields.slice(0, -1)}${prefill},"definition":${definition}}`),
      });
    },
  );
}

/** The contact of a personal link, as far as texts use it; null with any anonymity, and if no text does. */
function contactIn(texts: string, { contactId, firstName }: Link, { settingsJson }: Collection) {
  const isNamed = contactId !== "" && firstName !== "" && namesContact(texts);
  return isNamed && readSettings(settingsJson).privacy.anonymity === "none" ? { firstName } : null;
}

/** Identifies the link only for a contact of a survey without anonymity. */
function openedBy({ workspaceId, distributorId, linkId, contactId }: Link, { settingsJson }: Collection): Opened {
  const { privacy } = readSettings(settingsJson);
  const isKnown = contactId !== "" && privacy.anonymity === "none";
  return { workspaceId, distributorId, linkId: isKnown ? linkId : "" };
}
