import { numberViolation, splitList, UsageError, type Option, type Values } from "@canvass/command-line";
import type { Api } from "@canvass/sdk";

const labels = ["ids", "labels", "both"] as const;
const headings = ["texts", "names", "both"] as const;

/** Options for the content and format of an export. The service validates the values. */
export const exportOptions = {
  labels: { placeholder: "what", help: "how to write choices (default: labels)", choices: labels },
  headings: { placeholder: "what", help: "how to name columns (default: texts)", choices: headings },
  language: { placeholder: "tag", help: "language of texts (default: the survey's)" },
  timeZone: { placeholder: "zone", help: "time zone of times, such as Europe/Berlin (default: the workspace's)" },
  partial: { help: "include respondents that have not completed" },
  test: { help: "include test respondents" },
  offPath: { help: "include answers to questions that were off the respondent's path at completion" },
  order: { help: "include the order in which shuffled entries were shown" },
  from: {
    placeholder: "time",
    help: "only respondents that started at this time or later, such as 2026-01-31T09:00:00Z",
  },
  to: { placeholder: "time", help: "only respondents that started before this time" },
  links: { placeholder: "ids", help: "only respondents that came by these links, separated by commas" },
  version: {
    placeholder: "number",
    help: "only respondents of this published version",
    violation: numberViolation(1, 2 ** 31 - 1),
  },
  where: { placeholder: "json", help: "only respondents that fulfil this condition (contract 6.9)" },
  questions: { placeholder: "ids", help: "only these elements, separated by commas" },
  fields: { placeholder: "names", help: "only these hidden fields, separated by commas" },
  contactFields: { placeholder: "names", help: "include these fields of contacts, such as email,attributes.team" },
  bom: { help: "start a csv file with a byte order mark, for Excel" },
  unescaped: { help: "do not escape formulas in a csv file, for programs; a spreadsheet may run them" },
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
    distributorIds: links && splitList(links),
    versionNumber: version && Number(version),
    where: where && conditionOf(where),
    elementIds: questions && splitList(questions),
    fields: fields === undefined ? undefined : splitList(fields),
    contactFields: contactFields && splitList(contactFields),
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
