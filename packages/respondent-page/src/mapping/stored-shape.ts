import type {
  Choice,
  Column,
  ElementLogic,
  PublicChoice,
  PublicColumn,
  PublicDefinition,
  PublicElement,
  Question,
  SurveyDefinition,
} from "@canvass/questions";

/**
 * Converts a public definition to a stored one, which the shared logic takes. Leaves out what the page reads from the
 * public one: shuffling and blocks, hidden fields, default answers.
 */
export function storedShape({ pages }: PublicDefinition): SurveyDefinition {
  return {
    pages: pages.map(({ id, title, loop, showIf, skipLogic, elements }) => ({
      pageId: id,
      title,
      loop,
      ...(showIf && { showIf }),
      skipLogic,
      elements: elements.map(storedElement),
    })),
  };
}

function storedElement(element: PublicElement): Question {
  const { id, type, text, helpText, settings, validation, choices, rows, columns } = element;
  const { showIf, requiredIf, constraints, choicesFrom } = element;
  const entries = entryConditions([...(choices ?? []), ...(rows ?? [])]);
  const logic = {
    ...(showIf && { showIf }),
    ...(requiredIf && { requiredIf }),
    ...(constraints && { constraints }),
    ...(entries && { entries }),
    ...(choicesFrom && { choicesFrom }),
  };
  return {
    elementId: id,
    questionId: id,
    type,
    text,
    helpText,
    typeSettings: settings,
    responseValidation: validation,
    ...(choices && { choices: choices.map(toChoice) }),
    ...(rows && { rows: rows.map(toChoice) }),
    ...(columns && { columns: columns.map(currentColumn) }),
    ...(Object.keys(logic).length > 0 && { logic }),
  };
}

function entryConditions(entries: readonly PublicChoice[]): ElementLogic["entries"] {
  const given = entries.flatMap(({ id, showIf }) => (showIf ? [[id, showIf] as const] : []));
  return given.length > 0 ? Object.fromEntries(given) : undefined;
}

/** Conditions of choices and rows stand in the logic of the question. */
function toChoice(given: PublicChoice): Choice {
  const { showIf: _, ...choice } = given;
  return { ...choice, retired: false };
}

const currentColumn = ({ options, ...column }: PublicColumn): Column => ({
  ...column,
  retired: false,
  ...(options && { options: options.map(toChoice) }),
});
