import {
  decidedQuotas,
  findAnswerPlace,
  hiddenEntriesLookup,
  matchingQuotas,
  missingRequired,
  parseAnswerKey,
  prefillNames,
  publicDefinition,
  settingsWithDefaults,
  translatedDefinition,
  readStartFields,
  type RespondentContext,
  type SurveyDefinition,
} from "@canvass/questions";
import type { JsonObject } from "@canvass/values";
import { fastify, type FastifyReply, type FastifyRequest } from "fastify";
import { randomUUID } from "node:crypto";
import {
  en,
  entryFiles,
  firstPageOf,
  loadWords,
  pageFiles,
  pagePolicy,
  renderLinkPage,
  renderNotice,
} from "../src/served/index.ts";
import type { Submission } from "../src/saving/link-api.ts";

/** A survey of the stand-in, by its code. */
export interface StandInSurvey {
  name?: string;
  description?: string;
  language?: string;
  /** The survey's own texts by language and place. */
  texts?: Record<string, { name?: string; buttonNext?: string; welcomeTitle?: string }>;
  /** All its quotas count as full. */
  definition: SurveyDefinition;
  settings?: Record<string, Record<string, unknown>>;
  password?: string;
  /** A link for one person: every start before the end goes on as the same respondent. */
  isPersonal?: boolean;
  /** One response per device. */
  takesOne?: boolean;
  /** The first start counts; later the link is open for its respondent only. */
  isSingleUse?: boolean;
  allowedOrigins?: string[];
  closed?: { reason: string; message: string | null } | null;
  /** Open, but refuses each start. */
  isFull?: boolean;
  /** Whose link it is. */
  contact?: { firstName: string };
  /** The address may answer questions with names. */
  prefill?: boolean;
}

export interface StandInRespondent {
  id: string;
  code: string;
  token: string;
  /** Of later sessions of the same respondent. */
  laterTokens: string[];
  seenAt: string;
  orderSeed: number;
  status: "started" | "completed" | "screened_out";
  pageId: string | null;
  answers: Map<string, unknown>;
  language: string | null;
  /** Values of hidden fields. */
  fields: RespondentContext["fields"];
  /** It began while the survey promised less privacy. */
  hasToStartAgain?: boolean;
}

