import { ResponseService } from "@canvass/proto/response";
import type { Replay } from "@canvass/proto/rpc";
import type { Survey } from "@canvass/proto/survey";
import type { ChangeSummary } from "@canvass/proto/survey-drafts";
import type { Element, Page } from "@canvass/proto/survey-elements";
import { SurveyService } from "@canvass/proto/survey-service";
import type { Change } from "@canvass/questions";
import { callOptions, fromErrorDetail, type CallContext, type RpcClient } from "@canvass/rpc";
import {
  createIntakeDouble,
  idempotency,
  signedPerson,
  startDouble,
  startTestService,
  testKeys,
  type TestServiceOptions,
} from "@canvass/service/testing";
import { join } from "node:path";
import { readSurveyConfig } from "../src/config.ts";
import { startSurveyService } from "../src/service.ts";

export { refusal, signedPerson } from "@canvass/service/testing";

/** A question that was just added, as the response shows it. */
export interface AddedQuestion {
  elementId: string;
  questionId: string;
  pageId: string;
  type: number;
  typeName: string;
  text: string;
  choices: { id: string; text: string }[];
  rows: { id: string; text: string }[];
  columns: { id: string; text: string }[];
}

const parts = { folder: join(import.meta.dirname, ".."), readConfig: readSurveyConfig, start: startSurveyService };

