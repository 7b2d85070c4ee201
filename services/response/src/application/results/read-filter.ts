import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Violation } from "@canvass/inputs";
import type { ResultFilter as GivenMessage } from "@canvass/proto/response";
import { readResultFilter, type FilterContext } from "../../domain/results/read-result-filter.ts";
import type { ResultFilter } from "../../domain/results/result-filter.ts";

/** Reads a filter by the version that collects; undefined if nothing is filtered. Adds all violations. */
export function readFilter(
  { completed, from, to, distributorId, language, fields, versionNumber, whereJson }: GivenMessage,
  collecting: FilterContext,
  violations: Violation[],
): ResultFilter | undefined {
  return readResultFilter(
    {
      ...(completed !== undefined && { isCompleted: completed }),
      ...(from && { from: timestampDate(from) }),
      ...(to && { to: timestampDate(to) }),
      ...(distributorId !== undefined && { distributorId }),
      ...(language !== undefined && { language }),
      ...(Object.keys(fields).length > 0 && { fields }),
      ...(versionNumber !== undefined && { versionNumber }),
      ...(whereJson !== undefined && { whereJson }),
    },
    collecting,
    violations,
  );
}
