import {
  contactTextNames,
  joinPath,
  longestAttributeName,
  longestAttributeText,
  mostContactAttributes,
  shapeFaults,
  type AttributeValue,
  type ContactInput,
  type Fault,
} from "@canvass/inputs";
import { characterCount, isBlank, isJsonObject, isSameJson, isStorable, ownValue } from "@canvass/values";
import { isEmail } from "@canvass/questions";
import type { ContactFields } from "./contact.ts";
import { readPhone } from "./phone.ts";

/** Control characters except tabs and line breaks. */
const control = /(?![\t\n\r])\p{Cc}/u;
const noControls = "must not hold control characters";

/** Returns every fault of a body that shows without other contacts. */
export function contactFaults(schema: Parameters<typeof shapeFaults>[0], body: unknown): Fault[] {
  const faults = shapeFaults(schema, body);
  if (!isJsonObject(body)) return faults;
  const hasFault = (name: string) => faults.some(({ path }) => path === name);
  const email = ownValue(body, "email");
  if (typeof email === "string" && !hasFault("email") && !isEmail(email)) {
    faults.push({ path: "email", message: "must be an e-mail address" });
  }
  const phone = ownValue(body, "phone");
  if (typeof phone === "string" && !hasFault("phone") && readPhone(phone) !== phone) {
    faults.push({
      path: "phone",
      message: "must be a phone number that its country's numbering plan may have, in E.164",
    });
  }
  for (const name of contactTextNames) {
    const text = ownValue(body, name);
    if (typeof text === "string" && !hasFault(name) && control.test(text))
      faults.push({ path: name, message: noControls });
  }
  const attributes = ownValue(body, "attributes");
  if (isJsonObject(attributes) && !hasFault("attributes")) faults.push(...attributeFaults(attributes));
  return faults;
}

function attributeFaults(attributes: Record<string, unknown>): Fault[] {
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

export const tooManyAttributes: Fault = {
  path: "attributes",
  message: `must have at most ${mostContactAttributes} names`,
};

const attributeForm = `must be text of at most ${longestAttributeText} characters, a number, a boolean or null`;

function isAttributeValue(value: unknown): boolean {
  if (typeof value === "string") return characterCount(value) <= longestAttributeText;
  return value === null || typeof value === "number" || typeof value === "boolean";
}

/** Applies a valid body: omitted fields stay, null clears a field. */
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

/** Returns faults of the resulting contact, which a body alone does not show. */
export function wholeFaults({ email, phone, externalId, attributes }: ContactFields): Fault[] {
  const faults: Fault[] = [];
  if (email === null && phone === null && externalId === null) {
    faults.push({ path: "email", message: "is required where neither phone nor externalId is known" });
  }
  const names = Object.keys(attributes);
  if (names.length > mostContactAttributes) faults.push(tooManyAttributes);
  else faults.push(...weightFaults(attributes));
  return faults;
}

const mostAttributeBytes = 16 * 1_024;

function weightFaults(attributes: Record<string, AttributeValue>): Fault[] {
  const bytes = Buffer.byteLength(JSON.stringify(attributes));
  return bytes <= mostAttributeBytes ? [] : [{ path: "attributes", message: "must be at most 16 KiB of JSON" }];
}

export function changedFields(before: ContactFields, after: ContactFields): string[] {
  const texts = contactTextNames.filter((name) => before[name] !== after[name]);
  const attributes = isSameJson(before.attributes, after.attributes) ? [] : ["attributes"];
  return [...texts, ...attributes, ...(before.status === after.status ? [] : ["status"])];
}
