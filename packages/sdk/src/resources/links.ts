import type { CreateDistributorRequest, ListDistributorsData, ListIssuedLinksData } from "../../gen/api/types.gen.ts";
import type { Connection } from "../connection/connect.ts";
import { tagged } from "../handles/tagged.ts";
import { linkOf, readLink } from "../handles/link.ts";
import type { ListFilters } from "../lists/list-filters.ts";
import { listItems } from "../lists/list-items.ts";
import type { RequestOptions, WriteOptions } from "../options.ts";

/** Links by which people come to a survey: distributors of the API. */
export function linksOf(connection: Connection) {
  const { api, sending } = connection;
  return {
    /** Creates a link as a draft; `activate` opens it. */
    async create(surveyId: string, body: CreateDistributorRequest, options?: WriteOptions) {
      const { data } = await api.createDistributor({ path: { surveyId }, body, ...sending(options) });
      return linkOf(connection, tagged(data));
    },
    get: (linkId: string, options?: RequestOptions) => readLink(connection, linkId, options),
    list: (surveyId: string, filters: ListFilters<ListDistributorsData> = {}, options: RequestOptions = {}) =>
      listItems(
        async (cursor) =>
          api.listDistributors({ path: { surveyId }, query: { ...filters, cursor }, ...sending(options) }),
        options.signal,
      ),
    /** Lists the links for one person that `link.issue` made. */
    issued: (linkId: string, filters: ListFilters<ListIssuedLinksData> = {}, options: RequestOptions = {}) =>
      listItems(
        async (cursor) =>
          api.listIssuedLinks({ path: { distributorId: linkId }, query: { ...filters, cursor }, ...sending(options) }),
        options.signal,
      ),
  };
}
