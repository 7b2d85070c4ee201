import { notCollectingReasons, type ErrorCode } from "@canvass/errors";
import { Type, type TObjectOptions, type TProperties, type TSchema } from "typebox";
import { nullable, words } from "./schema-parts.ts";
import { draftChangeSchema, onFullActions } from "@canvass/questions";

const details = (properties: TProperties, options: TObjectOptions = {}) => Type.Object(properties, options);
const text = (description: string) => Type.String({ description });
const optional = Type.Optional;

const plan = (description: string) => nullable<string>("string", { description });
const changes = Type.Array(draftChangeSchema);
const count = Type.Integer();

/** Codes whose `details` list sentences by place (contract 2.1). */
export const violationCodes = [
  "malformed_json",
  "malformed_yaml",
  "invalid_request",
  "unsupported_media_type",
  "validation_failed",
] as const;

/** Schemas of `details` by code (contract 1.3). Codes that are neither here nor in `violationCodes` promise none. */
export const errorDetails = {
  insufficient_scope: details({
    required_scope: text("the scope that is missing"),
    missing_scopes: optional(Type.Array(Type.String(), { description: "all of them, if there are several" })),
  }),
  feature_locked: details({
    feature: text("the feature that the plan does not have"),
    required_plan: text("the smallest plan that has it"),
    paths: optional(Type.Array(Type.String(), { description: "the settings that need the feature" })),
  }),
  quota_exceeded: details({
    limit: optional(Type.Integer({ description: "the limit: a number of items, or of bytes" })),
    requested: optional(Type.Integer({ description: "the number after the request" })),
    required_plan: optional(plan("the smallest plan that allows as much; null: none does")),
    unit: optional(text("what is counted, such as `bytes`; absent: questions")),
    max_bytes: optional(Type.Integer({ description: "limit of the files, in bytes" })),
  }),
  acknowledgement_required: details({ changes }),
  breaking_change: details({ advice: text("what to do instead"), changes }),
  file_too_large: details({ max_bytes: count }),
  file_type_not_allowed: details({
    extensions: optional(Type.Array(Type.String(), { description: "accepted extensions of file names; absent: any" })),
    content: optional(text("the extension that matches the content")),
  }),
  survey_locked: details({
    reason: Type.String(),
    holder: text("the person"),
    expiresAt: Type.String({ format: "date-time" }),
  }),
  survey_not_collecting: details({ reason: words(notCollectingReasons, { description: "what prevents it" }) }),
  quota_full: details({
    quotaId: Type.String(),
    name: text("of the quota"),
    onFull: words(onFullActions),
    message: nullable<string>("string", { description: "message for the respondent" }),
  }),
  duplicate_subscription: details({ subscription_id: text("the webhook that has this URL") }),
  subscription_limit_reached: details({ limit: count }),
  subscription_not_active: details({ status: text("its status") }),
  delivery_pending: details({ delivery_id: text("the queued delivery") }),
  element_retired: details({ retiredAt: Type.String({ format: "date-time" }), responses: count }),
  invalid_transition: details({
    state: text("the current state"),
    allowed: Type.Array(Type.String(), { description: "the operations that are possible now" }),
  }),
  distributor_has_responses: details({ started: Type.Integer({ description: "respondents who came by it" }) }),
  export_not_ready: details({ status: text("of the export") }),
  range_not_satisfiable: details({ size: Type.Integer({ description: "bytes of the file" }) }),
  rate_limited: details(
    { limit: optional(count), window_seconds: optional(count) },
    {
      additionalProperties: { type: "integer" },
      description: "calls per window of this many seconds, or a limit of simultaneous items",
    },
  ),
  service_unavailable: details(
    { part: optional(text("the part that is down")) },
    { additionalProperties: true, description: "only at `GET /health`: its result" },
  ),
} satisfies Partial<Record<ErrorCode, TSchema>>;
