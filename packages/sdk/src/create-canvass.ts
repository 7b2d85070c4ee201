import type { CanvassApi } from "../gen/api/sdk.gen.ts";
import { connect } from "./connection/connect.ts";
import type { CanvassOptions } from "./options.ts";
import { eventsOf } from "./resources/events.ts";
import { exportsOf } from "./resources/exports.ts";
import { linksOf } from "./resources/links.ts";
import { responsesOf } from "./resources/responses.ts";
import { resultsOf } from "./resources/results.ts";
import { surveysOf } from "./resources/surveys.ts";
import { webhooksOf } from "./resources/webhooks.ts";

/** A client of one installation, for one token. */
export interface Canvass {
  surveys: ReturnType<typeof surveysOf>;
  links: ReturnType<typeof linksOf>;
  responses: ReturnType<typeof responsesOf>;
  results: ReturnType<typeof resultsOf>;
  exports: ReturnType<typeof exportsOf>;
  events: ReturnType<typeof eventsOf>;
  webhooks: ReturnType<typeof webhooksOf>;
  /** Every operation of the API by its name, with the same retries, idempotency keys and errors. */
  api: CanvassApi;
}

/** Creates a client. Sends nothing yet. Throws a TypeError for a malformed `url` or `token`. */
export function createCanvass(options: CanvassOptions): Canvass {
  const connection = connect(options);
  return {
    surveys: surveysOf(connection),
    links: linksOf(connection),
    responses: responsesOf(connection),
    results: resultsOf(connection),
    exports: exportsOf(connection),
    events: eventsOf(connection),
    webhooks: webhooksOf(connection),
    api: connection.api,
  };
}
