/** An entry of the table from which the OpenAPI document and `GET /errors` are generated (contract 1.3). */
export interface ErrorDefinition {
  status: number;
  message: string;
  suggestion: string;
  retryable: boolean;
}

const permanent = (status: number, message: string, suggestion: string): ErrorDefinition => ({
  status,
  message,
  suggestion,
  retryable: false,
});
const retryable = (status: number, message: string, suggestion: string): ErrorDefinition => ({
  status,
  message,
  suggestion,
  retryable: true,
});

export const errorCatalogue = {
  malformed_json: permanent(
    400,
    "The body is not valid JSON.",
    "Send one JSON document in UTF-8; look for a missing quote, a trailing comma or a cut-off end.",
  ),
  malformed_yaml: permanent(
    400,
    "The body is not valid YAML.",
    "Correct the lines that `details` name, or send the document as JSON.",
  ),
  invalid_request: permanent(
    400,
    "The request cannot be understood.",
    "Correct what the message and `details` name and send the request again.",
  ),

  unauthorized: permanent(
    401,
    "This operation needs an API token.",
    "Send an `Authorization: Bearer <token>` header with a token of your workspace.",
  ),
  invalid_token: permanent(
    401,
    "The API token is not valid.",
    "Check that the token was copied whole; if it was revoked or rotated, use the new one or ask in the workspace for another.",
  ),
  token_expired: permanent(
    401,
    "The API token has expired.",
    "Use a token that is still valid; with it, `POST /tokens` creates a new one.",
  ),

  insufficient_scope: permanent(
    403,
    "The token does not have the scope for this operation.",
    "Use a token that has the scope `details.required_scope`.",
  ),
  forbidden: permanent(
    403,
    "The owner of this token may not do that.",
    "Ask an owner or admin of the workspace for a role that allows it, or to do it for you.",
  ),
  workspace_not_accessible: permanent(
    403,
    "This token has no access to that workspace.",
    "Leave out `X-Workspace-ID`, or use a workspace of which the token's owner is a member.",
  ),
  element_not_found: permanent(
    403,
    "There is no such element, or this token cannot reach it.",
    "List the survey's elements with `GET /surveys/{id}/elements` and use one of their ids.",
  ),
  subscription_not_found: permanent(
    403,
    "There is no such event subscription, or this token cannot reach it.",
    "List the workspace's subscriptions with `GET /event-subscriptions` and use one of their ids.",
  ),
  feature_locked: permanent(
    403,
    "The workspace's plan does not include this feature.",
    "Leave this feature out, or move the workspace to the plan named in `details.required_plan`.",
  ),
  quota_exceeded: permanent(
    403,
    "The survey would hold more questions, or the workspace more bytes of surveys or files, than the plan allows.",
    "Add less, remove something, or move the workspace to the plan named in `details.required_plan`.",
  ),

  route_not_found: permanent(
    404,
    "There is nothing at this URL.",
    "Look the path up in the API reference at /docs; every path of the API begins with /api/v1.",
  ),
  survey_not_found: permanent(
    404,
    "There is no such survey.",
    "List your surveys with `GET /surveys` and use one of their ids.",
  ),
  token_not_found: permanent(
    404,
    "There is no such token.",
    "List your tokens with `GET /tokens` and use one of their ids.",
  ),
  element_retired: permanent(
    404,
    "This element was removed from the survey; its answers are still in the results.",
    "Use an element that is still in the survey; read the answers of this one from the results.",
  ),
  respondent_not_found: permanent(
    404,
    "There is no such respondent in this survey.",
    "Start a respondent with `POST /response/surveys/{id}/respondents` and use its id.",
  ),
  contact_not_found: permanent(
    404,
    "There is no such contact.",
    "List your contacts with `GET /contacts` and use one of their ids.",
  ),
  distributor_not_found: permanent(
    404,
    "There is no such distributor.",
    "List the survey's distributors with `GET /distribution/surveys/{id}` and use one of their ids.",
  ),
  export_not_found: permanent(
    404,
    "There is no such export.",
    "Request an export with `POST /exports/surveys/{id}` and use the id in its response.",
  ),
  file_not_found: permanent(
    404,
    "There is no such file.",
    "Use the `fileId` of an answer to a question of the type file_upload; files without an answer are deleted after a day, those that came by a link after three hours.",
  ),
  import_not_found: permanent(
    404,
    "There is no such import.",
    "Start an import with `POST /contacts/imports` or `POST /response/surveys/{id}/import`, and use the id in its response.",
  ),
  version_not_found: permanent(
    404,
    "There is no such version.",
    "List the survey's versions with `GET /surveys/{id}/versions` and use one of their ids.",
  ),
  backup_not_found: permanent(
    404,
    "There is no such backup.",
    "List the draft's backups with `GET /surveys/{id}/draft/backups` and use one of their ids.",
  ),
  page_not_found: permanent(
    404,
    "There is no such page in this survey.",
    "List the survey's pages with `GET /surveys/{id}/pages` and use one of their ids.",
  ),
  choice_not_found: permanent(
    404,
    "There is no such choice in this question.",
    "Read the question with `GET /multiple-choice/{id}` and use one of its choice ids.",
  ),
  event_not_found: permanent(
    404,
    "There is no such event.",
    "Use the `id` of an event in `GET /events`, or the `webhook-id` of a delivery. Events are kept for 30 days, if a webhook or feed listened for them.",
  ),
  delivery_not_found: permanent(
    404,
    "There is no such delivery.",
    "List the webhook's deliveries with `GET /event-subscriptions/{id}/deliveries` and use one of their ids.",
  ),

  method_not_allowed: permanent(
    405,
    "This URL does not support that method.",
    "Use one of the methods in the `Allow` header.",
  ),

  request_timeout: retryable(
    408,
    "The request did not arrive in time.",
    "Repeat the request on a new connection and send it without pauses, or compressed: headers within 15 seconds, all of it within 30; a large file at 8 KiB a second or more.",
  ),

  idempotency_key_reused: permanent(
    409,
    "This idempotency key was used before with another body.",
    "Choose a new key for a new request; repeat a key only with exactly the same body.",
  ),
  idempotency_in_progress: retryable(
    409,
    "A request with this idempotency key is still running.",
    "Wait for `Retry-After` seconds and repeat the same request with the same key: it returns the first response.",
  ),
  acknowledgement_required: permanent(
    409,
    "Publishing would affect existing results.",
    "Review `details.changes` and publish again with the `changeId` of each in `acknowledge`, or with the `changesId` of `GET /surveys/{id}/publish/changes` for all.",
  ),
  breaking_change: permanent(
    409,
    "The draft would break existing answers.",
    "Undo the changes listed in `details.changes`; instead of changing an answered question, add a new one.",
  ),
  nothing_to_publish: permanent(
    409,
    "The draft equals the published version.",
    "Change the draft before publishing again.",
  ),
  survey_locked: retryable(
    409,
    "Somebody else is changing this survey right now.",
    "Wait for `Retry-After` seconds and repeat; `GET /surveys/{id}/lock` shows who holds the lock.",
  ),
  invalid_transition: permanent(
    409,
    "This is not possible in the current state.",
    "Use one of the operations in `details.allowed`; `details.state` has the current state.",
  ),
  distributor_has_responses: permanent(
    409,
    "This distributor has collected responses.",
    "Close it with `POST /distribution/{id}/close` instead of deleting it.",
  ),
  export_not_ready: retryable(
    409,
    "The export is not ready yet.",
    "Poll `GET /exports/{id}` until its `status` is `completed`, then repeat.",
  ),
  already_anonymized: permanent(
    409,
    "This contact was anonymized before.",
    "Nothing to do: no data of this contact is left to erase.",
  ),
  duplicate_subscription: permanent(
    409,
    "The workspace already has a webhook for this URL.",
    "Use the subscription named in `details.subscription_id`, or delete it first.",
  ),
  subscription_limit_reached: permanent(
    409,
    "The workspace has reached its limit of subscriptions.",
    "List the subscriptions with `GET /event-subscriptions` and delete one that is no longer needed.",
  ),
  subscription_is_pull: permanent(
    409,
    "This is not possible with an event feed.",
    "Use a webhook subscription for this; the events of a feed are read with `GET /events`.",
  ),
  subscription_not_active: permanent(
    409,
    "The subscription is not active.",
    "Resume it with `PATCH /event-subscriptions/{id}` and the status `active`, then repeat.",
  ),
  delivery_pending: permanent(
    409,
    "This event is already queued for the webhook.",
    "Wait for the queued delivery; `GET /event-subscriptions/{id}/deliveries` shows its result.",
  ),

  precondition_failed: permanent(
    412,
    "The resource has changed since you read it.",
    "Read it again, apply your change to the new state and send its new ETag in `If-Match`.",
  ),
  payload_too_large: permanent(
    413,
    "The body is larger than this operation accepts, as sent or decompressed.",
    "Split the request into several smaller ones. JSON may have 1 MiB, a CSV file of answers or contacts 4 MiB, a questionnaire 8 MiB and a survey's document 12 MiB.",
  ),
  file_too_large: permanent(
    413,
    "The file is larger than its question allows.",
    "Send a smaller file; `max_bytes` in the details is the limit in bytes.",
  ),
  unsupported_media_type: permanent(
    415,
    "The body's media type is not supported here.",
    "Send one of the media types in `details`, mostly JSON with `Content-Type: application/json`, as it is or compressed with one of gzip, deflate and br.",
  ),
  range_not_satisfiable: permanent(
    416,
    "The file has no byte in that range.",
    "Ask for a range below the size in `Content-Range`, or for the whole file without `Range`.",
  ),
  validation_failed: permanent(
    422,
    "Some values are missing or invalid.",
    "Correct every field named in `details` and send the request again.",
  ),
  file_type_not_allowed: permanent(
    422,
    "The question does not accept files of this type, or the file's content does not match its name.",
    "Send a file whose name ends in one of `details.extensions` (any, if it is absent) and whose content is of that type.",
  ),
  survey_not_collecting: permanent(
    422,
    "The survey does not collect answers now.",
    "See `details.reason`: publish the survey, open it, resume its link, or start a new respondent.",
  ),
  quota_full: permanent(
    422,
    "The quota for these answers is full.",
    "Show the respondent `details.message`, or that the survey is closed to them; nothing of this request was stored.",
  ),
  precondition_required: permanent(
    428,
    "This write needs an `If-Match` header.",
    "Read the resource and send its ETag in `If-Match`, or `*` to write regardless.",
  ),
  rate_limited: retryable(
    429,
    "Too many requests.",
    "Wait for `Retry-After` seconds and repeat; `RateLimit` shows how many calls are left.",
  ),
  request_header_fields_too_large: permanent(
    431,
    "The URL and headers are larger than 16 KiB.",
    "Send fewer or shorter headers, or a shorter query.",
  ),

  internal_error: retryable(
    500,
    "Something went wrong on our side.",
    "Repeat the request; if it keeps failing, report `meta.requestId` to the operator of this service.",
  ),
  service_unavailable: retryable(
    503,
    "A part of the service is not available.",
    "Wait for `Retry-After` seconds and repeat; `GET /health` shows which part is down.",
  ),
  deadline_exceeded: retryable(
    504,
    "The service did not respond in time.",
    "Repeat the request; repeat a write with the same `Idempotency-Key`, so that it takes effect once.",
  ),
} as const satisfies Record<string, ErrorDefinition>;

export type ErrorCode = keyof typeof errorCatalogue;

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorCatalogue, code);
}
