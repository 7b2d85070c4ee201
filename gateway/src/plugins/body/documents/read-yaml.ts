import { AppError } from "@canvass/errors";
import { Composer, isScalar, LineCounter, Parser, visit, type Document, type Pair } from "yaml";
import { maxReportedViolations, cutTextAfterViolations, cutTokensAfterViolations } from "./cut-after-violations.ts";

const tooDeep = "is nested too deeply";

/** Reports a violation at an offset of the text. */
type ReportFault = (offset: number | undefined, message: string) => void;

/**
 * Parses YAML 1.2 that is equivalent to JSON. Throws `malformed_yaml` with the first hundred violations: besides those
 * of syntax, custom tags, aliases, keys that are not text or repeat, and numbers that JSON does not have.
 */
export function readYaml(text: string): unknown {
  const part = cutTextAfterViolations(text);
  // Throws for a part that was cut, because of its violations.
  const value = readWhole(part);
  return part === text ? value : readWhole(text);
}

function readWhole(text: string): unknown {
  const lines = new LineCounter();
  const faults: string[] = [];
  const fault: ReportFault = (offset = 0, message) => {
    if (faults.length === maxReportedViolations) return;
    const { line, col } = lines.linePos(offset);
    faults.push(`line ${line}, column ${col}: ${message}`);
  };
  const { document, next } = parse(text, lines);
  // For the library an unknown tag is only a warning.
  for (const { pos, message } of [...document.errors, ...document.warnings]) fault(pos[0], inWords(message));
  if (next) fault(next.range[0], "Source contains multiple documents; send one");
  const { explicit, version } = document.directives.yaml;
  if (explicit && version !== "1.2") fault(0, `YAML ${version} means other values than JSON; name 1.2 or no version`);
  if (faults.length === 0) findFaults(document, fault);
  if (faults.length > 0) throw malformed(faults);
  return document.toJS({ maxAliasCount: 0 });
}

const options = {
  prettyErrors: false,
  stringKeys: true,
  // The library's check compares each key with all others.
  uniqueKeys: false,
  logLevel: "error",
  resolveKnownTags: false,
} as const;

function parse(text: string, lines: LineCounter) {
  const { stackTraceLimit } = Error;
  // The library creates an error for each violation: with stacks, many would exhaust the thread's memory.
  Error.stackTraceLimit = 0;
  try {
    const tokens = cutTokensAfterViolations(new Parser(lines.addNewLine).parse(text));
    const [document, next] = new Composer(options).compose(tokens, true, text.length);
    return { document: document as Document.Parsed, next };
  } catch (error) {
    if (error instanceof RangeError) throw malformed([tooDeep]);
    throw error;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** The library reports some stack overflows as errors of the document. */
const inWords = (message: string): string => (message.includes("call stack") ? tooDeep : message);

function findFaults(document: Document.Parsed, fault: ReportFault): void {
  visit(document, {
    Alias: (_key, { range, source }) => fault(range?.[0], `the alias *${source} is not taken; write its value again`),
    Map: (_key, { items }) => findRepeatedKeys(items, fault),
    Scalar: (_key, { value, range }) => {
      if (typeof value === "number" && !Number.isFinite(value)) fault(range?.[0], "JSON has no such number");
    },
  });
}

function findRepeatedKeys(items: readonly Pair[], fault: ReportFault): void {
  const seen = new Set<unknown>();
  for (const { key } of items) {
    if (!isScalar(key)) continue;
    if (seen.has(key.value)) fault(key.range?.[0], `the key ${String(key.value).slice(0, 100)} is given twice`);
    seen.add(key.value);
  }
}

function malformed(faults: string[]): AppError {
  const [first = ""] = faults;
  return new AppError("malformed_yaml", { body: faults }, `The body is not valid YAML: ${first}.`);
}