/** Starts the real service with an in-memory response service that knows which surveys have answers. */
export async function startSurveyFixture(options: TestServiceOptions = {}) {
  await using starting = new AsyncDisposableStack();
  const answered = new Set<string>();
  const answers = new Map<string, QuestionAnswers>();
  const counting = { before: async () => {} };
  const holding = { before: async () => {} };
  const intake = createIntakeDouble();
  const asked = { hasResponses: 0 };
  const responses = starting.use(
    await startDouble((router) => {
      intake.routes(router);
      router.service(ResponseService, {
        hasResponses: async ({ surveyId }) => {
          asked.hasResponses += 1;
          return { hasResponses: answered.has(surveyId) };
        },
        holdUnansweredSurvey: async ({ surveyId }) => {
          await holding.before();
          return { hasResponses: answered.has(surveyId) };
        },
        batchCountAnswers: async ({ surveys }) => {
          await counting.before();
          return {
            surveys: surveys.map(({ questionIds }) => ({
              questions: questionIds.flatMap((id) => countsOf(id, answers)),
            })),
          };
        },
      });
    }),
  );
  const environment = { CANVASS_RESPONSE_URL: responses.url };
  const service = starting.use(await startTestService(parts, { environment, now: () => new Date(), ...options }));
  const client = service.client(SurveyService);
  const running = starting.move();
  return {
    ...service,
    client,
    /** Ids of the surveys with answers. Tests change it freely. */
    answered,
    /** Answer counts by question id. */
    answers,
    /** The response service's intake. */
    intake,
    /** Number of `HasResponses` requests. */
    asked,
    /** `before` runs before answers are counted. */
    counting,
    /** `before` runs before answers are held off. */
    holding,
    stopResponseService: () => responses[Symbol.asyncDispose](),
    ...shorthands(client),
    /** The same helpers for another process. */
    at: (url: string) => shorthands(service.client(SurveyService, { url, peerKey: testKeys.peerKey })),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

export type SurveyFixture = Awaited<ReturnType<typeof startSurveyFixture>>;

/** Respondents who answered a question, and how many of them named each choice, row or column. */
export interface QuestionAnswers {
  respondents: number;
  entries?: Record<string, number>;
}

function countsOf(questionId: string, answers: ReadonlyMap<string, QuestionAnswers>) {
  const { respondents = 0, entries = {} } = answers.get(questionId) ?? {};
  if (respondents === 0) return [];
  const byEntry = Object.entries(entries).map(([id, count]) => [id, BigInt(count)]);
  const counts = { responses: BigInt(respondents), respondents: BigInt(respondents) };
  return [{ questionId, ...counts, entries: Object.fromEntries(byEntry) as Record<string, bigint> }];
}

const asPerson = (context: CallContext = {}) => callOptions({ signedCaller: signedPerson(), ...context });

/** An element in a response. */
// oxlint-disable-next-line typescript/no-explicit-any
type ElementView = Record<string, any>;

function shorthands(client: RpcClient<typeof SurveyService>) {
  async function listPage(
    page: { surveyId: string; limit: number; page?: number; cursor?: string; includeContent?: boolean },
    caller = signedPerson(),
  ) {
    const { outcome } = (await client.batchListElements({ pages: [{ caller, ...page }] })).results[0]!;
    if (outcome.case === "error") throw fromErrorDetail(outcome.value);
    if (outcome.case !== "page") throw new Error("a page of its own was left out");
    const { elementsJson, total, nextCursor, hasMore } = outcome.value;
    return { elements: JSON.parse(elementsJson) as ElementView[], total, nextCursor, hasMore };
  }

  return {
    async create(body: unknown, context?: CallContext): Promise<Survey> {
      const { survey } = await client.createSurvey({ bodyJson: JSON.stringify(body) }, asPerson(context));
      return survey!;
    },
    async patch(surveyId: string, ifMatch: string, body: unknown, context?: CallContext): Promise<Survey> {
      const request = { surveyId, ifMatch: [ifMatch], bodyJson: JSON.stringify(body) };
      return (await client.updateSurvey(request, asPerson(context))).survey!;
    },
    async add(surveyId: string, body: unknown, context?: CallContext) {
      const request = { surveyId, bodyJson: JSON.stringify(body) };
      return JSON.parse((await client.addQuestions(request, asPerson(context))).questionsJson) as AddedQuestion[];
    },
    async element(elementId: string, context?: CallContext): Promise<Element> {
      return (await client.getElement({ elementId }, asPerson(context))).element!;
    },
    edit(
      elementId: string,
      { edit, body }: { edit: string; body: unknown },
      ifMatch: string[] = [],
      context?: CallContext,
    ) {
      return client.editElement({ elementId, ifMatch, edit, bodyJson: JSON.stringify(body) }, asPerson(context));
    },
    remove(elementId: string, ifMatch: string[] = [], context?: CallContext) {
      return client.deleteElement({ elementId, ifMatch }, asPerson(context));
    },
    async order(surveyId: string, pageId: string, elementIds: string[], context?: CallContext): Promise<Page> {
      const request = { surveyId, bodyJson: JSON.stringify({ pageId, elementIds }) };
      return (await client.orderElements(request, asPerson(context))).page!;
    },
    async pages(surveyId: string, context?: CallContext): Promise<Page[]> {
      return (await client.listPages({ surveyId }, asPerson(context))).pages;
    },
    async patchPage(surveyId: string, pageId: string, body: unknown, context?: CallContext): Promise<Page> {
      const request = { surveyId, pageId, bodyJson: JSON.stringify(body) };
      return (await client.updatePage(request, asPerson(context))).page!;
    },
    publish(surveyId: string, ifMatch = "*", context?: CallContext, acknowledge: string[] = []) {
      const request = { surveyId, ifMatch: [ifMatch], bodyJson: JSON.stringify({ acknowledge }) };
      return client.publishSurvey(request, asPerson(context));
    },
    async backups(surveyId: string) {
      return (await client.listBackups({ surveyId }, asPerson())).backups;
    },
    async changes(surveyId: string): Promise<{ summary: ChangeSummary; changes: Change[] }> {
      let summary: ChangeSummary | undefined;
      const changes: Change[] = [];
      for await (const chunk of client.streamChanges({ surveyId }, asPerson())) {
        summary ??= chunk.summary;
        changes.push(...chunk.changesJson.map((json) => JSON.parse(json) as Change));
      }
      return { summary: summary!, changes };
    },
    async elements(surveyId: string) {
      return (await listPage({ surveyId, limit: 100, page: 1 })).elements;
    },
    listPage,
    async read(surveyId: string, caller = signedPerson()): Promise<Survey> {
      const { results } = await client.batchGetSurveys({ surveys: [{ caller, surveyId }] });
      const outcome = results[0]!.outcome;
      if (outcome.case !== "survey") throw new Error(outcome.value?.code);
      return outcome.value;
    },
  };
}

/** Call options of a write with an idempotency key, and the replays that its calls got. */
export function idempotent(
  key: string,
  body: unknown,
  fields: { requestId?: string; signedCaller?: string; answeredAt?: Date } = {},
) {
  const replays: Replay[] = [];
  const { signedCaller = signedPerson(), ...named } = fields;
  const context: CallContext = {
    signedCaller,
    idempotency: idempotency(key, body, named),
    onReplay: (replay) => replays.push(replay),
  };
  return { context, replays };
}

export const question = (text: string, fields: object = {}) => ({ type: "short_text", text, ...fields });
