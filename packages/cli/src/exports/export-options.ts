import { numberViolation, UsageError, type Option, type Values } from "@canvass/command-line";
import type { Api } from "@canvass/sdk";
import { listOf } from "../commands/options.ts";

const labels = ["ids", "labels", "both"] as const;
const headings = ["texts", "names", "both"] as const;

/** What an export holds, and how. The service validates the values. */
export const exportOptions = {
  labels: { placeholder: "what", help: "how choices are written (default: labels)", choices: labels },
  headings: { placeholder: "what", help: "how columns are named (default: texts)", choices: headings },
  language: { placeholder: "tag", help: "of texts (default: the survey's)" },
  timeZone: { placeholder: "zone", help: "of times, such as Europe/Berlin (default: the workspace's)" },
  partial: { help: "also of respondents that have not completed" },
  test: { help: "also of tests" },
  offPath: { help: "also answers that were no longer reached at completion" },
  order: { help: "also in which order shuffled entries were shown" },
  from: { placeholder: "time", help: "of respondents that started then or later, such as 2026-01-31T09:00:00Z" },
  to: { placeholder: "time", help: "of respondents that started earlier" },
  links: { placeholder: "ids", help: "of respondents that came by these links, joined by commas" },
  version: {
    placeholder: "number",
    help: "of respondents that answer this published version",
    violation: numberViolation(1, 2 ** 31 - 1),
  },
  where: { placeholder: "json", help: "of respondents that fulfil this condition (contract 6.9)" },
  questions: { placeholder: "ids", help: "of these elements only, joined by commas" },
  fields: { placeholder: "names", help: "of these hidden fields only, joined by commas" },
  contactFields: { placeholder: "names", help: "also what contacts hold, such as email,attributes.team" },
  bom: { help: "in a csv file: begin with a byte order mark, for Excel" },
  unescaped: { help: "in a csv file: texts as answered, for programs; a spreadsheet may run them" },
} as const satisfies Record<string, Option>;

type Given = Values<typeof exportOptions>;

/** Returns the request for the options that were given. Throws `UsageError` for a condition that is no JSON. */
export function exportRequest(format: Api.CreateExportRequest["format"], given: Given): Api.CreateExportRequest {
  const { language, timeZone, from, to, links, version, where, questions, fields, contactFields } = given;
  const asked = {
    labels: given.labels,
    headings: given.headings,
    language,
    timeZone,
    from,
    to,
    includePartial: given.partial,
    includeTest: given.test,
    includeOffPath: given.offPath,
    includeOrder: given.order,
    distributorIds: links && listOf(links),
    versionNumber: version && Number(version),
    where: where && conditionOf(where),
    elementIds: questions && listOf(questions),
    fields: fields === undefined ? undefined : listOf(fields),
    contactFields: contactFields && listOf(contactFields),
    bom: given.bom,
    ...(given.unescaped && { escapeFormulas: false }),
  };
  const known = Object.entries(asked).filter(([, value]) => value !== undefined);
  return { format, ...Object.fromEntries(known) };
}

function conditionOf(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    throw new UsageError("--where is no JSON; see contract 6.9 for conditions.");
  }
}
