import type { Question, SurveyDefinition } from "./definition.ts";

/** Characters of questions to parse at once, in up to a millisecond. */
const CHUNK = 100_000;
/** Nesting depth of a question: definition, pages, page, elements. */
const DEPTH = 4;

/** Yields between chunks, because JSON.parse blocks the event loop for up to 45 ms. Throws like JSON.parse. */
export function* readingDefinition(json: string, chunk = CHUNK): Generator<void, SurveyDefinition> {
  if (json.length <= chunk) return JSON.parse(json) as SurveyDefinition;
  const lists: Question[][] = [];
  let frame = "";
  let framed = 0;
  for (const { from, until, isFirst, isLast } of cutQuestions(json, chunk)) {
    if (isFirst) {
      frame += json.slice(framed, from);
      lists.push([]);
    }
    lists.at(-1)!.push(...(JSON.parse(`[${json.slice(from, until)}]`) as Question[]));
    if (isLast) framed = until;
    yield;
  }
  const { pages } = JSON.parse(frame + json.slice(framed)) as SurveyDefinition;
  return { pages: pages.map((page, at) => ({ ...page, elements: lists[at]! })) };
}

interface Cut {
  from: number;
  until: number;
  isFirst: boolean;
  isLast: boolean;
}

function* cutQuestions(json: string, chunk: number): Generator<Cut> {
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
