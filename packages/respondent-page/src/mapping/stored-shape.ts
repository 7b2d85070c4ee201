import type {
  Choice,
  Column,
  PublicChoice,
  PublicColumn,
  PublicDefinition,
  SurveyDefinition,
} from "@canvass/questions";

export function storedShape({ pages }: PublicDefinition): SurveyDefinition {
  return {
    pages: pages.map(({ id, title, loop, skipLogic, elements }) => ({
      pageId: id,
      title,
      loop,
      skipLogic,
      elements: elements.map(({ id, type, text, helpText, settings, validation, choices, rows, columns }) => ({
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
      })),
    })),
  };
}

const unretired = (choice: PublicChoice): Choice => ({ ...choice, retired: false });

const currentColumn = ({ options, ...column }: PublicColumn): Column => ({
  ...column,
  retired: false,
  ...(options && { options: options.map(unretired) }),
});
