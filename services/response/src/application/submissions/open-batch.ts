import { AppError } from "@canvass/errors";
import { shapeViolations, validationFailed } from "@canvass/inputs";
import { isJsonObject, ownValue } from "@canvass/values";
import type { IdempotencyKey } from "@canvass/postgres";
import { idempotencyKey } from "@canvass/postgres/rpc";
import { batchItem } from "@canvass/questions";
import type { Caller } from "@canvass/proto/access";
import type { MacBody } from "@canvass/rpc";
import { hash } from "node:crypto";
import { readBatchItem } from "../../domain/submissions/submission.ts";
import type { SurveyRef } from "../../domain/survey-ref.ts";
import type { FetchedStates, OpenSubmission, StartVersion } from "./open-submission.ts";
import type { OpenedItem } from "./store-in-rounds.ts";

export interface Batch extends SurveyRef {
  caller: Caller;
  fetched: FetchedStates;
  readStartVersion: () => Promise<StartVersion>;
  key: string;
  requestId: string;
  traceparent: string;
  macBody: MacBody;
  now: Date;
}

interface SameItem {
  sameAs: number;
}

export interface OwnItem extends OpenedItem {
  respondentId: string;
}

export type OpenItem = OwnItem | SameItem;

/** Items with the same key and content get one result. An item that reuses a key with other content is refused. */
export function batchOpener(batch: Batch): (input: unknown, index: number) => Promise<OpenItem> {
  const firsts = new Map<string, { index: number; content: string }>();
  return async (input, index) => {
    const content = hash("sha256", JSON.stringify(input), "hex");
    const named = isJsonObject(input) ? ownValue(input, "idempotencyKey") : undefined;
    const own = isKey(named) ? named : undefined;
    const first = own === undefined ? undefined : firsts.get(own);
    if (own !== undefined && !first) firsts.set(own, { index, content });
    const respondentId = respondentIdIn(input);
    if (first?.content === content) return { sameAs: first.index };
    if (first) return { opened: new AppError("idempotency_key_reused"), respondentId };
    const key = itemKey(batch, own ?? placeKey(batch, index), content);
    return { opened: await openItem(batch, input, key), respondentId, key };
  };
}

const keySchema = batchItem.properties.idempotencyKey;

function isKey(value: unknown): value is string {
  return value !== undefined && shapeViolations(keySchema, value).length === 0;
}

/** An item without a key gets the batch's key and its index. Callers' keys contain no blank, so they never collide. */
function placeKey({ key }: Batch, index: number): string | undefined {
  return key === "" ? undefined : `${key} ${index}`;
}

function itemKey(
  { workspaceId, surveyId, caller, macBody }: Batch,
  key: string | undefined,
  content: string,
): IdempotencyKey | undefined {
  if (key === undefined) return undefined;
  const scope = `${caller.tokenId} POST /response/surveys/${surveyId}/batch item`;
  return idempotencyKey(macBody, workspaceId, { scope, key, bodySha256: Buffer.from(content, "hex") });
}

/** The respondent id that the result of an item repeats. Empty if the item has none, or a longer text. */
function respondentIdIn(input: unknown): string {
  const id = isJsonObject(input) ? ownValue(input, "respondentId") : undefined;
  return typeof id === "string" && id.length <= longestShownId ? id : "";
}

const longestShownId = 64;

async function openItem(
  batch: Batch,
  input: unknown,
  key: IdempotencyKey | undefined,
): Promise<OpenSubmission | AppError> {
  try {
    const { workspaceId, surveyId, caller, fetched, requestId, traceparent, now } = batch;
    if (!isJsonObject(input)) throw validationFailed([{ path: "submission", message: "must be an object" }]);
    const { body, startsRespondent, fields } = readBatchItem(input);
    const started = startsRespondent && { startsOn: await batch.readStartVersion(), fields };
    return {
      workspaceId,
      surveyId,
      caller,
      body,
      fetched,
      key,
      requestId,
      traceparent,
      answeredAt: now,
      ...started,
    };
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}
