import { timestampDate } from "@bufbuild/protobuf/wkt";
import { LinkService, type Link as LinkMessage, type LinkRef } from "@canvass/proto/distribution-links";
import type { RpcClient } from "@canvass/rpc";
import type { DistributorRef, Link } from "../domain/links/link.ts";
import { createLeasedAnswers } from "../leases/leased-answers.ts";

/** A client of the distribution service. Answers are leased as those about surveys are. */
export interface LinkDirectory {
  /** The link of an address `/s/{code}`. */
  byCode(code: string): Promise<Link>;
  byDistributor(ref: DistributorRef): Promise<Link>;
  /** The link of a session: a personal link is there as long as its contact is. */
  bySession(session: LinkPlace): Promise<Link>;
  /** The same if it may be used without asking. */
  freshByDistributor(ref: DistributorRef): Link | undefined;
  /** Whether this is the distributor's password. */
  isPassword(ref: DistributorRef, password: string): Promise<boolean>;
}

const timeoutMs = 3_000;

/** A distributor, and of a link for one person that link. */
export interface LinkPlace extends DistributorRef {
  /** Empty: the distributor's own link. */
  linkId: string;
}

type Asked = { code: string } | DistributorRef | LinkPlace;

export function createLinkDirectory(client: RpcClient<typeof LinkService>): LinkDirectory {
  const find = createLeasedAnswers({
    ask: async (asked: Asked[]) => {
      const { links, leaseMs } = await client.batchGetLinks({ links: asked.map(refOf) }, { timeoutMs });
      return { values: links.map(toLink), leaseMs };
    },
    keyOf,
    isFound: ({ found }) => found,
    // Who has started by a code goes on although the distribution service is away since.
    alsoTells: (asked, link) => {
      if (!("code" in asked) && !("linkId" in asked)) return [];
      const { workspaceId, distributorId, linkId } = link;
      const shared = {
        ref: { workspaceId, distributorId },
        value: { ...link, linkId: "", contactId: "", language: "" },
      };
      return linkId === "" ? [shared] : [shared, { ref: { workspaceId, distributorId, linkId }, value: link }];
    },
  });
  return {
    byCode: async (code) => find({ code }),
    byDistributor: async ({ workspaceId, distributorId }) => find({ workspaceId, distributorId }),
    bySession: async ({ workspaceId, distributorId, linkId }) =>
      find(linkId === "" ? { workspaceId, distributorId } : { workspaceId, distributorId, linkId }),
    freshByDistributor: ({ workspaceId, distributorId }) => find.fresh({ workspaceId, distributorId }),
    isPassword: async ({ workspaceId, distributorId }, password) =>
      (await client.checkLinkPassword({ workspaceId, distributorId, password }, { timeoutMs })).matches,
  };
}

function refOf(asked: Asked): { by: LinkRef["by"] } {
  if ("code" in asked) return { by: { case: "code", value: asked.code } };
  if ("linkId" in asked) return { by: { case: "issuedLink", value: asked } as LinkRef["by"] };
  return { by: { case: "distributor", value: asked } as LinkRef["by"] };
}

/** No id holds a blank, so a code can not be taken for a distributor. */
function keyOf(asked: Asked): string {
  if ("code" in asked) return `code ${asked.code}`;
  const distributor = `${asked.workspaceId} ${asked.distributorId}`;
  return "linkId" in asked ? `${distributor} ${asked.linkId}` : distributor;
}

function toLink(message: LinkMessage): Link {
  const { opensAt, closesAt, responseLimit, ...link } = message;
  return {
    ...link,
    opensAt: opensAt ? timestampDate(opensAt) : null,
    closesAt: closesAt ? timestampDate(closesAt) : null,
    responseLimit: responseLimit === undefined ? null : Number(responseLimit),
  };
}
