import { create, type DescMessage, type DescField, type DescMethod, type Message } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { ScalarType, type DescService } from "@bufbuild/protobuf";
import { exampleCrosstab, exampleSeries } from "../../src/plugins/openapi/example-tables.ts";

/** A double of a service. Every method returns a message with all fields set. */
export function anyService(service: DescService): Record<string, () => Promise<Message> | AsyncIterable<Message>> {
  return Object.fromEntries(service.methods.map((method) => [method.localName, answering(method)]));
}

function answering({ methodKind, output }: DescMethod): () => Promise<Message> | AsyncIterable<Message> {
  if (methodKind !== "server_streaming") return async () => filled(output);
  return async function* () {
    yield filled(output);
  };
}

/** A message with all fields set. Recursion stops at nested recursive messages. */
export function filled(desc: DescMessage, depth = 0): Message {
  const message = create(desc);
  const view = reflect(desc, message);
  for (const field of desc.fields) {
    if (field.oneof && view.oneofCase(field.oneof)) continue;
    fill(view, field, depth);
  }
  return message;
}

function fill(view: ReturnType<typeof reflect>, field: DescField, depth: number): void {
  if (field.fieldKind === "list") {
    if (field.listKind === "message" && depth < 4) {
      view.get(field).add(reflect(field.message, filled(field.message, depth + 1)));
    } else if (field.listKind === "scalar") view.get(field).add(scalar(field.scalar, field));
  } else if (field.fieldKind === "message" && depth < 4) {
    view.set(field, reflect(field.message, filled(field.message, depth + 1)));
  } else if (field.fieldKind === "scalar") view.set(field, scalar(field.scalar, field));
  else if (field.fieldKind === "enum") view.set(field, field.enum.values.at(-1)!.number);
}

/** Values of fields that go into headers or are parsed, by field name, or by message and field name. */
const texts: Record<string, string> = {
  redirect_url: "https://example.org/thanks",
  scopes: "surveys:read",
  default_scopes: "surveys:read",
  type_name: "rating",
  "AuditEntry.action": "survey.updated",
  "AuditEntry.resource_type": "survey",
  "Backup.reason": "manual",
  "SurveyLock.reason": "publishing",
  "RedeliverRangeResponse.status": "failed",
  "Listener.mode": "push",
  "Listener.status": "disabled",
  "OccurredEvent.type": "response.completed",
  error_code: "service_unavailable",
  respondent_status: "completed",
  settings_json: "{}",
  fields_json: "[]",
  texts_json: "{}",
  "Version.languages": "pt-BR",
  "Respondent.fields_json": "{}",
  quotas_json: "[]",
  on_full: "close",
  "ChangeSummary.class": "safe",
  "DocumentPlan.class": "safe",
  changes_json: "[]",
  "GetDraftResponse.state": "dirty",
  "Subscription.mode": "push",
  "Subscription.status": "active",
  "Subscription.status_reason": "failing",
  event_types: "response.completed",
  event_type: "response.completed",
  "FeedEvent.type": "response.completed",
  "FeedEvent.data_json": JSON.stringify({
    workspace_id: "01h8x2f5k8m1q4sv",
    survey_id: "01h8x3k9q2m4a7zp",
    response_id: "01h8x4v2c6n8b5tq",
    completed_at: "2026-01-31T12:00:00.000Z",
  }),
  outcome: "connection_error",
  reason: "refused",
  "Delivery.status": "pending",
  "ExportWarning.code": "texts_cut",
  "Contact.status": "active",
  "ContactActivity.kind": "created",
  "Import.mode": "upsert",
  "Import.match_on": "email",
  respondent_json: JSON.stringify({
    status: "completed",
    startedAt: "2026-01-31T12:00:00.000Z",
    completedAt: null,
    language: null,
    externalId: null,
    metadata: {},
    fields: {},
    answers: [],
  }),
  crosstab_json: JSON.stringify(exampleCrosstab),
  series_json: JSON.stringify(exampleSeries),
  elements_json: "[]",
  document_json: '{"name":"Lunch","pages":[{"key":"start","elements":[]}]}',
  definition_json: '{"pages":[]}',
  request_id: "r-1",
  questions_json: "[]",
  value_json: "4",
  skip_logic_json: "[]",
  show_if_json: '{"elementId":"01h8x2f5k8m1q4sv","operator":"answered"}',
  logic_json: "{}",
  question_json: '{"typeSettings":{}}',
  etag: '"0123456789abcdef"',
  timestamp: "2026-01-31T12:00:00.000Z",
  date: "2026-01-31",
  content_hash: "0123456789abcdef",
  actor: "person",
  status: "completed",
  download_token: "signed",
  "Distributor.type": "link",
  "Distributor.status": "paused",
  "Distributor.code": "0123456789abcdefABCDEF",
  "IssuedLink.code": "0123456789abcdefABCDEF",
  "PreviewedRow.fields_json": JSON.stringify({
    email: "ada@example.org",
    phone: null,
    firstName: null,
    lastName: null,
    externalId: null,
    language: null,
    attributes: { floor: 3 },
    status: "active",
  }),
  options_json: JSON.stringify({
    format: "csv",
    labels: "both",
    includePartial: false,
    includeTest: false,
    from: null,
    to: null,
    elementIds: null,
    distributorIds: ["01h8x3k9q2m4a7zp"],
    timeZone: "UTC",
  }),
};

/** Ids go into `Location`. */
function usualText(name: string): string {
  if (name.endsWith("_json")) return "{}";
  return name.endsWith("_id") ? "01h8x3k9q2m4a7zp" : 'some "text" – ✓';
}

function scalar(type: ScalarType, { name, parent }: DescField): string | number | bigint | boolean | Uint8Array {
  switch (type) {
    case ScalarType.STRING:
      return texts[`${parent.name}.${name}`] ?? texts[name] ?? usualText(name);
    case ScalarType.BOOL:
      return true;
    case ScalarType.BYTES:
      return new Uint8Array([1]);
    case ScalarType.INT64:
    case ScalarType.UINT64:
    case ScalarType.SINT64:
    case ScalarType.FIXED64:
    case ScalarType.SFIXED64:
      return 7n;
    default:
      return 7;
  }
}
