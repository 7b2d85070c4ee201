import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { SubmittedAnswers } from "@canvass/proto/response";
import { LinkResponseService } from "@canvass/proto/response-links";
import type { Idempotency } from "@canvass/proto/rpc";
import { idempotency } from "@canvass/service/testing";
import { ratingQuestion, startHarness, testId } from "./harness.ts";

export const distributorId = testId("distributor");
export const answer = (name: string, value: unknown) => ({ elementId: testId(name), value });
export const finished = { responses: [answer("a", 3), answer("b", 4)] };
export const firstPage = { responses: [answer("a", 2)], pageId: testId("page1") };

/** A respondent that started through a link. */
export interface Guest {
  code: string;
  respondentId: string;
  sessionToken: string;
}

interface Sent {
  key?: string;
  code?: string;
  respondentId?: string;
}

/**
 * Starts the real service with an in-memory distribution service, and helpers for respondents that come through links.
 */
export async function startLinkHarness(environment: Record<string, string> = {}) {
  const harness = await startHarness([[ratingQuestion("a", true)], [ratingQuestion("b", true)]], environment);
  const links = harness.clientOf(LinkResponseService);
  const keyed = (scope: string, key: string | undefined, body: unknown): { idempotency?: Idempotency } => {
    if (!key) return {};
    return { idempotency: { ...idempotency(key, body, { requestId: `first-${key}` }), scope } };
  };
  const start = (
    code: string,
    fields: {
      key?: string;
      password?: string;
      language?: string;
      metadataJson?: string;
      country?: string;
      bodyJson?: string;
    } = {},
  ) => {
    const { key, ...request } = fields;
    return links.startLinkRespondent({ ...request, code, ...keyed(`start ${code}`, key, fields) });
  };
  const submissionOf = ({ code, respondentId, sessionToken }: Guest, body: object, sent: Sent = {}) => ({
    code,
    respondentId,
    sessionToken,
    bodyJson: JSON.stringify(body),
    ...keyed(`answers ${respondentId}`, sent.key, body),
    ...sent,
  });
  return {
    ...harness,
    linkClient: links,
    start,
    startGuest: async (code: string, fields: Parameters<typeof start>[1] = {}): Promise<Guest> => {
      const { respondent, sessionToken } = await start(code, fields);
      return { code, respondentId: respondent!.respondentId, sessionToken };
    },
    answer: async (came: Guest, body: object, sent?: Sent) => {
      const submissions = [submissionOf(came, body, sent)];
      const [result] = (await harness.client.batchSubmitAnswers({ submissions })).results;
      const { outcome, replay } = result!;
      if (outcome.case === "error") {
        return { code: outcome.value.code, details: JSON.parse(outcome.value.detailsJson || "{}") as object };
      }
      return { code: outcome.value!.respondentStatus, ...(replay && { replayOf: replay.requestId }) };
    },
    /** Saves answers. Returns when the respondent was last seen before this save, and by it. */
    seenAfter: async (came: Guest, body: object) => {
      const submissions = [submissionOf(came, body)];
      const [result] = (await harness.client.batchSubmitAnswers({ submissions })).results;
      const submitted = result!.outcome.value as SubmittedAnswers;
      return [submitted.previousSeenAt, submitted.seenAt].map((at) => at && timestampDate(at).toISOString());
    },
    read: (came: Guest, language = "") => links.getLinkRespondent({ ...came, language }),
    results: async () => {
      const distributors = [{ workspaceId: "workspace1000000", distributorId }];
      const [result] = (await links.batchGetDistributorResults({ distributors })).results;
      return { started: Number(result!.started), completed: Number(result!.completed) };
    },
    /** Whether the session belongs to the respondent who used the link. */
    isOwnUse: async (linkId: string, session: { code: string; sessionToken: string }) => {
      const { uses } = await links.batchGetLinkUses({ workspaceId: "workspace1000000", linkIds: [linkId], ...session });
      return uses[0]!.isOwn;
    },
    use: async (linkId: string) => {
      const { uses } = await links.batchGetLinkUses({ workspaceId: "workspace1000000", linkIds: [linkId] });
      const { respondentId, usedAt, status } = uses[0]!;
      return { respondentId, usedAt, status };
    },
    [Symbol.asyncDispose]: () => harness[Symbol.asyncDispose](),
  };
}

export type LinkHarness = Awaited<ReturnType<typeof startLinkHarness>>;
