import { withoutRetired } from "../choice-list.ts";
import { questionTypeOf } from "../catalogue.ts";
import type { Choice, Column, Page, Question, SurveyDefinition } from "../definition.ts";
import type { OtherChoice } from "../chosen-choices.ts";
import { marksOf } from "../entry-marks.ts";
import { finish } from "../finish.ts";
import { withDefaults } from "../type-settings.ts";
import type { PublicChoice, PublicColumn, PublicDefinition, PublicElement, PublicPage } from "./public-schema.ts";

/**
 * Returns the definition as respondents see it: defaults filled in, retired entries left out. No page, element or list
 * is an object of `definition`.
 */
export function publicDefinition(definition: SurveyDefinition): PublicDefinition {
  return finish(makingPublicDefinition(definition));
}

/** Like `publicDefinition`, but yields after each question, because a definition may hold megabytes. */
export function* makingPublicDefinition(definition: SurveyDefinition): Generator<void, PublicDefinition> {
  const pages: PublicPage[] = [];
  for (const page of definition.pages) {
    const elements: PublicElement[] = [];
    for (const question of page.elements) {
      elements.push(publicElement(question));
      yield;
    }
    pages.push({ ...publicPage(page), elements });
  }
  const { fields } = definition;
  return { pages, ...(fields && { fields: structuredClone(fields) }) };
}

function publicPage({ pageId, title, loop, showIf, skipLogic, shuffle, block }: Page) {
  return {
    id: pageId,
    title,
    loop: loop && { ...loop },
    ...(showIf && { showIf: structuredClone(showIf) }),
    skipLogic: structuredClone(skipLogic),
    ...(shuffle && { shuffle }),
    ...(block && { block }),
  };
}

function publicElement(question: Question): PublicElement {
  const type = questionTypeOf(question);
  const { choices, rows, columns } = question;
  const { entries = {}, ...logic } = question.logic ?? {};
  const withShowIf = (choice: Choice): PublicChoice => {
    const showIf = Object.hasOwn(entries, choice.id) && entries[choice.id];
    return { ...publicChoice(choice), ...(showIf && { showIf: structuredClone(showIf) }) };
  };
  return {
    id: question.elementId,
    type: type.number,
    typeName: type.typeName,
    text: question.text,
    helpText: question.helpText,
    required: question.responseValidation.required,
    settings: publicSettings(withDefaults(type.settings, question.typeSettings) as Record<string, unknown>),
    validation: { ...question.responseValidation },
    ...(choices && { choices: withoutRetired(choices).map(withShowIf) }),
    ...(rows && { rows: withoutRetired(rows).map(withShowIf) }),
    ...(columns && { columns: withoutRetired(columns).map(publicColumn) }),
    ...structuredClone(logic),
  };
}

/**
 * Sets the id of a disabled Other to null: it counts as a retired choice, which respondents do not see. Codes are for
 * results only.
 */
function publicSettings(settings: Record<string, unknown>): Record<string, unknown> {
  const given = settings["other"] as OtherChoice | null | undefined;
  if (!given) return settings;
  const { code: _, ...other } = given;
  return { ...settings, other: other.enabled ? other : { ...other, choiceId: null } };
}

function publicChoice(choice: Choice): PublicChoice {
  const { id, text, imageUrl, format, required } = choice;
  return {
    id,
    text,
    ...marksOf(choice),
    ...(imageUrl !== undefined && { imageUrl }),
    ...(format && { format }),
    ...(required && { required }),
  };
}

function publicColumn({ id, text, pinned, options }: Column): PublicColumn {
  return {
    id,
    text,
    ...(pinned && { pinned }),
    ...(options && { options: withoutRetired(options).map(publicChoice) }),
  };
}
