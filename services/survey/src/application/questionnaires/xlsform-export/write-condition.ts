import { isJsonObject, type JsonObject } from "@canvass/values";
import { listAt, objectAt, textAt } from "../json-values.ts";
import { NotSayable } from "../expressions/expression.ts";
import type { FormBuilder } from "./form-builder.ts";

const signs: Record<string, string> = {
  equals: "=",
  not_equals: "!=",
  greater_than: ">",
  less_than: "<",
  at_least: ">=",
  at_most: "<=",
};

/**
 * Writes a condition of a document in XPath of XLSForm. If it is a constraint of an element, `self` is that element's
 * key. Throws `NotSayable`.
 */
export function writeCondition(builder: FormBuilder, condition: unknown, self?: string): string {
  const { all, any, not, ...leaf } = condition as { all?: unknown[]; any?: unknown[]; not?: unknown } & JsonObject;
  if (all) return joined(all, "and");
  if (any) return joined(any, "or");
  if (not !== undefined) return `not(${writeCondition(builder, not, self)})`;
  return writeLeaf(builder, leaf, self);

  function joined(parts: unknown[], word: string): string {
    if (parts.length === 1) return writeCondition(builder, parts[0], self);
    return parts
      .map((part) => (isGroup(part) ? `(${writeCondition(builder, part, self)})` : writeCondition(builder, part, self)))
      .join(` ${word} `);
  }
}

const isGroup = (part: unknown): boolean => isJsonObject(part) && ("all" in part || "any" in part);

function writeLeaf(builder: FormBuilder, leaf: JsonObject, self: string | undefined): string {
  const { element, field, operator, value, answerOf } = leaf as Record<string, unknown>;
  if (leaf["language"] === true) throw new NotSayable("asks the respondent's language");
  const asked = typeof element === "string" ? builder.elements.get(element) : undefined;
  if (asked === undefined && typeof field !== "string") throw new NotSayable("asks a question that the form lacks");
  const subject = asked === undefined ? `\${${String(field)}}` : element === self ? "." : `\${${asked.name}}`;
  const askedElement = asked?.element ?? {};
  if (operator === "answered") return `${subject} != ''`;
  if (operator === "not_answered") return `${subject} = ''`;
  if (/^(matrix|dropdown_matrix|form|contact_info|constant_sum)$/.test(textAt(askedElement, "type")))
    throw new NotSayable("asks a part of a question that the form splits into several");
  if (typeof answerOf === "string") {
    const other = builder.elements.get(answerOf);
    if (!other || !Object.hasOwn(signs, String(operator))) throw new NotSayable("compares two answers");
    return `${subject} ${signs[String(operator)]} \${${other.name}}`;
  }
  return compared(askedElement, subject, String(operator), value);
}

function compared(element: JsonObject, subject: string, operator: string, value: unknown): string {
  const isNegative = operator.startsWith("not_");
  const list = Array.isArray(value) ? value : [value];
  const hasChoices = element["choices"] !== undefined || element["type"] === "yes_no" || element["type"] === "consent";
  const literal = (each: unknown) => literalOf(element, each);
  if (operator === "between") return `${subject} >= ${literal(list[0])} and ${subject} <= ${literal(list[1])}`;
  if (operator === "starts_with") return `starts-with(${subject}, ${literal(value)})`;
  if (operator.endsWith("contains")) {
    const word = hasChoices ? "selected" : "contains";
    const written = list.map((each) => `${word}(${subject}, ${literal(each)})`).join(" and ");
    return isNegative ? `not(${written})` : list.length > 1 ? `(${written})` : written;
  }
  if (operator === "in" || operator === "not_in") {
    const isMultiple = allowsMultipleAnswers(element);
    const written = list
      .map((each) => (isMultiple ? `selected(${subject}, ${literal(each)})` : `${subject} = ${literal(each)}`))
      .join(" or ");
    return isNegative ? `not(${written})` : list.length > 1 ? `(${written})` : written;
  }
  if (Array.isArray(value) && value.length !== 1) throw new NotSayable("compares with an exact set of choices");
  return `${subject} ${signs[operator]} ${literal(list[0])}`;
}

const allowsMultipleAnswers = ({ typeSettings }: JsonObject): boolean =>
  isJsonObject(typeSettings) && typeSettings["multipleAnswers"] === true;

/** Writes a value as the form does: choices by their names. Throws `NotSayable`. */
export function literalOf(element: JsonObject, value: unknown): string {
  const { type } = element;
  if (typeof value === "number") return String(value);
  if (typeof value === "boolean") return type === "consent" ? (value ? "'OK'" : "''") : value ? "'yes'" : "'no'";
  const text = choiceName(element, String(value));
  const isDate = type === "date_time" && !isJsonObject(element["typeSettings"]);
  if (text.includes("'") && text.includes('"')) throw new NotSayable("has both kinds of quotes in a text");
  const quoted = text.includes("'") ? `"${text}"` : `'${text}'`;
  return isDate ? `date(${quoted})` : quoted;
}

/** Names of choices by element, since conditions may name thousands. */
const choiceNames = new WeakMap<JsonObject, ReadonlyMap<string, string>>();

/** Returns the name that the form has for the choice with that key. */
export function choiceName(element: JsonObject, key: string): string {
  const names = choiceNames.get(element) ?? entryNames(listAt(element, "choices") as JsonObject[], hasOther(element));
  choiceNames.set(element, names);
  return names.get(key) ?? key;
}

export const hasOther = ({ typeSettings }: JsonObject): boolean => objectAt(typeSettings, "other")["enabled"] === true;

/**
 * Returns the names of a list's entries in a form, by their keys: codes, then keys that are no other's code. Each
 * occurs once, also beside the choice `other` that a form adds to a question with Other.
 */
export function entryNames(entries: readonly JsonObject[], isBesideOther: boolean): Map<string, string> {
  const taken = new Set(isBesideOther ? ["other"] : []);
  const take = (wanted: string) => {
    let name = wanted;
    for (let at = 2; taken.has(name); at += 1) name = `${wanted}_${at}`;
    taken.add(name);
    return name;
  };
  const coded = entries.filter(({ code }) => code !== undefined);
  const others = entries.filter(({ code }) => code === undefined);
  return new Map([
    ...coded.map((entry) => [textAt(entry, "key"), take(textAt(entry, "code"))] as const),
    ...others.map((entry) => [textAt(entry, "key"), take(textAt(entry, "key"))] as const),
  ]);
}
