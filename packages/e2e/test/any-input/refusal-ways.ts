import type { Json } from "../../src/index.ts";
import type { DocumentedOperation } from "./documented-operations.ts";
import { elevenQuestions, type EventsScene, type RefusalScene } from "./refusal-scene.ts";

/** Changes that turn a valid request into a refused one. */
export interface Deviation {
  /** Keyed by the names of path and query parameters. */
  ids?: Record<string, string>;
  headers?: Record<string, string>;
  body?: unknown;
  query?: string;
  without?: "body" | "if-match";
}

type Way = (scene: RefusalScene, target: DocumentedOperation) => Deviation;

const bearer = (token: string): Deviation => ({ headers: { authorization: `Bearer ${token}` } });
const absent = "0".repeat(16);

/** One way to provoke each code that an operation of authoring or events promises. */
export const refusalWays: Readonly<Record<string, Way>> = {
  unauthorized: () => ({ headers: { authorization: "" } }),
  invalid_token: ({ tokens }) => bearer(tokens.wrong),
  token_expired: ({ tokens }) => bearer(tokens.expired),
  insufficient_scope: ({ tokens }) => bearer(tokens.weak),
  forbidden: ({ tokens }) => bearer(tokens.powerless),
  workspace_not_accessible: ({ foreign }) => ({ headers: { "x-workspace-id": foreign["workspaceId"]! } }),

  survey_not_found: ({ foreign }) => ({ ids: { surveyId: foreign["surveyId"]! } }),
  element_not_found: ({ foreign }) => ({ ids: { elementId: foreign["elementId"]! } }),
  element_retired: ({ retiredId }) => ({ ids: { elementId: retiredId } }),
  page_not_found: ({ foreign }) => ({ ids: { pageId: foreign["pageId"]! } }),
  version_not_found: ({ foreign }, { path }) =>
    path.endsWith("/copy") ? { body: { version: 999 } } : { ids: { versionId: foreign["versionId"]! } },
  backup_not_found: ({ foreign }) => ({ ids: { backupId: foreign["backupId"]! } }),
  choice_not_found: () => ({ ids: { choiceId: absent } }),
  respondent_not_found: ({ foreign }, { method }) => {
    const { respondentId } = foreign as { respondentId: string };
    return method === "GET" ? { ids: { respondentId } } : { body: { respondentId, score: 5 } };
  },
  subscription_not_found: ({ foreign }) => ({ ids: { subscriptionId: foreign["subscriptionId"]! } }),
  survey_not_collecting: ({ closed: { elementId, respondentId } }) => ({
    ids: { elementId },
    body: { respondentId, score: 5 },
  }),

  invalid_request: (_, { path, operation }) =>
    operation.requestBody?.required ? { without: "body" } : { ids: { [/\{(\w+)\}/.exec(path)![1]!]: "" } },
  malformed_json: () => ({ body: '{"name":' }),
  unsupported_media_type: () => ({ body: "{}", headers: { "content-type": "text/plain" } }),
  payload_too_large: () => ({ body: `{}${" ".repeat(2 ** 20)}` }),
  validation_failed: () => ({ query: "surprise=1" }),

  precondition_required: () => ({ without: "if-match" }),
  precondition_failed: () => ({ headers: { "if-match": '"stale"' } }),

  nothing_to_publish: unpublishable("nothing_to_publish"),
  survey_locked: unpublishable("survey_locked"),
  acknowledgement_required: unpublishable("acknowledgement_required"),
  breaking_change: unpublishable("breaking_change"),

  duplicate_subscription: ({ events }, { method }) => ({
    body: { ...(method === "POST" && { name: "Again" }), url: events.takenUrl },
  }),
  subscription_limit_reached: ({ events }) => bearer(events.fullToken),
  subscription_is_pull: ({ events }) => ({ ids: { subscriptionId: events.feedId } }),
  invalid_transition: ({ events }, { path }) =>
    path.endsWith("/redeliver")
      ? quietDelivery(events, events.deliveryIds.cancelled)
      : { ids: { subscriptionId: events.disabledId }, body: { status: "paused" } },
  subscription_not_active: ({ events: { pausedId: subscriptionId, pausedDeliveryId: deliveryId } }) => ({
    ids: { subscriptionId, deliveryId },
  }),
  delivery_not_found: ({ events }) => quietDelivery(events, absent),
  delivery_pending: ({ events }) => quietDelivery(events, events.deliveryIds.pending),
  event_not_found: () => ({ ids: { eventId: absent } }),

  quota_exceeded: ({ small }, { path }) => {
    if (path.endsWith("/copy")) return { ...bearer(small.token), ids: small.ids, body: { version: 1 } };
    const body = { ...(path === "/surveys" && { name: "Large" }), questions: elevenQuestions };
    return { ...bearer(small.token), ids: small.ids, ...(path.endsWith("/restore") ? {} : { body }) };
  },
  feature_locked: ({ small }, { method, path, operation }) => {
    if (path.endsWith("/copy")) return { ...bearer(small.token), ids: { surveyId: small.lockedId }, body: {} };
    if (operation.tags[0] === "Events") return { ...bearer(small.token), ids: small.ids };
    const body: Json = { ...(method === "POST" && { name: "Large" }), settings: { display: { showBranding: false } } };
    return { ...bearer(small.token), ids: small.ids, body };
  },
};

function quietDelivery({ quietId: subscriptionId }: EventsScene, deliveryId: string): Deviation {
  return { ids: { subscriptionId, deliveryId } };
}

function unpublishable(code: string): Way {
  return ({ unpublishable }) => ({ ids: { surveyId: unpublishable[code]! } });
}

/** Codes that no single caller's request causes. Other tests cover them. */
export const refusedElsewhere: ReadonlySet<string> = new Set([
  "idempotency_in_progress",
  "rate_limited",
  "request_timeout",
  "request_header_fields_too_large",
  "service_unavailable",
  "deadline_exceeded",
  "internal_error",
]);
