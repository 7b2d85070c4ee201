import { createContactBody, joinPath, type ContactInput, type Violation } from "@canvass/inputs";
import { isJsonObject } from "@canvass/values";
import { emptyFields, newContact, withChanges, type Contact, type ContactFields } from "../contacts/contact.ts";
import { applyInput, changedFields, contactViolations, wholeViolations } from "../contacts/contact-input.ts";
import { searchKey } from "../contacts/contact-keys.ts";
import { ContactBook, type BookEntry } from "./contact-book.ts";
import {
  replacementCharacter,
  type ImportRow,
  type ImportSettings,
  type RowCounts,
  type RowError,
} from "./import-settings.ts";

export interface ValidatedRow {
  row: number;
  input: ContactInput;
  violations: Violation[];
}

export function validateRow(row: number, given: ImportRow, { mode, matchOn }: ImportSettings): ValidatedRow {
  const input = given as ContactInput;
  const violations = [...contactViolations(createContactBody, given), ...lostViolations(given)];
  if (violations.length === 0 && mode === "upsert" && !input[matchOn]) {
    violations.push({ path: matchOn, message: "is required: rows are matched by it" });
  }
  return { row, input, violations };
}

/** Rejects values that were damaged in transit, so that they overwrite nothing. */
function lostViolations(given: ImportRow): Violation[] {
  const attributes = isJsonObject(given["attributes"]) ? Object.entries(given["attributes"]) : [];
  const texts = [...Object.entries(given), ...attributes.map(([name, value]) => [joinPath("attributes", name), value])];
  const damaged = (texts as [string, unknown][]).filter(
    ([, value]) => typeof value === "string" && value.includes(replacementCharacter),
  );
  return damaged.map(([path]) => ({ path, message: "must be text in the file's charset: it contains U+FFFD" }));
}

export interface AppliedRows {
  entries: BookEntry[];
  counts: RowCounts;
  errors: RowError[];
}

export interface Applying {
  settings: ImportSettings;
  workspaceId: string;
  newId: () => string;
  at: Date;
}

type Outcome = keyof RowCounts | Violation[];

/** `known`: the contacts that have an e-mail address or external id of the rows. Applies the rows in order. */
export function applyRows(rows: readonly ValidatedRow[], known: readonly Contact[], applying: Applying): AppliedRows {
  const book = new ContactBook(known);
  const counts: RowCounts = { created: 0, updated: 0, skipped: 0, failed: 0 };
  const errors: RowError[] = [];
  for (const { row, input, violations } of rows) {
    const outcome: Outcome = violations.length > 0 ? violations : applyRow(book, input, applying);
    if (typeof outcome === "string") counts[outcome] += 1;
    else {
      counts.failed += 1;
      errors.push(...outcome.map(({ path, message }) => ({ row, column: path, message })));
    }
  }
  return { entries: book.entries.filter(({ changed }) => changed.size > 0), counts, errors };
}

function applyRow(book: ContactBook, input: ContactInput, applying: Applying): Outcome {
  const { settings } = applying;
  const found = book.find(settings, { email: input.email ?? null, externalId: input.externalId ?? null });
  if (!found) return insertRow(book, input, applying);
  return settings.mode === "create" ? "skipped" : updateRow(book, found, input, applying.at);
}

function insertRow(book: ContactBook, input: ContactInput, { workspaceId, newId, at }: Applying): Outcome {
  const fields = applyInput(emptyFields, input);
  const violations = [...wholeViolations(fields), ...book.takenViolations(fields)];
  if (violations.length > 0) return violations;
  book.insert(newContact({ workspaceId, contactId: newId() }, fields, at), changedFields(emptyFields, fields));
  return "created";
}

function updateRow(book: ContactBook, entry: BookEntry, input: ContactInput, at: Date): Outcome {
  const fields = keptStatus(entry.after, withKnownEmail(entry.after, applyInput(entry.after, input)));
  const violations = [...wholeViolations(fields), ...book.takenViolations(fields, entry)];
  if (violations.length > 0) return violations;
  const changed = changedFields(entry.after, fields);
  if (changed.length === 0) return "skipped";
  book.change(entry, withChanges(entry.after, fields, at), changed);
  return "updated";
}

/** An import never resubscribes a contact: its list may be older than the contact's wish. */
function keptStatus({ status }: Contact, fields: ContactFields): ContactFields {
  return status === "unsubscribed" ? { ...fields, status } : fields;
}

/** Keeps the known e-mail address if only its case differs, so that lists do not change it back and forth. */
function withKnownEmail({ email }: Contact, fields: ContactFields): ContactFields {
  return searchKey(email) === searchKey(fields.email) ? { ...fields, email } : fields;
}
