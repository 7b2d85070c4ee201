import type { DescMessage, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { AppError } from "@canvass/errors";
import { type Fault } from "@canvass/inputs";
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
import { askElement, requireElement } from "./require-element.ts";
import { requireLockedSurvey, shapeFirst } from "./require-survey.ts";
import { write } from "./write.ts";

/** What a write of an element is about. */
export interface ElementWrite {
  elementId: string;
  /** Entity tags of `If-Match`, or one `*`; empty: whatever it is. */
  ifMatch: readonly string[];
  /** What is wrong with the request whatever the element is like. */
  shapeFaults: readonly Fault[];
}

/** What a write of an element works with; the survey is locked. */
export interface WrittenElement {
  survey: SurveyRecord;
  element: ElementRecord;
  answers: AnswerCounts;
}

/**
 * Runs a write of one element: counts its answers, then locks its survey and reads it, and does the work in that
 * transaction. No lock is held while another service is asked, and a repetition asks none.
 */
export async function writeElement<Desc extends DescMessage>(
  context: SurveyContext,
  call: Call,
  schema: Desc,
  { elementId, ifMatch, shapeFaults }: ElementWrite,
  work: (sql: Sql, written: WrittenElement) => Promise<MessageInitShape<Desc>>,
): Promise<MessageShape<Desc>> {
  const replay = await findReplay(context.database.sql, call, schema, context.now());
  if (replay) return replay;
  const ref = { workspaceId: call.caller.workspaceId, elementId };
  const asked = await orAppError(askElement(context, ref));
  return write(context, call, schema, async (sql) => {
    const find = async (): Promise<WrittenElement> => {
      // Refused here: the first request with the same key may have been answered meanwhile.
      if (asked instanceof AppError) throw asked;
      const survey = await requireLockedSurvey(sql, asked);
      return { survey, element: await requireElement(sql, ref, asked), answers: asked.answers };
    };
    const written = await shapeFirst(() => [...shapeFaults], find);
    if (shapeFaults.length === 0) requireMatch(ifMatch, written.element);
    await backUpOldDraft(sql, written.survey, call, context.now());
    return work(sql, written);
  });
}

function requireMatch(ifMatch: readonly string[], element: ElementRecord): void {
  if (ifMatch.length > 0 && !ifMatchAllows(ifMatch, elementTag(element))) throw new AppError("precondition_failed");
}

async function orAppError<Result>(work: Promise<Result>): Promise<Result | AppError> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}
