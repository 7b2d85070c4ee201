import type { MessageInitShape } from "@bufbuild/protobuf";
import { validationFailed } from "@canvass/inputs";
import { ElementKind, type GetElementRequest, type GetElementResponseSchema } from "@canvass/proto/survey-elements";
import { elementEdits, questionTypeOf, type ElementEditName, type Question } from "@canvass/questions";
import type { Call } from "@canvass/rpc";
import type { SurveyContext } from "../context.ts";
import { toElementMessage } from "./element-message.ts";
import { requireUnretired, requireElement } from "./require-element.ts";

/** For each kind, an edit that accepts exactly the elements of that kind. */
const editOfKind: Record<ElementKind, ElementEditName> = {
  [ElementKind.UNSPECIFIED]: "settings",
  [ElementKind.CHOICES]: "choices",
  [ElementKind.NPS]: "npsSettings",
  [ElementKind.RATING]: "ratingSettings",
};

/** Returns one element with its content and the number of respondents who answered it (contract 6.5). */
export async function getElement(
  context: SurveyContext,
  { elementId, kind }: GetElementRequest,
  { caller: { workspaceId } }: Call,
): Promise<MessageInitShape<typeof GetElementResponseSchema>> {
  const ref = { workspaceId, elementId };
  const history = await requireUnretired(context, ref, "own");
  const element = await requireElement(context.database.sql, ref, history);
  requireKind(kind, element.question);
  return { element: toElementMessage(element, history.answers) };
}

function requireKind(kind: ElementKind, question: Question): void {
  const { takes, fits } = elementEdits[editOfKind[kind] ?? "settings"];
  if (!fits(questionTypeOf(question))) throw validationFailed([{ path: "elementId", message: `is not ${takes}` }]);
}