/** The public calls of a link as the real system answers them, in memory, with answers validated by the real catalogue. */
export async function startStandIn(surveys: Record<string, StandInSurvey>) {
  const app = fastify({ routerOptions: { maxParamLength: 1_000 } });
  const respondents = new Map<string, StandInRespondent>();
  const replies = new Map<string, { sent: string; status: number; body: object }>();
  const calls: string[] = [];
  /** `refused`: the element whose answers are refused. `gone`: how many of the next requests find no link. */
  const state = { isAway: false, isBusy: false, refused: "", gone: 0 };
  const [files, entry] = [pageFiles(), entryFiles()];

  const ok = (data: unknown, status = 200) => ({ status, body: { data, meta: {} } });
  const no = (status: number, code: string, details: object = {}) => ({
    status,
    body: { error: { code, message: code, details, retryable: status >= 500 }, meta: {} },
  });
  type StartBody = { password?: string; language?: string; orderSeed: number; fields?: JsonObject };
  type Answer = { status: number; body: object };

  function settingsOf(survey: StandInSurvey) {
    return settingsWithDefaults(survey.settings ?? {});
  }

  const goingOn = (code: string, { isPersonal }: StandInSurvey) =>
    [...respondents.values()].find(
      (each) => isPersonal && each.code === code && each.status === "started" && !each.hasToStartAgain,
    );
  let timestamp = Date.parse("2026-03-01T12:00:00Z");
  const nextTimestamp = () => new Date((timestamp += 1_000)).toISOString();

  const shownBy = ({ definition }: StandInSurvey, wanted: string | null) =>
    publicDefinition(translatedDefinition(definition, wanted ?? ""));

  function linkOf(code: string, survey: StandInSurvey, wanted?: string) {
    const { display, navigation, welcome, completion, locale } = settingsOf(survey);
    const language = survey.language ?? "en";
    const languages = [language, ...locale.languages];
    const shownLanguage = languages.find((tag) => tag === wanted) ?? language;
    const {
      name = survey.name,
      buttonNext = navigation.buttonNext,
      welcomeTitle = welcome.title,
    } = survey.texts?.[shownLanguage] ?? {};
    const isHidden = Boolean(survey.closed) || survey.password !== undefined;
    return {
      state: survey.closed ? "closed" : "open",
      ...(survey.closed && { reason: survey.closed.reason, message: survey.closed.message }),
      requiresPassword: survey.password !== undefined,
      allowsMultiple: !survey.takesOne,
      goesOn: goingOn(code, survey) !== undefined,
      isPersonal: survey.isPersonal === true,
      ...(survey.contact && { contact: survey.contact }),
      ...(survey.prefill && { prefill: prefillNames(survey.definition) }),
      survey: {
        name: name ?? "A survey",
        description: survey.description ?? null,
        language,
        shownLanguage,
        languages,
        isAnonymous: settingsOf(survey).privacy.anonymity === "full",
        settings: {
          display,
          navigation: { ...navigation, buttonNext },
          welcome: { ...welcome, title: welcomeTitle },
          completion,
          locale,
        },
      },
      definition: isHidden ? null : shownBy(survey, shownLanguage),
    };
  }

  /** As the survey is for a caller with this token. */
  function asSeen(code: string, survey: StandInSurvey, token?: unknown): StandInSurvey {
    const isUsed = [...respondents.values()].some((each) => each.code === code && each.token !== token);
    return survey.isSingleUse && isUsed ? { ...survey, closed: { reason: "link_used", message: null } } : survey;
  }

  function start(code: string, survey: StandInSurvey, body: StartBody): Answer {
    if (survey.closed) return no(422, "survey_not_collecting", survey.closed);
    if (survey.isFull) return no(422, "survey_not_collecting", { reason: "response_limit" });
    if (survey.password !== undefined && survey.password !== body.password)
      return no(422, "validation_failed", { password: ["is wrong"] });
    const existing = goingOn(code, survey);
    const id = existing?.id ?? `r${String(respondents.size + 1).padStart(15, "0")}`;
    const token = randomUUID();
    const { orderSeed } = existing ?? body;
    const startedAt = existing ? "2026-03-01T12:00:00.000Z" : nextTimestamp();
    if (existing) existing.laterTokens.push(token);
    else {
      const begun = { id, code, token, orderSeed, laterTokens: [], seenAt: startedAt, status: "started" as const };
      const { language = null, fields: given = {} } = body;
      const isAnonymous = settingsOf(survey).privacy.anonymity === "full";
      const fields = readStartFields(survey.definition.fields ?? [], given, { isAnonymous, isLink: true }).values;
      respondents.set(id, { ...begun, pageId: null, answers: new Map(), language, fields });
    }
    const definition = shownBy(survey, body.language ?? null);
    const { fields } = respondents.get(id)!;
    return ok({ respondentId: id, sessionToken: token, startedAt, orderSeed, fields, definition }, 201);
  }

  const knownOf = (answers: ReadonlyMap<string, unknown>, { fields, language }: StandInRespondent) =>
    Object.assign(new Map(answers), { context: { fields, language: language ?? "" } });

  function submit({ definition }: StandInSurvey, respondent: StandInRespondent, body: Submission): Answer {
    const details: Record<string, string[]> = {};
    const after = knownOf(respondent.answers, { ...respondent, language: body.metadata.language });
    const sent = body.responses.map(({ elementId, value }) => [elementId, value] as const);
    const hidden = hiddenEntriesLookup(definition, knownOf(new Map([...after, ...sent]), respondent));
    body.responses.forEach(({ elementId, value }, index) => {
      const place = findAnswerPlace(definition, elementId);
      const violations = !place
        ? [{ path: "", message: "is not an element" }]
        : value === null || place.type.isEmpty(value)
          ? []
          : place.type.checkValue(place.question, value, { hidden: hidden(elementId) ?? new Set() });
      for (const { path, message } of violations) details[`responses.${index}.value${path && `.${path}`}`] = [message];
      if (elementId === state.refused) details[`responses.${index}.value`] = ["must be a phone number"];
      if (value === null) after.delete(elementId);
      else after.set(elementId, value);
    });
    if (respondent.status === "completed" && body.responses.length > 0)
      details["responses.0"] = ["can no longer be changed"];
    if (Object.keys(details).length > 0) return no(422, "validation_failed", details);
    const completes = body.metadata.complete && missingRequired(definition, after).next().done;
    const [full] = completes ? matchingQuotas(definition, after) : decidedQuotas(definition, after, body.pageId ?? "");
    if (completes && full && full.onFull !== "end") return no(422, "quota_full", { ...full });
    respondent.answers = after;
    respondent.pageId = body.pageId ?? respondent.pageId;
    respondent.language = body.metadata.language;
    if (full?.onFull === "end") respondent.status = "screened_out";
    else if (completes) respondent.status = "completed";
    const { id, seenAt: previousSeenAt, status } = respondent;
    respondent.seenAt = nextTimestamp();
    const times = { seenAt: respondent.seenAt, previousSeenAt };
    return ok({
      respondentId: id,
      respondentStatus: status,
      responses: [],
      ...times,
      ...(full && { quotaFull: full }),
    });
  }

  function ownState(survey: StandInSurvey, respondent: StandInRespondent, wanted?: string): Answer {
    const { definition } = survey;
    const { status, pageId, seenAt, orderSeed, fields, language } = respondent;
    const answers = knownOf(respondent.answers, respondent);
    const [quotaFull] =
      status === "screened_out"
        ? matchingQuotas(definition, answers)
        : decidedQuotas(definition, answers, pageId ?? "");
    return ok({
      status,
      pageId,
      percentComplete: 0,
      language,
      seenAt,
      orderSeed,
      fields,
      answers: [...answers].map(([key, value]) => ({ ...parseAnswerKey(key), value })),
      ...(quotaFull && status !== "completed" && { quotaFull }),
      definition: shownBy(survey, wanted ?? language),
    });
  }

  function once(request: FastifyRequest, answer: () => Answer): Answer {
    const key = `${request.url} ${String(request.headers["idempotency-key"])}`;
    // The parts of a form have another boundary in each request.
    const sent = request.body instanceof Buffer ? "" : JSON.stringify(request.body);
    const first = replies.get(key);
    if (first) return first.sent === sent ? first : no(409, "idempotency_key_reused");
    const made = answer();
    if (made.status < 400) replies.set(key, { sent, ...made });
    return made;
  }

  function reply(request: FastifyRequest, reply: FastifyReply, answer: (survey: StandInSurvey) => Answer) {
    calls.push(`${request.method} ${request.url}`);
    const survey = surveys[(request.params as { code: string }).code];
    let made = survey ? answer(survey) : no(404, "distributor_not_found");
    // A link whose deletion is on its way.
    if (state.gone > 0) {
      state.gone -= 1;
      made = no(404, "distributor_not_found");
    }
    if (state.isAway) made = no(503, "service_unavailable");
    if (state.isBusy) made = no(429, "rate_limited");
    if (state.isBusy) void reply.header("retry-after", "1");
    return reply.code(made.status).send(made.body);
  }

  function asOwn(request: FastifyRequest, answer: (respondent: StandInRespondent) => Answer): Answer {
    const respondent = respondents.get((request.params as { respondentId: string }).respondentId);
    if (!respondent) return no(404, "respondent_not_found");
    if (![respondent.token, ...respondent.laterTokens].includes(String(request.headers["x-respondent-token"])))
      return no(401, "invalid_token");
    return answer(respondent);
  }

  const languageIn = ({ query }: FastifyRequest) => (query as { language?: string }).language;
  type Code = { Params: { code: string } };
  const own = "/public/v1/links/:code/respondents/:respondentId";
  app.get<Code>("/public/v1/links/:code", (request, answer) =>
    reply(request, answer, (survey) => {
      const { code } = request.params;
      return ok(linkOf(code, asSeen(code, survey, request.headers["x-respondent-token"]), languageIn(request)));
    }),
  );
  app.post<Code>("/public/v1/links/:code/respondents", (request, answer) =>
    reply(request, answer, (survey) =>
      once(request, () => {
        const { code } = request.params;
        return start(code, asSeen(code, survey), request.body as StartBody);
      }),
    ),
  );
  app.get(own, (request, answer) =>
    reply(request, answer, (survey) =>
      asOwn(request, (respondent) => ownState(survey, respondent, languageIn(request))),
    ),
  );
  app.post(`${own}/answers`, (request, answer) =>
    reply(request, answer, (survey) =>
      asOwn(request, (respondent) =>
        survey.closed || respondent.hasToStartAgain
          ? no(422, "survey_not_collecting", survey.closed ?? { reason: "privacy_changed" })
          : once(request, () => submit(survey, respondent, request.body as Submission)),
      ),
    ),
  );

  app.addContentTypeParser("multipart/form-data", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  app.post(`${own}/files`, (request, answer) =>
    reply(request, answer, () =>
      asOwn(request, () =>
        once(request, () => {
          const text = (request.body as Buffer).toString("latin1");
          const [, name = ""] = /filename="([^"]*)"/.exec(text) ?? [];
          const size = /\r\n\r\n([^]*)\r\n--[^]*$/.exec(text.slice(text.indexOf("filename=")))![1]!.length;
          if (text.includes("refuse me")) return no(422, "file_type_not_allowed", { extensions: ["png"] });
          return ok({ fileId: `f${String(replies.size).padStart(15, "0")}`, name, size, mimeType: "image/png" }, 201);
        }),
      ),
    ),
  );

  app.get<Code>("/s/:code", async (request, answer) => {
    const survey = surveys[request.params.code];
    answer.type("text/html; charset=utf-8").header("content-security-policy", pagePolicy(survey?.allowedOrigins ?? []));
    if (!survey) return answer.code(404).send(renderNotice(en.notFound, en.notFoundHint, entry));
    const { survey: shown, definition } = linkOf(request.params.code, survey);
    const { language, name, description } = shown;
    return answer.send(
      renderLinkPage(
        {
          name,
          description,
          language,
          firstPage: definition && firstPageOf(definition),
          display: settingsOf(survey).display,
          welcome: settingsOf(survey).welcome,
          message: survey.closed ? (survey.closed.message ?? "") : null,
          allowIndexing: false,
          allowedOrigins: survey.allowedOrigins ?? [],
        },
        await loadWords(language),
        entry,
      ),
    );
  });
  app.get<{ Params: { name: string } }>("/s/assets/:name", (request, answer) => {
    const file = files.get(request.params.name);
    if (!file) return answer.code(404).send();
    const headers = {
      "content-encoding": "br",
      "cache-control": "public, max-age=31536000, immutable",
      "access-control-allow-origin": "*",
    };
    return answer.type(file.type).headers(headers).send(file.br);
  });

  const address = await app.listen({ host: "127.0.0.1", port: 0 });
  return {
    url: (code: string) => `${address}/s/${code}`,
    address,
    surveys,
    respondents,
    calls,
    state,
    [Symbol.asyncDispose]: () => app.close(),
  };
}

export type StandIn = Awaited<ReturnType<typeof startStandIn>>;
