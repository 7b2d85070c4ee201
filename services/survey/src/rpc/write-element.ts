import type { DescMessage, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { AppError, orAppError } from "@canvass/errors";
import { type Violation } from "@canvass/inputs";
import { ifMatchAllows } from "@canvass/values";
import type { Sql } from "@canvass/postgres";
import { findReplay } from "@canvass/postgres/rpc";
import type { Call } from "@canvass/rpc";
import type { SurveyContext } from "../context.ts";
import type { ElementRecord } from "../domain/element-record.ts";
import type { SurveyRecord } from "../domain/survey-record.ts";
import { backUpOldDraft } from "./back-up-draft.ts";
import type { AnswerCounts } from "./answer-counts.ts";
import { elementTag } from "./element-message.ts";
import { requireUnretired, requireElement } from "./require-element.ts";
import { requireLockedSurvey, validateShapeOnFailure } from "./require-survey.ts";
import { write } from "./write.ts";

export interface ElementWrite {
  elementId: string;
  /** Entity tags of `If-Match`, or one `*`; empty accepts every revision. */
  ifMatch: readonly string[];
  shapeViolations: readonly Violation[];
}

export interface LockedElement {
  survey: SurveyRecord;
  element: ElementRecord;
  answers: AnswerCounts;
}

/**
 * Locks the survey, backs the draft up if due, and runs `work`. Counts answers before it locks the survey. Calls no
 * other service while it holds a lock, and none for a replay.
 */
export async function writeElement<Desc extends DescMessage>(
  context: SurveyContext,
  call: Call,
  schema: Desc,
  { elementId, ifMatch, shapeViolations }: ElementWrite,
  work: (sql: Sql, locked: LockedElement) => Promise<MessageInitShape<Desc>>,
): Promise<MessageShape<Desc>> {
  const replay = await findReplay(context.database.sql, call, schema, context.now());
  if (replay) return replay;
  const ref = { workspaceId: call.caller.workspaceId, elementId };
  const found = await orAppError(requireUnretired(context, ref, "carried"));
  return write(context, call, schema, async (sql) => {
    const find = async (): Promise<LockedElement> => {
      // Throws only here, inside `write`, because the first request with this key may have finished meanwhile.
      if (found instanceof AppError) throw found;
      const survey = await requireLockedSurvey(sql, found);
      return { survey, element: await requireElement(sql, ref, found), answers: found.answers };
    };
    const locked = await validateShapeOnFailure(() => [...shapeViolations], find);
    if (shapeViolations.length === 0) requireMatch(ifMatch, locked.element);
    await backUpOldDraft(sql, locked.survey, call, context.now());
    return work(sql, locked);
  });
}

function requireMatch(ifMatch: readonly string[], element: ElementRecord): void {
  if (ifMatch.length > 0 && !ifMatchAllows(ifMatch, elementTag(element))) throw new AppError("precondition_failed");
}
