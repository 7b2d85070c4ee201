import { Type } from "typebox";
import { violationAt } from "@canvass/inputs";
import type { QuestionType } from "../question-type.ts";
import { emptyTally } from "../tally.ts";
import { settingsObject } from "../type-settings.ts";

const settings = settingsObject({
  text: Type.String({ maxLength: 10_000, default: "" }),
});

export const statement: QuestionType<typeof settings> = {
  number: 19,
  typeName: "statement",
  summary: "Text to read; takes no answer.",
  answerable: false,
  settings,
  lists: {},
  shorthands: {},
  valueSchema: Type.Never(),
  distributionShape: "none",
  conditions: {},

  settingEffects: () => ({ text: "safe" }),

  textSettings: () => ["text"],

  checkValue: () => violationAt("", "a statement takes no answer"),
  // `isEmpty` is false even for null, so that null is refused like any other value.
  sample: () => undefined,
  isEmpty: () => false,
  tally: () => emptyTally,
  distribution: () => ({}),
  exportColumns: () => [],
  exportCells: () => [],
};
