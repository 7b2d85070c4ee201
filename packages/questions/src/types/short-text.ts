import { type Violation, noViolations } from "@canvass/inputs";
import { Type } from "typebox";
import { lowerLimit, optionalRule, upperLimit } from "../change-class.ts";
import { textConditions } from "../conditions/targets.ts";
import { oneText, plainCell } from "../export-cells.ts";
import { formatViolation, textFormats, type TextFormat } from "../formats.ts";
import { matchesPattern, patternViolation } from "../pattern.ts";
import { pipedString } from "../piping/piped-answers.ts";
import { checkText, isEmptyText } from "../plain-text.ts";
import type { QuestionType } from "../question-type.ts";
import { emptyTally } from "../tally.ts";
import { nullable, settingsObject, settingsReader } from "../type-settings.ts";
import { accepts } from "../samples/accepts.ts";
import { pick, type Random } from "../samples/random.ts";
import { emailOf, firstNames, lastNames, phoneNumber, sampleRemark, patternCandidates } from "../samples/words.ts";

const longest = 4_000;

const settings = settingsObject({
  minLength: Type.Integer({ minimum: 0, maximum: longest, default: 0 }),
  maxLength: Type.Integer({ minimum: 1, maximum: longest, default: 1_000 }),
  pattern: nullable(Type.String({ minLength: 1, maxLength: 500 })),
  format: nullable(Type.Enum(textFormats)),
});
const settingsOf = settingsReader(settings);

const formatted: Record<TextFormat, (least: number, random: Random) => string> = {
  email(least, random) {
    const address = emailOf(pick(firstNames, random), pick(lastNames, random));
    return address.replace("@", `@${"mail.".repeat(Math.max(0, Math.ceil((least - address.length) / 5)))}`);
  },
  url: (least, random) => `https://example.com/${pick(lastNames, random).toLowerCase()}`.padEnd(least, "/page"),
  phone: (least, random) => phoneNumber(random).padEnd(least, "0"),
};

export const shortText: QuestionType<typeof settings> = {
  number: 1,
  typeName: "short_text",
  summary: "One line of text.",
  answerable: true,
  settings,
  lists: {},
  shorthands: {},
  valueSchema: Type.String({ maxLength: longest }),
  distributionShape: "none",
  conditions: textConditions,

  settingEffects: (before, after) => ({
    minLength: lowerLimit(before.minLength, after.minLength),
    maxLength: upperLimit(before.maxLength, after.maxLength),
    pattern: optionalRule(before.pattern, after.pattern),
    format: optionalRule(before.format, after.format),
  }),

  checkSettings({ minLength, maxLength, pattern }) {
    const violations: Violation[] = [];
    if (minLength > maxLength) violations.push({ path: "minLength", message: "must not be greater than maxLength" });
    const violation = pattern === null ? null : patternViolation(pattern);
    if (violation) violations.push({ path: "pattern", message: violation });
    return violations;
  },

  checkValue(question, value) {
    const { minLength, maxLength, format, pattern } = settingsOf(question);
    const violations = [...checkText(value, minLength, maxLength)];
    // Do not match format and pattern against texts that are too long in any case.
    if (typeof value !== "string" || value.length > longest * 2) return violations;
    const wrongFormat = format === null ? null : formatViolation(format, value);
    if (wrongFormat) violations.push({ path: "", message: wrongFormat });
    if (pattern !== null && !matchesPattern(pattern, value))
      violations.push({ path: "", message: `must match ${pattern}` });
    return violations.length > 0 ? violations : noViolations;
  },

  sample(question, random) {
    const { minLength, maxLength, format, pattern } = settingsOf(question);
    const text = format === null ? sampleRemark(minLength, maxLength, random) : formatted[format](minLength, random);
    return [text, ...(pattern === null ? [] : patternCandidates(random))].find(accepts(shortText, question));
  },
  isEmpty: isEmptyText,
  pipedText: pipedString,
  tally: () => emptyTally,
  distribution: () => ({}),
  exportColumns: oneText,
  exportCells: (_question, value) => [plainCell(value)],
};
