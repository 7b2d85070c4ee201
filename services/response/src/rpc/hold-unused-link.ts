import type { MessageInitShape } from "@bufbuild/protobuf";
import { AppError } from "@canvass/errors";
import { inTransaction } from "@canvass/postgres";
import type { HoldUnusedLinkRequest, HoldUnusedLinkResponseSchema } from "@canvass/proto/response-links";
import { holdMs } from "@canvass/service";
import { linkFromMessage } from "../application/collecting/states-from-messages.ts";
import type { ResponseContext } from "../context.ts";
import { lockCollecting, surveyLock } from "../storage/advisory-locks.ts";
import { holdLink, collectingLinkStatement } from "../storage/collecting/collecting-links.ts";
import { findDistributorResults } from "../storage/links/distributor-results.ts";

/**
 * Waits for starts in progress, for at most two seconds. Blocks later ones for `holdMs` if there was no start, else
 * returns the number of starts.
 */
export async function holdUnusedLink(
  { database, limitWrites }: ResponseContext,
  { link: message }: HoldUnusedLinkRequest,
): Promise<MessageInitShape<typeof HoldUnusedLinkResponseSchema>> {
  if (!message?.found) throw new AppError("invalid_request", { link: ["must be there"] });
  const link = linkFromMessage(message);
  return limitWrites(() =>
    inTransaction(database.pool, async (sql) => {
      await lockCollecting(sql, [surveyLock(link)]);
      const started = (await findDistributorResults(sql, [link]))[0]?.started ?? 0;
      if (started > 0) return { started: BigInt(started) };
      const { text, params } = collectingLinkStatement(link);
      await sql.query(text, params);
      await holdLink(sql, link, holdMs);
      return { started: 0n };
    }),
  );
}
