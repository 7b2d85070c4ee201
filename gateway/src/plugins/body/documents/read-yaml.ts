import { AppError } from "@canvass/errors";
import { isScalar, Lexer, LineCounter, parseDocument, visit, type Document, type Pair } from "yaml";

const mostFaults = 100;
/** More than the largest survey has. Many more would exhaust the memory of the thread. */
const mostTokens = 2_000_000;
const tooDeep = "is nested too deeply";

/** Each with its line and column. */
type Fault = (offset: number | undefined, message: string) => void;

/**
 * Parses YAML 1.2 that means the same as JSON. Throws `malformed_yaml` with every fault: besides those of syntax, tags
 * of one's own, aliases, keys that are no text or repeat, and numbers that JSON lacks.
 */
export function readYaml(text: string): unknown {
  const lines = new LineCounter();
  const faults: string[] = [];
  const fault: Fault = (offset = 0, message) => {
    const { line, col } = lines.linePos(offset);
    if (faults.length < mostFaults) faults.push(`line ${line}, column ${col}: ${message}`);
  };
  requireFewTokens(text);
  const document = parse(text, lines);
  // A tag that is not known is a warning only.
  for (const { pos, message } of [...document.errors, ...document.warnings]) fault(pos[0], inWords(message));
  const { explicit, version } = document.directives.yaml;
  if (explicit && version !== "1.2") fault(0, `YAML ${version} means other values than JSON; name 1.2 or no version`);
  if (faults.length === 0) findFaults(document, fault);
  if (faults.length > 0) throw malformed(faults);
  return document.toJS({ maxAliasCount: 0 });
}

/** Checked first, because parsing so many takes long, and other workspaces wait. */
function requireFewTokens(text: string): void {
  let tokens = 0;
  for (const _token of new Lexer().lex(text)) {
    tokens += 1;
    if (tokens > mostTokens)
      throw new AppError("invalid_request", {}, `The body has more than ${mostTokens} YAML tokens.`);
  }
}

function parse(text: string, lineCounter: LineCounter): Document.Parsed {
  const { stackTraceLimit } = Error;
  // The library makes an error of each fault: with their stacks, a million of them would exhaust the thread's memory.
  Error.stackTraceLimit = 0;
  try {
    // The check of the library compares each key with all others.
    return parseDocument(text, {
      lineCounter,
      prettyErrors: false,
      stringKeys: true,
      uniqueKeys: false,
      logLevel: "error",
      resolveKnownTags: false,
    });
  } catch (error) {
    if (error instanceof RangeError) throw malformed([tooDeep]);
    throw error;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** The library reports some overflows of the stack as an error of their place. */
const inWords = (message: string): string => (message.includes("call stack") ? tooDeep : message);

function findFaults(document: Document.Parsed, fault: Fault): void {
  visit(document, {
    Alias: (_key, { range, source }) => fault(range?.[0], `the alias *${source} is not taken; write its value again`),
    Map: (_key, { items }) => findRepeatedKeys(items, fault),
    Scalar: (_key, { value, range }) => {
      if (typeof value === "number" && !Number.isFinite(value)) fault(range?.[0], "JSON has no such number");
    },
  });
}

function findRepeatedKeys(items: readonly Pair[], fault: Fault): void {
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
