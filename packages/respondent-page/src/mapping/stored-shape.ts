import type {
  Choice,
  Column,
  PublicChoice,
  PublicColumn,
  PublicDefinition,
  PublicElement,
  Question,
  SurveyDefinition,
} from "@canvass/questions";

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
  const { showIf, requiredIf, constraints } = element;
  const logic = { ...(showIf && { showIf }), ...(requiredIf && { requiredIf }), ...(constraints && { constraints }) };
  return {
    elementId: id,
    questionId: id,
    type,
    text,
    helpText,
    typeSettings: settings,
    responseValidation: validation,
    ...(choices && { choices: choices.map(unretired) }),
    ...(rows && { rows: rows.map(unretired) }),
    ...(columns && { columns: columns.map(currentColumn) }),
    ...(Object.keys(logic).length > 0 && { logic }),
  };
}

const unretired = (choice: PublicChoice): Choice => ({ ...choice, retired: false });

const currentColumn = ({ options, ...column }: PublicColumn): Column => ({
  ...column,
  retired: false,
  ...(options && { options: options.map(unretired) }),
});
