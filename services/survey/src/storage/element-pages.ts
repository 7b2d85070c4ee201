import { runInSlices } from "@canvass/fairness";
import type { Sql } from "@canvass/postgres";
import { LRUCache } from "lru-cache";
import { elementView } from "../domain/element-view.ts";
import { findElementPages, type ElementPageRef, type ElementPlace, type ElementRows } from "./elements.ts";

export interface WantedPage extends ElementPageRef {
  revision: number;
}

export interface ElementPage {
  json: string;
  /** The last element of the page, if more follow. */
  end: ElementPlace | undefined;
}

/** Elements per statement. Reading this many rows does not block the event loop. */
const mostElements = 1_000;
const mostRemembered = 32 * 1024 * 1024;

type ReadPages = (wanted: readonly WantedPage[]) => Promise<(ElementPage | undefined)[]>;

/**
 * Reads pages of elements as JSON; undefined where the survey does not exist. Caches them by the survey's revision,
 * which every write of a draft raises.
 */
export function createElementPages(sql: Sql): ReadPages {
  const known = new LRUCache<string, ElementPage>({ maxSize: mostRemembered, sizeCalculation: lengthOfBoth });

  async function readUnknown(wanted: readonly WantedPage[]): Promise<Map<WantedPage, ElementPage>> {
    const read = new Map<WantedPage, ElementPage>();
    for (const portion of portions(wanted.filter((page) => !known.has(keyOf(page))))) {
      const found = await findElementPages(sql, portion);
      const rendered = await runInSlices(rendering(portion, found));
      for (const [index, page] of portion.entries()) {
        const { [index]: elements } = found;
        if (!elements) continue;
        const answer = { json: rendered[index]!, end: endOf(elements) };
        read.set(page, answer);
        // The survey may have changed meanwhile: cache the page under the revision that was read.
        known.set(keyOf({ ...page, revision: elements.revision }), answer);
      }
    }
    return read;
  }

  return async (wanted) => {
    const remembered = wanted.map((page) => known.get(keyOf(page)));
    const read = remembered.includes(undefined) ? await readUnknown(wanted) : undefined;
    return wanted.map((page, index) => remembered[index] ?? read?.get(page) ?? known.get(keyOf(page)));
  };
}

function endOf({ rows, hasMore }: ElementRows): ElementPlace | undefined {
  const last = rows.at(-1);
  return hasMore && last ? [last.elementId, last.pageId] : undefined;
}

function keyOf({ workspaceId, surveyId, revision, limit, page, after, includeContent }: WantedPage): string {
  return `${workspaceId} ${surveyId} ${revision} ${limit} ${page} ${after?.join()} ${includeContent}`;
}

function lengthOfBoth({ json }: ElementPage, key: string): number {
  return json.length + key.length;
}

/** Yields after each element: with content, one may be long. */
function* rendering(
  portion: readonly WantedPage[],
  found: readonly (ElementRows | undefined)[],
): Generator<void, string[]> {
  const rendered: string[] = [];
  for (const [index, { surveyId }] of portion.entries()) {
    const elements: string[] = [];
    for (const row of found[index]?.rows ?? []) {
      elements.push(JSON.stringify(elementView(surveyId, row)));
      yield;
    }
    rendered.push(found[index] ? `[${elements.join(",")}]` : "");
  }
  return rendered;
}

function* portions(pages: readonly WantedPage[]): Generator<WantedPage[]> {
  let portion: WantedPage[] = [];
  let elements = 0;
  for (const page of pages) {
    // A page with content may have megabytes, so it is its own batch.
    const more = page.includeContent ? mostElements : page.limit;
    if (elements > 0 && elements + more > mostElements) {
      yield portion;
      [portion, elements] = [[], 0];
    }
    portion.push(page);
    elements += more;
  }
  if (portion.length > 0) yield portion;
}
