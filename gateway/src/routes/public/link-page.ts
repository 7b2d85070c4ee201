import { AppError, errorCatalogue } from "@canvass/errors";
import type { Link } from "@canvass/proto/distribution-links";
import type { PublicDefinition } from "@canvass/questions";
import {
  closedText,
  en,
  entryFiles,
  firstPageOf,
  loadWords,
  pagePolicy,
  renderLinkPage,
  renderNotice,
  type EntryFiles,
  type FirstPage,
  type ShownLink,
} from "@canvass/respondent-page";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { LRUCache } from "lru-cache";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { LanguageRef } from "../../batches/public-definitions.ts";
import type { GatewayContext } from "../../context.ts";
import { toAppError } from "../../plugins/errors/to-app-error.ts";
import type { Guard } from "../../plugins/guards/guard.ts";
import { findLinkAvailability, type LinkRequest } from "./link-availability.ts";
import { translationLanguage, publicSurveyView, readSettings, wantedLanguages } from "./public-survey-view.ts";

/** In characters. Parsing more would block the event loop; the page then shows questions once its script runs. */
const longestRead = 512 * 1024;
const cachedCharacters = 8 * 1024 * 1024;

/** `GET /s/{code}`: a page that is readable before its script arrives. Counts no opening, starts no respondent. */
export function registerLinkPageRoute(app: FastifyInstance, context: GatewayContext, limit: Guard | undefined): void {
  const firstPages = new LRUCache<string, { page: FirstPage | null }>({ max: 500, maxSize: cachedCharacters });
  let files: EntryFiles | undefined;

  async function firstPage(ref: Required<LanguageRef>): Promise<FirstPage | null> {
    const key = `${ref.versionId} ${ref.language}`;
    const known = firstPages.get(key);
    if (known) return known.page;
    const text = await context.publicDefinition(ref);
    const page = text.length > longestRead ? null : firstPageOf(JSON.parse(text) as PublicDefinition);
    firstPages.set(key, { page }, { size: JSON.stringify(page).length });
    return page;
  }

  async function read(request: LinkRequest, code: string): Promise<ShownLink | undefined> {
    const link = await context.findLink(code);
    if (!link) return undefined;
    const { workspaceId, surveyId } = link;
    const survey = await context.clients.surveys.getPublicSurvey(
      { workspaceId, surveyId, ...wantedLanguages(undefined, link) },
      rpcOptions(context, request),
    );
    const { collection } = survey;
    if (!collection?.found) return undefined;
    const view = publicSurveyView(link, survey);
    const { reason } = await findLinkAvailability(context, request, link, collection);
    const isShown = reason === null && !link.hasPassword && !collection.hasPassword;
    const { versionId } = collection;
    const { access } = readSettings(collection.settingsJson);
    return {
      ...shownOf(link, view),
      firstPage: isShown
        ? await firstPage({ workspaceId, surveyId, versionId, language: translationLanguage(view.survey) })
        : null,
      message:
        reason &&
        (link.closedMessage || view.closedMessage || closedText(await loadWords(view.survey.shownLanguage), reason)),
      allowIndexing: access.allowIndexing,
    };
  }

  app.get<{ Params: { code: string } }>(
    "/s/:code",
    {
      schema: { hide: true },
      ...(limit && { onRequest: limit }),
      errorHandler: (error, request, reply) => {
        sendRetryPage(error, request, reply, (files ??= entryFiles()));
      },
    },
    async (request, reply) => {
      files ??= entryFiles();
      reply.type("text/html; charset=utf-8").header("content-security-policy", pagePolicy([]));
      const shown = await read(request, request.params.code);
      if (!shown) return reply.code(404).send(renderNotice(en.notFound, en.notFoundHint, files));
      reply.header("content-security-policy", pagePolicy(shown.allowedOrigins));
      return reply.send(renderLinkPage(shown, await loadWords(shown.language), files));
    },
  );
}

function shownOf({ allowedOrigins }: Link, { survey }: ReturnType<typeof publicSurveyView>) {
  const { name, description, shownLanguage: language, settings } = survey;
  const { display, welcome } = settings;
  return { name, description, language, display, welcome, allowedOrigins };
}

/** Sends a page that reloads itself for retryable errors, such as a missing service. Rethrows other errors. */
function sendRetryPage(error: unknown, request: FastifyRequest, reply: FastifyReply, files: EntryFiles): void {
  const known = toAppError(error);
  if (!(known instanceof AppError) || !errorCatalogue[known.code].retryable) throw error;
  request.errorCode = known.code;
  const { status } = errorCatalogue[known.code];
  const seconds = reply.getHeader("retry-after") ?? 5;
  void reply
    .code(status)
    .type("text/html; charset=utf-8")
    .headers({ "content-security-policy": pagePolicy([]), "retry-after": seconds, refresh: seconds })
    .send(renderNotice(en.unreachable, "", files));
}
