import { isJsonObject } from "@canvass/values";
import type { SurveyDefinition } from "./definition.ts";

/** Characters of questions to parse at once, in up to a millisecond. */
const CHUNK = 100_000;
/** Nesting depth of a question: definition, pages, page, elements. */
const DEPTH = 4;

/** Yields between chunks, because JSON.parse blocks the event loop for up to 45 ms. Throws like JSON.parse. */
export function* readingDefinition(json: string, chunk = CHUNK): Generator<void, SurveyDefinition> {
  return (yield* readingPages(json, chunk)) as SurveyDefinition;
}

/** Like `readingDefinition`, for any JSON. Only lists `pages.<n>.elements` are parsed in chunks. */
export function* readingPages(json: string, chunk = CHUNK): Generator<void, unknown> {
  if (json.length <= chunk) return JSON.parse(json);
  const lists: unknown[][] = [];
  let frame = "";
  let framed = 0;
  for (const { from, until, isFirst, isLast } of cutElements(json, chunk)) {
    if (isFirst) {
      // The number replaces the list in the remaining text.
      frame += `${json.slice(framed, from)}${lists.length}`;
      lists.push([]);
    }
    lists.at(-1)!.push(...(JSON.parse(`[${json.slice(from, until)}]`) as unknown[]));
    if (isLast) framed = until;
    yield;
  }
  const value: unknown = JSON.parse(frame + json.slice(framed));
  const pages: unknown = isJsonObject(value) ? value["pages"] : undefined;
  for (const page of Array.isArray(pages) ? pages : []) {
    if (!isJsonObject(page) || !Array.isArray(page["elements"])) continue;
    const [at] = page["elements"] as unknown[];
    // A list whose name is written with escapes is not cut.
    if (typeof at === "number") page["elements"] = lists[at] ?? page["elements"];
  }
  return value;
}

interface Cut {
  from: number;
  until: number;
  isFirst: boolean;
  isLast: boolean;
}

function* cutElements(json: string, chunk: number): Generator<Cut> {
  let depth = 0;
  let name = "";
  let list: { from: number; isFirst: boolean } | undefined;
  for (let at = 0; at < json.length; at += 1) {
    const char = json[at]!;
    if (char === '"') {
      const end = endOfString(json, at);
      if (depth === DEPTH - 1) name = json.slice(at + 1, end);
      at = end;
    } else if (char === "[" || char === "{") {
      depth += 1;
      if (depth === DEPTH && char === "[" && name === "elements") list = { from: at + 1, isFirst: true };
    } else if (char === "]" || char === "}") {
      if (depth === DEPTH && list) {
        yield { ...list, until: at, isLast: true };
        list = undefined;
      }
      depth -= 1;
    } else if (char === "," && depth === DEPTH && list && at - list.from >= chunk) {
      yield { ...list, until: at, isLast: false };
      list = { from: at + 1, isFirst: false };
    }
  }
}

/** Returns the index of the closing quote: the first one after an even number of backslashes. */
function endOfString(json: string, start: number): number {
  let end = start;
  let isEscaped = true;
  while (isEscaped) {
    end = json.indexOf('"', end + 1);
    if (end < 0) return json.length;
    let before = end - 1;
    while (json[before] === "\\") before -= 1;
    isEscaped = (end - before) % 2 === 0;
  }
  return end;
}
