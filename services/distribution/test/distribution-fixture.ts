import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { DistributorService } from "@canvass/proto/distribution";
import { LinkService } from "@canvass/proto/distribution-links";
import {
  LinkResponseService,
  type DistributorResult,
  type LinkUse,
  type ListContactRespondentsRequest,
} from "@canvass/proto/response-links";
import { SurveyService } from "@canvass/proto/survey-service";
import { AppError } from "@canvass/errors";
import { callOptions, type CallContext } from "@canvass/rpc";
import {
  auditEntries,
  createIntakeDouble,
  signedPerson,
  startDouble,
  startTestService,
  type TestServiceOptions,
} from "@canvass/service/testing";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { LinkUseSchema } from "@canvass/proto/response-links";
import { join } from "node:path";
import { readDistributionConfig } from "../src/config.ts";
import { startDistributionService } from "../src/service.ts";

export { idempotency, refusal } from "@canvass/service/testing";

export const parts = {
  folder: join(import.meta.dirname, ".."),
  readConfig: readDistributionConfig,
  start: startDistributionService,
};

export const surveyId = "survey0000000001";

let workspaces = 0;
/** An id that no other test of the file uses. */
export const newWorkspace = (): string => `workspace${String((workspaces += 1)).padStart(7, "0")}`;

const as = (workspaceId: string, { plan = "enterprise", ...context }: { plan?: string } & CallContext = {}) =>
  callOptions({
    ...context,
    signedCaller: signedPerson({ workspaceId, plan, personName: "Ada", timeZone: "Europe/Berlin" }),
  });

/** State of the other services in this test. */
export interface Others {
  /** Keyed by distributor. Missing: nobody responded. */
  results: Map<string, Pick<DistributorResult, "started" | "completed">>;
  /** Keyed by link. Missing: unused. */
  uses: Map<string, MessageInitShape<typeof LinkUseSchema>>;
  /** Steps of respondents by contact, in any order. */
  steps: Map<string, Step[]>;
  isResponseAway: boolean;
}

type Step = { at: Date; stepId: string; kind: string; surveyId: string; respondentId: string };

/** Lists steps as the response service does. */
function listSteps(known: readonly Step[], { limit, before }: ListContactRespondentsRequest): Step[] {
  const placeOf = ({ at, stepId }: Pick<Step, "at" | "stepId">) => `${at.toISOString()} ${stepId}`;
  const border = before ? placeOf({ at: timestampDate(before.at!), stepId: before.stepId }) : "~";
  const earlier = known.filter((step) => placeOf(step) < border);
  return earlier.sort((a, b) => (placeOf(a) < placeOf(b) ? 1 : -1)).slice(0, limit);
}

const nobody = { started: 0n, completed: 0n };
const unused: Omit<LinkUse, "$typeName"> = { respondentId: "", usedAt: "", status: "" };

/** Starts the service between doubles of survey and response. They know one survey and no respondents. */
export async function startDistribution(options: TestServiceOptions = {}) {
  await using starting = new AsyncDisposableStack();
  const others: Others = {
    results: new Map(),
    uses: new Map(),
    steps: new Map(),
    isResponseAway: false,
  };
  const intake = createIntakeDouble();
  const double = starting.use(
    await startDouble((router) => {
      intake.routes(router);
      router.service(SurveyService, {
        batchGetCollections: ({ surveys }) => ({
          collections: surveys.map((asked) => ({ found: asked.surveyId === surveyId })),
        }),
      });
      router.service(LinkResponseService, {
        batchGetDistributorResults: ({ distributors }) => {
          if (others.isResponseAway) throw new AppError("service_unavailable");
          return { results: distributors.map(({ distributorId }) => others.results.get(distributorId) ?? nobody) };
        },
        holdUnusedLink: ({ link }) => {
          if (others.isResponseAway) throw new AppError("service_unavailable");
          return { started: others.results.get(link!.distributorId)?.started ?? 0n };
        },
        listContactRespondents: (request) => {
          if (others.isResponseAway) throw new AppError("service_unavailable");
          const steps = listSteps(others.steps.get(request.contactId) ?? [], request);
          return { steps: steps.map(({ at, ...step }) => ({ ...step, at: timestampFromDate(at) })) };
        },
        batchGetLinkUses: ({ linkIds }) => ({ uses: linkIds.map((linkId) => others.uses.get(linkId) ?? unused) }),
      });
    }),
  );
  const service = starting.use(
    await startTestService(parts, {
      ...options,
      environment: { CANVASS_SURVEY_URL: double.url, CANVASS_RESPONSE_URL: double.url, ...options.environment },
    }),
  );
  const distributors = service.client(DistributorService);
  const links = service.client(LinkService);
  const running = starting.move();
  async function create(workspaceId: string, body: object = {}) {
    const bodyJson = JSON.stringify({ name: "Newsletter", ...body });
    const { distributor } = await distributors.createDistributor({ surveyId, bodyJson }, as(workspaceId));
    return distributor!;
  }
  return {
    ...service,
    others,
    /** The response service's intake. */
    intake,
    /** Changes of a distributor that were handed over. */
    pushed: (distributorId: string) =>
      intake.taken.flatMap(({ event: { body } }) => {
        if (body.case !== "collectingChanged" || body.value.change.case !== "link") return [];
        return body.value.change.value.distributorId === distributorId ? [body.value.change.value] : [];
      }),
    distributors,
    links,
    as,
    create,
    /** Creates a distributor that collects. */
    createActive: async (workspaceId: string, body?: object) => {
      const { distributorId } = await create(workspaceId, body);
      const move = { distributorId, move: "activate" };
      return (await distributors.moveDistributor(move, as(workspaceId))).distributor!;
    },
    move: async (workspaceId: string, distributorId: string, move: string) =>
      (await distributors.moveDistributor({ distributorId, move }, as(workspaceId))).distributor!,
    get: async (workspaceId: string, distributorId: string) =>
      (await distributors.getDistributor({ distributorId }, as(workspaceId))).distributor!,
    linkOf: async (code: string) =>
      (await links.batchGetLinks({ links: [{ by: { case: "code", value: code } }] })).links[0]!,
    audited: (workspaceId: string) => auditEntries(service.sql, workspaceId),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

export type Distribution = Awaited<ReturnType<typeof startDistribution>>;
