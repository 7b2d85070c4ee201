import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { AppError } from "@canvass/errors";
import type { ElementSchema, ListElementsRequest, ListElementsResponseSchema } from "@canvass/proto/survey";
import { questionTypeOf } from "@canvass/questions";
import type { Call } from "@canvass/rpc";
import type { Element } from "../../gen/prisma/client.ts";
import type { SurveyContext } from "../context.ts";
import { requirePaging } from "../domain/paging.ts";
import { isId } from "../domain/is-id.ts";
import { findElementPage, findQuestionCount } from "../storage/elements.ts";

/** One page of the draft's elements in their order, and how many there are (spec 4.2). */
export async function listElements(
  { database: { prisma } }: SurveyContext,
  { surveyId, limit, page }: ListElementsRequest,
  call: Call,
): Promise<MessageInitShape<typeof ListElementsResponseSchema>> {
  const ref = { workspaceId: call.caller.workspaceId, surveyId };
  requirePaging({ limit, page });
  const total = isId(surveyId) ? await findQuestionCount(prisma, ref) : null;
  if (total === null) throw new AppError("survey_not_found");
  const skip = (page - 1) * limit;
  const elements = skip < total ? await findElementPage(prisma, ref, { skip, take: limit }) : [];
  return { total, elements: elements.map(toMessage) };
}

function toMessage(element: Element): MessageInitShape<typeof ElementSchema> {
  const { elementId, surveyId, pageId, type, sortOrder, questionText, helpText, questionId } = element;
  return {
    elementId,
    surveyId,
    pageId,
    type,
    typeName: questionTypeOf(element).typeName,
    sortOrder,
    ...(questionText === null ? {} : { questionText }),
    ...(helpText === null ? {} : { helpText }),
    createdAt: timestampFromDate(element.createdAt),
    updatedAt: timestampFromDate(element.updatedAt),
    questionId,
  };
}
