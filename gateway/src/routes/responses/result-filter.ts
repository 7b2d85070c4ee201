import { fieldPrefix } from "@canvass/inputs";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ResultFilterSchema } from "@canvass/proto/response";
import { timestampOf } from "../../plugins/responses/timestamps.ts";

interface FilterQuery {
  completed?: boolean;
  from?: string;
  to?: string;
  distributorId?: string;
  versionNumber?: number;
  where?: string;
}

/** Returns the filter of a query; undefined if nothing is filtered. The service validates it. */
export function resultFilter(query: FilterQuery, language?: string) {
  const { completed, from, to, distributorId, versionNumber, where } = query;
  const fields = fieldFilters(query);
  const filter: MessageInitShape<typeof ResultFilterSchema> = {
    ...(completed !== undefined && { completed }),
    ...(from !== undefined && { from: timestampOf(from) }),
    ...(to !== undefined && { to: timestampOf(to) }),
    ...(distributorId !== undefined && { distributorId }),
    ...(language !== undefined && { language }),
    ...(Object.keys(fields).length > 0 && { fields }),
    ...(versionNumber !== undefined && { versionNumber }),
    ...(where !== undefined && { whereJson: where }),
  };
  return Object.keys(filter).length > 0 ? filter : undefined;
}

/** Values of hidden fields by name. */
export function fieldFilters(query: object): Record<string, string> {
  const filters = Object.entries(query as Record<string, string>).filter(([name]) => name.startsWith(fieldPrefix));
  return Object.fromEntries(filters.map(([name, value]) => [name.slice(fieldPrefix.length), value]));
}
