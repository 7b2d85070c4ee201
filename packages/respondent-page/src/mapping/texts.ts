import type { PublicElement } from "@canvass/questions";
import { localTimestamp, timestampWithOffset } from "./timestamps.ts";
import { inAsciiDigits, numberAnswer, shownNumber } from "./numbers.ts";
import { heading, partName, sameValue, type Data, type MappedType } from "./mapped-type.ts";

const fields = {
  email: { inputType: "text", autocomplete: "email" },
  url: { inputType: "url", autocomplete: "url" },
  phone: { inputType: "tel", autocomplete: "tel" },
} as const;

/** Longer limits get no `maxLength`, and so no counter. */
const longestCounted = 500;

function lengths(question: PublicElement) {
  const { minLength, maxLength } = question.settings as { minLength: number; maxLength: number };
  return {
    ...(maxLength <= longestCounted && { maxLength }),
    ...(minLength > 0 && { validators: [{ type: "text", minLength }] }),
  };
}

/** Without the blanks that a keyboard or a copied text adds, and a phone number in ASCII digits. */
function plain(format: string | null | undefined, typed: string): string {
  if (!format || !Object.hasOwn(fields, format)) return typed;
  return format === "phone" ? inAsciiDigits(typed.trim()) : typed.trim();
}

const text = {
  toData: sameValue.toData,
  toValue: (data: Data, name: string) => (typeof data[name] === "string" && data[name].trim() ? data[name] : undefined),
};

export const shortText: MappedType = {
  draw(question, name) {
    const format = question.settings["format"] as keyof typeof fields | null;
    return {
      ...heading(question, name),
      type: "text",
      inputType: "text",
      ...(format && fields[format]),
      ...lengths(question),
    };
  },
  toData: text.toData,
  toValue(data, name, question) {
    const typed = text.toValue(data, name);
    return typed && plain(question.settings["format"] as string | null, typed);
  },
};

export const longText: MappedType = {
  draw: (question, name) => ({
    ...heading(question, name),
    type: "comment",
    rows: 4,
    autoGrow: true,
    ...lengths(question),
  }),
  ...text,
};

/** A text field: browsers' number fields change with the mouse wheel and use the browser's own decimal mark. */
export const number: MappedType = {
  draw: (question, name) => ({ ...heading(question, name), type: "text", inputType: "text" }),
  toData: (value, name) => ({ [name]: shownNumber(value) }),
  toValue: (data, name) => numberAnswer(data[name]),
};

const inputTypes = { date: "date", time: "time", datetime: "datetime-local" } as const;

/** A date with time is in the respondent's local time. The answer includes the offset. */
export const dateTime: MappedType = {
  draw(question, name) {
    const { mode, min, max } = question.settings as { mode: keyof typeof inputTypes } & Record<string, string | null>;
    const shown = (limit: string) => (mode === "datetime" ? localTimestamp(limit) : limit);
    return {
      ...heading(question, name),
      type: "text",
      inputType: inputTypes[mode],
      ...(min && { min: shown(min) }),
      ...(max && { max: shown(max) }),
    };
  },
  toData: (value, name, { settings }) => ({
    [name]: settings["mode"] === "datetime" && typeof value === "string" ? localTimestamp(value) : value,
  }),
  toValue(data, name, { settings }) {
    const value = data[name];
    if (typeof value !== "string" || value === "") return undefined;
    return settings["mode"] === "datetime" ? timestampWithOffset(value) : value;
  },
};

const parts = {
  firstName: { autocomplete: "given-name" },
  lastName: { autocomplete: "family-name", beside: true },
  email: fields.email,
  phone: { ...fields.phone, beside: true },
  company: { autocomplete: "organization" },
  addressLine1: { autocomplete: "address-line1" },
  addressLine2: { autocomplete: "address-line2" },
  city: { autocomplete: "address-level2" },
  region: { autocomplete: "address-level1", beside: true },
  postalCode: { autocomplete: "postal-code" },
  country: { autocomplete: "country-name", beside: true },
} as const;
type Part = keyof typeof parts;

type Shown = Record<Part, { show: boolean; required: boolean }>;
const shownParts = ({ settings }: PublicElement) => {
  const shown = settings["parts"] as Shown;
  return (Object.keys(parts) as Part[]).filter((part) => shown[part].show);
};

/**
 * A panel of fields that browsers can autofill. A part is marked as required only if the question is, too; otherwise it
 * is required once another part is filled, as the question type decides.
 */
export const contactInfo: MappedType = {
  draw(question, name, words) {
    const shown = question.settings["parts"] as Shown;
    const elements = shownParts(question).map((part, index) => {
      const { beside, ...field } = { beside: false, inputType: "text", ...parts[part] };
      return {
        ...field,
        type: "text",
        name: partName(name, part),
        title: words.parts[part],
        isRequired: question.required && shown[part].required,
        startWithNewLine: !beside || index === 0,
        minWidth: "200px",
        showNumber: false,
      };
    });
    return { ...heading(question, name), type: "panel", showNumber: true, elements };
  },
  toData: (value, name) =>
    Object.fromEntries(Object.entries(value ?? {}).map(([part, text]) => [partName(name, part), text])),
  toValue(data, name, question) {
    const filled = shownParts(question).flatMap((part) => {
      const value = data[partName(name, part)];
      return typeof value === "string" && value.trim() ? [[part, plain(part, value)]] : [];
    });
    return filled.length > 0 ? Object.fromEntries(filled) : undefined;
  },
};

const fieldTypes = { ...fields, number: { inputType: "text" }, date: { inputType: "date" } } as const;

/** A panel of labelled inputs. Fields are marked as required like parts of `contactInfo`. */
export const form: MappedType = {
  draw(question, name) {
    const elements = (question.rows ?? []).map(({ id, text: title, format, required = false }) => ({
      inputType: "text",
      ...(format && fieldTypes[format]),
      type: "text",
      name: partName(name, id),
      title,
      isRequired: question.required && required,
      showNumber: false,
    }));
    return { ...heading(question, name), type: "panel", showNumber: true, elements };
  },
  toData: (value, name) =>
    Object.fromEntries(Object.entries(value ?? {}).map(([id, entered]) => [partName(name, id), shownNumber(entered)])),
  toValue(data, name, question) {
    const filled = (question.rows ?? []).flatMap(({ id, format }) => {
      const entered = data[partName(name, id)];
      if (typeof entered !== "string" || !entered.trim()) return [];
      return [[id, format === "number" ? numberAnswer(entered) : plain(format, entered)]];
    });
    return filled.length > 0 ? Object.fromEntries(filled) : undefined;
  },
};
