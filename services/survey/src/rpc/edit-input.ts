import { AppError } from "@canvass/errors";
import type { EditElementRequest, ImageEdit } from "@canvass/proto/survey";
import type { ElementEditName } from "@canvass/questions";
import { readBody } from "./read-body.ts";

type Edit = EditElementRequest["edit"];
type EditValue<Name> = Extract<Edit, { case: Name }>["value"];

/** The input of each edit of `@canvass/questions`, from its message. */
const inputs: { [Name in ElementEditName]: (edit: EditValue<Name>) => unknown } = {
  settings: ({ bodyJson }) => readBody(bodyJson),
  choice: ({ choiceId = null, questionId, newTitle, image }) => ({
    choiceId,
    questionId,
    newTitle,
    ...imageInput(image),
  }),
  choices: ({ choices }) => ({
    choices: choices.map(({ choiceId = null, title, image }) => ({ choiceId, title, ...imageInput(image) })),
  }),
  choiceOrder: ({ choiceIds }) => ({ choiceIds }),
  other: ({ enabled, label }) => ({ enabled, ...(label !== undefined && { label }) }),
  deleteChoice: ({ choiceId }) => ({ choiceId }),
  deleteImageChoice: ({ choiceId }) => ({ choiceId }),
  npsLabel: ({ side, text }) => ({ side, text }),
  npsSettings: ({ subject, required }) => given({ subject, required }),
  ratingLabel: ({ position, text }) => ({ position, text }),
  ratingSettings: ({ steps, style, required }) => given({ steps, style, required }),
};

/** Which edit a request asks for, and its input. Throws `invalid_request` for an edit that changes nothing. */
export function readEdit(edit: Edit): { name: ElementEditName; input: unknown } {
  if (edit.case === undefined) throw new AppError("invalid_request", { body: ["is required"] });
  const read = inputs[edit.case] as (value: Edit["value"]) => unknown;
  return { name: edit.case, input: read(edit.value) };
}

const imageInput = (image: ImageEdit | undefined) => image && { imageUrl: image.url ?? null };

/** The fields that were given, at least one. */
function given(fields: Record<string, unknown>): object {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  if (entries.length > 0) return Object.fromEntries(entries);
  throw new AppError("invalid_request", { body: [`must name at least one of ${Object.keys(fields).join(", ")}`] });
}
