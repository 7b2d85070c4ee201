import type { MessageInitShape } from "@bufbuild/protobuf";
import { ResponseService, type ResultFilterSchema } from "@canvass/proto/response";
import { ResultsOperatorService } from "@canvass/proto/response-operator";
import type { Question } from "@canvass/questions";
import type { DescService } from "@bufbuild/protobuf";
import { callOptions, type RpcClient, type RpcClientOptions } from "@canvass/rpc";
import { idempotency, signedPerson, startTestService, testKeys } from "@canvass/service/testing";
import type { CallOptions } from "@connectrpc/connect";
import { join } from "node:path";
import { readResponseConfig } from "../src/config.ts";
import { startResponseService } from "../src/service.ts";
import { definitionOf, surveyId, testId, workspaceId } from "./questions.ts";
import { addLink, linkState, startLinkDouble } from "./link-double.ts";
import { createPush, pushingFirst } from "./push-changes.ts";
import { startSurveyDouble, surveyState } from "./survey-double.ts";

export * from "./questions.ts";

/** Locks of this database: other test files have theirs on the same server. */
export const ownLocks =
  "(SELECT * FROM pg_locks WHERE database = (SELECT oid FROM pg_database WHERE datname = current_database())) AS own";

export const operatorKey = "operator-of-the-response-service";

type Person = Parameters<typeof signedPerson>[0];

export interface SubmitOptions {
  traceparent?: string;
  caller?: string;
  key?: string;
  surveyId?: string;
}

export type SubmitOutcome =
  | { code: string; details: Record<string, unknown> }
  | { code: "submitted"; status: string; replayOf?: string; answerIds: string[]; quotaFull?: string };

/** Starts the real service with an in-memory survey service. */
export async function startHarness(pages: Question[][], environment: Record<string, string> = {}) {
  await using starting = new AsyncDisposableStack();
  const survey = surveyState(definitionOf(pages));
  const surveyService = starting.use(await startSurveyDouble(survey));
  const links = linkState();
  const linkService = starting.use(await startLinkDouble(links));
  const parts = {
    folder: join(import.meta.dirname, ".."),
    readConfig: readResponseConfig,
    start: startResponseService,
  };
  const service = starting.use(
    await startTestService(parts, {
      environment: {
        CANVASS_SURVEY_URL: surveyService.url,
        CANVASS_DISTRIBUTION_URL: linkService.url,
        CANVASS_OPERATOR_KEY: operatorKey,
        ...environment,
      },
    }),
  );
  const push = createPush(survey, links, service.handOver);
  const clientOf = <Service extends DescService>(definition: Service, given?: Partial<RpcClientOptions>) =>
    pushingFirst(definition, service.client(definition, given), push);
  const client = clientOf(ResponseService);
  const submitAll = async (given: { body: object; options?: SubmitOptions }[]) => {
    const submissions = given.map(({ body, options }) => submissionOf(body, options));
    return (await client.batchSubmitAnswers({ submissions })).results.map(readOutcome);
  };
  const running = starting.move();
  return {
    ...service,
    client,
    /** A client of another process. */
    clientAt: (url: string) => service.client(ResponseService, { url, peerKey: testKeys.peerKey }),
    /** A client of any RPC service of the process. Pushes changes of the doubles before each call. */
    clientOf,
    push,
    survey,
    links,
    addLink: (code: string, fields?: Parameters<typeof addLink>[2]) => addLink(links, code, fields),
    stopLinkService: async () => linkService[Symbol.asyncDispose](),
    stopSurveyService: async () => surveyService[Symbol.asyncDispose](),
    signed,
    start: async (person?: Person) => {
      const answer = await client.startRespondent({ surveyId }, callOptions({ signedCaller: signed(person) }));
      return answer.respondent!.respondentId;
    },
    submit: async (body: object, options?: SubmitOptions) =>
      (await submitAll([{ body, ...(options && { options }) }]))[0]!,
    submitAll,
    /** Recounts the results of a survey. Returns the counters that differ, which `repair` corrects. */
    verifyResults: async ({ survey: id = surveyId, repair = false } = {}) => {
      const operator = clientOf(ResultsOperatorService, { operatorKey });
      const request = { workspaceId, surveyId: id, timeZone: "Europe/Berlin", repair };
      return (await Array.fromAsync(operator.verifyResults(request))).flatMap(({ differences }) => differences);
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

export type ResponseHarness = Awaited<ReturnType<typeof startHarness>>;

function signed(person: Person = {}): string {
  const ids = { workspaceId, personId: testId("person1"), tokenId: testId("token1") };
  return signedPerson({ ...ids, timeZone: "Europe/Berlin", ...person });
}

const answeredAt = new Date("2026-03-01T12:00:00Z");

function submissionOf(
  body: object,
  { key, caller = signed(), surveyId: id = surveyId, traceparent = "" }: SubmitOptions = {},
) {
  const submission = { caller, surveyId: id, bodyJson: JSON.stringify(body), traceparent };
  if (!key) return submission;
  return { ...submission, idempotency: idempotency(key, body, { requestId: `first-${key}`, answeredAt }) };
}

type Results = Awaited<ReturnType<RpcClient<typeof ResponseService>["batchSubmitAnswers"]>>["results"];

function readOutcome({ outcome, replay }: Results[number]): SubmitOutcome {
  if (outcome.case === "error") {
    return { code: outcome.value.code, details: JSON.parse(outcome.value.detailsJson || "{}") };
  }
  return {
    code: "submitted",
    status: outcome.value!.respondentStatus,
    answerIds: outcome.value!.answers.map(({ answerId }) => answerId),
    ...(outcome.value!.quotaFull && { quotaFull: outcome.value!.quotaFull.name }),
    ...(replay && { replayOf: replay.requestId }),
  };
}

interface Asked {
  includeOffPath?: boolean;
  filter?: MessageInitShape<typeof ResultFilterSchema>;
}

/** The survey's results, joined from their chunks. */
export async function readAggregation(
  client: ResponseHarness["client"],
  options: CallOptions,
  { includeOffPath = false, filter }: Asked = {},
) {
  const request = { surveyId, includeOffPath, ...(filter && { filter }) };
  const chunks = await Array.fromAsync(client.streamAggregation(request, options));
  return { ...chunks[0]!.summary!, questionStats: chunks.flatMap(({ questionStats }) => questionStats), chunks };
}
