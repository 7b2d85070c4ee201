import { isSameJson } from "@canvass/values";
import { withoutEntries, type PublicElement } from "@canvass/questions";
import type { SurveyModel } from "survey-core";
import { partName } from "../mapping/mapped-type.ts";
import type { Words } from "../words/words.ts";
import { drawnOf, type Placed } from "./placed.ts";

const none: ReadonlySet<string> = new Set();
/** The properties in which SurveyJS stores the rendered choices and rows. */
const drawnLists = ["choices", "rows", "items"] as const;

/** Returns the question with the choices and rows of `text` that are shown; the same if nothing changes. */
export function withHidden(placed: Placed, hidden: ReadonlySet<string> = none, text: PublicElement): Placed {
  if (hidden.size === placed.hidden.size && [...hidden].every((id) => placed.hidden.has(id))) return placed;
  return { ...placed, hidden, question: withoutHidden(text, hidden) };
}

export function withoutHidden(question: PublicElement, hidden: ReadonlySet<string>): PublicElement {
  if (hidden.size === 0) return question;
  const { choices, rows } = question;
  return {
    ...question,
    ...(choices && { choices: choices.filter(({ id }) => !hidden.has(id)) }),
    ...(rows && { rows: rows.filter(({ id }) => !hidden.has(id)) }),
  };
}

/** Draws the choices and rows of a drawn question that are shown. */
export function drawEntries(model: SurveyModel, { key, source, question, mapped, hidden }: Placed, words: Words): void {
  const drawn = model.getQuestionByName(key);
  if (drawn) {
    const json = mapped.draw(question, key, words);
    drawn.fromJSON(Object.fromEntries(drawnLists.flatMap((list) => (list in json ? [[list, json[list]]] : []))));
    mapped.follow?.(drawn, model.data, question, words);
    return;
  }
  for (const { id } of source.rows ?? []) {
    const part = model.getQuestionByName(partName(key, id));
    if (part) part.visible = !hidden.has(id);
  }
}

/** Draws what differs in `shown`, the same question with other texts. */
export function drawTexts(
  model: SurveyModel,
  { key, question, mapped }: Placed,
  shown: PublicElement,
  words: Words,
): void {
  const drawn = drawnOf(model, key);
  if (!drawn) return;
  const [before, after] = [mapped.draw(question, key, words), mapped.draw(shown, key, words)];
  drawn.fromJSON(Object.fromEntries(Object.entries(after).filter(([name, each]) => !isSameJson(each, before[name]))));
  if (!drawn.isPanel) mapped.follow?.(drawn, model.data, shown, words);
}

/** Returns the part of an answer whose entries are shown. */
export const shownValue = (value: unknown, { hidden }: Placed): unknown =>
  hidden.size === 0 ? value : withoutEntries(value, hidden);
