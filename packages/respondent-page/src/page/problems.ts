import { questionTypeOf } from "@canvass/questions";
import { CustomError, type PageModel, type PanelModel, type SurveyModel } from "survey-core";
import type { Submission } from "../saving/link-api.ts";
import type { Refusal } from "../saving/refusal.ts";
import type { FileItem } from "../saving/upload-file.ts";
import type { Words } from "../words/words.ts";
import type { Problem } from "./error-summary.tsx";
import { putAnswer, type Placed } from "./placed.ts";
import { questionOf } from "./question-of.ts";
import { wordsFor } from "./validation.ts";
import type { PagePath } from "./page-path.ts";

/** Returns the problems of the open page. A panel's own problems count only if its fields have none. */
export function problemsOn(model: SurveyModel): Problem[] {
  const { questions, elements } = model.currentPage as PageModel;
  const faulty = questions.filter((question) => question.isVisible && question.errors.length > 0);
  const panels = elements.filter(
    (element): element is PanelModel =>
      element.isPanel && !faulty.some(({ name }) => name.startsWith(`${element.name}~`)),
  );
  return [...faulty, ...panels.filter(({ errors }) => errors.length > 0)].map(({ name, title, errors }) => ({
    name,
    title,
    text: errors[0]!.getText(),
  }));
}

/** Adds the server's violations to their questions. Returns the page of the first one that is drawn. */
export function markRefused(
  model: SurveyModel,
  path: PagePath,
  { responses }: Submission,
  refusal: Refusal,
  [words, language]: [Words, string],
): string | undefined {
  let pageName: string | undefined;
  for (const [pointer, messages] of Object.entries(refusal.details)) {
    const [list, index, , ...rest] = pointer.split(".");
    const key = list === "responses" ? responses[Number(index)]?.elementId : undefined;
    const place = key === undefined ? undefined : path.placed.get(key);
    const drawn = key === undefined ? null : questionOf(model, key);
    if (!place || !drawn) continue;
    const message = Array.isArray(messages) ? String(messages[0]) : refusal.message;
    const isOwn = place.stored.logic?.constraints?.some((constraint) => constraint.message === message);
    const isFiles = !isOwn && questionTypeOf(place.stored).fileIds !== undefined;
    // The server does not take them, and the respondent can only choose others.
    if (isFiles) takeOut(model, path, place, filesAt(responses[Number(index)]!.value, rest[0]));
    const text = isFiles ? words.files.failed : wordsFor(message, rest.length > 0, words, language);
    drawn.addError(new CustomError(isOwn ? path.pipe(message, place) : text));
    pageName ??= place.pageName;
  }
  return pageName;
}

/** Returns the ids of the file that is refused, or of all where none is named. */
function filesAt(value: unknown, index: string | undefined): ReadonlySet<string> {
  const files = (value ?? []) as readonly FileItem[];
  const named = files[Number(index ?? Number.NaN)];
  return new Set((named ? [named] : files).map(({ fileId }) => fileId));
}

function takeOut(model: SurveyModel, path: PagePath, place: Placed, refused: ReadonlySet<string>): void {
  const files = (path.answers.get(place.key) ?? []) as readonly FileItem[];
  const left = files.filter(({ fileId }) => !refused.has(fileId));
  putAnswer(model, place, left.length > 0 ? left : undefined);
}
