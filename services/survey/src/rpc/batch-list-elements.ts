import type { MessageInitShape } from "@bufbuild/protobuf";
import { AppError } from "@canvass/errors";
import { pagingViolations, requireBatchSize, validationFailed } from "@canvass/inputs";
import { openPage } from "@canvass/postgres";
import { isId } from "@canvass/values";
import type {
  BatchListElementsRequest,
  BatchListElementsResponseSchema,
  ElementPageRef as RequestedPage,
  ElementPageResultSchema,
} from "@canvass/proto/survey-elements";
import { toErrorDetail } from "@canvass/rpc";
import type { SurveyContext } from "../context.ts";
import { findElementCounts, type ElementPageRef, type ElementPlace } from "../storage/elements.ts";
import type { ElementPage } from "../storage/element-pages.ts";
import { refKey, uniqueRefs } from "./unique-refs.ts";

/** Once a response has this many characters, further pages are left out; callers request them again. */
const mostCharacters = 4 * 1024 * 1024;
/** Elements that are read before the size is checked again. */
const portionElements = 400;

/** A requested page. `cursorAt` returns the cursor that continues after an element. */
interface AskedPage extends ElementPageRef {
  cursorAt: (place: ElementPlace) => string;
}

type Result = MessageInitShape<typeof ElementPageResultSchema>;

/** Returns for each request a page of elements with their total number, or an error (contract 6.5). */
export async function batchListElements(
  { database: { hot }, verifyCaller, cursors, elementPages }: SurveyContext,
  { pages }: BatchListElementsRequest,
): Promise<MessageInitShape<typeof BatchListElementsResponseSchema>> {
  requireBatchSize("pages", pages);
  const refs = pages.map((page) => readRef(page, verifyCaller, cursors));
  const readable = refs.filter((ref): ref is AskedPage => !(ref instanceof AppError));
  const counts = new Map(
    (await findElementCounts(hot.sql, uniqueRefs(readable))).map((count) => [refKey(count), count]),
  );
  const wanted = readable.flatMap((ref) => {
    const count = counts.get(refKey(ref));
    return count ? [{ ...ref, ...count, ref }] : [];
  });
  const listed = new Map<AskedPage, Result>();
  let size = 0;
  for (const portion of portionsOf(wanted)) {
    const rendered = size < mostCharacters ? await elementPages(portion) : [];
    portion.forEach(({ ref, total }, index) => {
      const page = rendered[index];
      size += page?.json.length ?? 0;
      if (rendered.length === 0) listed.set(ref, leftOut);
      else if (page) listed.set(ref, { outcome: { case: "page", value: { total, ...toPage(page, ref) } } });
    });
  }
  return { results: refs.map((ref) => (ref instanceof AppError ? failed(ref) : (listed.get(ref) ?? notFound))) };
}

function toPage({ json, end }: ElementPage, { cursorAt }: AskedPage) {
  return { elementsJson: json, hasMore: end !== undefined, nextCursor: end ? cursorAt(end) : "" };
}

function readRef(
  { caller, surveyId, limit, cursor, page: number, includeContent }: RequestedPage,
  verifyCaller: SurveyContext["verifyCaller"],
  cursors: SurveyContext["cursors"],
): AskedPage | AppError {
  const verified = verifyCaller(caller);
  if (!verified) return new AppError("unauthorized");
  const { workspaceId } = verified;
  const binding = ["elements", workspaceId, surveyId];
  const { after, cursorAt, violations } = openPage<ElementPlace>(cursors, binding, { limit, cursor: cursor ?? "" });
  const page = cursor === undefined ? number : 1;
  violations.push(...pagingViolations({ limit, page }).filter(({ path }) => path === "page"));
  if (violations.length > 0) return validationFailed(violations);
  if (!isId(surveyId)) return new AppError("survey_not_found");
  return { workspaceId, surveyId, limit, page, after, includeContent, cursorAt };
}

function* portionsOf<Page extends { limit: number; total: number; includeContent: boolean }>(
  pages: readonly Page[],
): Generator<Page[]> {
  let portion: Page[] = [];
  let elements = 0;
  for (const page of pages) {
    portion.push(page);
    // A page with content may take megabytes and fill the response alone.
    elements += page.includeContent ? portionElements : Math.min(page.limit, page.total);
    if (elements < portionElements) continue;
    yield portion;
    [portion, elements] = [[], 0];
  }
  if (portion.length > 0) yield portion;
}

const leftOut: Result = { outcome: { case: "leftOut", value: true } };
const failed = (error: AppError): Result => ({ outcome: { case: "error", value: toErrorDetail(error) } });
const notFound = failed(new AppError("survey_not_found"));
