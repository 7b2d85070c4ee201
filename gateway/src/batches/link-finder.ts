import type { Link } from "@canvass/proto/distribution-links";
import { callOptions } from "@canvass/rpc";
import type { ServiceClients } from "../clients/service-clients.ts";
import { createRpcBatcher } from "./rpc-batcher.ts";

/** The shape of link codes, with room for longer ones. Anything else is not looked up. */
const codeShape = /^[A-Za-z0-9_-]{8,64}$/;

/** Returns undefined for an unknown code and for a draft. */
export function linkFinder({ links }: ServiceClients, requestTimeoutMs: number) {
  const call = createRpcBatcher<string, Link>({
    deadlineMs: requestTimeoutMs,
    send: async (codes, timeoutMs) => {
      const refs = codes.map((value) => ({ by: { case: "code" as const, value } }));
      return (await links.batchGetLinks({ links: refs }, callOptions({ timeoutMs }))).links;
    },
  });
  return async (code: string): Promise<Link | undefined> => {
    if (!codeShape.test(code)) return undefined;
    const link = await call(code);
    return link.found && link.status !== "draft" ? link : undefined;
  };
}
