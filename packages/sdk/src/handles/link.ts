import type {
  Distributor,
  IssuedLink,
  IssueLinksRequest,
  ReplaceDistributorSettingsRequest,
  UpdateDistributorRequest,
} from "../../gen/api/types.gen.ts";
import type { Connection } from "../connection/connect.ts";
import { orStale, StaleError } from "../errors/stale-error.ts";
import type { RequestOptions, WriteOptions } from "../options.ts";
import { tagged, type Tagged } from "./tagged.ts";
import { withMethods } from "./with-methods.ts";

interface LinkMethods {
  /** Throws `StaleLinkError`. */
  update(changes: UpdateDistributorRequest, options?: WriteOptions): Promise<Link>;
  /** Replaces all settings: omitted ones return to their defaults. Throws `StaleLinkError`. */
  replaceSettings(settings: ReplaceDistributorSettingsRequest, options?: WriteOptions): Promise<Link>;
  activate(options?: WriteOptions): Promise<Link>;
  pause(options?: WriteOptions): Promise<Link>;
  resume(options?: WriteOptions): Promise<Link>;
  /** Closes the link for good. */
  close(options?: WriteOptions): Promise<Link>;
  /** Issues links for one person each. */
  issue(wanted: IssueLinksRequest, options?: WriteOptions): Promise<IssuedLink[]>;
  delete(options?: WriteOptions): Promise<void>;
  reload(options?: RequestOptions): Promise<Link>;
}

/** A link (a distributor of the API) at the time it was read. */
export type Link = Tagged<Distributor> & LinkMethods;

export class StaleLinkError extends StaleError<Link> {}

export async function readLink(connection: Connection, linkId: string, options?: RequestOptions): Promise<Link> {
  const path = { distributorId: linkId };
  const { data } = await connection.api.getDistributor({ path, ...connection.sending(options) });
  return linkOf(connection, tagged(data));
}

/** Gives a link its methods. */
export function linkOf(connection: Connection, data: Tagged<Distributor>): Link {
  const { api, sending } = connection;
  const path = { distributorId: data.id };
  const headers = { "If-Match": data.etag };
  const reload = (options?: RequestOptions) => readLink(connection, data.id, options);
  type Sent = Promise<{ data: { data: Distributor; meta: { etag?: string } } }>;
  const written = async (sent: Sent) => linkOf(connection, tagged((await sent).data));
  const write = (sent: Sent, options?: RequestOptions) => written(orStale(sent, StaleLinkError, () => reload(options)));
  return withMethods<Tagged<Distributor>, LinkMethods>(data, {
    reload,
    update: (body, options) => write(api.updateDistributor({ path, headers, body, ...sending(options) }), options),
    replaceSettings: (body, options) =>
      write(api.replaceDistributorSettings({ path, headers, body, ...sending(options) }), options),
    activate: (options) => written(api.activateDistributor({ path, ...sending(options) })),
    pause: (options) => written(api.pauseDistributor({ path, ...sending(options) })),
    resume: (options) => written(api.resumeDistributor({ path, ...sending(options) })),
    close: (options) => written(api.closeDistributor({ path, ...sending(options) })),
    issue: async (body, options) => (await api.issueLinks({ path, body, ...sending(options) })).data.data,
    delete: async (options) => void (await api.deleteDistributor({ path, ...sending(options) })),
  });
}
