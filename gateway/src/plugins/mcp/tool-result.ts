import { boundData } from "./bound-data.ts";
import { notice } from "./notice.ts";

interface Envelope {
  data: unknown;
  pagination?: { hasMore: boolean; cursor_next?: string | null; page?: number };
  meta: { etag?: string };
}

export interface ToolResult extends Record<string, unknown> {
  content: { type: "text"; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: true;
}

/** Returns an operation's success as the result of a tool: bounded, with its texts marked as data. */
export function toolResult(
  { data, pagination, meta }: Envelope,
  { list, skip }: { list: string | undefined; skip: number },
): ToolResult {
  const bounded = boundData(data, list, skip);
  if (!bounded) return tooLarge;
  const { shown, isCut } = bounded;
  const isPart = shown !== undefined && shown.to < shown.of;
  const rest = [
    isPart &&
      `Entries ${skip + 1} to ${shown.to} of ${shown.of} are shown. For the rest call again with the same arguments and skip: ${shown.to}.`,
    // Shown only after the last part of a page, so that the rest of the page is not skipped.
    !isPart && pagination?.hasMore && nextPage(pagination),
    isCut && "Long texts or lists are cut. The API itself returns them whole.",
  ].filter((sentence) => typeof sentence === "string");
  const structuredContent = {
    notice,
    data: bounded.data,
    ...(pagination && !isPart && { pagination }),
    ...(meta.etag !== undefined && { etag: meta.etag }),
    ...(rest.length > 0 && { rest: rest.join(" ") }),
  };
  return { content: [{ type: "text", text: JSON.stringify(structuredContent) }], structuredContent };
}

function nextPage({ cursor_next, page = 0 }: NonNullable<Envelope["pagination"]>): string {
  const next = cursor_next === undefined ? `page: ${page + 1}` : "`pagination.cursor_next` as cursor";
  return `There is more: call again with the same arguments, without skip, and ${next}.`;
}

export interface ToolError {
  code: string;
  message: string;
  suggestion: string;
  retryable: boolean;
  details: object;
  retryAfterSeconds?: number;
}

/** Returns an error of the API as the result of a tool, with all violations that fit. */
export function errorResult(error: ToolError): ToolResult {
  const bounded = boundData(error, undefined, 0)?.data ?? { ...error, details: {} };
  return { isError: true, content: [{ type: "text", text: JSON.stringify({ error: bounded }) }] };
}

/** For an answer of which no part fits. */
export const tooLarge: ToolResult = errorResult({
  code: "result_too_large",
  message: "The answer is too large for the result of a tool.",
  suggestion:
    "Ask for less: with a smaller limit, narrower filters or without `include`. The API itself returns it whole.",
  retryable: false,
  details: {},
});
