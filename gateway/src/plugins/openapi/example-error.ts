import { AppError, type ErrorCode, type ErrorDetails } from "@canvass/errors";
import { acceptedCodings, codingHeader } from "../body/body-coding.ts";

export const exampleError = (code: ErrorCode): AppError => new AppError(code, exampleDetails[code] ?? {});

const id = "01h8x3k9q2m4a7zp";

const exampleDetails: Partial<Record<ErrorCode, ErrorDetails>> = {
  invalid_request: { body: ["is required"] },
  validation_failed: { "settings.display.progressStyle": ["must be one of none, bar, percentage, steps"] },
  unsupported_media_type: { [codingHeader]: [`must be one of ${acceptedCodings}`] },
  insufficient_scope: { required_scope: "surveys:write" },
  feature_locked: { feature: "webhooks", required_plan: "professional" },
  quota_exceeded: { limit: 10, requested: 12, required_plan: "starter" },
  acknowledgement_required: {
    changes: [
      {
        changeId: "01h8x5c3d7p9e2wn",
        class: "results_affecting",
        kind: "question_reworded",
        elementId: id,
        affectedResponses: 12,
        before: "How was lunch?",
        after: "How did you like lunch?",
        message: "Rewords the question “How was lunch?” to “How did you like lunch?”.",
      },
    ],
  },
  breaking_change: {
    advice: "Undo these changes in the draft. Instead of changing an answered question, add a new one.",
    changes: [
      {
        changeId: "01h8x5c3d7r4f6vk",
        class: "breaking",
        kind: "type_changed",
        elementId: id,
        affectedResponses: 12,
        before: "rating",
        after: "nps",
        message:
          "Turns the question “How was lunch?” from rating into nps; where it was answered, add a new question instead.",
      },
    ],
  },
  file_too_large: { max_bytes: 10_485_760 },
  file_type_not_allowed: { extensions: ["png", "pdf"] },
  survey_locked: { reason: "publishing", holder: id, expiresAt: "2026-01-31T12:00:00.000Z" },
  survey_not_collecting: { reason: "not_published" },
  quota_full: {
    quotaId: id,
    name: "Men under 30",
    onFull: "message",
    message: "We have heard from enough of you. Thank you.",
  },
  subscription_not_active: { status: "paused" },
  delivery_pending: { delivery_id: id },
  distributor_has_responses: { started: 12 },
  export_not_ready: { status: "processing" },
  duplicate_subscription: { subscription_id: id },
  subscription_limit_reached: { limit: 20 },
  element_retired: { retiredAt: "2026-01-31T12:00:00.000Z", responses: 12 },
  invalid_transition: { state: "disabled", allowed: ["active"] },
  range_not_satisfiable: { size: 48_210 },
  rate_limited: { limit: 600, window_seconds: 60 },
};
