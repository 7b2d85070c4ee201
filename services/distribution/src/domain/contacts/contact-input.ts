import {
  contactTextNames,
  joinPath,
  longestAttributeName,
  longestAttributeText,
  mostContactAttributes,
  shapeViolations,
  type AttributeValue,
  type ContactInput,
  type Violation,
} from "@canvass/inputs";
import { characterCount, isBlank, isJsonObject, isSameJson, isStorable, ownValue } from "@canvass/values";
import { isEmail } from "@canvass/questions";
import type { ContactFields } from "./contact.ts";
import { readPhone } from "./phone.ts";

/** Control characters except tabs and line breaks. */
const control = /(?![\t\n\r])\p{Cc}/u;
const noControls = "must not hold control characters";

/** Returns every violation of a body that does not depend on other contacts. */
export function contactViolations(schema: Parameters<typeof shapeViolations>[0], body: unknown): Violation[] {
  const violations = shapeViolations(schema, body);
  if (!isJsonObject(body)) return violations;
  const hasViolation = (name: string) => violations.some(({ path }) => path === name);
  const email = ownValue(body, "email");
  if (typeof email === "string" && !hasViolation("email") && !isEmail(email)) {
    violations.push({ path: "email", message: "must be an e-mail address" });
  }
  const phone = ownValue(body, "phone");
  if (typeof phone === "string" && !hasViolation("phone") && readPhone(phone) !== phone) {
    violations.push({
      path: "phone",
      message: "must be a phone number that its country's numbering plan may have, in E.164",
    });
  }
  for (const name of contactTextNames) {
    const text = ownValue(body, name);
    if (typeof text === "string" && !hasViolation(name) && control.test(text))
      violations.push({ path: name, message: noControls });
  }
  const attributes = ownValue(body, "attributes");
  if (isJsonObject(attributes) && !hasViolation("attributes")) violations.push(...attributeViolations(attributes));
  return violations;
}

function attributeViolations(attributes: Record<string, unknown>): Violation[] {
  if (Object.keys(attributes).length > mostContactAttributes) return [tooManyAttributes];
  return Object.entries(attributes).flatMap(([name, value]) => {
    const path = joinPath("attributes", name);
    if (isBlank(name) || characterCount(name) > longestAttributeName || !isStorable(name)) {
      return [{ path, message: `must have a name of 1 to ${longestAttributeName} characters` }];
    }
    if (!isAttributeValue(value)) return [{ path, message: attributeForm }];
    return [name, value].some((text) => typeof text === "string" && control.test(text))
      ? [{ path, message: noControls }]
      : [];
  });
}

const tooManyAttributes: Violation = {
  path: "attributes",
  message: `must have at most ${mostContactAttributes} names`,
};

const attributeForm = `must be text of at most ${longestAttributeText} characters, a number, a boolean or null`;

function isAttributeValue(value: unknown): boolean {
  if (typeof value === "string") return characterCount(value) <= longestAttributeText;
  return value === null || typeof value === "number" || typeof value === "boolean";
}

/** Applies a valid body. Omitted fields stay, null clears a field. */
export function applyInput(before: ContactFields, input: ContactInput): ContactFields {
  const after = { ...before, status: input.status ?? before.status };
  for (const name of contactTextNames) {
    const given = input[name];
    if (given !== undefined) after[name] = given !== null && isBlank(given) ? null : given;
  }
  if (input.attributes) after.attributes = mergeAttributes(before.attributes, input.attributes);
  return after;
}

function mergeAttributes(before: Record<string, AttributeValue>, given: Record<string, AttributeValue>) {
  const merged = new Map([...Object.entries(before), ...Object.entries(given)]);
  return Object.fromEntries([...merged].filter(([, value]) => value !== null));
}

/** Returns violations of the contact that results from a body and the stored fields. */
export function wholeViolations({ email, phone, externalId, attributes }: ContactFields): Violation[] {
  const violations: Violation[] = [];
  if (email === null && phone === null && externalId === null) {
    violations.push({ path: "email", message: "is required where neither phone nor externalId is known" });
  }
  const names = Object.keys(attributes);
  if (names.length > mostContactAttributes) violations.push(tooManyAttributes);
  else violations.push(...weightViolations(attributes));
  return violations;
}

const mostAttributeBytes = 16 * 1_024;

function weightViolations(attributes: Record<string, AttributeValue>): Violation[] {
  const bytes = Buffer.byteLength(JSON.stringify(attributes));
  return bytes <= mostAttributeBytes ? [] : [{ path: "attributes", message: "must be at most 16 KiB of JSON" }];
}

export function changedFields(before: ContactFields, after: ContactFields): string[] {
  const texts = contactTextNames.filter((name) => before[name] !== after[name]);
  const attributes = isSameJson(before.attributes, after.attributes) ? [] : ["attributes"];
  return [...texts, ...attributes, ...(before.status === after.status ? [] : ["status"])];
}
